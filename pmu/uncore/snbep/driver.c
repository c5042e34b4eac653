/* SPDX-License-Identifier: BSD-2-Clause */
/* Uncore of the Xeon E5-2600: what the ops do with the registers of a box. */
#include "snbep.h"

static void reset(const struct pmu *pmu)
{
	snbep_prefetchers(true);
	if (pmu->bank->touched)
		snbep_reset(pmu);
}

/* ---- programming ---- */

static const char *impossible(const struct pmu *pmu, const struct pmu_config *cfg)
{
	unsigned threshold = cfg->below ? cfg->below : cfg->at_least;

	if (threshold > pmu->max_threshold)
		return "threshold too large for its field";
	if (cfg->interrupt)
		return "an uncore counter has no interrupt";
	if (cfg->edge && !threshold)
		return "an edge needs a threshold";
	return NULL;
}

static const char *program(const struct pmu *pmu, unsigned ctr, const struct pmu_config *cfg)
{
	const struct pmu_event *event = &pmu->events[cfg->event];
	const struct snbep_config config = {
		.event = event->code,
		.unit_mask = (uint8_t)event->unit_mask,
		.at_least = (uint8_t)cfg->at_least,
		.below = (uint8_t)cfg->below,
		.edge = cfg->edge,
	};
	const char *why = impossible(pmu, cfg);

	if (!why)
		pmu_put(pmu, pmu->counter[ctr].ctl,
			snbep_encode(snbep_box(pmu)->kind, &config) & ~(uint32_t)CTL_EN);
	return why;
}

/* Enabled while frozen, so that all begin in the same clock. */
static void start(const struct pmu *pmu, uint64_t ctrs)
{
	pmu_set_enables(pmu, ctrs);
	snbep_run(pmu);
}

static void stop(const struct pmu *pmu, uint64_t ctrs)
{
	snbep_freeze(pmu);
	pmu_clear_enables(pmu, ctrs);
}

struct snbep_config snbep_clock(const struct pmu *pmu)
{
	return (struct snbep_config){.event = snbep_box(pmu)->kind->clock_event};
}

static void describe(const struct pmu *pmu, unsigned ctr)
{
	if (ctr == 0 && pmu->bank->gate.space != REG_NONE)
		report_diag("BOX_CTL[%llx] = %08llx", (unsigned long long)pmu->bank->gate.address,
			    (unsigned long long)pmu_get(pmu->bank->gate));
	for (unsigned i = 0; ctr == 0 && i < pmu->bank->shared_count; i++)
		report_diag("[%llx] = %08llx", (unsigned long long)pmu->bank->shared[i].address,
			    (unsigned long long)pmu_get(pmu->bank->shared[i]));
}

static const struct pmu_counting counting = {
	.program = program,
	.start = start,
	.stop = stop,
	.describe = describe,
};

/* ---- finding ---- */

static const struct pmu *found[SNBEP_BOXES_MAX];

const struct pmu *snbep_pmu(unsigned i)
{
	return i < SNBEP_BOXES_MAX ? found[i] : NULL;
}

static const struct pmu_box facet = {
	.freeze = snbep_freeze,
	.run = snbep_run,
	.each = snbep_pmu,
};

static void name(struct pmu *pmu, const struct snbep_box *box)
{
	char number[4] = "", socket[8] = "";

	if (box->kind->bit & SNBEP_NUMBERED)
		fmt_print(number, sizeof(number), "%u", box->number);
	if (box->socket)
		fmt_print(socket, sizeof(socket), "-s%u", box->socket);
	fmt_print(pmu->name, sizeof(pmu->name), "%s%s%s", box->kind->name, number, socket);
}

static void fill_counters(struct pmu *pmu, const struct snbep_box *box)
{
	const struct snbep_kind *kind = box->kind;
	unsigned ctr_size = kind->pci ? 8 : 1, ctl_size = kind->pci ? 4 : 1;
	struct snbep *snbep = pmu->state;

	for (unsigned c = 0; c < kind->counters; c++) {
		snbep->counter[c] = (struct pmu_counter){
			.ctl = snbep_place(box, snbep_reg(pmu, kind->ctl) + c * ctl_size),
			.ctr = snbep_place(box, snbep_reg(pmu, kind->ctr) + c * ctr_size),
			.enable = CTL_EN,
			.width = kind->width,
			.write_bits = kind->width,
		};
		snbep->counter[c].ctl.acts = CTL_RST;
	}
	pmu->counting = &counting;
	pmu->counter = snbep->counter;
	pmu->counters = kind->counters;
}

static void fill_shared(struct pmu *pmu, const struct snbep_box *box)
{
	const struct snbep_kind *kind = box->kind;
	struct snbep *snbep = pmu->state;
	unsigned n = 0;

	for (unsigned i = 0; i < SNBEP_FILTERS_MAX && kind->filter[i].reg; i++)
		snbep->shared[n++] = snbep_place(box, snbep_reg(pmu, kind->filter[i].reg));
	if (kind->fixed_ctl) {
		snbep->shared[n++] = snbep_place(box, kind->fixed_ctr);
		snbep->shared[n] = snbep_place(box, kind->fixed_ctl);
		snbep->shared[n++].acts = FIXED_CTL_RST;
	}
	snbep->bank.shared = snbep->shared;
	snbep->bank.shared_count = n;
	snbep->bank.saved = snbep->saved;
	pmu->bank = &snbep->bank;
	if (!kind->box_ctl)
		return;
	snbep->bank.gate = snbep_place(box, snbep_reg(pmu, kind->box_ctl));
	snbep->bank.gate.acts = BOX_CTL_RST_CTRL | BOX_CTL_RST_CTRS;
	snbep->bank.gate_stop = BOX_CTL_STOP;
}

/* The clock event, if there is one; of a box without a clock, none. */
static struct pmu_event events[SNBEP_KINDS][EV_OWN + 1];
static const struct pmu_event no_events[EV_OWN + 1];

static void fill_events(struct pmu *pmu, const struct snbep_kind *kind)
{
	static const struct pmu_reason clocks = {PMU_AT_LEAST, "clocks of the box"};
	struct pmu_event *own = events[kind - snbep_kinds];

	own[EV_CYCLES] = (struct pmu_event){
		.name = kind->clock,
		.code = kind->clock_event,
		.max_per_clock = 1,
		.why = &clocks,
	};
	pmu->events = own;
}

static void fill(struct pmu *pmu, const struct snbep_box *box)
{
	const struct snbep_kind *kind = box->kind;

	pmu->features = PMU_THRESHOLD | PMU_EDGE | PMU_UNIT_MASK | PMU_SELECT;
	if (kind->box_ctl)
		pmu->features |= PMU_ATOMIC_START;
	pmu->max_threshold = (unsigned)field_max(kind->thresh);
	pmu->ctl_writable = kind->ctl_fields;
	pmu->ctl_enable = CTL_EN;
	pmu->ctl_reserved = FIELD(31, 0) & ~kind->ctl_fields & ~CTL_RST;
	fill_counters(pmu, box);
	fill_shared(pmu, box);
	fill_events(pmu, kind);
}

static bool keeps(const struct pmu *pmu)
{
	for (unsigned c = 0; c < pmu->counters; c++)
		if (!pmu_try(pmu->counter[c].ctr, pmu_mask(pmu, c) / 3) ||
		    !pmu_try(pmu->counter[c].ctl, pmu->ctl_writable & ~pmu->ctl_enable))
			return true;
	return false;
}

/* The rst bit of a control clears its counter, which held something, and reads 0. */
static bool resets(const struct pmu *pmu)
{
	for (unsigned c = 0; c < pmu->counters; c++) {
		const struct pmu_counter *counter = &pmu->counter[c];
		bool held;

		pmu_write(pmu, c, pmu_mask(pmu, c) / 3);
		held = pmu_read(pmu, c) != 0;
		pmu_put(pmu, counter->ctl, CTL_RST);
		if (held && !pmu_read(pmu, c) && !(pmu_get(counter->ctl) & CTL_RST))
			return true;
	}
	return false;
}

static bool reads(struct pmu_reg reg)
{
	uint64_t value;

	return rdmsr_safe(pmu_number(reg), &value) == FAULT_NONE;
}

static bool all_read(const struct pmu *pmu)
{
	for (unsigned c = 0; c < pmu->counters; c++)
		if (!reads(pmu->counter[c].ctl) || !reads(pmu->counter[c].ctr))
			return false;
	for (unsigned i = 0; i < pmu->bank->shared_count; i++)
		if (!reads(pmu->bank->shared[i]))
			return false;
	return reads(pmu->bank->gate);
}

bool snbep_is_box(const struct snbep_box *box)
{
	struct snbep state = {.box = box};
	struct pmu pmu = {.ops = &pmu_snbep, .state = &state};
	bool is_box;

	fill(&pmu, box);
	if (!all_read(&pmu))
		return true;
	pmu_save(&pmu);
	snbep_reset(&pmu);
	is_box = keeps(&pmu) && (resets(&pmu) || snbep_ticks(&pmu));
	pmu_restore(&pmu);
	return is_box;
}

static bool holds(const struct pmu *pmu)
{
	const uint64_t value = FIELD(43, 0) / 3;

	pmu_write(pmu, 0, value);
	return pmu_read(pmu, 0) == value;
}

/* Does a clock drive it?  The registers are left as they were found. */
static void look(struct pmu *pmu, const struct snbep_kind *kind)
{
	pmu_save(pmu);
	pmu->idle = snbep_idle(pmu);
	/* A slice that is switched off may not even have registers. */
	if (pmu->idle && kind->bit == SNBEP_CBO && !holds(pmu))
		pmu->silent = pmu->idle;
	pmu_restore(pmu);
	if (pmu->idle)
		pmu->events = no_events;
}

static bool is_snbep(const struct cpu_identity *cpu)
{
	return !memcmp(cpu->vendor, "GenuineIntel", 12) && cpu->family == 6 && cpu->model == 0x2d;
}

static bool probe(struct pmu *pmu, const struct cpu_identity *cpu)
{
	static struct snbep_box *boxes;
	static unsigned count;
	const struct snbep_box *box;

	if (pmu->instance == 0) {
		memset(found, 0, sizeof(found));
		count = is_snbep(cpu) ? snbep_find(&boxes) : 0;
		if (is_snbep(cpu) && !count)
			pmu->silent = "no PCI function shows it, and no MSR acts as one of it";
	}
	if (pmu->instance >= count)
		return false;
	box = &boxes[pmu->instance];
	((struct snbep *)pmu->state)->box = box;
	pmu->kinds = box->kind->bit | (box->first ? SNBEP_FIRST(box->kind->bit) : 0);
	pmu->events = no_events;
	pmu->everywhere = box->kind->pci;
	pmu->box = &facet;
	found[pmu->instance] = pmu;
	name(pmu, box);
	if (box->silent[0]) {
		pmu->silent = box->silent;
		return true;
	}
	fill(pmu, box);
	look(pmu, box->kind);
	return true;
}

const struct pmu_ops pmu_snbep = {
	.name = "snbep",
	.title = "uncore of the Xeon E5-2600",
	.manual = "Intel 327043-001, chapter 2",
	.processors =
		"Intel family 6 model 2Dh (Sandy Bridge-EP): memory channels, home agent, QPI, "
		"ring, cache slices, power control",
	.state_size = sizeof(struct snbep),
	.uncore = true,
	.probe = probe,
	.reset = reset,
};
PMU_DRIVER(pmu_snbep);
