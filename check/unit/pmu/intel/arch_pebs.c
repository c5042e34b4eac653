/* SPDX-License-Identifier: BSD-2-Clause */
/* Architectural PEBS: what CPUID tells of it, and records that come in fragments. */
#include <string.h>

#include "check/unit/tap.h"
#include "pmu/intel/intel.h"

/* ---- CPUID ---- */

/* InstLatx64, a dump of 000C06C3: the P-core of a Panther Lake. */
static const struct intel_leaves panther_lake = {
	.leaf_0 = {0x28, 0x756e6547, 0x6c65746e, 0x49656e69},
	.leaf_1 = {.eax = 0x000c06c3, .ecx = BIT(15)},
	.leaf_7 = {.eax = 2, .edx = BIT(15)},
	.leaf_7_1 = {.eax = BIT(8)},
	.leaf_a = {0x0d300806, 0x280, 0x7, 0x8603},
	.leaf_1a = {.eax = 0x40000004},
	.leaf_23 = {{0x3b, 0x3, 0, 0},
		    {0x3ff, 0xf, 0, 0},
		    {0},
		    {0x1dff, 0, 0, 0},
		    {0, 0x60060378, 0, 0},
		    {0x3ff, 0x3, 0xf, 0x1}},
};

static uint64_t recorded(const struct intel_leaves *leaves)
{
	struct intel_cpu cpu;

	OK(intel_decode(leaves, &cpu));
	OK(!cpu.recorded == !cpu.cfg_c);
	return cpu.recorded;
}

static void test_leaves(void)
{
	struct intel_leaves l = panther_lake;
	struct intel_cpu cpu;

	OK(recorded(&l) == (FIELD(35, 32) | FIELD(9, 0)));
	OK(intel_decode(&l, &cpu) && cpu.cfg_c == UINT64_C(0xe0060378ffffffff));
	l.leaf_23[5].eax = 0x3fe;
	OK(recorded(&l) == (FIELD(35, 32) | FIELD(9, 1)));
	/* A counter that is not there; no list of counters, or of groups. */
	l.leaf_23[5].eax = 0x7ff;
	OK(!recorded(&l));
	l = panther_lake;
	l.leaf_23[0].eax &= ~(uint32_t)BIT(5);
	OK(!recorded(&l));
	l.leaf_23[0].eax = panther_lake.leaf_23[0].eax & ~(uint32_t)BIT(4);
	OK(!recorded(&l));
}

/* ---- fragments ---- */

#define GOES_ON BIT(31)
#define BASIC   BIT(63)
#define GPRS    BIT(61)

struct words {
	uint64_t word[16];
	unsigned n;
};

static void add(struct words *to, uint64_t header, unsigned words, uint64_t content)
{
	to->word[to->n] = header | (16 + 8 * words);
	to->word[to->n + 1] = 0;
	for (unsigned i = 0; i < words; i++)
		to->word[to->n + 2 + i] = content + i;
	to->n += 2 + words;
}

static bool joins_to(const struct words *from, const struct words *to)
{
	struct words w = *from;

	return intel_arch_pebs_join((uint8_t *)w.word, 8 * w.n) == 8 * to->n &&
	       !memcmp(w.word, to->word, 8 * to->n);
}

static void test_fragments(void)
{
	struct words whole = {.n = 0}, split = {.n = 0}, wrong = {.n = 0};

	add(&whole, BASIC | GPRS, 4, 100);
	add(&whole, BASIC, 2, 200);
	OK(joins_to(&whole, &whole));
	add(&split, BASIC | GOES_ON, 2, 100);
	add(&split, GPRS, 2, 102);
	add(&split, BASIC, 2, 200);
	OK(joins_to(&split, &whole));
	/* Nothing in a header but its size: the next is of the same record. */
	split.n = 0;
	add(&split, BASIC | GOES_ON, 2, 100);
	add(&split, 0, 0, 0);
	add(&split, GPRS, 2, 102);
	add(&split, BASIC, 2, 200);
	OK(joins_to(&split, &whole));
	/* Longer than what was written, or shorter than a header. */
	add(&wrong, BASIC, 2, 100);
	wrong.word[0] += 8;
	OK(joins_to(&wrong, &wrong));
	wrong.word[0] = BASIC | 8;
	OK(joins_to(&wrong, &wrong));
	OK(intel_arch_pebs_join((uint8_t *)wrong.word, 0) == 0);
}

int main(void)
{
	test_leaves();
	test_fragments();
	return tap_end();
}
