/* SPDX-License-Identifier: BSD-2-Clause */
/* Uncore counting: clocks, enable bits, event and unit mask. */
#include "snbep.h"

#define GROUP "count"

SNBEP_CLOCK_TEST(clocks_run, "the clock event counts while the box runs", .clause = COUNTER_CONTROL,
		 .per_counter = true)
{
	struct window w = box_count(t, t->counter, CONFIGS(clock_of(t)), wait_a_window);

	CHECK(t, w.c[0].out > 0);
}

/* Of the counters with the clock event: those that count with these enable bits. */
static uint64_t counting(struct run *t, uint64_t enabled)
{
	struct window w = box_clocks(t);

	for (unsigned c = 0; c < w.n; c++)
		w.c[c].waits = !(enabled & BIT(c));
	window_run(t, &w);
	return counters_not_zero(t);
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
	struct window w = box_clocks(t);

	window_run(t, &w);
	CHECK(t, w.c[0].out > 0);
	for (unsigned c = 1; c < w.n; c++)
		CHECK_EQ(t, w.c[c].out, w.c[0].out);
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
	struct window w = box_count(t, 0, m->n, m->cfg, memory_mix);
	uint64_t sum = 0, all = w.c[m->n - 1].out;

	for (unsigned i = 0; i < m->n - 1; i++) {
		CHECK(t, w.c[i].out <= all);
		sum += w.c[i].out;
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
	struct window w = box_count(
		t, 0, CONFIGS({QPI_TXL_FLITS_G1_SNP}, {QPI_TXL_FLITS_G0_NON_DATA}), wait_a_window);

	CHECK(t, w.c[0].out <= w.c[1].out);
}

SNBEP_CLOCK_TEST(event_select, "ev_sel, and ev_sel_ext where there is one, choose the event",
		 .clause = COUNTER_CONTROL)
{
	struct window w = box_window(t, 0, CONFIGS(clock_of(t), clock_of(t)), wait_a_window);

	for (unsigned i = 0; i < ARRAY_SIZE(rare); i++)
		if (rare[i].kinds & t->pmu->kinds)
			w.c[0].box = rare[i].cfg;
	window_run(t, &w);
	CHECK(t, w.c[0].out < w.c[1].out);
	if (kind_of(t)->bit == SNBEP_QPI)
		check_qpi_groups(t);
}
