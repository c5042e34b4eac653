/* SPDX-License-Identifier: BSD-2-Clause */
/* Inversion: every clock is either one with at least c occurrences, or one with fewer. */
#include "tests/lib/laws.h"

#include "kernel/user.h"

#define GROUP       "invert"
#define TIGHT_TRIES 5u
/* Times 40 instructions: long against the switching of counters, stalls and all. */
#define LONG 160u

enum role { ROLE_AT, ROLE_BELOW, ROLE_CLOCKS, ROLE_OUTER_CLOCKS, ROLES };
enum { GATED_ROLES = ROLE_OUTER_CLOCKS };

/* Those of the same run, in one mode. */
struct partition {
	unsigned threshold, scrutinised;
	unsigned ctr[ROLES];
	uint64_t out[ROLES];
};

static bool assign(struct run *t, struct partition *p, unsigned roles, bool kernel,
		   struct pmu_config *cfg)
{
	for (unsigned role = 0; role < roles; role++) {
		cfg[role] = gated(role < ROLE_CLOCKS ? EV_INSTRUCTIONS : EV_CYCLES);
		cfg[role].kernel = kernel;
	}
	cfg[ROLE_AT].at_least = p->threshold;
	cfg[ROLE_BELOW].below = p->threshold;
	return roles_assign(t, roles, p->scrutinised, cfg, p->ctr);
}

/* The ring crossing opens and closes the three at the same instant: exact. */
static void check_gated(struct run *t, struct partition *p)
{
	struct pmu_config cfg[ROLES];

	if (!assign(t, p, GATED_ROLES, false, cfg))
		return;
	measure(t, GATED_ROLES, p->ctr, cfg, NULL, &payload_bursts,
		iterations_for(&payload_bursts, 40), RING_3, p->out);
	CHECK_EQ(t, p->out[ROLE_AT] + p->out[ROLE_BELOW], p->out[ROLE_CLOCKS]);
}

/*
 * Where an inverted counter counts the clocks outside the privilege filter too, nothing gates it
 * but its own enable bit, and switching takes as long as it takes.  So the clocks are counted
 * twice: while all counters are on, and while any is.
 */
static void measure_nested(struct run *t, struct partition *p, const struct pmu_config *cfg)
{
	static const enum role order[ROLES] = {ROLE_OUTER_CLOCKS, ROLE_AT, ROLE_BELOW, ROLE_CLOCKS};

	t->programmed = 0;
	for (unsigned role = 0; role < ROLES; role++) {
		measure_program(t, p->ctr[role], &cfg[role], 0);
		t->programmed |= BIT(p->ctr[role]);
	}
	for (unsigned i = 0; i < ROLES; i++)
		pmu_start(t->pmu, BIT(p->ctr[order[i]]));
	payload_bursts.entry(LONG * iterations_for(&payload_bursts, 40), user_buffer());
	for (unsigned i = ROLES; i-- > 0;)
		pmu_stop(t->pmu, BIT(p->ctr[order[i]]));
	for (unsigned role = 0; role < ROLES; role++)
		p->out[role] = pmu_read(t->pmu, p->ctr[role]);
}

/* Little but the payload lies in the window. */
static bool is_tight(const struct partition *p)
{
	return p->out[ROLE_OUTER_CLOCKS] - p->out[ROLE_CLOCKS] <= p->out[ROLE_CLOCKS] / 10;
}

/* A clock in which all are on counts once; one in which some are, not at all, once or twice. */
static void check_switched(struct run *t, struct partition *p)
{
	struct pmu_config cfg[ROLES];
	uint64_t sum, inner, outer;

	if (!assign(t, p, ROLES, true, cfg))
		return;
	measure_nested(t, p, cfg);
	for (unsigned i = 1; i < TIGHT_TRIES && !is_tight(p); i++)
		measure_nested(t, p, cfg);
	SKIP_IF(t, !is_tight(p), "each time something came while counters were switched");
	sum = p->out[ROLE_AT] + p->out[ROLE_BELOW];
	inner = p->out[ROLE_CLOCKS];
	outer = p->out[ROLE_OUTER_CLOCKS];
	CHECK(t, inner > 0 && inner <= outer);
	CHECK(t, inner <= sum && sum <= outer + (outer - inner));
}

TEST(partition, "clocks at or above a threshold and clocks below it add up to all clocks",
     .clause = "AMD 22007 appendix D; AMD64 APM vol. 2, 13.2.1: INV with CNT_MASK; "
	       "Intel SDM vol. 3B: CCCR complement",
     .needs = PMU_THRESHOLD | PMU_PRIVILEGE, .min_counters = GATED_ROLES, .per_counter = true,
     .counts = EV_INSTRUCTIONS)
{
	void (*check)(struct run * t, struct partition * p) = check_gated;
	struct partition p = {0};
	struct pmu_config below = gated(EV_INSTRUCTIONS);
	uint64_t outside;

	/* AMD does not say whether a clock outside the privilege filter is one with no occurrence;
	 * on NetBurst it is. */
	below.below = 1;
	measure(t, 1, &t->counter, &below, NULL, &payload_straight, 1, RING_0, &outside);
	if (t->pmu->features & PMU_INVERT_FILTERED)
		CHECK_EQ(t, outside, 0);
	if (outside)
		check = check_switched;
	for (p.threshold = 1; p.threshold <= 3 && p.threshold <= t->pmu->max_threshold;
	     p.threshold++)
		for (p.scrutinised = ROLE_AT; p.scrutinised <= ROLE_BELOW; p.scrutinised++)
			check(t, &p);
}
