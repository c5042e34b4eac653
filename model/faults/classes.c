/* SPDX-License-Identifier: BSD-2-Clause */
/* The classes of generated faults: the words of each, and what it does. */
#include "classes.h"

#include "kernel/lib/bits.h"
#include "model/faults/common/common.h"

const unsigned class_delays[CLASS_DELAYS] = {1, 10, 1000};

/* ---- the table ---- */

/* Counters that count nothing exactly have no test of "overflow". */
#define INTERRUPT_TESTS "*.overflow.*,*.ovf.*,*.fixed.interrupt"

#define STUCK(twist_)   .hold = twisted, .shown = twisted, .twist = {.twist_ = ~UINT64_C(0)}
#define ACTING(twist_)  .acts = twisted, .twist = {.twist_ = ~UINT64_C(0)}
#define AT_WRITES(do_)  .kept = notes_running, .written = do_
#define NO_HOOK         .arg = 0 /* it is between the PMU and the local APIC */

/* Classes: the words of each, and whose faults they are: one for each bit of a counter or of a
 * control register, for each register, for each counter, for each power of 2 (bits) of a counter's
 * events or of what all of the core do in turns; and the defect, whose twist is of all bits. */
#define CLASS(class_, name_, of_, tests_, says_, ...)                                              \
	[GENERATED_##class_] = {name_, says_, tests_, of_, 0, 0, {__VA_ARGS__}}
#define POWERS(class_, name_, of_, bits_, tests_, models_, says_, ...)                             \
	[GENERATED_##class_] = {name_, says_, tests_, of_, bits_, models_, {__VA_ARGS__}}
/* Powers of 2 of records: branches come in hundreds, and a buffer of PEBS has no more than these.
 */
#define RECORDS(class_, name_, bits_, models_, tests_, says_, ...)                                 \
	POWERS(RECORD_##class_, "record_" name_, TURN, bits_, tests_, models_, says_, __VA_ARGS__)
#define WITH_BRANCHES ((MODEL_AMD & ~MODEL_K7) | MODEL_V2 | PAIR_YOUNG)
#define OF_BRANCHES(class_, name_, models_, says_, ...)                                            \
	RECORDS(class_, name_, FIELD(8, 0), models_, "*.lbr.*,*.pair.*,*.brs.*",                   \
		"branch records since a write: " says_, __VA_ARGS__,                               \
		.written = counts_records_anew)
#define OF_PEBS(class_, name_, says_, ...)                                                         \
	RECORDS(class_, name_, FIELD(4, 0), MODEL_V2 | MODEL_NETBURST | PAIR_YOUNG,                \
		"*.pebs.*,*.tag.pebs,*.rare.records", "records of PEBS since a write: " says_,     \
		__VA_ARGS__, .written = counts_records_anew)
/* The classes of an effect: on one counter, on all, and on one by two conditions. */
#define FORM(number_, name_, of_, says_)                                                           \
	[GENERATED_PAIRS + (number_)] = {name_, says_, "*", of_, 0, PAIR_MODELS, {PAIR_HOOKS}}
#define PAIR(effect_, name_, says_)                                                                \
	FORM(3 * (effect_), "pair_" name_, CONDITION, says_),                                      \
		FORM(3 * (effect_) + 1, "pair_" name_, CONDITION_OF_ALL, says_),                   \
		FORM(3 * (effect_) + 2, "triple_" name_, TWO_CONDITIONS, says_)

static hook notes_shares, shows_all, shows_written;

const struct fault_class generated_classes[GENERATED_CLASSES] = {
	CLASS(STUCK_0, "stuck_0", COUNTER_BIT, "*.access.*", "is always 0", STUCK(clear)),
	CLASS(STUCK_1, "stuck_1", COUNTER_BIT, "*.access.*", "is always 1", STUCK(set)),
	CLASS(IGNORED, "ignored", CONTROL_BIT, "*", "acts as 0", ACTING(clear)),
	CLASS(INVERTED, "inverted", CONTROL_BIT, "*", "acts as its opposite", ACTING(flip)),
	CLASS(SHARE_FULL, "share_full", SHARE, "*.metrics.*", "begins a share that is all",
	      .written = notes_shares, .shown = shows_all),
	CLASS(SHARE_STANDS, "share_stands", SHARE, "*.metrics.*",
	      "begins a share that keeps what was written", .written = notes_shares,
	      .shown = shows_written),
	CLASS(ALIASED, "aliased", REGISTER, "*.access.*", "reaches the next of its kind",
	      .address = answers_for),
	CLASS(PMI_DROPPED, "pmi_dropped", COUNTER, INTERRUPT_TESTS, "its interrupts get lost",
	      NO_HOOK),
	CLASS(PMI_DOUBLED, "pmi_doubled", COUNTER, INTERRUPT_TESTS, "its interrupts come twice",
	      NO_HOOK),
	CLASS(PMI_DELAYED, "pmi_delayed", DELAY, "*.overflow.*",
	      "instructions later come interrupts", NO_HOOK),
	CLASS(ONE_MORE_PER_START, "one_more_per_start", COUNTER, "*", "counts one at each start",
	      AT_WRITES(one_more_per_start)),
	CLASS(ONE_MORE_PER_STOP, "one_more_per_stop", COUNTER, "*", "counts one at each stop",
	      AT_WRITES(one_more_per_stop)),
	CLASS(ONE_MORE_PER_OVERFLOW, "one_more_per_overflow", COUNTER, "*",
	      "counts one at each overflow", .overflow = one_more_per_overflow),
	CLASS(ONE_MORE_PER_INTERRUPT, "one_more_per_interrupt", COUNTER, "*",
	      "counts one at each interrupt of its own", NO_HOOK),
	POWERS(LOST, "lost", POWER, FIELD(10, 0), "*", 0, "loses one event in every",
	       .increment = loses_one_in),
	POWERS(RARE_LOST, "rare_lost", POWER, FIELD(20, 11), "*.rare.*", MODEL_ALL,
	       "loses one event in every", .increment = loses_one_in),
	POWERS(RARE_DOUBLED, "rare_doubled", POWER, FIELD(20, 0), "*.rare.*", MODEL_ALL,
	       "counts twice one event in every", .increment = gains_one_in),
	POWERS(RARE_CARRY, "rare_carry", CARRY, 0, "*.rare.*", MODEL_ALL,
	       "has no carry out of it while it counts", .hold = carries_not),
	POWERS(RARE_STOP, "rare_stop", POWER, FIELD(20, 0), "*.rare.*", MODEL_ALL,
	       "stops after events:", .increment = stops_after, .written = forgets),
	POWERS(RARE_PMI_LOST, "rare_pmi_lost", TURN, RARE, "*.rare.overflows", MODEL_ALL,
	       "interrupts of all counters: one is lost in every", .requests = loses_request_in),
	/* NetBurst holds a request until it is withdrawn: it comes once. */
	POWERS(RARE_PMI_DOUBLED, "rare_pmi_doubled", TURN, RARE, "*.rare.overflows",
	       MODEL_AMD | MODEL_INTEL, "interrupts of all counters: one comes twice in every",
	       .requests = doubles_request_in),
	POWERS(RARE_RELOAD, "rare_reload", TURN, RARE_RECORDS, "*.rare.records",
	       MODEL_V2 | MODEL_NETBURST,
	       "records of PEBS: 0 is put back, not the reset value, once in every",
	       .pebs = reloads_wrongly_in),
	POWERS(RARE_FREEZE, "rare_freeze", TURN, RARE, "*.rare.freezes", MODEL_V2,
	       "interrupts: nothing freezes once in every", .freeze = freezes_not_in),
	OF_BRANCHES(FROM, "from", WITH_BRANCHES, "bit 0 of where from is wrong in number",
		    .lbr = record_from_wrong),
	OF_BRANCHES(TO, "to", WITH_BRANCHES, "bit 0 of where to is wrong in number",
		    .lbr = record_to_wrong),
	OF_BRANCHES(LOST, "lost", MODEL_V2 | PAIR_YOUNG | MODEL_PERFMON_V2, "there is no number",
		    .branch = record_lost),
	OF_PEBS(PEBS_IP, "pebs_ip", "bit 20 of the address is wrong in number",
		.pebs = pebs_ip_wrong),
	OF_PEBS(PEBS_LOST, "pebs_lost", "there is no number", .pebs = pebs_lost),
	RECORDS(SAMPLE, "sample", FIELD(4, 0), MODEL_K10 | MODEL_PILEDRIVER | MODEL_ZEN_ON,
		"ibs_*.samples.*", "samples: bit 0 of the first word is wrong in one of",
		.sample = sample_wrong),
	PAIR(PAIR_DEAD, "dead", "counts nothing"),
	PAIR(PAIR_INVERTED, "inverted", "compares the other way round"),
	PAIR(PAIR_MORE, "one_more", "counts one more at its first event"),
	PAIR(PAIR_LESS, "one_less", "does not count its first event"),
	PAIR(PAIR_LATE_CLOCK, "late_clock", "counts what occurs a clock later"),
	PAIR(PAIR_LATE_EVENT, "late_event", "counts what occurs at the next event"),
	PAIR(PAIR_MUTE, "mute", "overflows without a word"),
};

/* ---- what only they do ---- */

/* A byte, which begins at bit arg, of shares that have gone on from what was written. */
static uint64_t share_of(const struct point *at)
{
	return at->value == *at->memory ? 0 : at->defect->arg * 0xff;
}

static void notes_shares(struct point *at)
{
	*at->memory = at->value;
}

static void shows_all(struct point *at)
{
	at->value |= share_of(at);
}

static void shows_written(struct point *at)
{
	const uint64_t share = share_of(at);

	at->value = (at->value & ~share) | (*at->memory & share);
}
