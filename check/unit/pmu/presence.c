/* SPDX-License-Identifier: BSD-2-Clause */
/* Presence: which PMUs the drivers find where registers keep what is written, read 0 and forget, or
 * fault.  Each row is a machine, made of its MSRs. */
#include "check/fuzz/fake_machine.h"
#include "check/unit/tap.h"
#include "pmu/pmu.h"

#define KEEPS   FAKE_ALL_MSRS
#define FORGETS FAKE_FORGETFUL_MSRS
#define FAULTS  0u

enum { MSRS = 16, LEAVES = 6 };

/* MSRs that the machine has, whatever it does with all others; 0 ends them. */
struct msr {
	uint32_t msr;
	uint8_t flags;
	uint64_t value, writable;
};
#define MEMORY(msr_)                                                                               \
	{                                                                                          \
		msr_, 0, 0, ~UINT64_C(0)                                                           \
	}
#define FORGOTTEN(msr_)                                                                            \
	{                                                                                          \
		msr_, 0, 0, 0                                                                      \
	}
#define FAULTING(msr_)                                                                             \
	{                                                                                          \
		msr_, FAKE_READ_FAULT | FAKE_WRITE_FAULT, 0, 0                                     \
	}
/* Its unit, and what the package has taken. */
#define ENERGY(unit, package)                                                                      \
	{0x606, FAKE_WRITE_FAULT, unit, 0},                                                        \
	{                                                                                          \
		0x611, FAKE_WRITE_FAULT, package, 0                                                \
	}
/* IA32_MISC_ENABLE: there is performance monitoring. */
#define MONITORED                                                                                  \
	{                                                                                          \
		0x1a0, 0, BIT(7), ~UINT64_C(0)                                                     \
	}
/* The core counters of a guest of KVM with four of them, and version 2. */
#define KVM_CORE                                                                                   \
	MONITORED, MEMORY(0x186), MEMORY(0x187), MEMORY(0x188), MEMORY(0x189), MEMORY(0xc1),       \
		MEMORY(0xc2), MEMORY(0xc3), MEMORY(0xc4), MEMORY(0x38d), MEMORY(0x38f)

struct leaf {
	uint32_t leaf, eax, ebx, ecx, edx;
};
typedef struct leaf processor[LEAVES];
#define INTEL(highest_, signature_)                                                                \
	{0, highest_, 0x756e6547, 0x6c65746e, 0x49656e69},                                         \
	{                                                                                          \
		1, signature_, 0x00000800, 0x00008000, 0x00200220                                  \
	}
#define AMD(signature_)                                                                            \
	{0, 0x10, 0x68747541, 0x444d4163, 0x69746e65}, {1, signature_, 0, 0, 0x230},               \
	{                                                                                          \
		0x80000000, 0x80000022, 0, 0, 0                                                    \
	}

static const processor xeon_e5 = {INTEL(0xd, 0x000206d7), {0xa, 0x07300403, 0, 0, 0x603}};
static const processor skylake = {INTEL(0xd, 0x000506e3), {0xa, 0x07300404, 0, 0, 0x603}};
static const processor skylake_clocks = {
	INTEL(0xd, 0x000506e3), {6, 0, 0, 1, 0}, {0xa, 0x07300404, 0, 0, 0x603}};
static const processor goldencove = {INTEL(0x20, 0x00090672),
				     {7, 0, 0, 0, BIT(19)},
				     {0xa, 0x08300805, 0, 0xf, 0x8604},
				     {0x1c, 0x4000000b, 7, 7, 0}};
static const processor p6 = {INTEL(2, 0x000006b1)};
static const processor northwood = {INTEL(2, 0x00000f24)};
static const processor k7 = {AMD(0x00000642)};
static const processor zen4 = {
	AMD(0x00a10f11), {0x80000001, 0, 0, BIT(23), 0}, {0x80000022, 1, 6, 0, 0}};
/* With 16 records of branches, and freezing. */
#define SAMPLING(eax_)                                                                             \
	AMD(0x00a00f11), {0x80000001, 0, 0, BIT(23) | BIT(10), 0},                                 \
	{                                                                                          \
		0x8000001b, eax_, 0, 0, 0                                                          \
	}
static const processor zen3_sampling = {SAMPLING(0x3ff)};
static const processor rembrandt = {SAMPLING(0x3fd)};
static const processor second_controls = {SAMPLING(0x23ff)};
static const processor zen4_records = {
	AMD(0x00a10f11), {0x80000001, 0, 0, BIT(23), 0}, {0x80000022, 7, 0x106, 0, 0}};

#define SELECT_FORGETS "the first control register keeps no bit: no PMU behind CPUID"
#define SELECT_FAULTS  "RDMSR of the first control register faults: no PMU behind CPUID"
#define NO_MONITORING  "IA32_MISC_ENABLE bit 7 says that there is no performance monitoring"
#define NO_GLOBAL_CTRL "IA32_PERF_GLOBAL_CTRL faults or keeps no bit, which this version has"
#define NO_GLOBAL_CTL  "PerfCntrGlobalCtl faults or keeps no bit, which PerfMonV2 has"

/* Bits of found: things that the drivers find. */
#define SAMPLER  BIT(0)
#define BRANCHES BIT(1)
#define FREEZE   BIT(2)
#define SLICE    BIT(3) /* cbo0, and with it UBox and PCU */
#define BOXLESS  BIT(4) /* the report says that there should be boxes */
#define OPS      BIT(5) /* samplers of these */
#define FETCHES  BIT(6)
#define METERS   BIT(7) /* of energy */

static const struct row {
	const char *says;
	const struct leaf *cpu;
	unsigned others; /* what MSRs without a row of their own do */
	const char *why; /* there is no PMU in the core; NULL: there is one */
	unsigned found;
	struct msr msrs[MSRS];
} rows[] = {
	{"a core of memory, and boxes of memory",
	 xeon_e5,
	 KEEPS,
	 NULL,
	 SAMPLER | BRANCHES | FREEZE | BOXLESS,
	 {MONITORED}},
	{"nothing but what is ignored", xeon_e5, FORGETS, NO_MONITORING, BOXLESS, {{0}}},
	{"selects are ignored", xeon_e5, FORGETS, SELECT_FORGETS, BOXLESS, {MONITORED}},
	{"selects fault", xeon_e5, FAULTS, SELECT_FAULTS, BOXLESS, {MONITORED}},
	{"a guest of KVM, ignore_msrs=1", xeon_e5, FORGETS, NULL, BOXLESS, {KVM_CORE}},
	{"a guest of KVM", xeon_e5, FAULTS, NULL, BOXLESS, {KVM_CORE}},
	{"no global enables: ignored",
	 skylake,
	 FORGETS,
	 NO_GLOBAL_CTRL,
	 0,
	 {MONITORED, MEMORY(0x186)}},
	{"no global enables: they fault",
	 skylake,
	 FAULTS,
	 NO_GLOBAL_CTRL,
	 0,
	 {MONITORED, MEMORY(0x186)}},
	{"one global enable alone",
	 skylake,
	 FORGETS,
	 NULL,
	 0,
	 {MONITORED, MEMORY(0x186), {0x38f, 0, 0, BIT(2)}}},
	{"global enables, and counters that run",
	 skylake,
	 FORGETS,
	 NULL,
	 0,
	 {MONITORED, {0x186, 0, BIT(22), ~UINT64_C(0)}, MEMORY(0x38f)}},
	{"PEBS: DS area forgets",
	 skylake,
	 KEEPS,
	 NULL,
	 BRANCHES | FREEZE,
	 {MONITORED, FORGOTTEN(0x600)}},
	{"PEBS: DS area faults",
	 skylake,
	 KEEPS,
	 NULL,
	 BRANCHES | FREEZE,
	 {MONITORED, FAULTING(0x600)}},
	{"PEBS: a dead bit",
	 skylake,
	 KEEPS,
	 NULL,
	 SAMPLER | BRANCHES | FREEZE,
	 {MONITORED, {0x600, 0, 0, ~BIT(20)}}},
	{"no records of branches",
	 skylake,
	 KEEPS,
	 NULL,
	 SAMPLER | FREEZE,
	 {MONITORED, FORGOTTEN(0x680)}},
	{"records of branches fault",
	 skylake,
	 KEEPS,
	 NULL,
	 SAMPLER | FREEZE,
	 {MONITORED, FAULTING(0x680)}},
	{"records of branches can only be read",
	 skylake,
	 KEEPS,
	 NULL,
	 SAMPLER | BRANCHES | FREEZE,
	 {MONITORED, {0x680, FAKE_WRITE_FAULT, 0, 0}}},
	{"DEBUGCTL is ignored", skylake, KEEPS, NULL, SAMPLER, {MONITORED, FORGOTTEN(0x1d9)}},
	{"DEBUGCTL without LBR",
	 skylake,
	 KEEPS,
	 NULL,
	 SAMPLER | FREEZE,
	 {MONITORED, {0x1d9, 0, 0, ~BIT(0)}}},
	{"DEBUGCTL without one freeze bit",
	 skylake,
	 KEEPS,
	 NULL,
	 SAMPLER | BRANCHES | FREEZE,
	 {MONITORED, {0x1d9, 0, 0, ~BIT(12)}}},

	{"architectural records",
	 goldencove,
	 KEEPS,
	 NULL,
	 SAMPLER | BRANCHES | FREEZE,
	 {MONITORED}},
	{"architectural records in use",
	 goldencove,
	 KEEPS,
	 NULL,
	 SAMPLER | BRANCHES | FREEZE,
	 {MONITORED, {0x14ce, 0, 1, ~UINT64_C(0)}, FORGOTTEN(0x1500)}},
	{"their control forgets",
	 goldencove,
	 KEEPS,
	 NULL,
	 SAMPLER | FREEZE,
	 {MONITORED, FORGOTTEN(0x14ce)}},
	{"their depth faults",
	 goldencove,
	 KEEPS,
	 NULL,
	 SAMPLER | FREEZE,
	 {MONITORED, FAULTING(0x14cf)}},
	{"samples with values of counters",
	 goldencove,
	 KEEPS,
	 NULL,
	 SAMPLER | BRANCHES | FREEZE,
	 {MONITORED, {0x345, 0, 0x4600, ~UINT64_C(0)}}},
	{"samples of a format to come",
	 goldencove,
	 KEEPS,
	 NULL,
	 BRANCHES | FREEZE,
	 {MONITORED, {0x345, 0, 0x4700, ~UINT64_C(0)}}},
	{"they forget", goldencove, KEEPS, NULL, SAMPLER | FREEZE, {MONITORED, FORGOTTEN(0x1500)}},
	{"those of an older part are no such",
	 goldencove,
	 FAULTS,
	 NULL,
	 FREEZE,
	 {KVM_CORE, MEMORY(0x680), MEMORY(0x1c9), MEMORY(0x1d9)}},

	{"AMD: all registers", zen4_records, KEEPS, NULL, BRANCHES | FREEZE, {{0}}},
	{"AMD: the last record forgets",
	 zen4_records,
	 KEEPS,
	 NULL,
	 FREEZE,
	 {FORGOTTEN(0xc001031e)}},
	{"AMD: the last record faults", zen4_records, KEEPS, NULL, FREEZE, {FAULTING(0xc001031e)}},
	{"AMD: a filter that forgets", zen4_records, KEEPS, NULL, FREEZE, {FORGOTTEN(0xc000010e)}},
	{"AMD: Zen 3's switch of records",
	 zen4_records,
	 KEEPS,
	 NULL,
	 FREEZE,
	 {{0xc000010f, 0, 0x18, ~UINT64_C(0)}}},
	{"AMD: samplers", zen3_sampling, KEEPS, NULL, SAMPLER | OPS | FETCHES, {{0}}},
	{"AMD: a sampler of ops", rembrandt, KEEPS, NULL, SAMPLER | OPS, {{0}}},
	{"AMD: samplers with second controls",
	 second_controls,
	 KEEPS,
	 NULL,
	 SAMPLER | OPS | FETCHES,
	 {{0xc001103e, 0, 1, ~UINT64_C(0)}, {0xc001103f, 0, 1, ~UINT64_C(0)}}},
	{"AMD: a sampler of ops that forgets",
	 zen3_sampling,
	 KEEPS,
	 NULL,
	 SAMPLER | FETCHES,
	 {FORGOTTEN(0xc0011033)}},
	{"AMD: samplers that fault",
	 zen3_sampling,
	 KEEPS,
	 NULL,
	 0,
	 {FAULTING(0xc0011030), FAULTING(0xc0011033)}},
	{"AMD: DebugCtl without freezing",
	 zen4_records,
	 KEEPS,
	 NULL,
	 BRANCHES,
	 {{0x1d9, 0, 0, ~FIELD(12, 11)}}},

	{"a slice whose clock runs",
	 xeon_e5,
	 FORGETS,
	 NULL,
	 SLICE,
	 {KVM_CORE, MEMORY(0xd10), {0xd16, FAKE_COUNTS, 0, ~UINT64_C(0)}}},
	{"its counter loses what is written",
	 xeon_e5,
	 FORGETS,
	 NULL,
	 SLICE,
	 {KVM_CORE, MEMORY(0xd11), {0xd16, FAKE_COUNTS, 0, 0}}},
	{"its control has a dead bit",
	 xeon_e5,
	 FORGETS,
	 NULL,
	 SLICE,
	 {KVM_CORE, {0xd10, 0, 0, ~BIT(22)}, {0xd16, FAKE_COUNTS, 0, 0}}},
	{"its registers forget", xeon_e5, FORGETS, NULL, BOXLESS, {KVM_CORE, FORGOTTEN(0xd16)}},
	{"its registers fault", xeon_e5, FORGETS, NULL, BOXLESS, {KVM_CORE, FAULTING(0xd04)}},
	{"its registers are memory",
	 xeon_e5,
	 FORGETS,
	 NULL,
	 BOXLESS,
	 {KVM_CORE, MEMORY(0xd10), MEMORY(0xd16)}},

	{"energy", skylake, FAULTS, NULL, METERS, {KVM_CORE, ENERGY(0xa0e03, 1)}},
	{"energy of a hypervisor", skylake, FAULTS, NULL, 0, {KVM_CORE, ENERGY(0, 0)}},
	{"energy, none yet", skylake, FAULTS, NULL, 0, {KVM_CORE, ENERGY(0xa0e03, 0)}},
	{"clocks", skylake_clocks, FAULTS, NULL, METERS, {KVM_CORE, MEMORY(0xe7), MEMORY(0xe8)}},
	{"clocks of a hypervisor", skylake_clocks, FAULTS, NULL, 0, {KVM_CORE}},
	{"clocks in no leaf", skylake, FAULTS, NULL, 0, {KVM_CORE, MEMORY(0xe7), MEMORY(0xe8)}},
	{"energy alone", skylake, FAULTS, SELECT_FAULTS, 0, {MONITORED, ENERGY(0xa0e03, 1)}},

	{"a P6", p6, KEEPS, NULL, 0, {{0}}},
	{"a P6 that is ignored", p6, FORGETS, SELECT_FORGETS, 0, {{0}}},
	{"a P6 that faults", p6, FAULTS, SELECT_FAULTS, 0, {{0}}},
	{"NetBurst", northwood, KEEPS, NULL, SAMPLER, {MONITORED}},
	{"NetBurst, DS area forgets", northwood, KEEPS, NULL, 0, {MONITORED, FORGOTTEN(0x600)}},
	{"NetBurst, DS area faults", northwood, KEEPS, NULL, 0, {MONITORED, FAULTING(0x600)}},
	{"NetBurst that is ignored", northwood, FORGETS, SELECT_FORGETS, 0, {MONITORED}},
	{"NetBurst that faults", northwood, FAULTS, SELECT_FAULTS, 0, {MONITORED}},
	{"a K7", k7, KEEPS, NULL, 0, {{0}}},
	{"a K7 that is ignored", k7, FORGETS, SELECT_FORGETS, 0, {{0}}},
	{"a K7 that faults", k7, FAULTS, SELECT_FAULTS, 0, {{0}}},
	{"PerfMonV2", zen4, KEEPS, NULL, 0, {{0}}},
	{"PerfMonV2 that is ignored", zen4, FORGETS, SELECT_FORGETS, 0, {{0}}},
	{"PerfMonV2, global enables forget",
	 zen4,
	 KEEPS,
	 NO_GLOBAL_CTL,
	 0,
	 {FORGOTTEN(0xc0000301)}},
	{"PerfMonV2, global enables fault", zen4, KEEPS, NO_GLOBAL_CTL, 0, {FAULTING(0xc0000301)}},
	{"PerfMonV2, a dead enable", zen4, KEEPS, NULL, 0, {{0xc0000301, 0, 0, FIELD(5, 1)}}},
};

/* ---- the machine of a row ---- */

static void put_leaf(const struct leaf *l)
{
	fake_leaf(l->leaf, 0, (struct cpuid_regs){l->eax, l->ebx, l->ecx, l->edx});
}

static void put_msr(const struct msr *m)
{
	fake_msr(m->msr, m->flags, m->value, m->writable);
}

static void build(const struct row *row)
{
	fake_begin((uint8_t)row->others);
	for (unsigned i = 0; i < LEAVES && (i == 0 || row->cpu[i].leaf); i++)
		put_leaf(&row->cpu[i]);
	for (unsigned i = 0; i < MSRS && row->msrs[i].msr; i++)
		put_msr(&row->msrs[i]);
}

/* ---- what is found ---- */

static struct pmu_set set;

static unsigned found(void)
{
	unsigned what = set.boxless.ops && set.boxless.why ? BOXLESS : 0;

	for (unsigned i = 0; i < set.count; i++) {
		const struct pmu *pmu = &set.pmu[i];

		what |= pmu->sampler ? SAMPLER : 0;
		what |= !strcmp(pmu->name, "ibs_op") ? OPS : 0;
		what |= !strcmp(pmu->name, "ibs_fetch") ? FETCHES : 0;
		what |= pmu->branches ? BRANCHES : 0;
		what |= pmu->meters ? METERS : 0;
		what |= pmu->features & PMU_FREEZE ? FREEZE : 0;
		what |= !strcmp(pmu->name, "cbo0") && !pmu->silent ? SLICE : 0;
	}
	return what;
}

static bool has_core(void)
{
	return set.count && !set.pmu[0].ops->uncore;
}

/* No client here has its uncore's boxes. */
static unsigned expected(const struct row *row)
{
	bool client = row->cpu == skylake || row->cpu == skylake_clocks || row->cpu == goldencove;

	return row->found | (client ? BOXLESS : 0);
}

static void check(const struct row *row)
{
	build(row);
	fake_note();
	pmu_find_all(&set, true);
	printf("# %s: found %x\n", row->says, found());
	OK(found() == expected(row));
	OK(has_core() == !row->why);
	if (row->why)
		SAME(set.why, row->why);
	/* As they were, but that bits of the boxes' controls only act. */
	OK(fake_as_noted(row->found & SLICE ? ~(FIELD(1, 0) | BIT(17)) : ~UINT64_C(0)));
}

int main(void)
{
	for (unsigned i = 0; i < ARRAY_SIZE(rows); i++)
		check(&rows[i]);
	return tap_end();
}
