/* SPDX-License-Identifier: BSD-2-Clause */
/* Uncore of the Xeon E5-2600: what the ops do with the registers of a box. */
#include "snbep.h"

#include <stddef.h>

#include "kernel/console/report.h"
#include "kernel/lib/fmt.h"

/* ---- all registers ---- */

/* saved_shared[]: the filters, then those of the fixed counter. */
enum { SAVED_FIXED_CTL = SNBEP_FILTERS_MAX, SAVED_FIXED_LOW, SAVED_FIXED_HIGH };

static bool is_frozen(uint64_t box_ctl)
{
	return (box_ctl & BOX_CTL_STOP) == BOX_CTL_STOP;
}

static void save(struct pmu *pmu)
{
	const struct snbep_kind *kind = snbep_box(pmu)->kind;
	uint64_t fixed;

	if (kind->box_ctl)
		pmu->saved_global = snbep_get(pmu, snbep_reg(pmu, kind->box_ctl));
	for (unsigned c = 0; c < pmu->counters; c++) {
		pmu->saved_ctl[c] = snbep_get(pmu, pmu->ctl_msr[c]);
		pmu->saved_ctr[c] = snbep_get_counter(pmu, pmu->ctr_msr[c]);
		if (pmu->saved_ctl[c] & CTL_EN && !is_frozen(pmu->saved_global))
			pmu->running_at_entry |= BIT(c);
	}
	for (unsigned i = 0; i < SNBEP_FILTERS_MAX && kind->filter[i].reg; i++)
		pmu->saved_shared[i] = snbep_get(pmu, snbep_reg(pmu, kind->filter[i].reg));
	if (!kind->fixed_ctl)
		return;
	pmu->saved_shared[SAVED_FIXED_CTL] = snbep_get(pmu, kind->fixed_ctl);
	fixed = snbep_get_counter(pmu, kind->fixed_ctr);
	pmu->saved_shared[SAVED_FIXED_LOW] = (uint32_t)fixed;
	pmu->saved_shared[SAVED_FIXED_HIGH] = (uint32_t)(fixed >> 32);
}

static void restore_fixed(const struct pmu *pmu)
{
	const struct snbep_kind *kind = snbep_box(pmu)->kind;

	snbep_put_counter(pmu, kind->fixed_ctr,
			  (uint64_t)pmu->saved_shared[SAVED_FIXED_HIGH] << 32 |
				  pmu->saved_shared[SAVED_FIXED_LOW]);
	snbep_put(pmu, kind->fixed_ctl,
		  pmu->saved_shared[SAVED_FIXED_CTL] & ~(uint32_t)FIXED_CTL_RST);
}

/* Frozen until all is back; bits that only act when written were not read as 1. */
static void restore(const struct pmu *pmu)
{
	const struct snbep_kind *kind = snbep_box(pmu)->kind;

	snbep_reset(pmu);
	for (unsigned i = 0; i < SNBEP_FILTERS_MAX && kind->filter[i].reg; i++)
		snbep_put(pmu, snbep_reg(pmu, kind->filter[i].reg), pmu->saved_shared[i]);
	for (unsigned c = 0; c < pmu->counters; c++) {
		snbep_put_counter(pmu, pmu->ctr_msr[c], pmu->saved_ctr[c]);
		snbep_put(pmu, pmu->ctl_msr[c], (uint32_t)(pmu->saved_ctl[c] & ~CTL_RST));
	}
	if (kind->fixed_ctl)
		restore_fixed(pmu);
	if (kind->box_ctl)
		snbep_put(pmu, snbep_reg(pmu, kind->box_ctl),
			  (uint32_t)(pmu->saved_global & ~(BOX_CTL_RST_CTRL | BOX_CTL_RST_CTRS)));
}

static void reset(const struct pmu *pmu)
{
	snbep_prefetchers(true);
	if (!snbep_is_clean(pmu))
		snbep_reset(pmu);
}

/* ---- programming ---- */

static const char *impossible(const struct pmu *pmu, unsigned ctr, const struct pmu_config *cfg)
{
	unsigned threshold = cfg->below ? cfg->below : cfg->at_least;

	if (!pmu_can_count(pmu, ctr, cfg->event))
		return "this box has no such event";
	if (cfg->at_least && cfg->below)
		return "a counter compares one way only";
	if (threshold > pmu->max_threshold)
		return "threshold too large for its field";
	if (cfg->interrupt || cfg->pin_control)
		return "an uncore counter has neither interrupt nor pin control";
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
	const char *why = impossible(pmu, ctr, cfg);

	if (!why)
		snbep_put(pmu, pmu->ctl_msr[ctr],
			  snbep_encode(snbep_box(pmu)->kind, &config) & ~(uint32_t)CTL_EN);
	return why;
}

static void enable(const struct pmu *pmu, uint64_t ctrs, uint32_t en)
{
	for (unsigned c = 0; c < pmu->counters; c++)
		if (ctrs & BIT(c))
			snbep_put(pmu, pmu->ctl_msr[c],
				  (snbep_get(pmu, pmu->ctl_msr[c]) & ~(uint32_t)CTL_EN) | en);
}

/* Enabled while frozen, so that all begin in the same clock. */
static void start(const struct pmu *pmu, uint64_t ctrs)
{
	enable(pmu, ctrs, CTL_EN);
	snbep_run(pmu);
}

static void stop(const struct pmu *pmu, uint64_t ctrs)
{
	snbep_freeze(pmu);
	enable(pmu, ctrs, 0);
}

static uint64_t read(const struct pmu *pmu, unsigned ctr)
{
	return snbep_get_counter(pmu, pmu->ctr_msr[ctr]) & pmu_mask(pmu);
}

static void write(const struct pmu *pmu, unsigned ctr, uint64_t value)
{
	snbep_put_counter(pmu, pmu->ctr_msr[ctr], value & pmu_mask(pmu));
}

struct snbep_config snbep_clock(const struct pmu *pmu)
{
	return (struct snbep_config){.event = snbep_box(pmu)->kind->clock_event};
}

static void describe(const struct pmu *pmu, unsigned ctr)
{
	const struct snbep_kind *kind = snbep_box(pmu)->kind;
	uint32_t box_ctl = kind->box_ctl ? snbep_reg(pmu, kind->box_ctl) : 0;

	report_diag("%s counter %u: CTL[%x] = %08x, CTR[%x] = %012llx", pmu->name, ctr,
		    pmu->ctl_msr[ctr], snbep_get(pmu, pmu->ctl_msr[ctr]), pmu->ctr_msr[ctr],
		    (unsigned long long)read(pmu, ctr));
	if (ctr == 0 && box_ctl)
		report_diag("BOX_CTL[%x] = %08x", box_ctl, snbep_get(pmu, box_ctl));
	for (unsigned i = 0; ctr == 0 && i < SNBEP_FILTERS_MAX && kind->filter[i].reg; i++)
		report_diag("filter[%x] = %08x", snbep_reg(pmu, kind->filter[i].reg),
			    snbep_get(pmu, snbep_reg(pmu, kind->filter[i].reg)));
}

/* ---- finding ---- */

static const struct pmu *found[SNBEP_BOXES_MAX];

const struct pmu *snbep_pmu(unsigned i)
{
	return i < SNBEP_BOXES_MAX ? found[i] : NULL;
}

static void name(struct pmu *pmu, const struct snbep_box *box)
{
	char number[4] = "", socket[8] = "";

	if (box->kind->bit & SNBEP_NUMBERED)
		fmt_print(number, sizeof(number), "%u", box->number);
	if (box->socket)
		fmt_print(socket, sizeof(socket), "-s%u", box->socket);
	fmt_print(pmu->name, sizeof(pmu->name), "%s%s%s", box->kind->name, number, socket);
}

static void fill(struct pmu *pmu, const struct snbep_box *box)
{
	const struct snbep_kind *kind = box->kind;
	unsigned ctr_size = kind->pci ? 8 : 1, ctl_size = kind->pci ? 4 : 1;

	pmu->counters = kind->counters;
	pmu->width = kind->width;
	pmu->write_bits = kind->width;
	pmu->features = PMU_THRESHOLD | PMU_EDGE | PMU_UNIT_MASK | PMU_SELECT;
	if (kind->box_ctl)
		pmu->features |= PMU_ATOMIC_START;
	pmu->max_threshold = (unsigned)field_max(kind->thresh);
	pmu->ctl_writable = kind->ctl_fields;
	pmu->ctl_enable = CTL_EN;
	pmu->ctl_reserved = FIELD(31, 0) & ~kind->ctl_fields & ~CTL_RST;
	for (unsigned c = 0; c < kind->counters; c++) {
		pmu->ctl_msr[c] = snbep_reg(pmu, kind->ctl) + c * ctl_size;
		pmu->ctr_msr[c] = snbep_reg(pmu, kind->ctr) + c * ctr_size;
	}
	pmu->own_events[EV_CYCLES] = (struct pmu_event){
		.name = kind->clock,
		.code = kind->clock_event,
		.max_per_clock = 1,
		.reason = "clocks of the box",
	};
}

static bool holds(const struct pmu *pmu)
{
	const uint64_t value = FIELD(43, 0) / 3;

	write(pmu, 0, value);
	return read(pmu, 0) == value;
}

static bool probe(struct pmu *pmu)
{
	static struct snbep_box *boxes;
	static unsigned count;
	const struct snbep_box *box;

	if (pmu->instance == 0)
		count = snbep_find(&boxes);
	if (pmu->instance >= count)
		return false;
	box = &boxes[pmu->instance];
	pmu->box = box;
	pmu->kinds = box->kind->bit | (box->first ? SNBEP_FIRST(box->kind->bit) : 0);
	pmu->events = pmu->own_events;
	found[pmu->instance] = pmu;
	name(pmu, box);
	if (box->silent[0]) {
		pmu->silent = box->silent;
		return true;
	}
	fill(pmu, box);
	save(pmu);
	pmu->idle = snbep_idle(pmu);
	/* A slice that is switched off may not even have registers. */
	if (pmu->idle && box->kind->bit == SNBEP_CBO && !holds(pmu))
		pmu->silent = pmu->idle;
	restore(pmu);
	pmu->running_at_entry = 0;
	if (pmu->idle)
		pmu->own_events[EV_CYCLES].name = NULL;
	return true;
}

const struct pmu_ops pmu_snbep = {
	.name = "snbep",
	.title = "uncore of the Xeon E5-2600",
	.manual = "Intel 327043-001, chapter 2",
	.processors =
		"Intel family 6 model 2Dh (Sandy Bridge-EP): memory channels, home agent, QPI, "
		"ring, cache slices, power control",
	.uncore = true,
	.probe = probe,
	.save = save,
	.restore = restore,
	.reset = reset,
	.program = program,
	.start = start,
	.stop = stop,
	.read = read,
	.write = write,
	.describe = describe,
};
