/* SPDX-License-Identifier: BSD-2-Clause */
/* Seeded faults of what NetBurst's ESCRs deliver: privilege, threads, power, events, tags. */
#include "model/pmu/netburst/hooks.h"

/* Event selects, and the ESCRs that they mean something on. */
enum { CRU_ESCR0 = 0x18, CRU_ESCR2 = 0x2c, FSB_ESCR0 = 0x02, FIRM_ESCR0 = 0x04 };
enum {
	INSTR_RETIRED = 0x02,
	MISPRED_BRANCH_RETIRED = 0x03,
	BRANCH_RETIRED = 0x06,
	EXECUTION_EVENT = 0x0c,
	GLOBAL_POWER_EVENTS = 0x13,
};

static bool is(const struct escr *escr, unsigned pair, unsigned event)
{
	return (escr->number & ~1u) == pair && escr->event == event;
}

/* ---- privilege ---- */

static void usr_dead(struct escr *escr)
{
	escr->t0_usr = false;
}

static void os_dead(struct escr *escr)
{
	escr->t0_os = false;
}

static void usr_and_os_swapped(struct escr *escr)
{
	bool usr = escr->t0_usr;

	escr->t0_usr = escr->t0_os;
	escr->t0_os = usr;
}

static void usr_counts_ring0(struct escr *escr)
{
	escr->t0_os |= escr->t0_usr;
}

static void os_counts_ring3(struct escr *escr)
{
	escr->t0_usr |= escr->t0_os;
}

static void neither_counts(struct escr *escr)
{
	if (!escr->t0_usr && !escr->t0_os && !escr->t1_usr && !escr->t1_os)
		escr->t0_usr = escr->t0_os = true;
}

static void both_counts_user_only(struct escr *escr)
{
	escr->t0_os &= !escr->t0_usr;
}

/* The level reaches the counters one far transfer late; defect: the one they know. */
static unsigned gate_closes_late(struct pmu_netburst *p, unsigned ctr, const struct clock *clock,
				 unsigned amount)
{
	const struct netburst_counter *c = &p->counter[ctr];
	bool closing = p->defect[ctr] && clock->cpl == 0;

	p->defect[ctr] = clock->cpl;
	if (closing && c->set.enable && !c->set.compare && c->escr >= 0 &&
	    p->escr[c->escr].t0_usr && !p->escr[c->escr].t0_os)
		amount += clock->n[SIGNAL_INSTRUCTIONS];
	return amount;
}

/* ---- threads ---- */

static void t1_counts_t0(struct escr *escr)
{
	escr->t0_os |= escr->t1_os;
	escr->t0_usr |= escr->t1_usr;
}

static void t0_counts_t1(struct escr *escr)
{
	escr->t1_os |= escr->t0_os;
	escr->t1_usr |= escr->t0_usr;
}

static void t1_flags_dead(struct escr *escr)
{
	escr->t1_os = escr->t1_usr = false;
}

static void pmi_t1_dead(struct cccr *set)
{
	set->ovf_pmi_t1 = false;
}

static void pmi_t1_to_t0(struct cccr *set)
{
	set->ovf_pmi_t0 |= set->ovf_pmi_t1;
	set->ovf_pmi_t1 = false;
}

static void pmi_to_both(struct cccr *set)
{
	set->ovf_pmi_t1 |= set->ovf_pmi_t0;
}

static void never_both_active(struct cccr *set)
{
	if (set->active_thread == 2)
		set->active_thread = 0;
}

static void active_thread_ignored(struct cccr *set)
{
	set->active_thread = 3;
}

static void active_threads_swapped(struct cccr *set)
{
	if (set->active_thread == 1 || set->active_thread == 2)
		set->active_thread ^= 3;
}

/* ---- power ---- */

/* The counters of its own half only. */
static void pair_does_not_power(struct escr *escr)
{
	escr->power &= escr->number & 1 ? 0x2cccc : 0x13333;
}

static void counter8_does_not_power(struct escr *escr)
{
	escr->power &= ~(UINT32_C(1) << 8);
}

/* ---- events ---- */

static unsigned far_transfer_counted_twice(const struct cccr *set, const struct escr *escr,
					   const struct clock *clock, unsigned n)
{
	(void)set;
	return n && is(escr, CRU_ESCR0, INSTR_RETIRED) ? n + clock->n[SIGNAL_FAR] : n;
}

static unsigned clocks_stop_in_ring3(const struct cccr *set, const struct escr *escr,
				     const struct clock *clock, unsigned n)
{
	(void)set;
	return is(escr, FSB_ESCR0, GLOBAL_POWER_EVENTS) && clock->cpl == 3 ? 0 : n;
}

static unsigned clocks_only_when_retiring(const struct cccr *set, const struct escr *escr,
					  const struct clock *clock, unsigned n)
{
	(void)set;
	return is(escr, FSB_ESCR0, GLOBAL_POWER_EVENTS) ? n && clock->n[SIGNAL_UOPS] : n;
}

static unsigned swap_bits(unsigned value, unsigned a, unsigned b)
{
	unsigned differ = (value >> a ^ value >> b) & 1;

	return value ^ (differ << a | differ << b);
}

static void taken_and_not_taken_swapped(struct escr *escr)
{
	if (is(escr, CRU_ESCR2, BRANCH_RETIRED))
		escr->mask = swap_bits(swap_bits(escr->mask, 0, 2), 1, 3);
}

static void predicted_and_mispredicted_swapped(struct escr *escr)
{
	if (is(escr, CRU_ESCR2, BRANCH_RETIRED))
		escr->mask = swap_bits(swap_bits(escr->mask, 0, 1), 2, 3);
}

static void branch_mask_first_only(struct escr *escr)
{
	if (is(escr, CRU_ESCR2, BRANCH_RETIRED))
		escr->mask &= 0u - escr->mask;
}

static unsigned branches_miss_returns(const struct cccr *set, const struct escr *escr,
				      const struct clock *clock, unsigned n)
{
	unsigned returns = clock->n[SIGNAL_NEAR_RETURNS];

	(void)set;
	return is(escr, CRU_ESCR2, BRANCH_RETIRED) && n >= returns ? n - returns : n;
}

static unsigned mispredicted_counts_all(const struct cccr *set, const struct escr *escr,
					const struct clock *clock, unsigned n)
{
	(void)set;
	return is(escr, CRU_ESCR0, MISPRED_BRANCH_RETIRED) ? clock->n[SIGNAL_BRANCHES] : n;
}

/* ---- tags ---- */

static void store_tags_lost(struct tags *tags)
{
	tags->stores = false;
}

static void load_and_store_tags_swapped(struct tags *tags)
{
	bool loads = tags->loads;

	tags->loads = tags->stores;
	tags->stores = loads;
}

static void tag_values_all_one(struct tags *tags)
{
	for (unsigned i = 0; i < COMPUTES; i++)
		tags->execution[i] = tags->execution[i] ? 0xf : 0;
}

static void tag_enable_ignored(struct escr *escr)
{
	escr->tag_enable = true;
}

static unsigned counted_per_tag(const struct cccr *set, const struct escr *escr,
				const struct clock *clock, unsigned n)
{
	unsigned tags = 0;

	(void)set, (void)clock;
	if (!is(escr, CRU_ESCR2, EXECUTION_EVENT))
		return n;
	for (unsigned left = escr->mask & 0xf; left; left &= left - 1)
		tags++;
	return n * tags;
}

static void replay_tags_all_misses(struct tags *tags)
{
	tags->missed_loads = true;
}

const struct fault faults_netburst_events[] = {
	NETBURST_FAULT(p4_usr_dead, MODEL_NETBURST, "netburst.*.privilege.user_only",
		       "USR has no effect: ring 3 never counts", .escr = usr_dead),
	NETBURST_FAULT(p4_os_dead, MODEL_NETBURST, "netburst.*.privilege.kernel_only",
		       "OS has no effect: ring 0 never counts", .escr = os_dead),
	NETBURST_FAULT(p4_usr_and_os_swapped, MODEL_NETBURST, "netburst.*.privilege.user_only",
		       "USR and OS are swapped", .escr = usr_and_os_swapped),
	NETBURST_FAULT(p4_usr_counts_ring0, MODEL_NETBURST, "netburst.*.privilege.user_only",
		       "USR counts ring 0 too", .escr = usr_counts_ring0),
	NETBURST_FAULT(p4_os_counts_ring3, MODEL_NETBURST, "netburst.*.privilege.kernel_only",
		       "OS counts ring 3 too", .escr = os_counts_ring3),
	NETBURST_FAULT(p4_neither_counts, MODEL_NETBURST, "netburst.*.privilege.neither",
		       "an ESCR with no mode selected counts in all", .escr = neither_counts),
	NETBURST_FAULT(p4_both_counts_user_only, MODEL_NETBURST, "netburst.*.privilege.both",
		       "with USR and OS set ring 0 does not count", .escr = both_counts_user_only),
	NETBURST_FAULT(p4_gate_closes_late, MODEL_NETBURST, "netburst.*.privilege.user_gate",
		       "the counters hear of the way to ring 0 one instruction late",
		       .increment = gate_closes_late),
	NETBURST_FAULT(p4_t1_counts_t0, MODEL_NORTHWOOD, "netburst.*.thread.other_processor",
		       "T1_OS and T1_USR count the first logical processor", .escr = t1_counts_t0),
	NETBURST_FAULT(p4_t0_counts_t1, MODEL_NORTHWOOD, "netburst.*.event.of_other",
		       "T0_OS and T0_USR count the second logical processor, too",
		       .escr = t0_counts_t1),
	NETBURST_FAULT(p4_t1_flags_dead, MODEL_NORTHWOOD, "netburst.*.event.of_other",
		       "T1_OS and T1_USR have no effect", .escr = t1_flags_dead),
	NETBURST_FAULT(p4_pmi_t1_dead, MODEL_NORTHWOOD, "netburst.*.thread.other_interrupted",
		       "OVF_PMI_T1 has no effect", .cccr = pmi_t1_dead),
	NETBURST_FAULT(p4_pmi_t1_to_t0, MODEL_NORTHWOOD, "netburst.*.thread.other_interrupted",
		       "OVF_PMI_T1 interrupts the first logical processor", .cccr = pmi_t1_to_t0),
	NETBURST_FAULT(p4_pmi_to_both, MODEL_NORTHWOOD, "netburst.*.thread.other_interrupted",
		       "OVF_PMI_T0 interrupts the second logical processor, too",
		       .cccr = pmi_to_both),
	NETBURST_FAULT(p4_never_both_active, MODEL_NORTHWOOD, "netburst.*.thread.both_active",
		       "Active thread 10b never counts", .cccr = never_both_active),
	NETBURST_FAULT(p4_active_thread_ignored, MODEL_NORTHWOOD, "netburst.*.thread.active_thread",
		       "the Active thread field has no effect", .cccr = active_thread_ignored),
	NETBURST_FAULT(p4_active_threads_swapped, MODEL_NORTHWOOD,
		       "netburst.*.thread.active_thread",
		       "Active thread takes 01b for both processors active, and 10b for one",
		       .cccr = active_threads_swapped),
	NETBURST_FAULT(p4_counter8_does_not_power, MODEL_NETBURST,
		       "netburst.*.power.unpowered_escr",
		       "counter 8 does not power the ESCRs that it reaches",
		       .escr = counter8_does_not_power),
	NETBURST_FAULT(
		p4_pair_does_not_power, MODEL_NETBURST, "netburst.*.power.any_counter_powers",
		"only the counters of its own half power an ESCR", .escr = pair_does_not_power),
	NETBURST_FAULT(
		p4_far_transfer_counted_twice, MODEL_NETBURST, "netburst.*.privilege.user_gate",
		"a far transfer counts as two instructions", .input = far_transfer_counted_twice),
	NETBURST_FAULT(p4_clocks_stop_in_ring3, MODEL_NETBURST, "netburst.*.count.cycles",
		       "global_power_events does not count in ring 3",
		       .input = clocks_stop_in_ring3),
	NETBURST_FAULT(p4_clocks_only_when_retiring, MODEL_NETBURST, "netburst.*.invert.partition",
		       "global_power_events misses clocks in which nothing retires",
		       .input = clocks_only_when_retiring),
	NETBURST_FAULT(p4_taken_and_not_taken_swapped, MODEL_NETBURST,
		       "netburst.*.count.taken_branches",
		       "the taken and not-taken bits of branch_retired are swapped",
		       .escr = taken_and_not_taken_swapped),
	NETBURST_FAULT(p4_predicted_and_mispredicted_swapped, MODEL_NETBURST,
		       "netburst.*.branch.mispredicted",
		       "the predicted and mispredicted bits of branch_retired are swapped",
		       .escr = predicted_and_mispredicted_swapped),
	NETBURST_FAULT(p4_branch_mask_first_only, MODEL_NETBURST, "netburst.*.branch.four_masks",
		       "only the lowest mask bit of branch_retired that is set counts",
		       .escr = branch_mask_first_only),
	NETBURST_FAULT(p4_branches_miss_returns, MODEL_NETBURST, "netburst.*.count.branches",
		       "branch_retired misses near returns", .input = branches_miss_returns),
	NETBURST_FAULT(p4_mispredicted_counts_all, MODEL_NETBURST, "netburst.*.branch.mispredicted",
		       "mispred_branch_retired counts all branches",
		       .input = mispredicted_counts_all),
	NETBURST_FAULT(p4_store_tags_lost, MODEL_NETBURST, "netburst.*.tag.front_end",
		       "uop_type TAGSTORES tags nothing", .tags = store_tags_lost),
	NETBURST_FAULT(p4_load_and_store_tags_swapped, MODEL_NETBURST, "netburst.*.tag.front_end",
		       "TAGLOADS tags stores, and TAGSTORES loads",
		       .tags = load_and_store_tags_swapped),
	NETBURST_FAULT(p4_tag_value_ignored, MODEL_NETBURST, "netburst.*.tag.tag_values",
		       "a tagged micro-op has all four tag bits", .tags = tag_values_all_one),
	NETBURST_FAULT(p4_tag_enable_ignored, MODEL_NETBURST, "netburst.*.tag.*",
		       "an ESCR tags though Tag enable is clear", .escr = tag_enable_ignored),
	NETBURST_FAULT(p4_uop_counted_per_tag, MODEL_NETBURST, "netburst.*.tag.tag_values",
		       "execution_event counts a micro-op once for each bit selected",
		       .input = counted_per_tag),
	NETBURST_FAULT(p4_replay_ignores_matrix, MODEL_NETBURST, "netburst.*.tag.replay",
		       "loads are tagged for replay whatever PEBS_MATRIX_VERT says",
		       .tags = replay_tags_all_misses),
	{0},
};
