/* SPDX-License-Identifier: BSD-2-Clause */
/* NetBurst configurations: the register values that they become, and those that are refused. */
#include <stdio.h>

#include "check/unit/tap.h"
#include "kernel/kernel.h"
#include "pmu/netburst/wiring.h"

static uint32_t msrs[0x400];

uint64_t rdmsr(uint32_t msr)
{
	return msrs[msr];
}

void wrmsr(uint32_t msr, uint64_t val)
{
	msrs[msr] = (uint32_t)val;
}

/* Model 4 with Hyper-Threading; model 0 without. */
static struct netburst ht_state = {.model = 4}, old_state, t1_state = {.model = 4, .thread = 1};
static struct pmu_bank bank;
static struct pmu ht = {
	.features = PMU_SELECT | PMU_HT | PMU_XCASCADE,
	.state = &ht_state,
	.bank = &bank,
};
static struct pmu old = {.features = PMU_SELECT, .state = &old_state, .bank = &bank};
static struct pmu t1;

static struct pmu_counter counters[NETBURST_COUNTERS];
static const struct pmu_counting counting = {
	.program = netburst_program_generic,
	.conflict = netburst_conflict,
};

static const struct pmu_ops ops = {.errata = netburst_errata};

static void fill(struct pmu *pmu)
{
	pmu->ops = &ops;
	pmu->events = netburst_generic_events;
	pmu->counting = &counting;
	pmu->counter = counters;
	pmu->counters = NETBURST_COUNTERS;
	pmu->max_threshold = 16;
	for (unsigned i = 0; i < pmu->counters; i++)
		counters[i].ctl = pmu_msr(MSR_CCCR(i));
}

/* ---- register values of published examples ---- */

struct example {
	const struct pmu *pmu;
	unsigned ctr;
	uint32_t escr_msr, escr, cccr; /* cccr with ENABLE clear */
	struct netburst_config cfg;
};

#define BOTH .user = true, .kernel = true

static const struct example examples[] = {
	{&ht, 12, 0x3b8, 0x0400020c, 0x00038000, {NB_INSTR_RETIRED, 1, BOTH}},
	{&ht, 12, 0x3b8, 0x04000208, 0x00038000, {NB_INSTR_RETIRED, 1, .kernel = true}},
	{&ht, 12, 0x3b8, 0x04000204, 0x00038000, {NB_INSTR_RETIRED, 1, .user = true}},
	{&t1, 14, 0x3b9, 0x04000203, 0x00038000, {NB_INSTR_RETIRED, 1, BOTH}},
	{&ht, 17, 0x3b9, 0x0400060c, 0x00038000, {NB_INSTR_RETIRED, 3, BOTH}},
	{&ht, 13, 0x3b8, 0x0200020c, 0x00078000, {NB_UOPS_RETIRED, 1, BOTH, .compare = true}},
	{&ht,
	 13,
	 0x3b8,
	 0x0200020c,
	 0x00278000,
	 {NB_UOPS_RETIRED, 1, BOTH, .compare = true, .threshold = 2}},
	{&ht,
	 13,
	 0x3b8,
	 0x0200020c,
	 0x000f8000,
	 {NB_UOPS_RETIRED, 1, BOTH, .compare = true, .complement = true}},
	{&ht, 16, 0x3b8, 0x0e00020c, 0x00038000, {NB_INSTR_COMPLETED, 1, BOTH}},
	{&ht, 15, 0x3cd, 0x0c001e0c, 0x0003a000, {NB_BRANCH_RETIRED, 0xf, BOTH}},
	{&ht,
	 15,
	 0x3cd,
	 0x0400020c,
	 0x0107a000,
	 {NB_MACHINE_CLEAR, 1, BOTH, .compare = true, .edge = true}},
	{&ht,
	 16,
	 0x3cc,
	 0x1801fe0c,
	 0x00ffa000,
	 {NB_EXECUTION_EVENT, 0xff, BOTH, .compare = true, .complement = true, .threshold = 15}},
	{&ht, 8, 0x3a4, 0x0900000c, 0x00032000, {NB_X87_FP_UOP, 0x8000, BOTH}},
	{&ht,
	 11,
	 0x3a5,
	 0x0900003c,
	 0x00032000,
	 {NB_X87_FP_UOP, 0x8000, BOTH, .tag_enable = true, .tag_value = 1}},
	{&ht, 0, 0x3a2, 0x2600020c, 0x0003c000, {NB_GLOBAL_POWER_EVENTS, 1, BOTH}},
	{&ht,
	 2,
	 0x3a3,
	 0x2600020c,
	 0x4403c000,
	 {NB_GLOBAL_POWER_EVENTS, 1, BOTH, .cascade = true, .ovf_pmi = true}},
	{&ht, 1, 0x3a0, 0x18000e0c, 0x0003e000, {NB_BSQ_CACHE_REFERENCE, 7, BOTH}},
	{&ht, 3, 0x3ab, 0x0600600c, 0x00034000, {NB_MOB_LOAD_REPLAY, 0x30, BOTH}},
	{&ht, 4, 0x3c2, 0x08003c0c, 0x00034000, {NB_RETIRED_BRANCH_TYPE, 0x1e, BOTH}},
	{&ht, 7, 0x3c1, 0x1200080c, 0x00030000, {NB_UOP_QUEUE_WRITES, 4, BOTH}},
	{&ht, 5, 0x3c4, 0x02000e0c, 0x00032000, {NB_TC_DELIVER_MODE, 7, BOTH}},
	{&ht, 14, 0x3cb, 0x0200400c, 0x00032000, {NB_RESOURCE_STALL, 0x20, BOTH}},
	{&ht,
	 12,
	 0x3b8,
	 0x0400020c,
	 0x06038000,
	 {NB_INSTR_RETIRED, 1, BOTH, .force_ovf = true, .ovf_pmi = true}},
	{&ht,
	 12,
	 0x3b8,
	 0x0400020c,
	 0x04038800,
	 {NB_INSTR_RETIRED, 1, BOTH, .extended_cascade = true, .ovf_pmi = true}},
	{&t1,
	 17,
	 0x3b9,
	 0x04000203,
	 0x08038800,
	 {NB_INSTR_RETIRED, 1, BOTH, .extended_cascade = true, .ovf_pmi = true}},
	{&ht,
	 12,
	 0x3b8,
	 0x04000209,
	 0x00018000,
	 {NB_INSTR_RETIRED, 1, .kernel = true, .other_user = true, .active_thread = NB_ONE_THREAD}},
	{&t1,
	 12,
	 0x3b8,
	 0x04000206,
	 0x00028000,
	 {NB_INSTR_RETIRED, 1, .kernel = true, .other_user = true,
	  .active_thread = NB_BOTH_THREADS}},
	{&ht,
	 12,
	 0x3b8,
	 0x0400020c,
	 0x00008000,
	 {NB_INSTR_RETIRED, 1, BOTH, .active_thread = NB_NO_THREAD}},
};

static void check_example(const struct example *e)
{
	memset(msrs, 0, sizeof(msrs));
	if (!OK(!netburst_program(e->pmu, e->ctr, &e->cfg)))
		return;
	printf("# counter %u: ESCR %08x, CCCR %08x\n", e->ctr, msrs[e->escr_msr],
	       msrs[MSR_CCCR(e->ctr)]);
	OK(msrs[e->escr_msr] == e->escr);
	OK(msrs[MSR_CCCR(e->ctr)] == e->cccr);
}

static void check_upstream(void)
{
	struct netburst_config loads = {NB_UOP_TYPE, 2, BOTH};

	memset(msrs, 0, sizeof(msrs));
	OK(!netburst_program_upstream(&ht, 1, &loads));
	OK(msrs[0x3bd] == 0x0400040c);
	OK(!msrs[0x3bc]);
	loads.compare = true;
	OK(netburst_program_upstream(&ht, 1, &loads));
}

/* ---- generic configurations ---- */

struct generic {
	struct pmu_config cfg;
	uint32_t cccr;
};

static const struct generic generics[] = {
	{{.event = EV_INSTRUCTIONS}, 0x00038000},
	{{.event = EV_INSTRUCTIONS, .at_least = 1}, 0x00078000},
	{{.event = EV_INSTRUCTIONS, .at_least = 3}, 0x00278000},
	{{.event = EV_INSTRUCTIONS, .at_least = 16}, 0x00f78000},
	{{.event = EV_INSTRUCTIONS, .below = 1}, 0x000f8000},
	{{.event = EV_INSTRUCTIONS, .below = 16}, 0x00ff8000},
	{{.event = EV_INSTRUCTIONS, .edge = true}, 0x01078000},
	{{.event = EV_INSTRUCTIONS, .edge = true, .at_least = 2}, 0x01178000},
	{{.event = EV_INSTRUCTIONS, .edge = true, .below = 1}, 0x010f8000},
	{{.event = EV_INSTRUCTIONS, .interrupt = true}, 0x04038000},
};

static void check_generics(void)
{
	for (unsigned i = 0; i < ARRAY_SIZE(generics); i++) {
		OK(!netburst_program_generic(&ht, 12, &generics[i].cfg));
		OK(msrs[MSR_CCCR(12)] == generics[i].cccr);
	}
}

/* ---- refusals ---- */

static void refused(const struct pmu *pmu, unsigned ctr, struct netburst_config cfg,
		    const char *want)
{
	const char *why;

	memset(msrs, 0xff, sizeof(msrs));
	why = netburst_program(pmu, ctr, &cfg);
	SAME(why ? why : "accepted", want);
	OK(msrs[MSR_CCCR(ctr)] == ~0u);
}

static void check_refusals(void)
{
	struct netburst_config instr = {NB_INSTR_RETIRED, 1, BOTH};
	struct netburst_config other = instr, thread = instr, mask = instr, extended = instr;

	other.other_user = true;
	thread.active_thread = NB_ONE_THREAD;
	mask.mask = 0x11;
	extended.extended_cascade = true;
	refused(&ht, 12, (struct netburst_config){0}, "the configuration names no event");
	refused(&ht, 11, instr, "the event belongs to another group of counters");
	refused(&ht, 4, (struct netburst_config){NB_GLOBAL_POWER_EVENTS, 1, BOTH},
		"the event belongs to another group of counters");
	refused(&ht, 2, (struct netburst_config){NB_BSQ_ALLOCATION, 4, BOTH},
		"the event has no ESCR that this counter can select");
	refused(&ht, 1, (struct netburst_config){NB_BSQ_ACTIVE_ENTRIES, 4, BOTH},
		"the event has no ESCR that this counter can select");
	refused(&old, 2, (struct netburst_config){NB_IOQ_ALLOCATION, 1, BOTH},
		"the event has no ESCR that this counter can select");
	refused(&ht, 0, (struct netburst_config){NB_IOQ_ACTIVE_ENTRIES, 1, BOTH},
		"the event has no ESCR that this counter can select");
	refused(&ht, 12, (struct netburst_config){NB_64BIT_MMX_UOP, 0x8000, BOTH},
		"the event belongs to another group of counters");
	refused(&old, 12, (struct netburst_config){NB_INSTR_COMPLETED, 1, BOTH},
		"this model has no such event");
	refused(&ht, 12, mask, "the event's mask has bits that are not documented");
	refused(&old, 12, other, "this core has one logical processor");
	refused(&old, 12, thread, "this core has one logical processor");
	refused(&old, 12, extended, "extended cascading: models 2 and later only");
	refused(&ht, 13, extended, "extended cascading: counters 12, 15, 16, 17 only");
}

static void generic_refused(unsigned ctr, struct pmu_config cfg, const char *want)
{
	const char *why = pmu_program(&ht, ctr, &cfg);

	SAME(why ? why : "accepted", want);
}

static void check_generic_refusals(void)
{
	generic_refused(12, (struct pmu_config){.event = EV_FAR_TRANSFERS},
			"this PMU has no such event");
	generic_refused(12, (struct pmu_config){.event = EV_CYCLES},
			"this counter cannot count the event");
	generic_refused(12, (struct pmu_config){.event = EV_INSTRUCTIONS, .at_least = 17},
			"threshold too large for THRESHOLD");
	generic_refused(12,
			(struct pmu_config){.event = EV_INSTRUCTIONS, .at_least = 1, .below = 1},
			"a counter compares one way only");
	generic_refused(12, (struct pmu_config){.event = EV_INSTRUCTIONS, .pin_control = true},
			"this counter has no pin control");
}

/* ---- planning ---- */

#define CONFLICT "two counters need one ESCR with different events or privilege levels"
#define NOWHERE  "no free counter can count the event"

static const char *plan(const struct pmu_config *cfg, unsigned n, unsigned *ctr)
{
	const struct pmu_config *list[4];
	const char *why;

	for (unsigned i = 0; i < n; i++)
		list[i] = &cfg[i];
	why = pmu_plan(&ht, n, list, ctr);
	return why ? why : "planned";
}

/* Every counter that can count: threshold and edge are of the CCCR, so all three agree there. */
static void check_same_escr(void)
{
	const struct pmu_config cfg[] = {{.event = EV_INSTRUCTIONS, .user = true},
					 {.event = EV_INSTRUCTIONS, .user = true, .at_least = 1},
					 {.event = EV_INSTRUCTIONS, .user = true, .edge = true}};

	for (unsigned first = 0; first < NETBURST_COUNTERS; first++) {
		unsigned ctr[3] = {first};

		SAME(plan(cfg, 3, ctr), first < 12 ? NOWHERE : "planned");
	}
}

static void check_plans(void)
{
	const struct pmu_config levels[] = {
		{.event = EV_INSTRUCTIONS, .user = true},
		{.event = EV_INSTRUCTIONS, .kernel = true},
		{.event = EV_INSTRUCTIONS, .user = true, .kernel = true}};
	const struct pmu_config mixed[] = {{.event = EV_INSTRUCTIONS, .user = true},
					   {.event = EV_BRANCHES, .user = true},
					   {.event = EV_TAKEN_BRANCHES, .user = true},
					   {.event = EV_CYCLES, .user = true}};
	unsigned ctr[4] = {12};

	SAME(plan(levels, 2, ctr), "planned");
	OK(ctr[1] == 14);
	SAME(plan(levels, 3, ctr), CONFLICT);
	SAME(plan(mixed, 4, ctr), "planned");
	OK(ctr[1] == 13 && ctr[2] == 14 && ctr[3] == 0);
	ctr[0] = 0;
	SAME(plan(mixed, 1, ctr), NOWHERE);
}

int main(void)
{
	fill(&ht);
	fill(&old);
	t1 = ht;
	t1.state = &t1_state;
	for (unsigned i = 0; i < ARRAY_SIZE(examples); i++)
		check_example(&examples[i]);
	check_upstream();
	check_generics();
	check_refusals();
	check_generic_refusals();
	check_same_escr();
	check_plans();
	return tap_end();
}
