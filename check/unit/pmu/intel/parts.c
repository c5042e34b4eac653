/* SPDX-License-Identifier: BSD-2-Clause */
/* Demands on parts: on those of which CPUID hides counters, and on those that no table knows. */
#include <string.h>

#include "check/unit/tap.h"
#include "pmu/intel/intel.h"

#define GENERAL(n) (BIT(n) - 1)
#define FIXED(n)   (GENERAL(n) << 32)
#define ALL        FIELD(47, 0)
#define TSX        (PERFEVTSEL_IN_TX | PERFEVTSEL_IN_TXCP)

/* CPUID 0AH by version: as the first part that had it. */
static const struct cpuid_regs leaf_a[] = {
	[1] = {0x07280201, 0, 0, 0},        [2] = {0x07280202, 0, 0, 0x503},
	[3] = {0x07300803, 0, 0, 0x603},    [4] = {0x07300804, 0, 0, 0x603},
	[5] = {0x08300805, 0, 0xf, 0x8604}, [6] = {0x0d300806, 0, 7, 0x8603},
};

static struct intel_leaves leaves_of(uint32_t signature, struct cpuid_regs leaf_a_)
{
	return (struct intel_leaves){
		.leaf_0 = {0x20, 0x756e6547, 0x6c65746e, 0x49656e69},
		.leaf_1 = {.eax = signature, .edx = CPUID_1_EDX_MSR},
		.leaf_a = leaf_a_,
	};
}

static struct intel_cpu decode(const struct intel_leaves *leaves)
{
	struct intel_cpu cpu;

	intel_decode(leaves, &cpu);
	return cpu;
}

/* ---- what there is, and what CPUID 0AH shows ---- */

/* InstLatx64, dumps of these signatures. */
static void test_absent(void)
{
	static const struct cpuid_regs common = {0x07300605, 0, 7, 0x8603};
	struct intel_leaves l = leaves_of(0x00090672, common);
	struct intel_leaves small =
		leaves_of(0x000806a1, (struct cpuid_regs){0x07300405, 0, 7, 0x8603});

	/* By its flag the part is hybrid: up to 8 + 4 on either kind of core. */
	OK(decode(&l).absent == (ALL & ~(GENERAL(6) | FIXED(3))));
	l.leaf_7.edx = CPUID_7_EDX_HYBRID;
	l.leaf_1a.eax = 0x40000001;
	OK(decode(&l).absent == (ALL & ~(GENERAL(8) | FIXED(4))));
	OK(decode(&l).general == 6 && decode(&l).fixed == 7);
	l.leaf_1a.eax = 0x20000001;
	OK(decode(&l).absent == (ALL & ~(GENERAL(8) | FIXED(4))));
	/* Lakefield, and one that no table knows. */
	small.leaf_7.edx = CPUID_7_EDX_HYBRID;
	small.leaf_1a.eax = 0x20000000;
	OK(decode(&small).part == INTEL_TREMONT);
	OK(decode(&small).absent == (ALL & ~(GENERAL(8) | FIXED(4))));
	small.leaf_1.eax = 0x000f06f0;
	OK(decode(&small).part == INTEL_UNKNOWN && !decode(&small).absent);
	/* Jasper Lake is not hybrid. */
	small = leaves_of(0x000906c0, (struct cpuid_regs){0x07300405, 0, 7, 0x8603});
	small.leaf_1a.eax = 0x20000000;
	OK(decode(&small).absent == (ALL & ~(GENERAL(4) | FIXED(3))));
}

static void test_leaf_23(void)
{
	struct intel_leaves l =
		leaves_of(0x000a06a4, (struct cpuid_regs){0x07300805, 0, 7, 0x8603});

	l.leaf_7.edx = CPUID_7_EDX_HYBRID;
	l.leaf_7_1.eax = CPUID_7_1_EAX_PERFMON_EXT;
	l.leaf_1a.eax = 0x40000002;
	l.leaf_23[0].eax = 0xb;
	l.leaf_23[1] = (struct cpuid_regs){0xff, 0x0f, 0, 0};
	OK(decode(&l).absent == (ALL & ~(GENERAL(8) | FIXED(4))));
	l.leaf_1.eax = 0x000c0652;
	l.leaf_23[1] = (struct cpuid_regs){0x3ff, 0x0f, 0, 0};
	OK(decode(&l).absent == (ALL & ~(GENERAL(10) | FIXED(4))));
	/* A leaf 23H that shows less than leaf 0AH, or nothing, is not believed. */
	l.leaf_23[1] = (struct cpuid_regs){0xb, 0, 0, 0};
	OK(!decode(&l).absent);
	l.leaf_23[1] = (struct cpuid_regs){0};
	OK(!decode(&l).absent);
}

/* ---- parts that hide TSX ---- */

static bool refuses_tsx(uint32_t signature, unsigned version)
{
	struct intel_leaves leaves = leaves_of(signature, leaf_a[version]);
	struct intel_cpu cpu = decode(&leaves);

	return intel_select(&cpu, 0).reserved & TSX;
}

/* The event select has a bit for it then, and nobody tells which. */
static void test_trace(void)
{
	struct intel_leaves leaves = leaves_of(0x000c06c0, leaf_a[6]);
	struct intel_cpu cpu = decode(&leaves);

	OK(intel_select(&cpu, 0).reserved & BIT(63));
	leaves.leaf_14.ebx = BIT(9);
	cpu = decode(&leaves);
	OK(!(intel_select(&cpu, 0).reserved >> 38));
	OK(intel_select(&cpu, 0).writable & PERFEVTSEL_EN);
}

static void test_tsx(void)
{
	struct intel_leaves bartlett = leaves_of(0x000d0670, leaf_a[5]);

	OK(decode(&bartlett).part == INTEL_GOLDEN_COVE);
	OK(!refuses_tsx(0x000d0670, 5) && !refuses_tsx(0x00090672, 5) &&
	   !refuses_tsx(0x000306c3, 3));
	OK(!refuses_tsx(0x00c00f10, 6) && !refuses_tsx(0x00400f10, 6) &&
	   !refuses_tsx(0x000806a1, 5));
	OK(refuses_tsx(0x000306a9, 3) && refuses_tsx(0x000b06e0, 5) && refuses_tsx(0x000c0652, 6));
}

/* ---- the law ---- */

/* By code and unit mask, for the lists of Atoms call some by another name; NULL: none. */
static const struct pmu_event *same_event(const struct pmu_event events[PMU_EVENTS_MAX],
					  const struct pmu_event *as)
{
	for (unsigned i = 1; i < PMU_EVENTS_MAX; i++)
		if (events[i].name && events[i].code == as->code &&
		    events[i].unit_mask == as->unit_mask)
			return &events[i];
	return NULL;
}

/* Is each event of the one an event of the other, and not judged more strictly? */
static bool no_more_events(const struct intel_cpu *one, const struct intel_cpu *other)
{
	static struct pmu_event events[PMU_EVENTS_MAX], others[PMU_EVENTS_MAX];

	memset(events, 0, sizeof(events));
	memset(others, 0, sizeof(others));
	intel_events(one, events);
	intel_events(other, others);
	for (unsigned i = 1; i < PMU_EVENTS_MAX; i++) {
		const struct pmu_event *e = &events[i], *o;

		if (!e->name)
			continue;
		o = same_event(others, e);
		if (!o || e->counters & ~o->counters ||
		    (e->why->accuracy == PMU_EXACT && o->why->accuracy != PMU_EXACT))
			return false;
	}
	return true;
}

static bool no_stricter(const struct intel_cpu *one, const struct intel_cpu *other)
{
	struct intel_select select = intel_select(one, 0), others = intel_select(other, 0);

	return !(one->absent & ~other->absent) && !(select.writable & ~others.writable) &&
	       !(select.reserved & ~others.reserved) && one->any_thread <= other->any_thread &&
	       one->shortest_period >= other->shortest_period && !intel_lbr(one).entries &&
	       !intel_precise_event(one)->select && no_more_events(one, other);
}

/* And by ranges of parts: nothing is demanded of it as of one of them, and all is granted to it
 * that is granted to the other. */
static bool is_granted(const struct intel_cpu *one, const struct intel_cpu *other)
{
	bool granted = true;

	for (enum intel_part first = INTEL_PENTIUM_PRO; first <= INTEL_DARKMONT; first++)
		for (enum intel_part last = first; last <= INTEL_DARKMONT; last++)
			granted &=
				!intel_is(one, first, last) &&
				intel_may_be(one, first, last) >= intel_may_be(other, first, last);
	return granted;
}

static const struct pmu_erratum *effect_of(const struct intel_cpu *cpu, enum pmu_effect effect)
{
	static const struct pmu_ops ops = {.errata = intel_errata, .may_have = intel_may_have};
	struct intel intel = {.cpu = *cpu};
	struct pmu pmu = {.ops = &ops, .state = &intel, .revision = cpu->part};

	return pmu_effect(&pmu, effect);
}

/* Is everything that errata excuse in the other excused in the one? */
static bool has_its_excuses(const struct intel_cpu *one, const struct intel_cpu *other)
{
	for (enum pmu_effect effect = NO_EFFECT + 1; effect <= REFERENCE_AT_MAXIMUM_RATIO; effect++)
		if (effect_of(other, effect) && !effect_of(one, effect))
			return false;
	return true;
}

/* With all that CPUID may say beside the signature. */
static void compare(struct intel_leaves leaves, uint32_t unknown, bool *lawful)
{
	struct intel_cpu sister = decode(&leaves), cpu;

	if (sister.version > intel_version(sister.part))
		return;
	leaves.leaf_1.eax = unknown;
	cpu = decode(&leaves);
	*lawful &= cpu.part == INTEL_UNKNOWN && no_stricter(&cpu, &sister) &&
		   is_granted(&cpu, &sister) && has_its_excuses(&cpu, &sister);
}

static void compare_variants(uint32_t known, uint32_t unknown, unsigned version, bool *lawful)
{
	for (unsigned variant = 0; variant < 32; variant++) {
		struct intel_leaves leaves = leaves_of(known, leaf_a[version]);

		leaves.leaf_7.ebx = variant & 1 ? CPUID_7_EBX_RTM : 0;
		leaves.leaf_7.edx = variant & 2 ? CPUID_7_EDX_HYBRID : 0;
		leaves.leaf_7_1.eax = variant & 4 ? CPUID_7_1_EAX_PERFMON_EXT : 0;
		leaves.leaf_1.ecx = variant & 8 ? CPUID_1_ECX_HYPERVISOR : 0;
		leaves.leaf_1a.eax = variant & 16 ? 0x20000001 : 0x40000001;
		leaves.leaf_23[0].eax = 0xb;
		leaves.leaf_23[1] = (struct cpuid_regs){0xff, 0xf, 0, 0};
		compare(leaves, unknown, lawful);
	}
}

static uint32_t signature_of(unsigned family, unsigned model)
{
	return (family < 15 ? family << 8 : 0xf00 | (family - 15) << 20) | (model & 0xf0) << 12 |
	       (model & 0xf) << 4;
}

static void compare_all(uint32_t unknown, unsigned *sisters, bool *lawful)
{
	for (unsigned model = 0; model < 256; model++) {
		uint32_t known = signature_of(6, model);
		struct intel_leaves leaves = leaves_of(known, leaf_a[5]);

		for (unsigned v = intel_version(decode(&leaves).part); v > 0; v--, (*sisters)++)
			compare_variants(known, unknown, v, lawful);
	}
}

/* A part that no table knows is never judged more strictly than one that is known and says the same
 * by CPUID, or less of a version, as under a hypervisor. */
static void test_law(void)
{
	static const struct {
		unsigned family, model;
	} unknown[] = {{6, 0x00}, {6, 0xf0}, {7, 0x01}, {0x12, 0x01}, {0x13, 0x01}, {0x13, 0x0f}};
	unsigned sisters = 0;
	bool lawful = true;

	for (unsigned i = 0; i < ARRAY_SIZE(unknown); i++)
		compare_all(signature_of(unknown[i].family, unknown[i].model), &sisters, &lawful);
	printf("# %u pairs\n", sisters);
	OK(lawful && sisters > 200);
}

int main(void)
{
	test_absent();
	test_leaf_23();
	test_tsx();
	test_trace();
	test_law();
	return tap_end();
}
