/* SPDX-License-Identifier: BSD-2-Clause */
/* Counter by counter: that each bit of event and unit mask acts, as it does on its neighbours. */
#include "snbep_memory.h"
#include "snbep_window.h"

#define GROUP    "event"

#define RING_BOX (SNBEP_R2PCIE | SNBEP_R3QPI)

/* Events that the manual lets all these counters count, so chosen that together they have each bit
 * of event and unit mask that the box's documented events have, as far as memory can be made to
 * cause them.  last 0: the last one of the box. */
static const struct shared {
	uint32_t kinds;
	uint8_t first, last;
	struct snbep_config cfg;
} shared[] = {
	{SNBEP_IMC, 0, 0, {SNBEP_EVENT(0x01, 0x00)}}, /* ACT_COUNT */
	{SNBEP_IMC, 0, 0, {SNBEP_EVENT(0x02, 0x03)}}, /* PRE_COUNT */
	{SNBEP_IMC, 0, 0, {IMC_CAS_COUNT_ALL}},
	{SNBEP_IMC, 0, 0, {SNBEP_EVENT(0x07, 0x03)}}, /* MAJOR_MODES, READ and WRITE */
	{SNBEP_IMC, 0, 0, {IMC_RPQ_INSERTS}},
	{SNBEP_IMC, 0, 0, {IMC_WPQ_INSERTS}},
	{SNBEP_IMC, 0, 0, {IMC_RPQ_OCCUPANCY}},
	{SNBEP_HA, 0, 0, {SNBEP_EVENT(0x01, 0x0f)}}, /* REQUESTS */
	{SNBEP_HA, 0, 0, {SNBEP_EVENT(0x06, 0x03)}}, /* TRACKER_INSERTS */
	{SNBEP_HA, 0, 0, {SNBEP_EVENT(0x0c, 0x03)}}, /* DIRECTORY_LOOKUP */
	{SNBEP_HA, 0, 0, {SNBEP_EVENT(0x10, 0x07)}}, /* TxR_BL */
	{SNBEP_HA, 0, 0, {HA_IMC_WRITES_FULL}},
	{SNBEP_HA, 0, 0, {SNBEP_EVENT(0x1b, 0xff)}}, /* TAD_REQUESTS_G0 */
	{SNBEP_HA, 0, 0, {SNBEP_EVENT(0x35, 0x03)}}, /* TxR_BL_CYCLES_NE */
	{SNBEP_HA, 0, 0, {SNBEP_EVENT(0x40, 0x0f)}}, /* RING_BL_USED */
	{SNBEP_QPI, 0, 0, {QPI_TXL_FLITS_G0_ALL}},
	{SNBEP_QPI, 0, 0, {QPI_TXL_FLITS_G0_IDLE}},
	{SNBEP_QPI, 0, 0, {QPI_TXL_FLITS_G1_SNP}},
	{SNBEP_QPI, 0, 0, {SNBEP_EVENT(0x0f, 0x00)}}, /* RxL0_POWER_CYCLES */
	{SNBEP_QPI, 0, 0, {SNBEP_EVENT(0x14, 0x00)}}, /* CLOCKTICKS */
	{RING_BOX, 0, 0, {RING_AD_USED_ALL}},
	{RING_BOX, 0, 0, {SNBEP_EVENT(0x09, 0x0f)}}, /* RING_BL_USED */
	{RING_BOX, 0, 0, {RING_IV_USED_ANY}},
	{SNBEP_CBO, 0, 1, {SNBEP_EVENT(0x02, 0x7f)}}, /* TxR_INSERTS */
	{SNBEP_CBO, 0, 1, {SNBEP_EVENT(0x13, 0x17)}}, /* RxR_INSERTS */
	{SNBEP_CBO, 0, 1, {CBO_TOR_INSERTS_MISS_ALL}},
	{SNBEP_CBO, 2, 3, {SNBEP_EVENT(0x1b, 0x0f)}}, /* RING_AD_USED, AK, BL */
	{SNBEP_CBO, 2, 3, {SNBEP_EVENT(0x1c, 0x0f)}},
	{SNBEP_CBO, 2, 3, {SNBEP_EVENT(0x1d, 0x0f)}},
	{SNBEP_PCU, 0, 0, {PCU_CLOCKTICKS}},
	{SNBEP_PCU, 0, 0, {PCU_FREQ_TRANS_CYCLES}},
	{SNBEP_PCU, 0, 0, {PCU_FREQ_BAND0_CYCLES}},
	{SNBEP_PCU, 0, 0, {SNBEP_EVENT(0x0c, 0x00)}}, /* FREQ_BAND1_CYCLES */
	{SNBEP_PCU, 0, 0, {PCU_CORES_C0}},
	{SNBEP_PCU, 0, 0, {PCU_CORES_C3}},
};

static void check_shared(struct run *t, const struct shared *s)
{
	unsigned last = s->last ? s->last : t->pmu->counters - 1u;
	unsigned n = last - s->first + 1, ctr[SNBEP_COUNTERS_MAX];
	struct snbep_config cfg[SNBEP_COUNTERS_MAX];
	uint64_t out[SNBEP_COUNTERS_MAX];

	for (unsigned i = 0; i < n; i++) {
		ctr[i] = s->first + i;
		cfg[i] = s->cfg;
	}
	box_window(t, n, ctr, cfg, memory_mix, out);
	for (unsigned i = 1; i < n; i++)
		CHECK_EQ(t, out[i], out[0]);
}

SNBEP_CLOCK_TEST(agree, "counters of a box on one event and unit mask count the same",
		 .clause = COUNTER_CONTROL)
{
	for (unsigned i = 0; i < ARRAY_SIZE(shared); i++)
		if (shared[i].kinds & t->pmu->kinds)
			check_shared(t, &shared[i]);
}
