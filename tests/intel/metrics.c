/* SPDX-License-Identifier: BSD-2-Clause */
/* PERF_METRICS: what has become of the slots of the pipeline, in shares of 255. */
#include "intel.h"

#define GROUP   "metrics", "fixed"
#define METRICS "SDM vol. 3B, 20.3.9.3: MSR_PERF_METRICS, fixed counter 3"

/* Each share is rounded by itself. */
#define ALL      255u
#define SUM_OFF  3u
#define PART_OFF 1u

#define METRICS_TEST(name, claim, ...)                                                             \
	INTEL_TEST(name, claim, .clause = METRICS, .needs = PMU_METRICS, __VA_ARGS__)

static uint64_t byte_of(uint64_t shares, unsigned i)
{
	return shares >> 8 * i & 0xff;
}

/* Fixed counter 1 counts clocks. */
static unsigned clocks_counter(const struct pmu *pmu)
{
	unsigned ctr = intel_general(pmu);

	while (ctr < pmu->counters && intel_fixed_index(pmu, ctr) != 1)
		ctr++;
	return ctr;
}

static struct slot slot_of(const struct run *t, unsigned ctr)
{
	return (struct slot){.ctr = ctr, .cfg = in_all_rings(first_event(t->pmu, ctr))};
}

/* Stopped, empty, and ready. */
static void program_slots(struct run *t)
{
	const struct window w = {.n = 1, .c = {slot_of(t, t->pmu->metrics->counter)}};

	pmu_reset(t->pmu);
	window_program(t, &w);
	t->pmu->metrics->reset(t->pmu);
}

static void work_in_ring(enum ring ring, uint64_t iterations)
{
	const struct work work = in_ring(ring, &payload_mix, iterations);

	work_do(&work);
}

/* ---- slots ---- */

ABSENT_UNLESS(no_width,
	      pmu->metrics && pmu->metrics->per_clock && clocks_counter(pmu) < pmu->counters,
	      "how many slots a clock has is not known of this part")

/* Of two threads that both run each has some of a clock's; the firmware waits on the other one
 * while this one is tested. */
static bool are_shared(uint64_t slots, uint64_t due, uint64_t slack)
{
	return core_threads() > 1 && slots < due - slack && slots >= due / 2 - slack;
}

/* One write starts and stops both; that it does in the same clock no manual says. */
METRICS_TEST(slots_per_clock, "in each clock there are as many slots as the core is wide",
	     .absent = no_width)
{
	const unsigned width = t->pmu->metrics->per_clock;
	struct window w = {
		.n = 2,
		.c = {slot_of(t, t->pmu->metrics->counter), slot_of(t, clocks_counter(t->pmu))},
		.work = in_ring0(&payload_mix, 2000)};
	uint64_t due, slack;

	window_run(t, &w);
	due = width * w.c[1].out;
	slack = due / 1000 + 2 * width;
	CHECK_IS(t, w.c[1].out, >, 0);
	SKIP_IF(t, are_shared(w.c[0].out, due, slack), "the other thread of the core takes slots");
	CHECK_NEAR(t, w.c[0].out, due, slack);
}

/* ---- the register ---- */

/* Some share of level 1, the next of which has all others; of level 2 each is all of its own. */
static uint64_t shares_with(const struct pmu_metrics *metrics, unsigned i, uint64_t share)
{
	uint64_t level_1 = share << 8 * i | (ALL - share) << 8 * ((i + 1) % metrics->parts);

	return metrics->bytes > metrics->parts ? level_1 | level_1 << 8 * metrics->parts : level_1;
}

/* Linux gives back both, in this order, and writes nothing but shares of slots that were counted.
 */
static void check_written(struct run *t, uint64_t shares)
{
	const struct pmu_metrics *metrics = t->pmu->metrics;

	pmu_write(t->pmu, metrics->counter, SLOTS_LEAST);
	metrics->write(t->pmu, shares);
	work_in_ring(RING_0, 1);
	CHECK_EQ(t, metrics->read(t->pmu), shares);
}

METRICS_TEST(written, "while they are stopped the shares keep what is written to them, bit by bit")
{
	const struct pmu_metrics *metrics = t->pmu->metrics;

	program_slots(t);
	for (unsigned i = 0; i < metrics->parts; i++)
		for (unsigned bit = 0; bit < 8; bit++)
			check_written(t, shares_with(metrics, i, BIT(bit)));
	metrics->reset(t->pmu);
	CHECK_EQ(t, metrics->read(t->pmu), 0);
}

/* What one of both enable bits alone makes of them. */
static void check_stands(struct run *t, uint64_t global_ctrl)
{
	program_slots(t);
	wrmsr(MSR_GLOBAL_CTRL, global_ctrl);
	work_in_ring(RING_0, 100);
	wrmsr(MSR_GLOBAL_CTRL, 0);
	CHECK_EQ(t, t->pmu->metrics->read(t->pmu), 0);
}

METRICS_TEST(enables, "shares are 0 from their reset until the counter and they are both enabled")
{
	const struct pmu_metrics *metrics = t->pmu->metrics;
	const uint64_t slots = pmu_global_bit(t->pmu, metrics->counter);
	uint64_t shares;

	check_stands(t, 0);
	check_stands(t, slots);
	check_stands(t, GLOBAL_PERF_METRICS);
	program_slots(t);
	wrmsr(MSR_GLOBAL_CTRL, slots | GLOBAL_PERF_METRICS);
	work_in_ring(RING_0, 1000);
	wrmsr(MSR_GLOBAL_CTRL, 0);
	shares = metrics->read(t->pmu);
	CHECK(t, shares != 0);
	work_in_ring(RING_0, 1000);
	CHECK_EQ(t, metrics->read(t->pmu), shares);
}

METRICS_TEST(rdpmc, "RDPMC reads the shares")
{
	const struct pmu_metrics *metrics = t->pmu->metrics;
	uint64_t value = 0;

	program_slots(t);
	for (unsigned i = 0; i < metrics->parts; i++) {
		pmu_write(t->pmu, metrics->counter, SLOTS_LEAST);
		metrics->write(t->pmu, shares_with(metrics, i, 101));
		CHECK_RDPMC(t, metrics->rdpmc, &value, FAULT_NONE);
		CHECK_EQ(t, value, metrics->read(t->pmu));
	}
}

/* ---- RDPMC that empties them ---- */

ABSENT_UNLESS(not_cleared, pmu->metrics && pmu->metrics->clear_by_rdpmc,
	      "RDPMC does not empty the shares: IA32_PERF_CAPABILITIES, bit 19")

/* Shares and slots that are there, and stand. */
static void check_cleared(struct run *t, uint64_t shares, bool clears)
{
	const struct pmu_metrics *metrics = t->pmu->metrics;
	uint64_t value = 0;

	pmu_write(t->pmu, metrics->counter, SLOTS_LEAST);
	metrics->write(t->pmu, shares);
	CHECK_EQ(t, metrics->read(t->pmu), shares);
	CHECK_RDPMC(t, metrics->rdpmc, &value, FAULT_NONE);
	CHECK_EQ(t, value, shares);
	CHECK_EQ(t, metrics->read(t->pmu), clears ? 0 : shares);
	CHECK_EQ(t, pmu_read(t->pmu, metrics->counter), clears ? 0 : SLOTS_LEAST);
}

INTEL_TEST(cleared, "RDPMC of the shares empties them and the counter of slots when told to",
	   .clause = "SDM vol. 3B, 20.2: IA32_FIXED_CTR_CTRL, METRICS_CLEAR_EN",
	   .needs = PMU_METRICS, .absent = not_cleared)
{
	const struct pmu_metrics *metrics = t->pmu->metrics;

	program_slots(t);
	check_cleared(t, shares_with(metrics, 0, 101), false);
	metrics->clear_by_rdpmc(t->pmu);
	check_cleared(t, shares_with(metrics, 0, 101), true);
	check_cleared(t, shares_with(metrics, 2, 101), true);
}

/* ---- shares ---- */

static uint64_t slots_of(struct run *t, const struct work *work)
{
	const struct pmu_metrics *metrics = t->pmu->metrics;

	program_slots(t);
	metrics->start(t->pmu, BIT(metrics->counter));
	work_do(work);
	metrics->stop(t->pmu, BIT(metrics->counter));
	return pmu_read(t->pmu, metrics->counter);
}

/* Of enough slots, a quarter more where the first try tells how many are in an iteration. */
static uint64_t shares_of(struct run *t, const struct payload *payload, enum ring ring)
{
	struct work work = in_ring(ring, payload, 1000);
	uint64_t slots = slots_of(t, &work);

	while (slots < SLOTS_LEAST) {
		REQUIRE_IS(t, slots, >, 0);
		work.iterations = work.iterations * 5 * SLOTS_LEAST / (4 * slots);
		slots = slots_of(t, &work);
	}
	return t->pmu->metrics->read(t->pmu);
}

static void check_shares(struct run *t, const struct payload *payload, enum ring ring)
{
	const struct pmu_metrics *metrics = t->pmu->metrics;
	const uint64_t shares = shares_of(t, payload, ring);
	uint64_t sum = 0;

	for (unsigned i = 0; i < metrics->parts; i++)
		sum += byte_of(shares, i);
	CHECK_NEAR(t, sum, ALL, SUM_OFF);
	for (unsigned i = metrics->parts; i < metrics->bytes; i++)
		CHECK_IS(t, byte_of(shares, i), <=, byte_of(shares, i - metrics->parts) + PART_OFF);
	if (t->failed)
		report_diag("%s: shares %016llx", payload->name, (unsigned long long)shares);
}

METRICS_TEST(
	shares,
	"shares of level 1 are 255 together, and of level 2 no more than what they are part of")
{
	check_shares(t, &payload_mix, RING_0);
	check_shares(t, &payload_straight, RING_3);
	check_shares(t, &payload_guess, RING_0); /* it mispredicts */
}
