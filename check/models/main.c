/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Holds what CPUID says on the silicon models against recorded processors.
 *
 *     models RECORDED
 *
 * Caches and the PMU must be as recorded, features at most so, the topology that of the model's
 * machine, whichever leaf tells it, and nothing may be that of the processor underneath.  The exit
 * code is 0 if all is so, 1 if not, and 2 where the table is malformed.
 */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "check/processors/row.h"
#include "kernel/lib/bits.h"
#include "model/cpu/cpu.h"
#include "model/profiles/profiles.h"

enum { EAX, EBX, ECX, EDX };
enum { SUBLEAVES = 8, BASIC_LAST = 0x40 };
#define EXTENDED      UINT32_C(0x80000000)
#define EXTENDED_LAST (EXTENDED + 0x40)
#define ALL           UINT32_MAX

static const struct row *at;
static unsigned models, wrong;

static __attribute__((format(printf, 1, 2))) void complain(const char *format, ...)
{
	char model[32];
	va_list args;

	row_expects(at, "model", model, sizeof(model));
	printf("%s:%u: %s: ", at->file, at->line, model);
	va_start(args, format);
	vprintf(format, args);
	va_end(args);
	putchar('\n');
	wrong++;
}

/* Other leaves answer whatever is in ECX. */
static bool has_subleaves(uint32_t leaf)
{
	return leaf == 0x4 || leaf == 0x7 || leaf == 0xb || leaf == 0xd || leaf == 0x18 ||
	       leaf == 0x1f || leaf == 0x23 || leaf == EXTENDED + 0x1d || leaf == EXTENDED + 0x26;
}

static uint32_t subleaves(uint32_t leaf)
{
	return has_subleaves(leaf) ? SUBLEAVES : 1;
}

/* ---- what is recorded, and what the model says ---- */

struct words {
	uint32_t r[4];
};

static struct words recorded(uint32_t leaf, uint32_t subleaf)
{
	struct words words = {{0}};

	for (size_t i = 0; i < at->facts; i++)
		if (at->fact[i].number == leaf && at->fact[i].subleaf == subleaf)
			for (unsigned j = 0; j < 4; j++)
				words.r[j] = (uint32_t)at->fact[i].value[j];
	return words;
}

static bool is_there(uint32_t leaf)
{
	return leaf <= recorded(leaf & EXTENDED, 0).r[EAX];
}

/* On a processor whose bits are all 0, or all 1. */
static struct words answer(uint32_t underneath, uint32_t leaf, uint32_t subleaf)
{
	struct words words = {{underneath, underneath, underneath, underneath}};

	silicon_cpuid(&silicon_cpu, leaf, subleaf, words.r);
	return words;
}

static uint32_t says(unsigned reg, uint32_t leaf, uint32_t subleaf)
{
	return answer(ALL, leaf, subleaf).r[reg];
}

/* ---- bits that must be as recorded ---- */

struct exact {
	uint32_t leaf, bits[4];
};

static const struct exact exact[] = {
	{0x0, {ALL, ALL, ALL, ALL}},
	{0x1, {0, FIELD(15, 8), BIT(2) | BIT(4) | BIT(15), BIT(21)}}, /* DTES64, DS-CPL, PDCM; DS */
	{0x2, {ALL, ALL, ALL, ALL}},
	{0x4, {FIELD(13, 0), ALL, ALL, ALL}},
	{0xa, {ALL, ALL, ALL, ALL}},
	{0x18, {ALL, ALL, ALL, ALL}},
	{0x1a, {ALL, ALL, ALL, ALL}},
	{EXTENDED, {ALL, 0, 0, 0}},
	{EXTENDED + 0x1, {0, 0, BIT(23), BIT(29)}}, /* six counters; long mode */
	{EXTENDED + 0x5, {ALL, ALL, ALL, ALL}},
	{EXTENDED + 0x6, {ALL, ALL, ALL, ALL}},
	{EXTENDED + 0x8, {0, BIT(1), 0, 0}}, /* IRPERF */
	{EXTENDED + 0x19, {ALL, ALL, ALL, ALL}},
	{EXTENDED + 0x1a, {ALL, ALL, ALL, ALL}},
	{EXTENDED + 0x1b, {ALL, ALL, ALL, ALL}},
	{EXTENDED + 0x1d, {FIELD(13, 0), ALL, ALL, ALL}},
	{EXTENDED + 0x22, {ALL, ALL, ALL, ALL}},
};

static bool may_differ(uint32_t leaf)
{
	return row_expects_number(at, "differs", 16) == (long)leaf;
}

static void check_exact(const struct exact *e, uint32_t subleaf)
{
	const struct words w = recorded(e->leaf, subleaf), g = answer(ALL, e->leaf, subleaf);
	const uint32_t *want = w.r, *got = g.r;
	bool same = true;

	for (unsigned i = 0; i < 4; i++)
		same &= !((want[i] ^ got[i]) & e->bits[i]);
	if (same == may_differ(e->leaf))
		complain("leaf %x.%x says %x %x %x %x, recorded is %x %x %x %x%s", e->leaf, subleaf,
			 got[EAX], got[EBX], got[ECX], got[EDX], want[EAX], want[EBX], want[ECX],
			 want[EDX], same ? ": it is said to differ" : "");
}

static void check_all_exact(void)
{
	for (size_t i = 0; i < ARRAY_SIZE(exact); i++)
		for (uint32_t s = 0; is_there(exact[i].leaf) && s < subleaves(exact[i].leaf); s++)
			check_exact(&exact[i], s);
}

/* ---- what may come from the processor underneath: features that the part has, too ---- */

/* Words that may shine through; of XSAVE's areas the sizes, too. */
static struct words may_shine(uint32_t leaf, uint32_t subleaf)
{
	const struct words part = recorded(leaf, subleaf), none = {{0}};

	switch (leaf) {
	case 0x1:
	case EXTENDED + 0x1:
		return (struct words){{0, 0, part.r[ECX], part.r[EDX]}};
	case 0x6:
		return (struct words){{part.r[EAX], 0, 0, 0}};
	case 0x7:
		return subleaf ? none : (struct words){{0, part.r[EBX], part.r[ECX], part.r[EDX]}};
	case 0xd:
		if (!part.r[EAX])
			return none;
		return (struct words){{subleaf < 2 ? part.r[EAX] : ALL, ALL, ALL, ALL}};
	case EXTENDED + 0x7:
		return (struct words){{0, part.r[EBX], 0, part.r[EDX]}};
	case EXTENDED + 0x8:
		return (struct words){{(uint32_t)FIELD(15, 0), part.r[EBX], 0, 0}};
	default:
		return none;
	}
}

/* Intel shows SYSCALL in 64-bit mode alone, in which no dump was made. */
#define EXT1_EDX_SYSCALL (uint32_t) BIT(11)

static void check_shine(uint32_t leaf, uint32_t subleaf)
{
	const struct words with = answer(ALL, leaf, subleaf), without = answer(0, leaf, subleaf);
	const struct words may = may_shine(silicon_cpuid_leaf(&silicon_cpu, leaf), subleaf);

	for (unsigned i = 0; i < 4; i++) {
		uint32_t more = (with.r[i] ^ without.r[i]) & ~may.r[i];

		if (leaf == EXTENDED + 0x1 && i == EDX)
			more &= ~EXT1_EDX_SYSCALL;
		if (more)
			complain("leaf %x.%x: bits %x of register %u are not the part's", leaf,
				 subleaf, more, i);
	}
}

/* ---- leaves that there are not ---- */

static bool is_zero(struct words words)
{
	return !(words.r[EAX] | words.r[EBX] | words.r[ECX] | words.r[EDX]);
}

static bool is_amd(void)
{
	return recorded(0, 0).r[EBX] == 0x68747541;
}

/* Above the last one Intel's answer as the last basic one, AMD's 0. */
static void check_beyond(uint32_t leaf, uint32_t subleaf)
{
	const struct words got = answer(0, leaf, subleaf);
	struct words want = {{0}};

	if (!is_amd())
		want = answer(0, recorded(0, 0).r[EAX], subleaf);
	if (memcmp(&want, &got, sizeof(want)) != 0)
		complain("leaf %x.%x is above the last one, and says something", leaf, subleaf);
}

static void check_leaf(uint32_t leaf, uint32_t subleaf)
{
	bool name = leaf >= EXTENDED + 2 && leaf <= EXTENDED + 4;

	check_shine(leaf, subleaf);
	if (!is_there(leaf))
		check_beyond(leaf, subleaf);
	else if (!name && is_zero(recorded(leaf, 0)) && !is_zero(answer(0, leaf, subleaf)))
		complain("leaf %x.%x is 0 as recorded, and says something", leaf, subleaf);
}

static void check_leaves(uint32_t first, uint32_t last)
{
	for (uint32_t leaf = first; leaf <= last; leaf++)
		for (uint32_t subleaf = 0; subleaf < subleaves(leaf); subleaf++)
			check_leaf(leaf, subleaf);
}

/* ---- topology, whichever leaf tells it ---- */

struct package {
	unsigned threads, cores, thread_bits, bits;
	uint32_t id;
};

static void must_be(const char *what, uint64_t want, uint64_t got)
{
	if (want != got)
		complain("%s: %llu, not %llu", what, (unsigned long long)got,
			 (unsigned long long)want);
}

/* Leaves 0BH, 1FH, 8000_0026h, where they are. */
static void check_levels(const struct package *p, uint32_t leaf)
{
	for (uint32_t s = 0; s < SUBLEAVES; s++) {
		const struct words was = recorded(leaf, s), is = answer(ALL, leaf, s);
		uint64_t type = field_get(FIELD(15, 8), is.r[ECX]);

		if (is_zero(recorded(leaf, 0)))
			continue;
		must_be("type of a level", field_get(FIELD(15, 8), was.r[ECX]), type);
		must_be("shift of a level",
			!type       ? 0
			: type == 1 ? p->thread_bits
				    : p->bits,
			is.r[EAX]);
		must_be("processors of a level",
			!type       ? 0
			: type == 1 ? p->threads
				    : p->threads * p->cores,
			is.r[EBX]);
		must_be("number of a level", s, field_get(FIELD(7, 0), is.r[ECX]));
		must_be("APIC ID of a level", p->id, is.r[EDX]);
	}
}

/* Threads share the first-level caches, no more than the package any. */
static void check_sharing(const struct package *p, uint32_t leaf)
{
	for (uint32_t s = 0; s < SUBLEAVES && is_there(leaf) && says(EAX, leaf, s) & FIELD(4, 0);
	     s++) {
		uint64_t sharing = field_get(FIELD(25, 14), says(EAX, leaf, s)) + 1;

		if (s == 0)
			must_be("threads at the first cache", p->threads, sharing);
		if (sharing > 1u << p->bits || sharing % p->threads)
			complain("%llu share a cache", (unsigned long long)sharing);
		if (leaf == 0x4)
			must_be("cores by leaf 4", 1u << (p->bits - p->thread_bits),
				field_get(FIELD(31, 26), says(EAX, leaf, s)) + 1);
	}
}

static void check_amd_numbers(const struct package *p)
{
	unsigned logical = p->threads * p->cores;

	must_be("CmpLegacy", logical > 1 && !is_zero(recorded(EXTENDED + 1, 0)),
		(answer(0, EXTENDED + 1, 0).r[ECX] & BIT(1)) != 0);
	if (!is_zero(recorded(EXTENDED + 8, 0)))
		must_be("processors by 8000_0008h", logical,
			field_get(FIELD(7, 0), says(ECX, EXTENDED + 8, 0)) + 1);
	if (recorded(EXTENDED, 0).r[EAX] < EXTENDED + 0x1e)
		return;
	must_be("APIC ID by 8000_001Eh", p->id, says(EAX, EXTENDED + 0x1e, 0));
	must_be("threads by 8000_001Eh", p->threads,
		field_get(FIELD(15, 8), says(EBX, EXTENDED + 0x1e, 0)) + 1);
}

static void check_topology(const struct package *p)
{
	const struct words one = answer(ALL, 1, 0);
	unsigned logical = is_amd() ? p->threads * p->cores : 1u << p->bits;

	must_be("processors by leaf 1", logical, field_get(FIELD(23, 16), one.r[EBX]));
	must_be("APIC ID by leaf 1", p->id, field_get(FIELD(31, 24), one.r[EBX]));
	must_be("HTT", logical > 1, (one.r[EDX] & BIT(28)) != 0);
	check_levels(p, 0xb);
	check_levels(p, 0x1f);
	check_levels(p, EXTENDED + 0x26);
	check_sharing(p, 0x4);
	check_sharing(p, EXTENDED + 0x1d);
	if (is_amd())
		check_amd_numbers(p);
}

/* Alone, and the third of four cores. */
static void check_seats(const struct profile *profile)
{
	const struct seat third = {.core = 2, .cores = 4};
	unsigned bits = cpuid_has_two_threads(profile);
	struct package p = {.threads = 1 + bits, .cores = 1, .thread_bits = bits, .bits = bits};

	check_topology(&p);
	silicon_seat(&silicon_cpu, &third);
	p = (struct package){1 + bits, 4, bits, bits + 2, 2u << bits};
	check_topology(&p);
}

/* ---- each model ---- */

static void meet(const struct row *row)
{
	const struct profile *profile;
	char model[32];

	at = row;
	row_expects(row, "model", model, sizeof(model));
	profile = profile_find(model);
	if (!profile) {
		complain("there is no such model");
		return;
	}
	silicon_reset(&silicon_cpu, profile, NULL);
	silicon_show_32(&silicon_cpu, cpuid_is_32(profile));
	check_all_exact();
	check_leaves(0, BASIC_LAST);
	check_leaves(EXTENDED, EXTENDED_LAST);
	check_seats(profile);
	models++;
}

int main(int argc, char **argv)
{
	unsigned all = 0;

	if (argc != 2) {
		fprintf(stderr, "models: expected is: models RECORDED\n");
		return 2;
	}
	rows_read(argv[1], meet);
	while (profile_at(all))
		all++;
	printf("%u of %u models met their processors: %u wrong\n", models, all, wrong);
	return wrong || models != all;
}
