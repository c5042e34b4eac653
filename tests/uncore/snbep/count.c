/* SPDX-License-Identifier: BSD-2-Clause */
/* Uncore counting: clocks, enable bits, event and unit mask. */
#include "snbep.h"

#define GROUP "count", "privilege"

TRIALS(clocks_run, "the clock event counts while the box runs",
       (.clause = COUNTER_CONTROL, ON_CLOCKED, .per_counter = true), {COUNTS(CLOCKS, AT_LEAST(1))})

/* Only the counter under test is enabled, and then all but that one. */
TRIALS(enable_gates, "a counter counts if its en is set, whether or not the en of others is",
       (.clause = COUNTER_CONTROL, ON_CLOCKED, .per_counter = true),
       {ON_ALL(CLOCKS), .off = 0xe,
	.law = {{{1}, AT_LEAST(1)},
		{{0, 1}, EXACTLY(0)},
		{{0, 0, 1}, EXACTLY(0)},
		{{0, 0, 0, 1}, EXACTLY(0)}}},
       {ON_ALL(CLOCKS), .off = 0x1,
	.law = {{{1}, EXACTLY(0)},
		{{0, 1}, AT_LEAST(1)},
		{{0, 0, 1}, AT_LEAST(1)},
		{{0, 0, 0, 1}, AT_LEAST(1)}}})

TRIALS(counters_agree, "counters of a box on the same event count the same",
       (.clause = BOX_CONTROL, ON_CLOCKED), {ON_ALL(CLOCKS), .law = {{{1}, AT_LEAST(1)}, ALIKE}})

/* ---- unit masks ---- */

/* Disjoint sub-events and then their union.  Each occurrence is of one of them; but two of the ring
 * may share a clock, and the union counts it once or twice. */
TRIALS(unit_mask, "unit masks choose sub-events: disjoint ones sum to their union",
       (.clause = COUNTER_CONTROL,
	.kinds = SNBEP_IMC | SNBEP_HA | SNBEP_QPI | SNBEP_R2PCIE | SNBEP_R3QPI),
       {.kinds = SNBEP_IMC,
	.load = memory_mix,
	.occurs = 3,
	.cfg = {{IMC_CAS_COUNT_RD}, {IMC_CAS_COUNT_WR}, {IMC_CAS_COUNT_ALL}},
	.law = {{{1, 1, -1}, EXACTLY(0)}}},
       {.kinds = SNBEP_HA,
	.load = memory_mix,
	.occurs = 4,
	.cfg = {{HA_IMC_WRITES_FULL},
		{HA_IMC_WRITES_PARTIAL},
		{HA_IMC_WRITES_ISOCH},
		{HA_IMC_WRITES_ALL}},
	.law = {{{1, 1, 1, -1}, EXACTLY(0)}}},
       {.kinds = SNBEP_QPI,
	.load = memory_mix,
	.occurs = 4,
	.cfg = {{QPI_TXL_FLITS_G0_IDLE},
		{QPI_TXL_FLITS_G0_DATA},
		{QPI_TXL_FLITS_G0_NON_DATA},
		{QPI_TXL_FLITS_G0_ALL}},
	.law = {{{1, 1, 1, -1}, EXACTLY(0)}}},
       {.kinds = SNBEP_R2PCIE | SNBEP_R3QPI,
	.load = memory_mix,
	.occurs = 3,
	.cfg = {{RING_AD_USED_CW}, {RING_AD_USED_CCW}, {RING_AD_USED_ALL}},
	.law = {{{1, 0, -1}, AT_MOST(0)}, {{0, 1, -1}, AT_MOST(0)}, {{1, 1, -1}, AT_LEAST(0)}}})

/* ---- event select ---- */

/* What does not happen in most clocks. */
#define RARE(kinds_, cfg_)                                                                         \
	{                                                                                          \
		.kinds = (kinds_), .cfg = {{cfg_}, {CLOCKS}}, .law = { {{1, -1}, AT_MOST(-1)} }    \
	}
/* A snoop is no data flit; were ev_sel_ext ignored, it would be an idle one. */
TRIALS(event_select, "ev_sel, and ev_sel_ext where there is one, choose the event",
       (.clause = COUNTER_CONTROL, ON_CLOCKED), RARE(SNBEP_IMC, IMC_ECC_CORRECTABLE_ERRORS),
       RARE(SNBEP_HA, HA_REQUESTS_READS), RARE(SNBEP_CBO, CBO_LLC_VICTIMS_ALL),
       RARE(SNBEP_PCU, PCU_FREQ_TRANS_CYCLES), RARE(SNBEP_R2PCIE | SNBEP_R3QPI, RING_IV_USED_ANY),
       RARE(SNBEP_QPI, QPI_TXL_FLITS_G1_SNP),
       {.kinds = SNBEP_QPI,
	.cfg = {{QPI_TXL_FLITS_G1_SNP}, {QPI_TXL_FLITS_G0_NON_DATA}},
	.law = {{{1, -1}, AT_MOST(0)}}})

/* ---- counter by counter: each bit of event and unit mask acts as it does on its neighbours ----
 */

#undef GROUP
#define GROUP    "event", "count"

#define RING_BOX (SNBEP_R2PCIE | SNBEP_R3QPI)
#define ALL      0, SNBEP_COUNTERS_MAX
/* LLC_LOOKUP: lines found in any state. */
#define ALL_STATES (uint32_t) CBO_FILTER_STATE

/* Events that the manual lets all these counters count, so chosen that together they have each bit
 * of event and unit mask that the box's documented events have, as far as it can be told from 0:
 * memory can be made to cause the event, or what is left of it without the bit. */
static const struct shared {
	uint32_t kinds;
	uint8_t first, n; /* counters */
	bool each; /* the sub-events one by one, else all at once */
	struct snbep_config cfg;
	uint32_t filter;
} shared[] = {
	{SNBEP_IMC, ALL, false, {SNBEP_EVENT(0x01, 0x00)}, 0}, /* ACT_COUNT */
	{SNBEP_IMC, ALL, false, {SNBEP_EVENT(0x02, 0x03)}, 0}, /* PRE_COUNT */
	{SNBEP_IMC, ALL, true, {IMC_CAS_COUNT_ALL}, 0},
	{SNBEP_IMC, ALL, false, {SNBEP_EVENT(0x07, 0x03)}, 0}, /* MAJOR_MODES, READ and WRITE */
	{SNBEP_IMC, ALL, false, {IMC_ECC_CORRECTABLE_ERRORS}, 0}, /* bit 3: else ACT_COUNT */
	{SNBEP_IMC, ALL, false, {IMC_RPQ_INSERTS}, 0},
	{SNBEP_IMC, ALL, false, {IMC_WPQ_INSERTS}, 0},
	{SNBEP_IMC, ALL, false, {SNBEP_EVENT(0x41, 0x01)}, 0}, /* POWER_THROTTLE_CYCLES: as 09h */
	{SNBEP_IMC, ALL, false, {IMC_RPQ_OCCUPANCY}, 0},
	{SNBEP_IMC, ALL, true, {SNBEP_EVENT(0x83, 0xff)}, 0}, /* POWER_CKE_CYCLES by rank */
	{SNBEP_HA, ALL, false, {SNBEP_EVENT(0x01, 0x0f)}, 0}, /* REQUESTS */
	{SNBEP_HA, ALL, false, {SNBEP_EVENT(0x06, 0x03)}, 0}, /* TRACKER_INSERTS */
	{SNBEP_HA, ALL, false, {SNBEP_EVENT(0x0c, 0x03)}, 0}, /* DIRECTORY_LOOKUP */
	{SNBEP_HA, ALL, false, {SNBEP_EVENT(0x10, 0x07)}, 0}, /* TxR_BL */
	{SNBEP_HA, ALL, false, {HA_IMC_WRITES_FULL}, 0},
	{SNBEP_HA, ALL, false, {SNBEP_EVENT(0x1b, 0xff)}, 0}, /* TAD_REQUESTS_G0 */
	{SNBEP_HA, ALL, false, {SNBEP_EVENT(0x35, 0x03)}, 0}, /* TxR_BL_CYCLES_NE */
	{SNBEP_HA, ALL, true, {SNBEP_EVENT(0x40, 0x0f)}, 0}, /* RING_BL_USED */
	{SNBEP_QPI, ALL, true, {QPI_TXL_FLITS_G0_ALL}, 0},
	{SNBEP_QPI, ALL, true, {SNBEP_EVENT(0x00 | SNBEP_EXT, 0x1f)}, 0}, /* TxL_FLITS_G1 */
	{SNBEP_QPI, ALL, false, {SNBEP_EVENT(0x0f, 0x00)}, 0}, /* RxL0_POWER_CYCLES */
	{SNBEP_QPI, ALL, false, {SNBEP_EVENT(0x14, 0x00)}, 0}, /* CLOCKTICKS */
	{SNBEP_QPI, ALL, false, {QPI_CTO_COUNT}, 0},
	{RING_BOX, ALL, true, {RING_AD_USED_ALL}, 0},
	{RING_BOX, ALL, true, {SNBEP_EVENT(0x09, 0x0f)}, 0}, /* RING_BL_USED */
	{RING_BOX, ALL, false, {RING_IV_USED_ANY}, 0},
	{SNBEP_R2PCIE, 0, 2, true, {SNBEP_EVENT(0x10, 0x38)}, 0}, /* RxR_CYCLES_NE */
	{SNBEP_R2PCIE, 0, 2, true, {SNBEP_EVENT(0x33, 0x38)}, 0}, /* IIO_CREDITS_ACQUIRED */
	{SNBEP_R3QPI, 0, 2, true, {SNBEP_EVENT(0x11, 0x3f)}, 0}, /* RxR_INSERTS: bit 4, else clocks
								  */
	{SNBEP_R3QPI, 0, 2, true, {SNBEP_EVENT(0x21, 0x38)}, 0}, /* IIO_CREDITS_REJECT: bit 5 */
	{SNBEP_CBO, 0, 2, false, {SNBEP_EVENT(0x02, 0x7f)}, 0}, /* TxR_INSERTS */
	{SNBEP_CBO, 0, 2, false, {SNBEP_EVENT(0x13, 0x17)}, 0}, /* RxR_INSERTS */
	{SNBEP_CBO, 0, 2, false, {CBO_LLC_LOOKUP_WRITE}, ALL_STATES},
	{SNBEP_CBO, 0, 2, false, {CBO_TOR_INSERTS_MISS_ALL}, 0},
	{SNBEP_CBO, 0, 2, false, {CBO_TOR_INSERTS_WB}, 0},
	{SNBEP_CBO, 2, 2, true, {SNBEP_EVENT(0x1b, 0x0f)}, 0}, /* RING_AD_USED, AK, BL */
	{SNBEP_CBO, 2, 2, true, {SNBEP_EVENT(0x1c, 0x0f)}, 0},
	{SNBEP_CBO, 2, 2, true, {SNBEP_EVENT(0x1d, 0x0f)}, 0},
	{SNBEP_PCU, ALL, false, {CLOCKS}, 0},
	{SNBEP_PCU, ALL, false, {PCU_FREQ_TRANS_CYCLES}, 0},
	{SNBEP_PCU, ALL, false, {PCU_FREQ_BAND0_CYCLES}, 0},
	{SNBEP_PCU, ALL, false, {SNBEP_EVENT(0x0c, 0x00)}, 0}, /* FREQ_BAND1_CYCLES */
	{SNBEP_PCU, ALL, false, {SNBEP_EVENT(0x1e, 0x00)}, 0}, /* DEMOTIONS_CORE0: bit 4, else
								   BAND3 */
	{SNBEP_PCU, ALL, false, {SNBEP_EVENT(0x20, 0x00)}, 0}, /* DEMOTIONS_CORE2: else clocks */
	{SNBEP_PCU, ALL, false, {PCU_CORES_C0}, 0},
	{SNBEP_PCU, ALL, false, {PCU_CORES_C3}, 0},
};

static void check_shared(struct run *t, const struct shared *s, unsigned unit_mask)
{
	struct trial trial = {
		.first = s->first, .filter = {s->filter}, .load = memory_mix, .law = {ALIKE}};

	for (unsigned i = 0; i < s->n; i++) {
		trial.cfg[i] = s->cfg;
		trial.cfg[i].unit_mask = (uint8_t)unit_mask;
	}
	for (unsigned i = s->n; i < SNBEP_COUNTERS_MAX; i++)
		trial.law[i - 1] = (struct law){.n = 0};
	judge(t, &trial);
}

SNBEP_TEST(agree, "counters of a box on one event and unit mask count the same",
	   .clause = COUNTER_CONTROL, ON_CLOCKED)
{
	for (unsigned i = 0; i < ARRAY_SIZE(shared); i++) {
		unsigned each = shared[i].each ? shared[i].cfg.unit_mask : 0;

		if (!(shared[i].kinds & t->pmu->kinds))
			continue;
		for (unsigned left = each; left; left &= left - 1)
			check_shared(t, &shared[i], left & -left);
		if (!each)
			check_shared(t, &shared[i], shared[i].cfg.unit_mask);
	}
}
