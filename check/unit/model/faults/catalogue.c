/* SPDX-License-Identifier: BSD-2-Clause */
/* The catalogue of seeded faults is sound: names, models, claims, and every hook does something. */
#include "model/faults/common/common.h"
#include "model/faults/faults.h"
#include "model/pmu/amd/amd.h"
#include "model/pmu/intel/intel.h"
#include "model/pmu/netburst/netburst.h"
#include "model/profiles/profiles.h"

#include "check/unit/tap.h"

static bool well_formed(const char *text, const char *allowed)
{
	return *text && strspn(text, allowed) == strlen(text);
}

/* Names of PMUs, or how they begin. */
static const char *const pmus[] = {
	"arb", "sbo",     "intel.",  "netburst.", "*.",    "amd.",  "imc",      "cbo", "ha",
	"qpi", "r2pcie.", "r3qpi",   "pcu.",      "ubox.", "ibs_",  "zhaoxin.", "l3.", "df.",
	"umc", "nb.",     "energy.", "clocks.",   "l2i.",  "c*",    "cha",      "iio", "irp",
	"m2m", "upi",     "m3upi",   "m2pcie",    "cpu1.", "cpu?.", "unc.",     "mc"};

/* PMU.COUNTER.GROUP.TEST, where PMU and counter may be one star; "-": no test. */
static bool is_test_glob(const char *glob)
{
	bool known = !strcmp(glob, "-");

	for (unsigned i = 0; i < sizeof(pmus) / sizeof(*pmus); i++)
		known |= !strncmp(glob, pmus[i], strlen(pmus[i]));
	return known && well_formed(glob, "abcdefghijklmnopqrstuvwxyz0123456789_.*?-,");
}

/* It does something, and where it twists a value, it says how. */
static bool is_defect(const struct defect *d)
{
	static const struct twist no_twist;
	static struct defect none;
	bool twists = d->kept == twisted || d->acts == twisted || d->shown == twisted ||
		      d->hold == twisted || d->status == twisted || d->acts == exchanged,
	     may = d->acts == lowest_bit_only;

	none.roles = d->roles;
	none.box = d->box;
	none.field = d->field;
	none.sockets = d->sockets;
	none.registers = d->registers;
	none.counters = d->counters;
	none.event = d->event;
	none.as_lawful = d->as_lawful;
	none.twist = d->twist;
	none.arg = d->arg;
	return memcmp(d, &none, sizeof(none)) != 0 &&
	       (may || (memcmp(&d->twist, &no_twist, sizeof(no_twist)) != 0) == twists);
}

static bool is_meter_defect(const struct meter_defect *d)
{
	static const struct twist no_twist;

	return d->times || memcmp(&d->shown, &no_twist, sizeof(no_twist)) != 0;
}

/* It breaks something, perhaps of a processor that CPUID makes another. */
static bool has_hook(const struct fault *f)
{
	static const struct twist no_twist;

	if (memcmp(&f->extended_lvt, &no_twist, sizeof(no_twist)) != 0)
		return !f->core && !f->cpuid && !f->boxes;
	if (f->company)
		return !f->core && !f->cpuid && !f->boxes;
	if (f->energy || f->clocks)
		return !f->core && !f->cpuid && !f->boxes &&
		       is_meter_defect(f->energy ? f->energy : f->clocks);
	if (f->boxes)
		return !f->core && !f->cpuid && is_defect(f->boxes);
	return f->core ? is_defect(f->core) : f->cpuid != NULL;
}

static void test_entries(void)
{
	const struct fault *fault;
	unsigned count = 0;

	for (; (fault = fault_at(count)); count++) {
		bool sound = well_formed(fault->name, "abcdefghijklmnopqrstuvwxyz0123456789_") &&
			     (fault->models || fault->boxes) && is_test_glob(fault->test) &&
			     *fault->says && (fault->models == MODEL_ALL || has_hook(fault)) &&
			     fault_find(fault->name) == fault;

		if (!OK(sound))
			printf("#   %s\n", fault->name);
	}
	OK(count >= 30);
	OK(!fault_find("none") && !fault_find("") && !fault_find("usr_dea"));
	OK(fault_applies(fault_find("counter4_dead"), profile_find("zen2")));
	OK(!fault_applies(fault_find("counter4_dead"), profile_find("k7")));
}

/* Neither "all" nor a seed has it beside others. */
static void test_alone(const struct profile *profile, const struct fault *fault)
{
	uint64_t left_out = lawful_of(profile) & ~lawful_together(profile);
	bool found = false;

	for (uint64_t left = left_out; left; left &= left - 1)
		found |= lawful_number(profile, (unsigned)__builtin_ctzll(left)) == fault;
	OK(fault && fault->alone && found);
	for (unsigned seed = 1; seed < 100; seed++)
		OK(!(lawful_of_seed(profile, seed) & left_out));
}

static void test_lawful(void)
{
	const struct profile *zen4 = profile_find("zen4");
	const struct fault *lawful;
	unsigned count = 0, on_zen4 = 0;

	for (; (lawful = lawful_at(count)); count++) {
		bool sound =
			well_formed(lawful->name, "abcdefghijklmnopqrstuvwxyz0123456789_") &&
			lawful->models && *lawful->says &&
			(lawful->core ? is_defect(lawful->core) : lawful->cpuid || lawful->boxes) &&
			strcmp(lawful->name, "all") != 0 && lawful_find(lawful->name) == lawful;

		if (!OK(sound))
			printf("#   %s\n", lawful->name);
		on_zen4 += fault_applies(lawful, zen4);
	}
	OK(count > 0 && !lawful_find("all") && !fault_find("kvm_counts_vmrun"));
	OK(on_zen4 < 64 && lawful_of(zen4) == (UINT64_C(1) << on_zen4) - 1);
	/* A seed draws some of them, another one others, and 0 none. */
	OK(!lawful_of_seed(zen4, 0));
	for (unsigned seed = 1; seed < 100; seed++)
		OK(!(lawful_of_seed(zen4, seed) & ~lawful_of(zen4)));
	test_alone(profile_find("skylake"), lawful_find("kvm_mediates"));
}

/* ---- a few by what they do ---- */

#define CTL UINT32_C(0xc0010000)
#define CTR UINT32_C(0xc0010004)

static struct pmu_amd pmu;

static void begin(const char *fault, uint64_t select, uint64_t from)
{
	pmu_amd_ops.reset(&pmu, profile_find("k7")->pmus[0].traits, fault_find(fault));
	pmu_amd_ops.wrmsr(&pmu, CTR, from);
	pmu_amd_ops.wrmsr(&pmu, CTL, select);
}

/* n occurrences in each clock; returns the requests made. */
static unsigned clocks(unsigned count, uint8_t n)
{
	struct clock clock = {0};
	unsigned requests = 0;

	clock.n[SIGNAL_CYCLES] = 1;
	clock.n[SIGNAL_INSTRUCTIONS] = n;
	while (count--)
		requests += pmu_amd_ops.core->clock(&pmu, &clock);
	return requests;
}

static uint64_t value(uint32_t n)
{
	uint64_t v = 0;

	pmu_amd_ops.rdmsr(&pmu, CTR + n, &v);
	return v;
}

static uint64_t counted(const char *fault, uint64_t select, uint64_t from, unsigned count,
			uint8_t n)
{
	begin(fault, select, from);
	clocks(count, n);
	return value(0);
}

static void test_counting(void)
{
	OK(counted("threshold_off_by_one", 0x034300c0, 0, 5, 3) == 0);
	OK(counted("threshold_bit1_stuck", 0x034300c0, 0, 5, 2) == 5);
	OK(counted("threshold_exact_match", 0x014300c0, 0, 5, 2) == 0);
	OK(counted("invert_dead", 0x02c300c0, 0, 5, 2) == 5);
	OK(counted("invert_off_by_one", 0x02c300c0, 0, 5, 2) == 5);
	OK(counted("edge_dead", 0x4700c0, 0, 5, 2) == 10);
	OK(counted("edge_counts_levels", 0x4700c0, 0, 5, 2) == 5);
	OK(counted("edge_falling", 0x4700c0, 0, 5, 2) == 0);
	OK(counted("neither_counts", 0x4000c0, 0, 5, 2) == 10);
	OK(counted("usr_counts_ring0", 0x4100c0, 0, 5, 2) == 10);
	OK(counted("enable_ignored", 0x0300c0, 0, 5, 2) == 10);
	OK(counted("enable_lags_one", 0x4300c0, 0, 5, 2) == 9);
	OK(counted("one_per_clock", 0x4300c0, 0, 5, 2) == 5);
	OK(counted("instruction_lost_every_64", 0x4300c0, 0, 64, 1) == 63);
	OK(counted("wrap_saturates", 0x4300c0, AMD_COUNTER_MASK, 5, 2) == AMD_COUNTER_MASK);
	OK(counted("overflow_freezes", 0x4300c0, AMD_COUNTER_MASK, 5, 1) == 0);
	OK(counted("carry_into_32_lost", 0x4300c0, 0xffffffff, 5, 1) == 4);
}

static void test_interrupts(void)
{
	begin("pmi_late_by_one", 0x5300c0, AMD_COUNTER_MASK);
	OK(clocks(1, 1) == 0 && clocks(1, 1) == 1 && clocks(5, 1) == 0);
	begin("pmi_early_by_one", 0x5300c0, AMD_COUNTER_MASK - 1);
	OK(clocks(1, 1) == 1 && clocks(5, 1) == 0);
	begin("pmi_on_carry_into_31", 0x5300c0, 0x7fffffff);
	OK(clocks(1, 1) == 1 && clocks(5, 1) == 0);
	begin("pmi_without_int", 0x4300c0, AMD_COUNTER_MASK);
	OK(clocks(5, 1) == 1);
	begin("pmi_doubled", 0x5300c0, AMD_COUNTER_MASK);
	OK(clocks(5, 1) == 2);
	begin("pmi_every_increment", 0x5300c0, 0);
	OK(clocks(5, 1) == 5);
}

static void test_two_counters(void)
{
	begin("pmi_lost_when_two", 0x5300c0, AMD_COUNTER_MASK);
	pmu_amd_ops.wrmsr(&pmu, CTR + 1, AMD_COUNTER_MASK);
	pmu_amd_ops.wrmsr(&pmu, CTL + 1, 0x5300c0);
	OK(clocks(5, 1) == 0);
	begin("pmi_stops_after_first", 0x5300c0, AMD_COUNTER_MASK);
	pmu_amd_ops.wrmsr(&pmu, CTR + 1, AMD_COUNTER_MASK - 1);
	pmu_amd_ops.wrmsr(&pmu, CTL + 1, 0x5300c0);
	OK(clocks(5, 1) == 1);
	begin("counter0_pushes_counter1", 0x4300c0, 0);
	clocks(5, 1);
	OK(value(0) == 5 && value(1) == 5);
	begin("counters_2_and_3_are_one", 0, 0);
	pmu_amd_ops.wrmsr(&pmu, CTR + 3, 7);
	OK(value(2) == 7 && value(3) == 7);
	begin("write_disturbs_neighbour", 0, 0);
	pmu_amd_ops.wrmsr(&pmu, CTR + 1, 7);
	OK(value(0) == 1 && value(1) == 7);
}

/* Two counters that start one after the other count the same VMRUNs of KVM. */
static void test_vmrun(void)
{
	pmu_amd_ops.reset(&pmu, profile_find("k7")->pmus[0].traits,
			  lawful_find("kvm_counts_vmrun"));
	pmu_amd_ops.wrmsr(&pmu, CTL, 0x4300c0);
	clocks(100000, 0);
	pmu_amd_ops.wrmsr(&pmu, CTL + 1, 0x4300c0);
	clocks(950000, 0);
	OK(value(0) == 2 && value(1) == 2);
}

int main(void)
{
	test_lawful();
	test_entries();
	test_counting();
	test_interrupts();
	test_two_counters();
	test_vmrun();
	return tap_end();
}
