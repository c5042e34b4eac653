/* SPDX-License-Identifier: BSD-2-Clause */
/* Architectural PEBS: what a counter asks of its records, and the buffer that they go to. */
#include "intel.h"
#include "tests/samples/samples.h"

#define GROUP "pebs", "overflow"
#define ARCH_PEBS                                                                                  \
	"Intel Architecture Instruction Set Extensions reference 319433: IA32_PEBS_BASE, "         \
	"IA32_PEBS_INDEX, IA32_PMC_GPn_CFG_C; Linux, arch/x86/events/intel/ds.c"

static bool is_recorded(const struct pmu *pmu, unsigned ctr)
{
	return pmu->sampler && intel_pebs_is_architectural(intel(pmu)) &&
	       intel(pmu)->cpu.recorded & pmu_global_bit(pmu, ctr);
}

static const char *not_recorded(const struct pmu *pmu, unsigned ctr)
{
	if (!intel_pebs_is_architectural(intel(pmu)))
		return "PEBS is not architectural";
	return is_recorded(pmu, ctr) ? NULL : "CPUID 23H.5 has no PEBS of this counter";
}

#define ARCH_TEST(name, claim, ...)                                                                \
	INTEL_TEST(name, claim, .clause = ARCH_PEBS, .needs = PMU_SAMPLER, .per_counter = true,    \
		   .absent = not_recorded, __VA_ARGS__)

/* Words of a record. */
enum { HEADER = 0, COUNTERS = 3, TSC = 4, HEADER_BYTES = 16 };

#define HEADER_SIZE   FIELD(15, 0)
#define HEADER_BASIC  BIT(63)
#define HEADER_GROUPS (FIELD(62, 61) | FIELD(55, 49) | FIELD(41, 35))

static unsigned event_of(const struct run *t)
{
	return pmu_can_count(t->pmu, t->counter, EV_INSTRUCTIONS) ? (unsigned)EV_INSTRUCTIONS
								  : first_event(t->pmu, t->counter);
}

struct recorded arch_record(struct run *t, const struct recording *what)
{
	struct window w = {.n = 1,
			   .c = {{.ctr = t->counter,
				  .cfg = gated(event_of(t)),
				  .from = preset_for(t, PERIOD)}},
			   .work = sampled_loop(EV_INSTRUCTIONS, what->events)};
	struct recorded r;

	pmu_reset(t->pmu);
	known_values_load(t);
	window_program(t, &w);
	pmu_put(t->pmu, intel_cfg_c(&t->pmu->counter[t->counter]),
		what->cfg_c | (preset_for(t, PERIOD) & CFG_C_RELOAD));
	r.buffer = intel_arch_pebs_open(INTEL_ARCH_NO_THRESHOLD);
	if (what->off)
		wrmsr(MSR_IA32_PEBS_INDEX, 0);
	if (what->cfg_c & CFG_C_LBRS)
		branches_of_user(t);
	window_go_on(t, &w);
	if (what->cfg_c & CFG_C_LBRS)
		t->pmu->branches->stop(t->pmu);
	r.index = rdmsr(MSR_IA32_PEBS_INDEX);
	r.written = intel_arch_pebs_close(t->pmu);
	return r;
}

static struct recorded record(struct run *t, uint64_t cfg_c, uint64_t events)
{
	return arch_record(t, &(struct recording){.cfg_c = cfg_c, .events = events});
}

/* ---- groups ---- */

uint64_t arch_values(const struct run *t)
{
	return CFG_C_ALLOWS | (t->pmu->counter[t->counter].fixed ? CFG_C_FIXED : CFG_C_GENERAL);
}

static uint64_t size_of(uint64_t groups)
{
	return 64u + (groups & CFG_C_AUX ? 64u : 0) + (groups & CFG_C_GPRS ? 160u : 0) +
	       (groups & (CFG_C_GENERAL | CFG_C_FIXED) ? 32u : 0);
}

/* Each says how long it is and what it has; time goes on. */
static void check_records(struct run *t, const struct recorded *r, uint64_t groups)
{
	const uint64_t size = size_of(groups);
	const uint8_t *at = r->buffer;

	for (uint64_t n = 0; n < r->written / size; n++, at += size) {
		CHECK_EQ(t, record_word(at, HEADER) & HEADER_SIZE, size);
		CHECK_EQ(t, record_word(at, HEADER) & (HEADER_BASIC | HEADER_GROUPS),
			 HEADER_BASIC | (groups & ~CFG_C_ALLOWS));
		CHECK_EQ(t, record_word(at, COUNTERS), pmu_global_bit(t->pmu, t->counter));
		if (n)
			CHECK_IS(t, record_word(at, TSC), >, record_word(at - size, TSC));
	}
}

/* Of any event: instructions of a window that is long enough for all but the rarest. */
#define INSTRUCTIONS (4 * EVENTS_FOR(2))

static void skip_unless_due(struct run *t)
{
	SKIP_IF(t,
		!record_is_due(t, t->counter, gated(event_of(t)),
			       sampled_loop(EV_INSTRUCTIONS, INSTRUCTIONS)),
		"the counter counts too little for a record");
}

/* Of those that subleaf 4 has. */
ARCH_TEST(each_group, "a record has the groups that its counter asks for, and says so")
{
	const uint64_t group[] = {CFG_C_GPRS, CFG_C_AUX, arch_values(t)};

	skip_unless_due(t);
	for (unsigned set = 0; set < BIT(ARRAY_SIZE(group)); set++) {
		uint64_t groups = 0;
		struct recorded r;

		for (unsigned i = 0; i < ARRAY_SIZE(group); i++)
			groups |= set >> i & 1 ? group[i] : 0;
		if (groups & ~intel(t->pmu)->cpu.cfg_c)
			continue;
		r = record(t, CFG_C_RECORDS | groups, INSTRUCTIONS);
		if (CHECK_IS(t, r.written, >, 0) && CHECK_EQ(t, r.written % size_of(groups), 0))
			check_records(t, &r, groups);
	}
}

/* ---- what a record needs ---- */

static void check_none(struct run *t, const struct recorded *r)
{
	CHECK_EQ(t, r->written, 0);
	CHECK_EQ(t, record_word(r->buffer, HEADER), 0);
	CHECK(t, pmu_overflowed(t->pmu, BIT(t->counter)));
}

ARCH_TEST(asked_for,
	  "a counter that does not ask for records, or is not to make any, overflows alone")
{
	const uint64_t groups = CFG_C_GPRS & intel(t->pmu)->cpu.cfg_c;
	struct recorded r;

	skip_unless_due(t);
	r = record(t, groups, INSTRUCTIONS);
	check_none(t, &r);
	r = arch_record(t, &(struct recording){CFG_C_RECORDS | groups, INSTRUCTIONS, .off = true});
	check_none(t, &r);
}

/* ---- the buffer ---- */

ARCH_TEST(full, "records fill the buffer, and what has no room is not written, and says so",
	  .counts = EV_INSTRUCTIONS)
{
	const uint64_t groups = (CFG_C_GPRS | CFG_C_AUX) & intel(t->pmu)->cpu.cfg_c;
	const uint64_t n = INTEL_ARCH_BUFFER / size_of(groups);
	struct recorded r;

	r = record(t, CFG_C_RECORDS | groups, EVENTS_FOR(2));
	CHECK_EQ(t, r.index & PEBS_INDEX_FULL, 0);
	r = record(t, CFG_C_RECORDS | groups, EVENTS_FOR(n + 1));
	CHECK_EQ(t, r.index & PEBS_INDEX_FULL, PEBS_INDEX_FULL);
	/* Each fragment more has a header more. */
	CHECK_IS(t, (r.index & PEBS_INDEX_WR) + size_of(groups) + 4 * HEADER_BYTES, >,
		 INTEL_ARCH_BUFFER);
	REQUIRE_IS(t, (r.index & PEBS_INDEX_WR), <=, INTEL_ARCH_BUFFER);
	CHECK_EQ(t, r.written % size_of(groups), 0);
	check_records(t, &r, groups);
}

ARCH_TEST(reserved_faults, "a reserved bit of the registers of architectural PEBS raises #GP")
{
	const uint32_t cfg_c = pmu_number(intel_cfg_c(&t->pmu->counter[t->counter]));

	for (unsigned bit = 0; bit < 64; bit++) {
		if (PEBS_INDEX_RESERVED >> bit & 1)
			CHECK_WRMSR(t, MSR_IA32_PEBS_INDEX, BIT(bit), FAULT_GP);
		if (CFG_C_RESERVED >> bit & 1)
			CHECK_WRMSR(t, cfg_c, BIT(bit), FAULT_GP);
	}
	CHECK_EQ(t, rdmsr(MSR_IA32_PEBS_INDEX), 0);
	CHECK_EQ(t, rdmsr(cfg_c), 0);
}
