/* SPDX-License-Identifier: BSD-2-Clause */
/* Lawful variations of Intel's parts in bits that their manuals took back. */
#include "model/faults/intel/intel.h"
#include "lawful.h"

/* Pin control: reserved from Sandy Bridge on; Linux leaves the bit alone, and KVM keeps it. */
#define PIN_CONTROL BIT(19)

LAWFUL(PARTS_FROM_SANDY, pin_control_reads_0, NULL, "pin control cannot be set",
       KEEPS(INTEL_EVTSEL, .clear = PIN_CONTROL));

static void refuses_pin_control(struct point *at)
{
	if (at->raw & PIN_CONTROL)
		at->access = ACCESS_GP;
}

LAWFUL(PARTS_FROM_SANDY, pin_control_faults, NULL, "a write that sets pin control faults",
       .refused = refuses_pin_control, .registers = BIT(INTEL_EVTSEL));

/* IN_TX and IN_TXCP, where microcode has hidden TSX: not refused any more. */
#define TSX_BITS FIELD(33, 32)

static void takes_tsx_bits(struct point *at)
{
	const struct pmu_intel *p = at->pmu;

	if (at->raw & TSX_BITS && !(at->raw & ~(p->traits->select_bits | TSX_BITS)))
		at->access = ACCESS_DONE;
}

LAWFUL(PARTS_FROM_HASWELL, tsx_bits_stay, NULL, "IN_TX and IN_TXCP can be set though TSX is hidden",
       .refused = takes_tsx_bits, .registers = BIT(INTEL_EVTSEL));

/* HSD171, KBL115, CML095. */
static void never_occurs(struct point *at)
{
	at->n = 0;
}

LAWFUL(MODEL_HASWELL | MODEL_SKYLAKE, hsd171_loads_stop, "*.qualified.loads",
       "loads by their latency do not count", .occurrences = never_occurs,
       .event = INTEL_EVENT(INTEL_LATE_LOADS));

/* Family 13h, which came after this model: what no table knows may hide TSX as well. */
static const struct cpuid_lie family_13h = {.leaf = 1, .clear = {UINT32_MAX}, .set = {0x00400f10}};

ENTERED("lawful", unknown_keeps_tsx_bits, "unknown_keeps_tsx_bits", MODEL_GOLDENCOVE, NULL,
	"the same on a part that no table knows",
	DEFECT(.refused = takes_tsx_bits, .registers = BIT(INTEL_EVTSEL)), .cpuid = &family_13h,
	.alone = true);

LAWFUL(MODEL_HASWELL | MODEL_BROADWELL, hsd091_repeats, NULL,
       "the interrupt comes again while its status bit is set and the entry unmasked",
       .repeats = true);

/* ---- AAJ091, AAK100, BD53: until the selects have had three values ---- */

enum { SEEN = CORE_COUNTERS - 1, ENABLED = BIT(3) };

/* memory[SEEN]: which of them some select has now; ENABLED: all, with the counters enabled. */
static void watch_workaround(struct point *at)
{
	static const uint32_t values[] = {0x4300b5, 0x4300d2, 0x4300b1};
	uint64_t *seen = &at->memory[SEEN];

	if (at->reg.kind == INTEL_GLOBAL_CTRL && *seen == FIELD(2, 0) && at->value == FIELD(3, 0))
		*seen |= ENABLED;
	for (unsigned i = 0; at->reg.kind == INTEL_EVTSEL && i < ARRAY_SIZE(values); i++)
		if (at->value == values[i])
			*seen |= BIT(i);
}

static void counts_clocks(struct point *at)
{
	if (!(at->memory[SEEN] & ENABLED) && at->ctr < INTEL_GENERAL)
		at->n = 1;
}

LAWFUL(MODEL_NEHALEM, aaj091_counts_clocks, NULL,
       "general counters count clocks until the workaround has run", .written = watch_workaround,
       .registers = BIT(INTEL_EVTSEL) | BIT(INTEL_GLOBAL_CTRL), .occurrences = counts_clocks);

/* ---- SKL179: with RTM, and if RTM_FORCE_ABORT is 0 ---- */

static void transactions_use_it(struct point *at)
{
	const struct pmu_intel *p = at->pmu;

	if (at->ctr == 3 && !(p->force_abort & BIT(0)) && at->clock->n[SIGNAL_CYCLES])
		at->amount += 3;
}

ENTERED("lawful", skl179_counter_3_used, "skl179_counter_3_used", MODEL_SKYLAKE, NULL,
	"microcode uses counter 3 unless RTM_FORCE_ABORT is set",
	DEFECT(.increment = transactions_use_it, .refused = intel_takes_tx, .kept = intel_keeps_tx,
	       .setting = intel_is_in_no_tx),
	.cpuid = &intel_tells_of_rtm);

/* ---- two threads, of which the other one works ---- */

enum { EAX, EBX, ECX, EDX };

#define LEVEL_OF_TWO .clear[EBX] = FIELD(15, 0), .set[EBX] = 2

static const struct cpuid_lie older_leaf = {.leaf = 0xb, LEVEL_OF_TWO};
static const struct cpuid_lie core_of_two = {.leaf = 0x1f, LEVEL_OF_TWO, .next = &older_leaf};
static const struct cpuid_lie hyper_threading = {
	.leaf = 1, .set[EDX] = BIT(28), .next = &core_of_two};

static void slots_go_elsewhere(struct point *at)
{
	const struct pmu_intel *p = at->pmu;

	if (p->counted[at->ctr].signal == INTEL_SLOTS)
		at->amount -= at->amount / 2;
}

ENTERED("lawful", slots_are_shared, "slots_are_shared", MODEL_ICELAKE | MODEL_GOLDENCOVE, NULL,
	"of each clock's slots the other thread of the core takes half",
	DEFECT(.increment = slots_go_elsewhere), .cpuid = &hyper_threading);
