/* SPDX-License-Identifier: BSD-2-Clause */
/* Branch sampling of Zen 3: an overflow has the branches that follow it recorded, and then
 * interrupts. */
#include "amd.h"

#define GROUP "brs", "access"
#define BRS                                                                                        \
	"AMD PPR, family 19h models 00h to 0Fh: Branch Sampling; Linux, "                          \
	"arch/x86/events/amd/brs.c"

/* Taken in each turn of the ring but the last, which has one less. */
#define BRANCHES 10u

#pragma GCC visibility push(hidden)
extern asm_code brs_ring;
extern const char brs_ring_end[];
extern const struct {
	int32_t from, to;
} brs_branches[BRANCHES];
#pragma GCC visibility pop

const char *no_brs(const struct pmu *pmu, unsigned ctr)
{
	(void)ctr;
	return ((const struct amd *)pmu->state)->cpu.brs ? NULL
							 : "CPUID 8000_0008h promises no branch "
							   "sampling (BRS), or it does not answer";
}

#define BRS_TEST(name, claim)                                                                      \
	TEST(name, claim, .clause = BRS, .driver = &pmu_amd, .needs = PMU_INTERRUPT,               \
	     .counts = EV_TAKEN_BRANCHES, .absent = no_brs)

/* The one that begins it, as its number in DebugExtnCfg is left 0. */
enum { TRIGGER = 0 };

/* ---- one run ---- */

void brs_forget(void)
{
	wrmsr(MSR_DEBUG_EXTN_CFG, DEBUG_EXTN_CFG_MUST_BE);
	for (unsigned i = 0; i < AMD_SAMPLED_BRANCHES; i++)
		wrmsr(MSR_SAMP_BR_TO(i), 0);
}

uint64_t brs_sample(struct run *t, void (*code)(const struct brs_run *), bool armed,
		    uint64_t overflows_at, uint64_t turns)
{
	struct window w = {.n = 1, .c = {{.ctr = TRIGGER, .cfg = in_all_rings(EV_TAKEN_BRANCHES)}}};
	struct brs_run run = {.turns = turns};
	uint64_t config;

	run.arm.msr = MSR_DEBUG_EXTN_CFG;
	run.arm.on = DEBUG_EXTN_CFG_MUST_BE | (armed ? DEBUG_EXTN_CFG_BRSMEN : 0);
	run.preset.msr = pmu_number(t->pmu->counter[TRIGGER].ctr);
	run.preset.on = preset_for(t, overflows_at);
	w.c[0].cfg.interrupt = true;
	brs_forget();
	pmi_arm(t, VECTOR_PMI, BIT(TRIGGER));
	window_program(t, &w);
	window_open(t, &w);
	code(&run);
	config = rdmsr(MSR_DEBUG_EXTN_CFG);
	pmi_disarm(t);
	window_close(t, &w);
	return config;
}

static void run_ring(const struct brs_run *by)
{
	kernel_call(brs_ring, (uintptr_t)by, NULL);
}

static uint64_t run(struct run *t, bool armed, uint64_t overflows_at, uint64_t turns)
{
	return brs_sample(t, run_ring, armed, overflows_at, turns);
}

/* ---- records ---- */

unsigned brs_recorded(uint64_t config)
{
	unsigned next = (unsigned)field_get(DEBUG_EXTN_CFG_MSROFF, config);

	if (!(config & DEBUG_EXTN_CFG_VB))
		return 0;
	return next ? next : AMD_SAMPLED_BRANCHES;
}

/* Bits 63:61 are reserved, and what is above the address is a copy of its highest bit. */
uint64_t brs_target(unsigned i)
{
	return (uint64_t)((int64_t)(rdmsr(MSR_SAMP_BR_TO(i)) << 7) >> 7);
}

static uint64_t place(int32_t offset)
{
	return (uintptr_t)brs_ring + (uintptr_t)offset;
}

/* The row of the first record; BRANCHES: it is of none. */
static unsigned first_row(void)
{
	unsigned row = 0;

	while (row < BRANCHES && place(brs_branches[row].from) != rdmsr(MSR_SAMP_BR_FROM(0)))
		row++;
	return row;
}

/* So many records are of branches as they were taken one behind the other.  Returns the row of the
 * last. */
static unsigned check_records(struct run *t, unsigned n)
{
	const unsigned first = first_row();

	REQUIRE_IS(t, first, <, BRANCHES);
	for (unsigned i = 0; i < n; i++) {
		unsigned row = (first + i) % BRANCHES;

		CHECK_EQ(t, rdmsr(MSR_SAMP_BR_FROM(i)), place(brs_branches[row].from));
		CHECK_EQ(t, brs_target(i), place(brs_branches[row].to));
	}
	return (first + n - 1) % BRANCHES;
}

static bool is_in_ring(uint64_t ip)
{
	return ip >= (uintptr_t)brs_ring && ip < (uintptr_t)brs_ring_end;
}

/* ---- the tests ---- */

/* How many branches lie between the overflow and the first record is not documented, nor how late
 * the interrupt comes. */
BRS_TEST(full,
	 "behind an overflow 16 branches taken one after the other are recorded, the oldest first")
{
	for (unsigned overflows_at = 1; overflows_at <= BRANCHES; overflows_at++) {
		uint64_t config = run(t, true, overflows_at, 200);

		CHECK_EQ(t, t->log.count, 1);
		CHECK_EQ(t, brs_recorded(config), AMD_SAMPLED_BRANCHES);
		check_records(t, AMD_SAMPLED_BRANCHES);
	}
	brs_forget();
}

/* One turn is less than 16 branches. */
BRS_TEST(
	stopped,
	"recording that is stopped ahead of the 16th branch keeps its records, and then interrupts")
{
	for (unsigned overflows_at = 1; overflows_at <= 4; overflows_at++) {
		unsigned n = brs_recorded(run(t, true, overflows_at, 1));

		CHECK_EQ(t, t->log.count, 1);
		CHECK(t, !is_in_ring(t->log.rip));
		CHECK_IS(t, n, <, BRANCHES);
		if (n)
			CHECK_EQ(t, check_records(t, n), BRANCHES - 2);
	}
	brs_forget();
}

BRS_TEST(overflow, "without an overflow no branch is recorded, and nothing interrupts")
{
	CHECK_EQ(t, brs_recorded(run(t, true, BIT(40), 20)), 0);
	CHECK_EQ(t, t->log.count, 0);
	CHECK_EQ(t, brs_target(0), 0);
	brs_forget();
}

BRS_TEST(disabled, "while BRS is disabled an overflow has no branch recorded, and interrupts")
{
	CHECK_EQ(t, brs_recorded(run(t, false, 1, 200)), 0);
	CHECK_EQ(t, t->log.count, 1);
	CHECK(t, is_in_ring(t->log.rip));
	CHECK_EQ(t, brs_target(0), 0);
	brs_forget();
}
