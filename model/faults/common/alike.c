/* SPDX-License-Identifier: BSD-2-Clause */
/* Faults that several kinds of PMU have alike: said once, with a name for each kind. */
#include "common.h"

/* Whose names and models follow, in this order; AMD's and NetBurst's faults are of all their
 * models. */
#define AMD_INTEL(amd_, intel_, models_, test_, says_, ...)                                        \
	AMD_FAULT(MODEL_AMD, amd_, test_, says_, __VA_ARGS__);                                     \
	INTEL_FAULT(models_, intel_, test_, says_, __VA_ARGS__)
#define AMD_P4(amd_, p4_, test_, says_, ...)                                                       \
	AMD_FAULT(MODEL_AMD, amd_, test_, says_, __VA_ARGS__);                                     \
	P4_FAULT(MODEL_NETBURST, p4_, test_, says_, __VA_ARGS__)
#define AMD_INTEL_P4(amd_, intel_, models_, p4_, test_, says_, ...)                                \
	AMD_INTEL(amd_, intel_, models_, test_, says_, __VA_ARGS__);                               \
	P4_FAULT(MODEL_NETBURST, p4_, test_, says_, __VA_ARGS__)

/* With a hook of one statement. */
#define AMD_INTEL_DO(amd_, intel_, models_, test_, says_, hook_, statement_)                       \
	HOOK(amd_, statement_)                                                                     \
	AMD_INTEL(amd_, intel_, models_, test_, says_, .hook_ = do_##amd_)
#define AMD_P4_DO(amd_, p4_, test_, says_, hook_, statement_)                                      \
	HOOK(amd_, statement_)                                                                     \
	AMD_P4(amd_, p4_, test_, says_, .hook_ = do_##amd_)
#define AMD_INTEL_P4_DO(amd_, intel_, models_, p4_, test_, says_, hook_, statement_, ...)          \
	HOOK(amd_, statement_)                                                                     \
	AMD_INTEL_P4(amd_, intel_, models_, p4_, test_, says_, .hook_ = do_##amd_, __VA_ARGS__)

#define BOTH_LEVELS (SELECT_USR | SELECT_OS)

/* ---- the cells of a counter ---- */

AMD_P4(counter_write_extends_bit31, counter_write_extends_bit31, "*.access.counter_bits",
       "a write loads bits 31:0 and copies bit 31 upwards, as the P6 does", .kept = extends_bit31,
       .registers = BIT(CORE_COUNTER));
AMD_INTEL_P4_DO(wrap_saturates, full_counter_stays, MODEL_INTEL, wrap_saturates, "*.count.wraps",
		"a full counter stays full", hold,
		at->value = at->value < at->old ? at->mask : at->value);
AMD_INTEL_P4_DO(wrap_adds_one, overflow_counts_twice, MODEL_INTEL, wrap_adds_one,
		"*.overflow.value_after", "a counter that wraps skips one value", hold,
		at->value += at->value < at->old);
AMD_INTEL_P4_DO(carry_into_32_lost, carry_stops_at_32, MODEL_V2, carry_into_32_lost,
		"*.overflow.width_boundary", "a carry out of bit 31 is lost", hold,
		at->value = (at->old & ~FIELD(31, 0)) | (at->value & FIELD(31, 0)));
AMD_INTEL_P4_DO(select_write_clears_counter, evtsel_write_clears_pmc, MODEL_INTEL,
		cccr_write_clears_counter, "*.count.select_keeps_count",
		"a write to the select register, or CCCR, clears the counter", written,
		at->counter[at->reg.number].value = 0, .registers = BIT(CORE_SELECT));

/* ---- RDPMC ---- */

static void read_counter(struct point *at, unsigned ctr)
{
	at->access = ACCESS_DONE;
	at->value = at->counter[ctr].value;
}

AMD_INTEL_P4_DO(rdpmc_low32, rdpmc_drops_high_half, MODEL_V2, rdpmc_low32,
		"*.access.rdpmc_equals_rdmsr", "RDPMC returns bits 31:0 only", rdpmc,
		at->value &= UINT32_MAX);
AMD_P4_DO(rdpmc_neighbour, rdpmc_neighbour, "*.access.rdpmc_equals_rdmsr",
	  "RDPMC returns the other counter of the pair", rdpmc,
	  if (at->access == ACCESS_DONE) read_counter(at, at->index ^ 1));
AMD_INTEL_P4_DO(rdpmc_ignores_pce, rdpmc_needs_no_pce, MODEL_INTEL, rdpmc_ignores_pce,
		"*.access.rdpmc_ring3", "ring 3 may use RDPMC while CR4.PCE is clear", rdpmc,
		if (at->index < at->count) read_counter(at, at->index));
AMD_INTEL_P4_DO(rdpmc_refused_in_ring3, rdpmc_never_in_ring3, MODEL_INTEL, rdpmc_refused_in_ring3,
		"*.access.rdpmc_ring3", "ring 3 may not use RDPMC though CR4.PCE is set", rdpmc,
		at->access = at->cpl ? ACCESS_GP : at->access);
AMD_INTEL_P4_DO(rdpmc_accepts_any_index, rdpmc_wraps_index, MODEL_INTEL, rdpmc_accepts_any_index,
		"*.access.rdpmc_invalid_index",
		"RDPMC of a counter that does not exist returns another one", rdpmc,
		if (at->index >= at->count && !(at->index >> 30))
			read_counter(at, at->index % at->count));

/* ---- threshold and inversion ---- */

AMD_INTEL_P4(threshold_off_by_one, cmask_off_by_one, MODEL_V2, threshold_plus_one,
	     "*.threshold.sum_law", "the comparison uses the threshold + 1",
	     .setting = threshold_moved, .arg = 1);
#define EXACT_MATCH                                                                                \
	"only clocks count with exactly as many occurrences as the threshold asks for at least"
/* How much a Jaguar retires in a clock is not published: no sum is judged there. */
AMD_FAULT(MODEL_AMD & ~MODEL_JAGUAR, threshold_exact_match, "*.threshold.sum_law", EXACT_MATCH,
	  .compare = threshold_exact);
P4_FAULT(MODEL_NETBURST, threshold_exact_match, "*.threshold.sum_law", EXACT_MATCH,
	 .compare = threshold_exact);
AMD_INTEL(invert_dead, inv_dead, MODEL_V2, "*.invert.partition", "INV has no effect",
	  ACTS(CORE_SELECT, .clear = SELECT_INV));
AMD_INTEL(invert_off_by_one, inv_is_at_most, MODEL_V2, "*.invert.partition",
	  "INV counts clocks with at most c occurrences, not fewer than c",
	  .setting = inverted_threshold_moved, .arg = 1);
AMD_INTEL_P4_DO(invert_misses_idle, inv_misses_idle_clocks, MODEL_V2, complement_misses_idle,
		"*.invert.partition", "inversion does not count clocks without any occurrence",
		compare, at->now &= at->n || !at->set->invert);

/* ---- edge ---- */

AMD_INTEL(edge_dead, e_dead, MODEL_INTEL, "*.edge.bursts", "E has no effect",
	  ACTS(CORE_SELECT, .clear = SELECT_EDGE));
AMD_INTEL_DO(edge_counts_levels, e_counts_levels, MODEL_INTEL, "*.edge.bursts",
	     "with E every clock in which the condition holds counts one", amount,
	     at->amount = at->set->edge ? at->now : at->amount);
AMD_INTEL(edge_counts_both, e_counts_both_edges, MODEL_INTEL, "*.edge.bursts",
	  "with E falling edges count as well", .amount = edge_both);
/* Nehalem counts neither far transfers nor near returns, which tell the two apart. */
AMD_INTEL(edge_falling, e_counts_falling_edges, MODEL_SANDY_ON, "*.edge.bursts",
	  "with E falling edges count in place of rising ones", .amount = edge_falling);
AMD_P4_DO(edge_counts_false_clocks, edge_counts_false_clocks, "*.edge.bound",
	  "with the edge detector the clocks count in which the condition does not hold", amount,
	  at->amount = at->set->edge ? at->passes && !at->now : at->amount);
AMD_P4_DO(edge_level_when_inverted, edge_level_when_complemented, "*.edge.alternation",
	  "the edge detector has no effect together with inversion", amount,
	  at->amount = at->set->edge && at->set->invert ? at->now : at->amount);

/* ---- privilege ---- */

AMD_INTEL(usr_dead, usr_bit_dead, MODEL_INTEL, "*.privilege.user_only",
	  "USR has no effect: ring 3 never counts", ACTS(CORE_SELECT, .clear = SELECT_USR));
AMD_INTEL(os_dead, os_bit_dead, MODEL_INTEL, "*.privilege.kernel_only",
	  "OS has no effect: ring 0 never counts", ACTS(CORE_SELECT, .clear = SELECT_OS));
AMD_INTEL(usr_counts_ring0, usr_counts_all_levels, MODEL_INTEL, "*.privilege.user_only",
	  "USR counts ring 0 too", ACTS(CORE_SELECT, .when = SELECT_USR, .set = SELECT_OS));
AMD_INTEL(os_counts_ring3, os_counts_all_levels, MODEL_INTEL, "*.privilege.kernel_only",
	  "OS counts ring 3 too", ACTS(CORE_SELECT, .when = SELECT_OS, .set = SELECT_USR));
AMD_INTEL(neither_counts, no_level_is_both, MODEL_INTEL, "*.privilege.neither",
	  "with USR and OS clear everything counts",
	  ACTS(CORE_SELECT, .unless = BOTH_LEVELS, .set = BOTH_LEVELS));
AMD_INTEL(both_counts_user_only, both_levels_are_user, MODEL_INTEL, "*.privilege.both",
	  "with USR and OS set ring 0 does not count",
	  ACTS(CORE_SELECT, .when = BOTH_LEVELS, .clear = SELECT_OS));

AMD_INTEL_DO(ring1_is_kernel, cpl1_is_os, MODEL_INTEL, "*.privilege.middle_rings",
	     "ring 1 counts as ring 0 does", occurrences,
	     at->passes = at->clock->cpl == 1 ? at->set->os : at->passes);
AMD_INTEL_P4_DO(ring2_dead, cpl2_dead, MODEL_INTEL, ring2_dead, "*.privilege.middle_rings",
		"ring 2 never counts", increment, at->amount *= at->clock->cpl != 2);

/* ---- amounts ---- */

AMD_P4(enable_lags_one, enable_lags_one, "*.privilege.user_gate",
       "the first event after the select register, or CCCR, is written is lost",
       .increment = misses_first, .written = forgets, .registers = BIT(CORE_SELECT));
AMD_P4(instruction_lost_every_64, lost_every_64, "*.count.instructions", "one of 64 counts is lost",
       .increment = loses_one_in, .arg = 64);
AMD_INTEL_P4_DO(one_per_clock, events_are_clocks, MODEL_INTEL, one_per_clock,
		"*.count.instructions", "a clock adds one however often the event occurred",
		increment, at->amount = at->amount > 0);

/* ---- counters that others need, too ---- */

AMD_INTEL_P4(counters_dead, all_counters_dead, MODEL_INTEL, counters_dead, "*.alive.counts",
	     "no counter counts anything", .increment = counts_nothing);
AMD_INTEL_P4(counter0_dead, first_counter_dead, MODEL_INTEL, counter0_dead, "*.alive.counts",
	     "counter 0 counts nothing", .increment = counts_nothing, .counters = BIT(0));
AMD_INTEL_P4_DO(counters_shared, counters_multiplexed, MODEL_INTEL, counters_shared,
		"*.alive.counts", "each counter counts in one clock of a thousand", increment,
		at->amount *= ++at->memory[at->ctr] % 1000 == 0);
AMD_INTEL_P4_DO(one_at_a_time, one_counter_at_a_time, MODEL_INTEL, one_at_a_time, "*.alive.counts",
		"a counter runs as long as none before it is enabled", runs,
		for (unsigned i = 0; i < at->ctr; i++) at->enabled &= !at->counter[i].set.enable);

/* ---- when a counter overflows ---- */

AMD_INTEL(pmi_late_by_one, overflow_at_one, MODEL_INTEL, "*.overflow.one_short",
	  "a counter overflows when it reaches 1, not 0", .overflow = overflows_at, .arg = 1);
AMD_INTEL(pmi_early_by_one, overflow_at_all_ones, MODEL_INTEL, "*.overflow.one_short",
	  "a counter overflows when it is full, one event before it wraps",
	  .overflow = overflows_at, .arg = UINT64_MAX);
AMD_P4(pmi_on_carry_into_31, ovf_on_carry_into_31, "*.overflow.width_boundary",
       "a carry into bit 31 is taken for an overflow", .overflow = overflows_into, .arg = 31);
AMD_INTEL_DO(pmi_every_increment, overflow_on_each_event, MODEL_INTEL, "*.overflow.one_short",
	     "every increment is taken for an overflow", overflow, at->carry = true);

/* memory: it has stopped. */
static void stops_at_overflow(struct point *at)
{
	at->memory[at->ctr] |= at->carry;
}

static void is_stopped(struct point *at)
{
	if (at->memory[at->ctr])
		at->amount = 0;
}

AMD_P4(overflow_freezes, stops_at_overflow, "*.overflow.value_after",
       "a counter stops at its overflow until it is written", .overflow = stops_at_overflow,
       .increment = is_stopped, .written = forgets, .registers = BIT(CORE_COUNTER));
AMD_INTEL(pmi_without_int, int_stuck, MODEL_INTEL, "*.overflow.int_clear",
	  "an overflow interrupts though INT is clear", ACTS(CORE_SELECT, .set = SELECT_INT));

/* ---- what becomes of the request ---- */

AMD_P4(pmi_every_second_lost, pmi_every_second_lost, "*.overflow.exact_period",
       "every second interrupt is lost", .requests = every_second_lost);
AMD_INTEL_DO(pmi_lost_when_two, requests_two_at_once_lost, MODEL_INTEL, "*.overflow.all_at_once",
	     "two overflows in the same clock request no interrupt", requests,
	     at->requests *= !(at->overflowed & (at->overflowed - 1)));
AMD_INTEL_P4_DO(pmi_lost_with_if_clear, requests_lost_with_if_clear, MODEL_INTEL,
		pmi_lost_with_if_clear, "*.overflow.if_delays",
		"an overflow while IF is clear requests no interrupt", requests,
		at->requests *= !at->clock->n[SIGNAL_MASKED_CYCLES]);

/* ---- in one mode alone ---- */

AMD_INTEL_P4_DO(pmi_lost_in_ring0, requests_lost_in_ring0, MODEL_INTEL, pmi_lost_in_ring0,
		"*.interrupt.levels", "an overflow in ring 0 with IF set requests no interrupt",
		requests, at->requests *= at->clock->cpl || at->clock->n[SIGNAL_MASKED_CYCLES]);
AMD_INTEL_P4_DO(edge_without_pmi, e_without_interrupt, MODEL_INTEL, edge_without_pmi,
		"*.interrupt.comparisons", "a counter of edges overflows without an interrupt",
		overflow, at->carry = at->carry && !at->set->edge);
AMD_INTEL_P4_DO(threshold_pmi_early, cmask_overflow_early, MODEL_INTEL, threshold_pmi_early,
		"*.interrupt.comparisons", "a counter of clocks overflows one clock early",
		overflow,
		at->carry = at->set->adds_one && at->amount ? at->value == at->mask : at->carry);

/* ---- once in many events ---- */

/* Where no erratum (AAJ107, BJ136) publishes that a few instructions are miscounted. */
#define INTEL_PRECISE (MODEL_INTEL & ~(MODEL_NEHALEM | MODEL_SANDY))

AMD_INTEL_P4(drops_one_in_2_17, loses_one_in_2_17, INTEL_PRECISE, drops_one_in_2_17, "*.rare.exact",
	     "one of 2^17 counts is lost", .increment = loses_one_in, .arg = 1 << 17);
AMD_INTEL_P4_DO(carry_into_27_lost, carry_stops_at_27, MODEL_INTEL, carry_into_27_lost,
		"*.rare.carries", "a carry out of bit 26 is lost", hold,
		at->value = (at->old & ~FIELD(26, 0)) | (at->value & FIELD(26, 0)));
AMD_INTEL_P4_DO(pmi_lost_in_40, request_lost_in_40, MODEL_INTEL, pmi_lost_in_40, "*.rare.overflows",
		"one of 40 interrupts is lost", requests, at->memory[0] += at->requests;
		at->requests *= at->requests && at->memory[0] % 40);
AMD_INTEL_P4_DO(pmi_first_lost, request_first_lost, MODEL_INTEL, pmi_first_lost,
		"*.overflow.exact_period", "the first interrupt since power-on is lost", requests,
		at->memory[0] += at->requests;
		at->requests *= at->memory[0] > 1);

AMD_INTEL_DO(pmi_first_of_each_lost, request_first_of_each_lost, MODEL_INTEL, "*.first.interrupts",
	     "of each counter the first interrupt since power-on is lost", requests,
	     at->requests *= !(at->overflowed & ~at->memory[0]);
	     at->memory[0] |= at->overflowed);

static void rdmsr_counts(struct point *at)
{
	at->counter[at->reg.number].value += ++at->memory[0] % 97 == 0;
}

#define EACH_97TH "each 97th RDMSR of a counter adds one to it"
AMD_P4(rdmsr_disturbs, rdmsr_disturbs, "*.rare.reads_by_rdmsr", EACH_97TH, .shown = rdmsr_counts,
       .registers = BIT(CORE_COUNTER));
/* Its full-width names come first behind what all kinds have. */
INTEL_FAULT(INTEL_PRECISE, rdmsr_of_counter_counts, "*.rare.reads_by_rdmsr", EACH_97TH,
	    .shown = rdmsr_counts, .registers = BIT(CORE_COUNTER) | BIT(CORE_OTHERS));
AMD_INTEL_P4_DO(rdpmc_disturbs, rdpmc_counts, MODEL_INTEL, rdpmc_disturbs, "*.rare.reads_by_rdpmc",
		"each 16th RDPMC of a counter adds one to it", rdpmc,
		at->counter[at->index % at->count].value +=
		at->access == ACCESS_DONE && ++at->memory[0] % 16 == 0);
AMD_P4_DO(rdpmc_tears, rdpmc_tears, "*.rare.reads_by_rdpmc",
	  "RDPMC of a running counter whose low half has just wrapped shows the high half from "
	  "before",
	  rdpmc, at->value -= at->value >> 32 && (uint32_t)at->value < 512 ? BIT(32) : 0);

/* ---- from the third time on that a ring is entered since the counter was written ---- */

/* memory: in which ring the last clock was, whether an event is still to be lost, and behind these
 * two bits how often the ring was entered; arg: ring 3, or ring 0. */
static void loses_from_third_entry_on(struct point *at)
{
	enum { WAS_IN = 1, OWES = 2, ENTRY = 4 };
	uint64_t *memory = &at->memory[at->ctr];
	const bool in = (at->clock->cpl != 0) == at->defect->arg;

	if (in && !(*memory & WAS_IN)) {
		*memory += ENTRY;
		*memory |= *memory >= 3 * ENTRY ? OWES : 0;
	}
	*memory = (*memory & ~(uint64_t)WAS_IN) | in;
	if (*memory & OWES && at->amount && in) {
		at->amount--;
		*memory &= ~(uint64_t)OWES;
	}
}

#define THIRD_ENTRY(ring_)                                                                         \
	.increment = loses_from_third_entry_on, .written = forgets,                                \
	.registers = BIT(CORE_COUNTER), .arg = ring_

AMD_INTEL_P4(third_entry_loses, loses_at_third_entry, MODEL_INTEL, third_entry_loses,
	     "*.random.programs",
	     "from the third time on that ring 3 is entered, its first event there is lost",
	     THIRD_ENTRY(true));
AMD_INTEL_P4(third_exit_loses, loses_at_third_exit, MODEL_INTEL, third_exit_loses,
	     "*.crossings.each_way",
	     "from the third time on that ring 0 is entered, its first event there is lost",
	     THIRD_ENTRY(false));

/* ---- interrupts and returns to ring 3 ---- */

/* memory: what the last clock was in which something retired, and whether an event is still to be
 * lost; arg: behind which of these an interrupt makes the next event of ring 3 be lost. */
enum { IN_RING_0 = 1, BACK_IN_RING_3 = 2, OWES_EVENT = 4 };

static void loses_behind_interrupt(struct point *at)
{
	const struct clock *clock = at->clock;
	uint64_t *memory = &at->memory[at->ctr];

	if (clock->n[SIGNAL_INTERRUPTS]) {
		*memory |= *memory & at->defect->arg ? OWES_EVENT : 0;
	} else if (clock->n[SIGNAL_INSTRUCTIONS]) {
		*memory &= OWES_EVENT;
		*memory |= !clock->cpl ? IN_RING_0 : clock->n[SIGNAL_FAR] ? BACK_IN_RING_3 : 0;
	}
	if (*memory & OWES_EVENT && clock->cpl && at->amount) {
		at->amount--;
		*memory &= ~(uint64_t)OWES_EVENT;
	}
}

#define LOSES_BEHIND_INTERRUPT(when_)                                                              \
	.increment = loses_behind_interrupt, .written = forgets, .registers = BIT(CORE_COUNTER),   \
	.arg = when_

AMD_INTEL_P4(
	interrupt_in_ring0_loses, loses_behind_interrupt_in_ring0, MODEL_INTEL,
	interrupt_in_ring0_loses, "*.random.programs",
	"behind an interrupt that was taken in ring 0, such as by HLT, the first event of ring 3 "
	"is lost",
	LOSES_BEHIND_INTERRUPT(IN_RING_0));
AMD_INTEL_P4(
	interrupt_at_return_loses, loses_behind_interrupt_at_return, MODEL_INTEL,
	interrupt_at_return_loses, "*.crossings.each_way",
	"behind an interrupt that waited for the return to ring 3 the first event there is lost",
	LOSES_BEHIND_INTERRUPT(BACK_IN_RING_3));
