/* SPDX-License-Identifier: BSD-2-Clause */
/* Counter by counter: that each bit of event and unit mask acts, as it does on its neighbours. */
#include "snbep.h"

#define GROUP    "event"

#define RING_BOX (SNBEP_R2PCIE | SNBEP_R3QPI)

/* LLC_LOOKUP: lines found in any state. */
#define ALL_STATES (uint32_t) CBO_FILTER_STATE

/* Events that the manual lets all these counters count, so chosen that together they have each bit
 * of event and unit mask that the box's documented events have, as far as it can be told from 0:
 * memory can be made to cause the event, or what is left of it without the bit. */
static const struct shared {
	uint32_t kinds;
	uint8_t first, last; /* counters; last 0: the last one of the box */
	bool each; /* the sub-events one by one, else all at once */
	struct snbep_config cfg;
	uint32_t filter;
} shared[] = {
	{SNBEP_IMC, 0, 0, false, {SNBEP_EVENT(0x01, 0x00)}, 0}, /* ACT_COUNT */
	{SNBEP_IMC, 0, 0, false, {SNBEP_EVENT(0x02, 0x03)}, 0}, /* PRE_COUNT */
	{SNBEP_IMC, 0, 0, true, {IMC_CAS_COUNT_ALL}, 0},
	{SNBEP_IMC, 0, 0, false, {SNBEP_EVENT(0x07, 0x03)}, 0}, /* MAJOR_MODES, READ and WRITE */
	{SNBEP_IMC, 0, 0, false, {IMC_ECC_CORRECTABLE_ERRORS}, 0}, /* bit 3: else ACT_COUNT */
	{SNBEP_IMC, 0, 0, false, {IMC_RPQ_INSERTS}, 0},
	{SNBEP_IMC, 0, 0, false, {IMC_WPQ_INSERTS}, 0},
	{SNBEP_IMC, 0, 0, false, {SNBEP_EVENT(0x41, 0x01)}, 0}, /* POWER_THROTTLE_CYCLES: as 09h */
	{SNBEP_IMC, 0, 0, false, {IMC_RPQ_OCCUPANCY}, 0},
	{SNBEP_IMC, 0, 0, true, {SNBEP_EVENT(0x83, 0xff)}, 0}, /* POWER_CKE_CYCLES by rank */
	{SNBEP_HA, 0, 0, false, {SNBEP_EVENT(0x01, 0x0f)}, 0}, /* REQUESTS */
	{SNBEP_HA, 0, 0, false, {SNBEP_EVENT(0x06, 0x03)}, 0}, /* TRACKER_INSERTS */
	{SNBEP_HA, 0, 0, false, {SNBEP_EVENT(0x0c, 0x03)}, 0}, /* DIRECTORY_LOOKUP */
	{SNBEP_HA, 0, 0, false, {SNBEP_EVENT(0x10, 0x07)}, 0}, /* TxR_BL */
	{SNBEP_HA, 0, 0, false, {HA_IMC_WRITES_FULL}, 0},
	{SNBEP_HA, 0, 0, false, {SNBEP_EVENT(0x1b, 0xff)}, 0}, /* TAD_REQUESTS_G0 */
	{SNBEP_HA, 0, 0, false, {SNBEP_EVENT(0x35, 0x03)}, 0}, /* TxR_BL_CYCLES_NE */
	{SNBEP_HA, 0, 0, true, {SNBEP_EVENT(0x40, 0x0f)}, 0}, /* RING_BL_USED */
	{SNBEP_QPI, 0, 0, true, {QPI_TXL_FLITS_G0_ALL}, 0},
	{SNBEP_QPI, 0, 0, true, {SNBEP_EVENT(0x00 | SNBEP_EXT, 0x1f)}, 0}, /* TxL_FLITS_G1 */
	{SNBEP_QPI, 0, 0, false, {SNBEP_EVENT(0x0f, 0x00)}, 0}, /* RxL0_POWER_CYCLES */
	{SNBEP_QPI, 0, 0, false, {SNBEP_EVENT(0x14, 0x00)}, 0}, /* CLOCKTICKS */
	{SNBEP_QPI, 0, 0, false, {QPI_CTO_COUNT}, 0},
	{RING_BOX, 0, 0, true, {RING_AD_USED_ALL}, 0},
	{RING_BOX, 0, 0, true, {SNBEP_EVENT(0x09, 0x0f)}, 0}, /* RING_BL_USED */
	{RING_BOX, 0, 0, false, {RING_IV_USED_ANY}, 0},
	{SNBEP_R2PCIE, 0, 1, true, {SNBEP_EVENT(0x10, 0x38)}, 0}, /* RxR_CYCLES_NE */
	{SNBEP_R2PCIE, 0, 1, true, {SNBEP_EVENT(0x33, 0x38)}, 0}, /* IIO_CREDITS_ACQUIRED */
	{SNBEP_R3QPI, 0, 1, true, {SNBEP_EVENT(0x11, 0x3f)}, 0}, /* RxR_INSERTS: bit 4, else clocks
								  */
	{SNBEP_R3QPI, 0, 1, true, {SNBEP_EVENT(0x21, 0x38)}, 0}, /* IIO_CREDITS_REJECT: bit 5 */
	{SNBEP_CBO, 0, 1, false, {SNBEP_EVENT(0x02, 0x7f)}, 0}, /* TxR_INSERTS */
	{SNBEP_CBO, 0, 1, false, {SNBEP_EVENT(0x13, 0x17)}, 0}, /* RxR_INSERTS */
	{SNBEP_CBO, 0, 1, false, {CBO_LLC_LOOKUP_WRITE}, ALL_STATES},
	{SNBEP_CBO, 0, 1, false, {CBO_TOR_INSERTS_MISS_ALL}, 0},
	{SNBEP_CBO, 0, 1, false, {CBO_TOR_INSERTS_WB}, 0},
	{SNBEP_CBO, 2, 3, true, {SNBEP_EVENT(0x1b, 0x0f)}, 0}, /* RING_AD_USED, AK, BL */
	{SNBEP_CBO, 2, 3, true, {SNBEP_EVENT(0x1c, 0x0f)}, 0},
	{SNBEP_CBO, 2, 3, true, {SNBEP_EVENT(0x1d, 0x0f)}, 0},
	{SNBEP_PCU, 0, 0, false, {PCU_CLOCKTICKS}, 0},
	{SNBEP_PCU, 0, 0, false, {PCU_FREQ_TRANS_CYCLES}, 0},
	{SNBEP_PCU, 0, 0, false, {PCU_FREQ_BAND0_CYCLES}, 0},
	{SNBEP_PCU, 0, 0, false, {SNBEP_EVENT(0x0c, 0x00)}, 0}, /* FREQ_BAND1_CYCLES */
	{SNBEP_PCU, 0, 0, false, {SNBEP_EVENT(0x1e, 0x00)}, 0}, /* DEMOTIONS_CORE0: bit 4, else
								   BAND3 */
	{SNBEP_PCU, 0, 0, false, {SNBEP_EVENT(0x20, 0x00)}, 0}, /* DEMOTIONS_CORE2: else clocks */
	{SNBEP_PCU, 0, 0, false, {PCU_CORES_C0}, 0},
	{SNBEP_PCU, 0, 0, false, {PCU_CORES_C3}, 0},
};

static void check_shared(struct run *t, const struct shared *s, unsigned unit_mask)
{
	unsigned last = s->last ? s->last : t->pmu->counters - 1u;
	struct snbep_config cfg[SNBEP_COUNTERS_MAX];
	struct window w;

	for (unsigned i = 0; i < ARRAY_SIZE(cfg); i++) {
		cfg[i] = s->cfg;
		cfg[i].unit_mask = (uint8_t)unit_mask;
	}
	if (s->filter)
		snbep_put(t->pmu, snbep_reg(t->pmu, kind_of(t)->filter[0].reg), s->filter);
	w = box_count(t, s->first, last - s->first + 1, cfg, memory_mix);
	for (unsigned i = 1; i < w.n; i++)
		CHECK_EQ(t, w.c[i].out, w.c[0].out);
}

static void check_each(struct run *t, const struct shared *s)
{
	for (unsigned left = s->cfg.unit_mask; left; left &= left - 1)
		check_shared(t, s, left & -left);
}

SNBEP_CLOCK_TEST(agree, "counters of a box on one event and unit mask count the same",
		 .clause = COUNTER_CONTROL)
{
	for (unsigned i = 0; i < ARRAY_SIZE(shared); i++)
		if (!(shared[i].kinds & t->pmu->kinds))
			continue;
		else if (shared[i].each)
			check_each(t, &shared[i]);
		else
			check_shared(t, &shared[i], shared[i].cfg.unit_mask);
}
