/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Room: how a seeded fault is written down, and the hooks that several kinds of PMU share.
 * Uses: model/pmu, kernel/lib
 */
#ifndef FAULTS_COMMON_H
#define FAULTS_COMMON_H

#include "kernel/lib/bits.h"
#include "model/pmu/pmu.h"

/*
 * A fault is one statement of a file: the catalogue finds it by its linker section.  Each kind of
 * PMU has two macros out of these: X_FAULT(name, models, test, says, ...), where the rest is data
 * and hooks of struct defect, and X_FAULT_DO(name, models, test, says, hook, statement, ...), which
 * makes a hook of that statement.
 */
#define FAULT(token_, name_, models_, test_, says_, ...)                                           \
	static const struct fault fault_##token_ = {                                               \
		.name = name_, .models = models_, .test = test_, .says = says_, __VA_ARGS__};      \
	static const struct fault *const entry_##token_ __attribute__((used, section("faults"))) = \
		&fault_##token_

#define HOOK(token_, statement_)                                                                   \
	static void do_##token_(struct point *at)                                                  \
	{                                                                                          \
		statement_;                                                                        \
	}

/* A value that a register keeps, acts as or shows, or a counter holds. */
#define TWISTED(hook_, register_, ...)                                                             \
	.hook_ = twisted, .registers = BIT(register_), .twist = {__VA_ARGS__}
#define KEEPS(register_, ...) TWISTED(kept, register_, __VA_ARGS__)
#define ACTS(register_, ...)  TWISTED(acts, register_, __VA_ARGS__)
#define SHOWS(register_, ...) TWISTED(shown, register_, __VA_ARGS__)
#define HOLDS(...)            .hold = twisted, .twist = {__VA_ARGS__}

/* ---- any value: by twist, or by arg, which is a field ---- */
hook twisted;
hook exchanged; /* bits of twist.clear, and those of twist.set, which lie above them */
hook lowest_bit_only; /* of the field */

/* ---- registers ---- */
hook missing; /* no register answers */
hook answers_for; /* register number arg does */
hook accepted; /* what is refused */
hook extends_bit31; /* a written counter is its bits 31:0, sign-extended */
hook clears_counter; /* written */
hook stop_clears_counter; /* written: arg is the enable bit */

/* ---- RDPMC ---- */
hook rdpmc_low32, rdpmc_of_neighbour, rdpmc_ignores_pce, rdpmc_refused_in_ring3;
hook rdpmc_wraps_index;

hook never_frozen; /* runs */

/* ---- occurrences: arg is a signal of the clock ---- */
hook counts_instead, counts_too, counts_without, counts_only_when, misses_ring3;

/* ---- thresholds, inversion and edges ---- */
hook threshold_moved, inverted_threshold_moved; /* setting: by arg, an int64_t */
hook threshold_exact, inverted_misses_idle; /* compare */
hook edge_levels, edge_both, edge_falling, edge_false_clocks, edge_levels_of_inverted; /* amount */
hook threshold_adds_all; /* amount: what has occurred, not 1 */

/* ---- increments ---- */
hook counts_nothing, one_per_clock, pushes_neighbour;
hook loses_one_in; /* arg events */
hook late_to_ring0; /* counts the instruction that goes there, of a counter of ring 3 alone */
hook misses_first; /* increment, until it forgets */
hook forgets; /* written: what it remembers of the counter */
hook stops_at_overflow, is_stopped; /* overflow; increment: until it forgets */

/* ---- cells: where value wraps below old ---- */
hook saturates, wraps_to_1;
hook carry_lost; /* out of the bits of arg, always */

/* ---- overflow ---- */
hook never_overflows, always_overflows;
hook overflows_at; /* arg, an int64_t, of the counter taken as signed */
hook overflows_into; /* by a carry into bit arg */
hook overflow_clears_neighbours_top;

/* ---- all counters: status bits, requests ---- */
hook of_next_counter; /* status */
hook every_second_lost, lost_when_two, lost_with_if_clear; /* requests */

/* ---- records ---- */
hook record_swaps; /* word number arg, and the next one */
hook records_interrupt; /* each of PEBS */

#endif
