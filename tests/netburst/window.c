/* SPDX-License-Identifier: BSD-2-Clause */
/* Measured windows on NetBurst counters: program, open, run the payload, close, read. */
#include "window.h"

#include "kernel/apic.h"
#include "kernel/machine.h"
#include "kernel/sibling.h"
#include "kernel/trap.h"
#include "kernel/user.h"

#define LATE_US 50 /* as in pmi.c */

static void need(struct run *t, const char *impossible)
{
	if (impossible) {
		t->refused = true;
		guard_abort(impossible);
	}
}

void nb_upstream(struct run *t, unsigned half, const struct netburst_config *cfg)
{
	need(t, netburst_program_upstream(t->pmu, half, cfg));
}

void nb_open(struct run *t, const struct nb_counter *c, unsigned n)
{

	t->programmed = 0;
	for (unsigned i = 0; i < n; i++) {
		need(t, netburst_program(t->pmu, c[i].ctr, &c[i].cfg));
		pmu_write(t->pmu, c[i].ctr, c[i].from & pmu_mask(t->pmu, c[i].ctr));
		t->programmed |= BIT(c[i].ctr);
	}
	for (unsigned i = 0; i < n; i++)
		if (!c[i].waits)
			pmu_start(t->pmu, BIT(c[i].ctr));
}

void nb_call(const struct payload *payload, uint64_t iterations)
{
	user_call(payload->entry, iterations, user_buffer(), 0);
}

void nb_close(struct run *t, struct nb_counter *c, unsigned n)
{

	for (unsigned i = n; i-- > 0;)
		if (!c[i].waits)
			pmu_stop(t->pmu, BIT(c[i].ctr));
	for (unsigned i = 0; i < n; i++)
		c[i].out = pmu_read(t->pmu, c[i].ctr);
}

/* Not inlined: both windows of a difference must execute the same instructions. */
__attribute__((noinline)) void nb_measure(struct run *t, struct nb_counter *c, unsigned n,
					  const struct payload *payload, uint64_t iterations)
{
	nb_open(t, c, n);
	nb_call(payload, iterations);
	nb_close(t, c, n);
}

void nb_difference(struct run *t, struct nb_counter *c, unsigned n, const struct payload *payload,
		   uint64_t iterations)
{
	uint64_t once[NETBURST_COUNTERS];

	nb_measure(t, c, n, payload, iterations);
	for (unsigned i = 0; i < n; i++)
		once[i] = c[i].out;
	nb_measure(t, c, n, payload, 2 * iterations);
	for (unsigned i = 0; i < n; i++)
		c[i].out = (c[i].out - once[i]) & pmu_mask(t->pmu, c[i].ctr);
}

struct netburst_config nb_event(unsigned ctr)
{
	static const struct netburst_config events[NB_GROUPS] = {
		[NB_BPU] = {.event = NB_GLOBAL_POWER_EVENTS, .mask = 1, .user = true},
		[NB_MS] = {.event = NB_RETIRED_BRANCH_TYPE, .mask = BIT(3), .user = true},
		[NB_FLAME] = {.event = NB_64BIT_MMX_UOP, .mask = BIT(15), .user = true},
		[NB_IQ] = {.event = NB_BRANCH_RETIRED, .mask = 0xf, .user = true},
	};

	return events[netburst_counters[ctr].group];
}

bool nb_counts_clocks(unsigned ctr)
{
	return netburst_counters[ctr].group == NB_BPU;
}

bool nb_repeats(unsigned ctr)
{
	unsigned group = netburst_counters[ctr].group;

	return group == NB_MS || group == NB_IQ;
}

unsigned nb_third(unsigned a, unsigned b)
{
	unsigned ctr = NETBURST_COUNTERS - 1;

	while (ctr == a || ctr == b || !nb_same_group(ctr, a))
		ctr--;
	return ctr;
}

void nb_other_call(const struct payload *payload, uint64_t iterations, enum ring ring)
{
	const struct sibling_job job = {.entry = payload->entry,
					.rdi = iterations,
					.rsi = user_buffer(),
					.ring_3 = ring == RING_3};

	sibling_call(&job);
}

static struct nb_pmis pmis;

static bool handle(struct trap_frame *frame, void *arg)
{
	(void)frame;
	(void)arg;
	pmis.count++;
	pmis.lvt = apic_read_lvtpc();
	netburst_clear_ovf(pmis.pmu, pmis.ctr);
	if (pmis.count >= pmis.most)
		pmu_stop(pmis.pmu, BIT(pmis.ctr));
	else if (pmis.unmasks)
		apic_write_lvtpc(VECTOR_PMI);
	return true;
}

struct nb_pmis *nb_arm(struct run *t, bool unmasks, unsigned most, uint32_t lvt)
{
	/* For its clean-up after the test. */
	pmi_arm(t, APIC_LVT_MASKED | VECTOR_PMI, 0);
	pmis = (struct nb_pmis){.pmu = t->pmu, .ctr = t->counter, .unmasks = unmasks, .most = most};
	trap_set_handler(VECTOR_PMI, handle, NULL);
	apic_write_lvtpc(lvt);
	return &pmis;
}

void nb_settle(void)
{
	machine_delay_us(LATE_US);
}
