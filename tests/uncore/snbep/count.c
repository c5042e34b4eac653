/* SPDX-License-Identifier: BSD-2-Clause */
/* Uncore counting: clocks, enable bits, event and unit mask. */
#include "memory.h"
#include "window.h"

#define GROUP "count"

SNBEP_CLOCK_TEST(clocks_run, "the clock event counts while the box runs", .clause = COUNTER_CONTROL,
		 .per_counter = true)
{
	const struct snbep_config clock = clock_of(t);
	uint64_t clocks;

	box_window(t, 1, &t->counter, &clock, wait_a_window, &clocks);
	CHECK(t, clocks > 0);
}

/* Of the counters with the clock event: those that count with these enable bits. */
static uint64_t counting(struct run *t, uint64_t enabled)
{
	uint64_t out[SNBEP_COUNTERS_MAX], ctrs = 0;

	box_program_clocks(t);
	for (unsigned c = 0; c < t->pmu->counters; c++)
		if (!(enabled & BIT(c)))
			snbep_put(t->pmu, t->pmu->counter[c].ctl.address,
				  clock_of(t).event & CTL_EV_SEL);
	snbep_run(t->pmu);
	wait_a_window();
	snbep_freeze(t->pmu);
	box_read(t, out);
	for (unsigned c = 0; c < t->pmu->counters; c++)
		ctrs |= (uint64_t)(out[c] != 0) << c;
	return ctrs;
}

SNBEP_CLOCK_TEST(enable_gates, "a counter counts if its en is set, whatever that of others is",
		 .clause = COUNTER_CONTROL, .per_counter = true)
{
	uint64_t all = BIT(t->pmu->counters) - 1;

	CHECK_EQ(t, counting(t, BIT(t->counter)), BIT(t->counter));
	CHECK_EQ(t, counting(t, all & ~BIT(t->counter)), all & ~BIT(t->counter));
}

SNBEP_CLOCK_TEST(counters_agree, "counters of a box on the same event count the same",
		 .clause = BOX_CONTROL)
{
	uint64_t out[SNBEP_COUNTERS_MAX];

	box_program_clocks(t);
	snbep_run(t->pmu);
	wait_a_window();
	snbep_freeze(t->pmu);
	box_read(t, out);
	CHECK(t, out[0] > 0);
	for (unsigned c = 1; c < t->pmu->counters; c++)
		CHECK_EQ(t, out[c], out[0]);
}

/* ---- unit masks ---- */

/* Disjoint sub-events, and last their union.  exact: each occurrence is of one of them; else two of
 * them may share a clock, and the union counts it once or twice. */
static const struct masks {
	uint32_t kinds;
	unsigned n;
	bool exact;
	struct snbep_config cfg[SNBEP_COUNTERS_MAX];
} masks[] = {
	{SNBEP_IMC, 3, true, {{IMC_CAS_COUNT_RD}, {IMC_CAS_COUNT_WR}, {IMC_CAS_COUNT_ALL}}},
	{SNBEP_HA,
	 4,
	 true,
	 {{HA_IMC_WRITES_FULL},
	  {HA_IMC_WRITES_PARTIAL},
	  {HA_IMC_WRITES_ISOCH},
	  {HA_IMC_WRITES_ALL}}},
	{SNBEP_QPI,
	 4,
	 true,
	 {{QPI_TXL_FLITS_G0_IDLE},
	  {QPI_TXL_FLITS_G0_DATA},
	  {QPI_TXL_FLITS_G0_NON_DATA},
	  {QPI_TXL_FLITS_G0_ALL}}},
	{SNBEP_R2PCIE | SNBEP_R3QPI,
	 3,
	 false,
	 {{RING_AD_USED_CW}, {RING_AD_USED_CCW}, {RING_AD_USED_ALL}}},
};

static const struct masks *masks_of(const struct run *t)
{
	unsigned i = 0;

	while (!(masks[i].kinds & t->pmu->kinds))
		i++;
	return &masks[i];
}

SNBEP_TEST(unit_mask, "unit masks choose sub-events: disjoint ones sum to their union",
	   .clause = COUNTER_CONTROL,
	   .kinds = SNBEP_IMC | SNBEP_HA | SNBEP_QPI | SNBEP_R2PCIE | SNBEP_R3QPI)
{
	const struct masks *m = masks_of(t);
	uint64_t out[SNBEP_COUNTERS_MAX], sum = 0, all;

	box_window(t, m->n, NULL, m->cfg, memory_mix, out);
	all = out[m->n - 1];
	for (unsigned i = 0; i < m->n - 1; i++) {
		CHECK(t, out[i] <= all);
		sum += out[i];
	}
	if (m->exact)
		CHECK_EQ(t, sum, all);
	else
		CHECK(t, sum >= all);
	SKIP_IF(t, !all, "nothing happened here to be told apart");
}

/* ---- event select ---- */

/* What does not happen in most clocks. */
static const struct {
	uint32_t kinds;
	struct snbep_config cfg;
} rare[] = {
	{SNBEP_IMC, {IMC_ECC_CORRECTABLE_ERRORS}}, {SNBEP_HA, {HA_REQUESTS_READS}},
	{SNBEP_CBO, {CBO_LLC_VICTIMS_ALL}},        {SNBEP_PCU, {PCU_FREQ_TRANS_CYCLES}},
	{SNBEP_R2PCIE, {RING_IV_USED_ANY}},        {SNBEP_R3QPI, {RING_IV_USED_ANY}},
	{SNBEP_QPI, {QPI_TXL_FLITS_G1_SNP}},
};

/* A snoop is no data flit, and were ev_sel_ext ignored, it would be an idle one. */
static void check_qpi_groups(struct run *t)
{
	const struct snbep_config cfg[] = {{QPI_TXL_FLITS_G1_SNP}, {QPI_TXL_FLITS_G0_NON_DATA}};
	uint64_t out[2];

	box_window(t, 2, NULL, cfg, wait_a_window, out);
	CHECK(t, out[0] <= out[1]);
}

SNBEP_CLOCK_TEST(event_select, "ev_sel, and ev_sel_ext where there is one, choose the event",
		 .clause = COUNTER_CONTROL)
{
	struct snbep_config cfg[2] = {{0}, clock_of(t)};
	uint64_t out[2];

	for (unsigned i = 0; i < ARRAY_SIZE(rare); i++)
		if (rare[i].kinds & t->pmu->kinds)
			cfg[0] = rare[i].cfg;
	box_window(t, 2, NULL, cfg, wait_a_window, out);
	CHECK(t, out[0] < out[1]);
	if (kind_of(t)->bit == SNBEP_QPI)
		check_qpi_groups(t);
}
