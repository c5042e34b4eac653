/* SPDX-License-Identifier: BSD-2-Clause */
/* Extended cascading: what cascades share, and the bit of its own that some CCCRs have for it. */
#include "cascade.h"
#include "kernel/fault.h"

#define GROUP    "xcascade"
#define EXTENDED "Intel SDM vol. 3B, 18.15: Extended Cascading"

struct nb_cascade nb_cascade(unsigned target, unsigned source)
{
	struct nb_cascade c;

	for (unsigned i = 0; i < CASCADE_ROLES; i++)
		c.c[i] = (struct nb_counter){.cfg = nb_event(target)};
	c.c[TOTAL].ctr = nb_third(target, source);
	c.c[SOURCE].ctr = source;
	c.c[TARGET].ctr = target;
	c.c[TARGET].cfg.cascade = true;
	c.c[TARGET].waits = true;
	return c;
}

void nb_check_sum(struct run *t, const struct nb_cascade *c, uint64_t n)
{
	uint64_t rest = c->c[TOTAL].out - n, target = c->c[TARGET].out;

	if (!nb_counts_clocks(c->c[TARGET].ctr)) {
		CHECK_EQ(t, target, rest);
		return;
	}
	/* How many clocks after the overflow the target starts is not documented.  So many would be
	 * no start by hardware. */
	CHECK(t, target <= rest);
	CHECK(t, rest - target <= 64);
}

void nb_check_takes_over(struct run *t, struct nb_cascade *c)
{
	c->c[SOURCE].from = nb_minus(t, 3);
	nb_measure(t, c->c, CASCADE_ROLES, &payload_spaced, 5);
	CHECK(t, c->c[TARGET].out > 0);
	nb_check_sum(t, c, 3);
}

static bool is_extended(unsigned ctr)
{
	return netburst_counters[ctr].extended_source >= 0;
}

static struct nb_cascade extended_cascade(unsigned target)
{
	struct nb_cascade c =
		nb_cascade(target, (unsigned)netburst_counters[target].extended_source);

	c.c[TARGET].cfg.cascade = false;
	c.c[TARGET].cfg.extended_cascade = true;
	return c;
}

TEST(every_pair, "a counter with CASCNTxINTOy begins to count when counter x overflows, not before",
     .clause = EXTENDED, .driver = &pmu_netburst, .needs = PMU_XCASCADE)
{
	for (unsigned ctr = 0; ctr < NETBURST_COUNTERS; ctr++) {
		struct nb_cascade c;

		if (!is_extended(ctr))
			continue;
		c = extended_cascade(ctr);
		nb_check_takes_over(t, &c);
		CHECK_EQ(t, c.c[SOURCE].out, c.c[TOTAL].out - 3);
		c.c[SOURCE].from = 0;
		nb_measure(t, c.c, CASCADE_ROLES, &payload_spaced, 5);
		CHECK_EQ(t, c.c[TARGET].out, 0);
		/* Nor without the bit. */
		c.c[TARGET].cfg.extended_cascade = false;
		c.c[SOURCE].from = nb_minus(t, 3);
		nb_measure(t, c.c, CASCADE_ROLES, &payload_spaced, 5);
		CHECK_EQ(t, c.c[TARGET].out, 0);
	}
}

/* Counters 13 and 14, whose bit 11 is reserved: the manual's table names no such bit.  What becomes
 * of a 1 written there, even #GP, is open; a start by 16 or 17 is not. */
static void check_reserved(struct run *t, unsigned ctr)
{
	struct nb_counter c[NETBURST_COUNTERS];
	unsigned n = 0;

	c[n++] = (struct nb_counter){.ctr = ctr, .cfg = nb_event(ctr), .waits = true};
	for (unsigned i = 0; i < NETBURST_COUNTERS; i++)
		if (i != ctr && nb_same_group(i, ctr))
			c[n++] = (struct nb_counter){
				.ctr = i, .cfg = nb_event(i), .from = nb_minus(t, 1)};
	nb_open(t, c, n);
	wrmsr_safe(MSR_CCCR(ctr), rdmsr(MSR_CCCR(ctr)) | CCCR_CASCNT_INTO);
	nb_call(&payload_spaced, 5);
	nb_close(t, c, n);
	CHECK_EQ(t, c[0].out, 0);
}

TEST(reserved_elsewhere, "bit 11 starts no counter whose CCCR has no CASCNTxINTOy",
     .clause = EXTENDED, .driver = &pmu_netburst, .needs = PMU_XCASCADE)
{
	for (unsigned ctr = 0; ctr < NETBURST_COUNTERS; ctr++)
		if (nb_same_group(ctr, 12) && !is_extended(ctr))
			check_reserved(t, ctr);
}
