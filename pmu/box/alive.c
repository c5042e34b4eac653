/* SPDX-License-Identifier: BSD-2-Clause */
/* Does something behind the registers act as a box, and does a clock drive it? */
#include "box.h"

/* ---- is it a box? ---- */

/* What is no MSR raises no exception. */
bool box_reads(struct pmu_reg reg)
{
	uint64_t value;

	return reg.space != REG_MSR || rdmsr_safe(pmu_number(reg), &value) == FAULT_NONE;
}

static bool all_read(const struct pmu *pmu)
{
	if (box_of(pmu)->kind->space != REG_MSR)
		return true;
	for (unsigned c = 0; c < pmu->counters; c++)
		if (!box_reads(pmu->counter[c].ctl) || !box_reads(pmu->counter[c].ctr))
			return false;
	for (unsigned i = 0; i < pmu->bank->shared_count; i++)
		if (!box_reads(pmu->bank->shared[i]))
			return false;
	return pmu->bank->gate.space == REG_NONE || box_reads(pmu->bank->gate);
}

/* One bit is enough. */
static bool keeps_bit(const struct pmu *pmu, struct pmu_reg reg, uint64_t pattern)
{
	const uint64_t old = pmu_get(reg);
	bool kept;

	pmu_put(pmu, reg, pattern);
	kept = pmu_get(reg) & pattern;
	pmu_put(pmu, reg, old);
	return kept;
}

static bool keeps(const struct pmu *pmu)
{
	for (unsigned c = 0; c < pmu->counters; c++)
		if (keeps_bit(pmu, pmu->counter[c].ctr, pmu_mask(pmu, c) / 3) ||
		    keeps_bit(pmu, pmu->counter[c].ctl, pmu->ctl_writable & ~pmu->ctl_enable))
			return true;
	return false;
}

/* The reset bit of a control clears its counter, which held something, and reads 0. */
static bool resets(const struct pmu *pmu)
{
	uint64_t reset = box_of(pmu)->kind->select->reset;

	for (unsigned c = 0; reset && c < pmu->counters; c++) {
		const struct pmu_counter *counter = &pmu->counter[c];
		bool held;

		pmu_write(pmu, c, pmu_mask(pmu, c) / 3);
		held = pmu_read(pmu, c) != 0;
		pmu_put(pmu, counter->ctl, reset);
		if (held && !pmu_read(pmu, c) && !(pmu_get(counter->ctl) & reset))
			return true;
	}
	return false;
}

/* ---- its clock ---- */

#define GLANCE_US 20u
#define WAIT_US   10000u /* a clock that has not moved then stands still */

/* What its counters show. */
struct shown {
	uint64_t of[BOX_COUNTERS_MAX];
};

/* All counters that have the event count it: one dead counter does not matter. */
static struct shown select_all(const struct pmu *pmu, const struct box_config *cfg)
{
	const struct box_event *row = box_row(box_of(pmu)->kind, cfg);
	const unsigned n = row->counters ? row->counters : pmu->counters;
	struct shown from = {0};

	box_reset(pmu);
	for (unsigned c = 0; c < pmu->counters; c++)
		from.of[c] = pmu_get(pmu->counter[c].ctr);
	for (unsigned c = row->first; c < row->first + n && c < pmu->counters; c++)
		box_select(pmu, c, cfg);
	return from;
}

static bool have_moved(const struct pmu *pmu, const struct shown *from)
{
	for (unsigned c = 0; c < pmu->counters; c++)
		if (pmu_get(pmu->counter[c].ctr) != from->of[c])
			return true;
	return false;
}

/* Does a counter count in so many microseconds?  *fixed: does the fixed counter, if there is one?
 */
static bool counts(const struct pmu *pmu, const struct box_config *cfg, bool *fixed, unsigned us)
{
	const struct shown from = select_all(pmu, cfg);

	pmu_put(pmu, box_fixed_ctl(pmu), box_of(pmu)->kind->fixed.enable);
	box_run(pmu);
	machine_delay_us(us);
	box_freeze(pmu);
	*fixed = pmu_get(box_fixed_ctr(pmu)) != 0;
	return have_moved(pmu, &from);
}

static const struct box_config clock = {.event = BOX_CLOCKS};

/* Fewer than no clock has: it counts each, whatever the event. */
static struct box_config any_clock(const struct box_kind *kind)
{
	if (box_event(kind, BOX_CLOCKS) || !kind->select->invert)
		return clock;
	return (struct box_config){.row = 1, .below = (uint8_t)box_max_threshold(kind)};
}

static bool ticks(const struct pmu *pmu)
{
	const struct box_config cfg = any_clock(box_of(pmu)->kind);
	bool fixed;

	return counts(pmu, &cfg, &fixed, GLANCE_US) || counts(pmu, &cfg, &fixed, WAIT_US);
}

/* Whether or not the others do. */
static bool fixed_ticks(const struct pmu *pmu)
{
	const struct box_config cfg = any_clock(box_of(pmu)->kind);
	bool fixed;

	counts(pmu, &cfg, &fixed, GLANCE_US);
	return fixed;
}

#define LINES     64u
#define LINE_SIZE 64u

/* Its first event comes of lines that no cache has, as the slices of clients count them. */
static bool is_used(const struct pmu *pmu)
{
	static uint8_t lines[LINES * LINE_SIZE] __attribute__((aligned(LINE_SIZE)));
	const struct shown from = select_all(pmu, &(const struct box_config){.row = 1});

	for (const uint8_t *line = lines; line < lines + sizeof(lines); line += LINE_SIZE)
		__asm__ volatile("clflush %0\n\tmfence\n\tmovb %0, %%al"
				 :
				 : "m"(*line)
				 : "eax", "memory");
	return have_moved(pmu, &from);
}

/* Without a reset bit, a gate and an inversion nothing is known that it does for certain. */
static bool can_act(const struct box_kind *kind)
{
	const struct box_event *clocks = box_event(kind, BOX_CLOCKS);

	return kind->select->reset || box_gating(kind)->stop || any_clock(kind).below ||
	       (clocks && clocks->below);
}

bool box_acts(const struct box *box)
{
	static const struct box_part any = {.ops = {.uncore = true, .reset = box_give_back}};
	_Alignas(struct box_state) uint8_t state[BOX_STATE_SIZE(BOX_COUNTERS_MAX)] = {0};
	struct pmu pmu = {.ops = &any.ops, .state = state};
	bool acts;

	box_fill(&pmu, box);
	if (!all_read(&pmu))
		return true;
	pmu_save(&pmu);
	box_reset(&pmu);
	acts = keeps(&pmu) && (!can_act(box->kind) || resets(&pmu) || ticks(&pmu) ||
			       fixed_ticks(&pmu) || (!box->kind->select->reset && is_used(&pmu)));
	pmu_restore(&pmu);
	return acts;
}

/* A counter that inverts its threshold counts even what has no clock event. */
static bool counts_without_event(const struct pmu *pmu, bool *fixed)
{
	struct box_config no_clock = clock;

	no_clock.below = box_of(pmu)->kind->select->invert != 0;
	if (box_lacks(box_of(pmu)->kind, &no_clock))
		return false;
	return counts(pmu, &no_clock, fixed, WAIT_US);
}

/* NULL: it runs.  slice_runs: some slice does. */
static const char *why_idle(const struct pmu *pmu, bool *slice_runs)
{
	const struct box_kind *kind = box_of(pmu)->kind;
	bool fixed;

	if (!box_event(kind, BOX_CLOCKS))
		return NULL;
	if (ticks(pmu)) {
		*slice_runs |= kind->role == BOX_SLICE;
		return NULL;
	}
	if (counts_without_event(pmu, &fixed))
		return kind->role == BOX_CHANNEL
			       ? "iMC event 00h counts nothing here, which is allowed"
			       : NULL;
	if (kind->role == BOX_SLICE && *slice_runs)
		return "the slice is off: its clock stands still while other slices run";
	if (kind->role == BOX_CONTROLLER)
		return "the clock of this channel's controller stands still, as if it were gated";
	if (kind->role == BOX_MEMORY)
		return "no counter of this memory controller counts clocks, as if it were not in "
		       "use";
	if (kind->role == BOX_CHANNEL && !fixed)
		return "memory channel not in use: DCLK stands still";
	return kind->role & (BOX_LINK | BOX_LINK_STOP) ? "link not in use: its clock stands still"
						       : NULL;
}

static bool holds(const struct pmu *pmu)
{
	const uint64_t value = FIELD(43, 0) / 3;

	pmu_write(pmu, 0, value);
	return pmu_read(pmu, 0) == value;
}

/* ---- its events, in counters of the core ---- */

#define LINE       64u
#define LOOK_LINES 64u

/* Lines that no cache has are loaded. */
static bool counts_memory(const struct pmu *pmu)
{
	static volatile uint8_t lines[LOOK_LINES * LINE];

	box_reset(pmu);
	box_select(pmu, 0, &(const struct box_config){.event = NODE_DRAM});
	for (unsigned i = 0; i < sizeof(lines); i += LINE) {
		__asm__ volatile("clflush (%0)\n\tmfence" : : "r"(&lines[i]) : "memory");
		(void)lines[i];
	}
	pmu_put(pmu, pmu->counter[0].ctl, 0);
	return pmu_get(pmu->counter[0].ctr);
}

/* A hypervisor may offer the core's counters with the core's events alone. */
static const char *why_not_offered(const struct pmu *pmu, const struct cpu_identity *cpu)
{
	if (!box_of(pmu)->kind->in_core || !cpu->virtual || counts_memory(pmu))
		return NULL;
	return "this hypervisor offers no events of the northbridge: nothing is counted";
}

/* Where sources differ, counters are as wide as what one of them keeps. */
static void widen(struct pmu *pmu)
{
	const struct box_kind *kind = box_of(pmu)->kind;
	struct pmu_counter *counter = ((struct box_state *)pmu->state)->counter;
	const uint64_t more = kind->wider ? FIELD(kind->wider - 1, kind->width) : 0;
	bool kept = false;

	box_reset(pmu);
	for (unsigned c = 0; more && c < pmu->counters; c++) {
		pmu_put(pmu, counter[c].ctr, more);
		kept |= pmu_get(counter[c].ctr) & more;
	}
	for (unsigned c = 0; kept && c < pmu->counters; c++)
		counter[c].width = counter[c].write_bits = kind->wider;
}

void box_look(struct pmu *pmu, const struct cpu_identity *cpu)
{
	static bool slice_runs;

	if (pmu->instance == 0)
		slice_runs = false;
	pmu_save(pmu);
	widen(pmu);
	pmu->idle = why_idle(pmu, &slice_runs);
	pmu->silent = why_not_offered(pmu, cpu);
	/* A slice that is switched off may not even have registers. */
	if (pmu->idle && box_of(pmu)->kind->role == BOX_SLICE && !holds(pmu))
		pmu->silent = pmu->idle;
	pmu_restore(pmu);
	if (pmu->idle)
		pmu->events = box_no_events;
}
