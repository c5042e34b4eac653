/* SPDX-License-Identifier: BSD-2-Clause */
/* NetBurst registers: every ESCR, the way from it to the counter, and the short RDPMC. */
#include "netburst.h"

#define GROUP      "access", "alive"
#define ESCR       "SDM vol. 3B, 18.15: ESCR MSRs"
#define RDPMC_FAST BIT(31)

NB_TEST(escr_present, "every ESCR can be read and written without a fault", .clause = ESCR)
{
	uint32_t escr[NETBURST_ESCRS_MAX];
	unsigned n = netburst_escrs(t->pmu, escr);
	uint64_t value;

	for (unsigned i = 0; i < n; i++) {
		CHECK_RDMSR(t, escr[i], &value, FAULT_NONE);
		CHECK_WRMSR(t, escr[i], 0, FAULT_NONE);
	}
}

static void check_keeps(struct run *t, uint32_t msr, uint64_t value)
{
	pmu_put(t->pmu, pmu_msr(msr), value);
	CHECK_EQ(t, rdmsr(msr), value);
}

/* An ESCR that no enabled counter selects has no effect, whatever it holds. */
NB_TEST(escr_bits, "each ESCR holds each of its bits, and has storage of its own", .clause = ESCR)
{
	uint64_t bits = ESCR_EVENT_SELECT | ESCR_EVENT_MASK | ESCR_TAG_VALUE | ESCR_TAG_ENABLE |
			ESCR_T0_OS | ESCR_T0_USR;
	uint32_t escr[NETBURST_ESCRS_MAX];
	unsigned n = netburst_escrs(t->pmu, escr);

	if (t->pmu->features & PMU_HT)
		bits |= ESCR_T1_OS | ESCR_T1_USR;
	for (unsigned i = 0; i < n; i++) {
		for (uint64_t left = bits; left; left &= left - 1) {
			check_keeps(t, escr[i], left & -left);
			check_keeps(t, escr[i], bits & ~(left & -left));
		}
		pmu_put(t->pmu, pmu_msr(escr[i]), field_put(ESCR_EVENT_MASK, i + 1));
	}
	for (unsigned i = 0; i < n; i++)
		CHECK_EQ(t, rdmsr(escr[i]), field_put(ESCR_EVENT_MASK, i + 1));
}

/* Something for each kind of ESCR.  UNSURE: it need not occur while a payload runs, but in any
 * clock it occurs at most 15 times, and so the clocks are counted. */
#define SURE(name, bits)                                                                           \
	{                                                                                          \
		.event = NB_##name, .mask = (bits), .user = true                                   \
	}
#define UNSURE(name, bits)                                                                         \
	{                                                                                          \
		.event = NB_##name, .mask = (bits), .compare = true, .complement = true,           \
		.threshold = 15                                                                    \
	}
static const struct netburst_config sources[] = {
	SURE(GLOBAL_POWER_EVENTS, 1),  UNSURE(BPU_FETCH_REQUEST, 1), UNSURE(ITLB_REFERENCE, 7),
	UNSURE(MOB_LOAD_REPLAY, 0x3a), UNSURE(PAGE_WALK_TYPE, 3),    UNSURE(BSQ_CACHE_REFERENCE, 7),
	SURE(UOP_QUEUE_WRITES, 7),     UNSURE(TC_DELIVER_MODE, 4),   SURE(RETIRED_BRANCH_TYPE, 8),
	SURE(64BIT_MMX_UOP, BIT(15)),  UNSURE(LOAD_PORT_REPLAY, 2),  SURE(INSTR_RETIRED, 1),
	SURE(BRANCH_RETIRED, 0xf),     UNSURE(UOP_TYPE, 2),          UNSURE(RESOURCE_STALL, 0x20),
};

/* Its event in its own ESCR alone, then in all but its own. */
static void check_route(struct run *t, const struct netburst_config *cfg)
{
	struct window w = nb_window(t->counter, *cfg, in_ring3(&payload_spaced, 3));
	uint32_t escr = netburst_escr_msr(cfg->event, netburst_counters[t->counter].half);

	pmu_reset(t->pmu);
	if (netburst_program(t->pmu, t->counter, cfg))
		return; /* an event of another group */
	window_run(t, &w);
	CHECK_IS(t, w.c[0].out, >, 0);
	if (cfg->compare)
		return; /* without an event that may be true, too */
	for (unsigned i = 0; i < ARRAY_SIZE(sources); i++)
		for (unsigned half = 0; half < 2; half++)
			if (!sources[i].compare)
				nb_upstream(t, half, &sources[i]);
	wrmsr(escr, 0);
	window_again(t, &w);
	CHECK_EQ(t, w.c[0].out, 0);
}

NB_COUNTER_TEST(escr_routing,
		"a counter counts what the ESCR it selects says, and what no other ESCR says",
		.clause = "SDM vol. 3B, 18.15: table of counters, CCCRs and ESCRs")
{
	for (unsigned i = 0; i < ARRAY_SIZE(sources); i++)
		check_route(t, &sources[i]);
}

NB_COUNTER_TEST(rdpmc_fast, "RDPMC with ECX bit 31 set returns the low 32 bits, and 0 in EDX",
		.clause = "SDM vol. 2B: RDPMC")
{
	static const uint64_t values[] = {UINT64_C(0x0123456789), UINT64_C(0xffffffff9d)};
	uint32_t index = t->pmu->counter[t->counter].rdpmc;

	for (unsigned i = 0; i < ARRAY_SIZE(values); i++) {
		uint64_t got;

		pmu_write(t->pmu, t->counter, values[i]);
		CHECK_RDPMC(t, index | RDPMC_FAST, &got, FAULT_NONE);
		CHECK_EQ(t, got, (uint32_t)values[i]);
		CHECK_RDPMC(t, index, &got, FAULT_NONE);
		CHECK_EQ(t, got, values[i]);
	}
}
