/* SPDX-License-Identifier: BSD-2-Clause */
/* All that CPUID answers, as facts of the report. */
#include "kernel.h"

/* The serial number of a Pentium III and of Transmeta, which is nobody's business. */
#define CPUID_SERIAL      3u
#define CPUID_TOPOLOGY    0x0bu
#define CPUID_TOPOLOGY_V2 0x1fu

/* More than any processor has. */
enum { LEAVES = 128, SUBLEAVES = 32 };

static void report_answer(const char *who, uint32_t leaf, uint32_t subleaf,
			  const struct cpuid_regs *r)
{
	char key[32];

	if (subleaf)
		fmt_print(key, sizeof(key), "cpuid.%x.%x", leaf, subleaf);
	else
		fmt_print(key, sizeof(key), "cpuid.%x", leaf);
	report_fact(who, key, "%x:%x:%x:%x", r->eax, r->ebx, r->ecx, r->edx);
}

/* Behind the last subleaf all is 0, but ECX may repeat the number, and EDX of leaves of levels is
 * the x2APIC id in each; a leaf that has no subleaves answers each alike. */
static bool tells_more(uint32_t leaf, const struct cpuid_regs *r, const struct cpuid_regs *first)
{
	bool levels = leaf == CPUID_TOPOLOGY || leaf == CPUID_TOPOLOGY_V2;
	bool something = r->eax || r->ebx || (r->edx && !levels) || r->ecx >= SUBLEAVES;

	return something && memcmp(r, first, sizeof(*r)) != 0;
}

static void report_leaf(const char *who, uint32_t leaf)
{
	struct cpuid_regs first = cpuid(leaf, 0), r;

	report_answer(who, leaf, 0, &first);
	for (uint32_t subleaf = 1; subleaf < SUBLEAVES; subleaf++) {
		r = cpuid(leaf, subleaf);
		if (tells_more(leaf, &r, &first))
			report_answer(who, leaf, subleaf, &r);
	}
}

/* The leaves from this one on, if there are any: its EAX is the last one's number. */
static void report_range(const char *who, uint32_t first)
{
	uint32_t last = cpuid(first, 0).eax;

	if (last < first || last - first >= LEAVES)
		return;
	for (uint32_t leaf = first; leaf <= last; leaf++)
		if (leaf != CPUID_SERIAL)
			report_leaf(who, leaf);
}

void identify_leaves(const char *who, const struct cpu_identity *identity)
{
	report_range(who, 0);
	if (identity->virtual)
		report_range(who, 0x40000000);
	report_range(who, 0x80000000);
	report_range(who, 0xc0000000); /* Centaur and Zhaoxin */
}
