/* SPDX-License-Identifier: BSD-2-Clause */
/* Lawful variations of counts, as Intel's specification updates publish them. */
#include "lawful.h"

/* ---- Core 2 ---- */

/* The TSC ticks six times in a clock of the bus, as the firmware has set it, and the counter 30
 * times: so far apart that the model's slow accesses do not hide it. */
static void by_its_own_ratio(struct point *at)
{
	at->amount *= 5;
}

LAWFUL(MODEL_CORE2, w145_reference_rate, "*.fixed.reference_rate",
       "reference clocks follow the processor's maximum bus ratio, the TSC that of the firmware",
       .amount = by_its_own_ratio, .counters = BIT(INTEL_GENERAL + 2));

/* ---- architectural events that count what is fetched ahead, too, as the SDM allows ---- */

/* One line more for each third, by the clocks: all counters see the same ones. */
static void fetches_ahead(struct point *at)
{
	at->n += at->clock->n[SIGNAL_MISSED_LOADS] && at->clock->n[SIGNAL_UOPS] % 3 == 0;
}

LAWFUL(MODEL_V2, llc_counts_ahead, NULL, "misses of the last cache count lines fetched ahead, too",
       .occurrences = fetches_ahead, .event = INTEL_EVENT(SIGNAL_MISSED_LOADS));

/* ---- an overcount of far transfers; the model has INT n among them ---- */

/* Ivy Bridge, which is Sandy Bridge with another name otherwise. */
static const struct cpuid_lie ivy_bridge = {.leaf = 1, .clear = {UINT32_MAX}, .set = {0x000306a9}};
#define IVY_BRIDGE(name_, known_, says_, ...)                                                      \
	ENTERED("lawful", name_, #name_, MODEL_SANDY, known_, says_, DEFECT(__VA_ARGS__),          \
		.cpuid = &ivy_bridge)

IVY_BRIDGE(bv052_iret_counts_twice,
	   "*.privilege.user_gate,*.overflow.value_after,*.random.programs",
	   "IRET counts twice as an instruction", .occurrences = counts_too,
	   .event = INTEL_EVENT(SIGNAL_INSTRUCTIONS), .arg = SIGNAL_FAR);

/* How the registers are misread is not published: here every second read has the event inverted,
 * and a bit set that cannot be written.  Writes are published to work. */
static void misreads(struct point *at)
{
	if (++at->memory[at->ctr] & 1)
		at->value ^= BIT(40) | SELECT_EVENT;
}

IVY_BRIDGE(bv080_selects_misread,
	   "*.access.control_bits,*.access.reserved_bits,*.access.no_aliasing,"
	   "*.global.reserved_faults",
	   "event selects 4 to 7 read otherwise than they were written", .shown = misreads,
	   .registers = BIT(INTEL_EVTSEL), .counters = FIELD(7, 4));

static void far_counts_twice(struct point *at)
{
	bool counts = at->event == INTEL_EVENT(SIGNAL_INSTRUCTIONS) ||
		      at->event == INTEL_EVENT(SIGNAL_BRANCHES) ||
		      at->event == INTEL_EVENT(SIGNAL_FAR) ||
		      at->event == INTEL_EVENT(INTEL_NEAR_TAKEN);

	if (counts)
		at->n += at->clock->n[SIGNAL_FAR];
}

LAWFUL(MODEL_GRACEMONT, rpl055_far_counts_twice,
       "*.privilege.user_gate,*.overflow.value_after,*.random.programs",
       "far transfers count twice as instructions and branches", .occurrences = far_counts_twice);

/* Of Clearwater Forest: kvm-unit-tests x86/pmu.c, which knows of no branches. */
static void far_retires_twice(struct point *at)
{
	if (at->event == INTEL_EVENT(SIGNAL_INSTRUCTIONS))
		at->n += at->clock->n[SIGNAL_FAR];
}

LAWFUL(MODEL_DARKMONT, dkt_far_retires_twice,
       "*.privilege.user_gate,*.overflow.value_after,*.random.programs",
       "far transfers count twice as instructions", .occurrences = far_retires_twice);

/* ---- Nehalem to Broadwell: AAJ107, BJ136, BV112, HSD140, BDD058 ---- */

enum { MISCOUNTED_IN = 2000003 };

/* memory: in so many events it comes again; by how much and how often is not published. */
static void miscounts(struct point *at)
{
	uint64_t *left = &at->memory[at->ctr];
	const struct pmu_intel *p = at->pmu;

	if (!at->amount || at->event != INTEL_EVENT(SIGNAL_INSTRUCTIONS))
		return;
	if (*left > at->amount) {
		*left -= at->amount;
		return;
	}
	if (*left)
		at->amount += at->defect->arg && p->clocks & 1 ? 1 : UINT64_MAX;
	*left = MISCOUNTED_IN + p->clocks % MISCOUNTED_IN;
}

LAWFUL(MODEL_NEHALEM, aaj107_instructions_lost, "*.rare.*", "rarely an instruction is not counted",
       .amount = miscounts);
LAWFUL(MODEL_SANDY | MODEL_HASWELL | MODEL_BROADWELL, bj136_instructions_miscounted,
       "*.rare.*,*.random.programs", "rarely an instruction is not counted, or one too many",
       .amount = miscounts, .arg = 1);

/* ---- Haswell ---- */

static void inverts_both(struct point *at)
{
	at->passes |= at->set->invert && at->set->adds_one;
}

LAWFUL(MODEL_HASWELL, hsd073_inv_counts_other_cpl, NULL,
       "INV with one of USR and OS counts clocks of the other ring, too",
       .occurrences = inverts_both);

/* With Hyper-Threading, which the model has.  By how many it counts too far is not published but
 * for the most. */
enum { FIXED_0 = INTEL_GENERAL, TOO_MANY = 32 };

static void notes_order(struct point *at)
{
	const struct pmu_intel *p = at->pmu;
	uint64_t started = at->value & ~at->old & intel_bit(FIXED_0);

	if (started && p->fixed_ctrl & (FIXED_EN_OS | FIXED_EN_USR))
		at->memory[FIXED_0] = 1 + p->clocks % TOO_MANY;
}

static void counts_too_far(struct point *at)
{
	if (at->ctr != FIXED_0 || !at->amount)
		return;
	at->amount += at->memory[FIXED_0];
	at->memory[FIXED_0] = 0;
}

LAWFUL(MODEL_HASWELL, hsd143_fixed_0_too_high, "*.fixed.equals_general,*.global.same_clock",
       "fixed counter 0 counts up to 32 too far if its global enable is set after its own",
       .written = notes_order, .registers = BIT(INTEL_GLOBAL_CTRL), .amount = counts_too_far);

/* ---- Broadwell with eight counters ---- */

LAWFUL(MODEL_BROADWELL, bdd116_usr_alone_dead, NULL, "counters 4 to 7 do not count with USR alone",
       ACTS(INTEL_EVTSEL, .unless = SELECT_OS, .clear = SELECT_USR), .counters = FIELD(7, 4));

/* ---- Skylake ---- */

/* Counters with a select register miss clocks.  How many, and whether all miss the same, is not
 * published: here 0, 1 or 2, by counter and change.  A clock in which an instruction retires is not
 * missed. */
enum { BLIND_CLOCKS = 2 };

struct blindness {
	uint8_t cpl, left; /* clocks to miss */
	uint16_t changes;
};
_Static_assert(sizeof(struct blindness) <= sizeof(uint64_t), "in the memory of a counter");

static void blind_at_ring_change(struct point *at)
{
	struct blindness *b = (struct blindness *)&at->memory[at->ctr];

	if (b->cpl != at->clock->cpl) {
		b->cpl = (uint8_t)at->clock->cpl;
		b->left = (uint8_t)((at->ctr + b->changes++) % (BLIND_CLOCKS + 1));
	}
	if (!b->left || at->clock->n[SIGNAL_INSTRUCTIONS])
		return;
	b->left--;
	if (at->set->user != at->set->os)
		at->amount = 0;
}

LAWFUL(MODEL_BROADWELL | MODEL_SKYLAKE, skl117_blind_at_ring_change, NULL,
       "a counter with one of USR and OS misses the first clocks behind a change of ring",
       .amount = blind_at_ring_change, .counters = FIELD(INTEL_GENERAL - 1, 0));

static void strings_count_twice(struct point *at)
{
	if (at->event == INTEL_EVENT(SIGNAL_INSTRUCTIONS) ||
	    at->event == INTEL_EVENT(SIGNAL_BRANCHES))
		at->n += at->clock->n[SIGNAL_MICROCODED];
}

LAWFUL(MODEL_SKYLAKE, skl091_strings_overcount, NULL,
       "string instructions with REP are one instruction and one branch more",
       .occurrences = strings_count_twice);
