/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Room: how a seeded fault is written down, and the hooks that several kinds of PMU share.
 * Uses: model/pmu, kernel/lib
 */
#pragma once

#include "kernel/lib/bits.h"
#include "model/pmu/pmu.h"
#include "pair.h"

/* A fault is one statement of a file: the catalogue finds it by its linker section. */
#define ENTERED(section_, token_, name_, models_, test_, says_, ...)                               \
	static const struct fault fault_##token_ = {                                               \
		.name = name_, .models = models_, .test = test_, .says = says_, __VA_ARGS__};      \
	static const struct fault *const entry_##token_ __attribute__((used, section(section_))) = \
		&fault_##token_
#define SEEDED(...) ENTERED("faults", __VA_ARGS__)
/* A lawful variation of the core's PMU: data and hooks of struct defect.  known_: a glob over the
 * tests that may say so, or NULL. */
#define LAWFUL(models_, name_, known_, says_, ...)                                                 \
	ENTERED("lawful", name_, #name_, models_, known_, says_, DEFECT(__VA_ARGS__))
#define DEFECT(...)                                                                                \
	.core = &(const struct defect)                                                             \
	{                                                                                          \
		__VA_ARGS__                                                                        \
	}

/* Faults of one kind of PMU.  The rest is data and hooks of struct defect.  Tests of Intel's and
 * NetBurst's faults are named within that PMU. */
#define AMD_FAULT(models_, name_, test_, says_, ...)                                               \
	SEEDED(name_, #name_, models_, test_, says_, DEFECT(__VA_ARGS__))
#define INTEL_FAULT(models_, name_, test_, says_, ...)                                             \
	SEEDED(name_, #name_, models_, "intel." test_, says_, DEFECT(__VA_ARGS__))
#define P4_FAULT(models_, name_, test_, says_, ...)                                                \
	SEEDED(p4_##name_, "p4_" #name_, models_, "netburst." test_, says_, DEFECT(__VA_ARGS__))

/* The header of each kind makes of these FAULT_ON(), for some of its models, and says in MODELS
 * which are all of them. */
#define FAULT(...) FAULT_ON(MODELS, __VA_ARGS__)
/* With a hook of one statement. */
#define HOOK(token_, statement_)                                                                   \
	static void do_##token_(struct point *at)                                                  \
	{                                                                                          \
		statement_;                                                                        \
	}
#define FAULT_DO_ON(models_, name_, test_, says_, hook_, statement_, ...)                          \
	HOOK(name_, statement_)                                                                    \
	FAULT_ON(models_, name_, test_, says_, .hook_ = do_##name_, __VA_ARGS__)
#define FAULT_DO(...) FAULT_DO_ON(MODELS, __VA_ARGS__)
/* The block that follows is its hook. */
#define FAULT_BODY_ON(models_, name_, test_, says_, hook_, ...)                                    \
	static hook do_##name_;                                                                    \
	FAULT_ON(models_, name_, test_, says_, .hook_ = do_##name_, __VA_ARGS__);                  \
	static void do_##name_(struct point *at)
#define FAULT_BODY(...) FAULT_BODY_ON(MODELS, __VA_ARGS__)

/* A value that a register keeps, acts as or shows, or a counter holds. */
#define TWISTED(hook_, register_, ...)                                                             \
	.hook_ = twisted, .registers = BIT(register_), .twist = {__VA_ARGS__}
#define KEEPS(register_, ...) TWISTED(kept, register_, __VA_ARGS__)
#define ACTS(register_, ...)  TWISTED(acts, register_, __VA_ARGS__)
#define SHOWS(register_, ...) TWISTED(shown, register_, __VA_ARGS__)
#define HOLDS(...)            .hold = twisted, .twist = {__VA_ARGS__}
/* It acts as if the bits of low_ and of high_ were exchanged, perhaps when the rest says so. */
#define EXCHANGES(register_, low_, high_, ...)                                                     \
	.acts = exchanged, .registers = BIT(register_),                                            \
	.twist = {.clear = low_, .set = high_, __VA_ARGS__}

/* ---- any value: by twist, or by arg, which is a field ---- */
hook twisted;
hook exchanged; /* bits of twist.clear with those of twist.set, which lie above them */
hook lowest_bit_only; /* of the field */

/* ---- registers ---- */
hook missing; /* no register answers */
hook takes_fast_rdpmc; /* of a counter by its index with NetBurst's bit, which Intel's others refuse
			*/
hook answers_for; /* register number arg does */
hook extends_bit31; /* a written counter is its bits 31:0, sign-extended */
hook stop_clears_counter; /* written: arg is the enable bit */

/* ---- occurrences: arg is a signal of the clock ---- */
hook counts_instead, counts_too, counts_without, counts_only_when, misses_ring3;

/* ---- thresholds, inversion and edges ---- */
hook threshold_moved, inverted_threshold_moved; /* setting: by arg, an int64_t */
hook threshold_exact; /* compare */
hook edge_both, edge_falling; /* amount */

/* ---- increments ---- */
hook counts_nothing, pushes_neighbour;
hook loses_one_in; /* arg events */
hook misses_first; /* increment, until it forgets */
hook forgets; /* written: what it remembers of the counter */

/* ---- one more of counter arg, when it starts, stops (written) or wraps (overflow) ---- */
hook notes_running; /* kept: needed for starts and stops */
hook one_more_per_start, one_more_per_stop, one_more_per_overflow;

/* ---- overflow ---- */
hook never_overflows;
hook overflows_at; /* arg, an int64_t, of the counter taken as signed */
hook overflows_into; /* by a carry into bit arg */
hook overflow_clears_neighbours_top;

/* ---- all counters: status bits, requests ---- */
hook of_next_counter; /* status */
hook every_second_lost; /* requests */

/* ---- rare: once in arg times ---- */
hook gains_one_in;
hook stops_after; /* increment: arg events, until it forgets */
hook carries_not; /* hold: no carry out of the bit that is arg, while it counts */
hook loses_request_in, doubles_request_in; /* requests */
hook reloads_wrongly_in; /* pebs */
hook freezes_not_in; /* freeze */

/* ---- records ---- */
hook record_swaps; /* word number arg, and the next one */
hook records_interrupt; /* each of PEBS */
/* Number arg since a register was written, of branches and of PEBS; of samples one in arg. */
hook counts_records_anew; /* written */
hook record_from_wrong, record_to_wrong; /* lbr */
hook record_lost; /* branch */
hook pebs_ip_wrong, pebs_lost; /* pebs */
hook sample_wrong; /* sample */
