/* SPDX-License-Identifier: BSD-2-Clause */
/* NetBurst: translates configurations to ESCR and CCCR values, or says why it cannot. */
#include "wiring.h"

static uint64_t flag(bool set, uint64_t field)
{
	return set ? field : 0;
}

/* ---- refusals ---- */

static const char *refuse_event(const struct pmu *pmu, const struct netburst_config *cfg)
{
	if (cfg->event == NB_NO_EVENT || cfg->event >= NB_EVENTS)
		return "the configuration names no event";
	if (!netburst_has_event(pmu, cfg->event))
		return "this model has no such event";
	if (cfg->mask & ~(uint32_t)netburst_events[cfg->event].mask)
		return "the event's mask has bits that are not documented";
	return NULL;
}

/* Some events have one ESCR of the pair; IOQ_allocation got its second with signature F27h. */
static bool is_of_half(const struct netburst *cpu, enum netburst_event_id id, unsigned half)
{
	if (half == 0)
		return id != NB_BSQ_ACTIVE_ENTRIES && id != NB_IOQ_ACTIVE_ENTRIES;
	if (id == NB_IOQ_ALLOCATION)
		return cpu->model > 2 || (cpu->model == 2 && cpu->stepping >= 7);
	return id != NB_BSQ_ALLOCATION;
}

static const char *refuse_counter(const struct pmu *pmu, unsigned ctr, enum netburst_event_id id)
{
	if (ctr >= NETBURST_COUNTERS || netburst_counters[ctr].group != netburst_events[id].group)
		return "the event belongs to another group of counters";
	if (!is_of_half(netburst(pmu), id, netburst_counters[ctr].half))
		return "the event has no ESCR that this counter can select";
	return NULL;
}

static const char *refuse_modes(const struct pmu *pmu, unsigned ctr,
				const struct netburst_config *cfg)
{
	if (!(pmu->features & PMU_HT) &&
	    (cfg->other_user || cfg->other_kernel || cfg->active_thread != NB_ANY_THREAD))
		return "this core has one logical processor";
	if (!cfg->extended_cascade)
		return NULL;
	if (!(pmu->features & PMU_XCASCADE))
		return "extended cascading: models 2 and later only";
	return netburst_counters[ctr].extended_source >= 0
		       ? NULL
		       : "extended cascading: counters 12, 15, 16, 17 only";
}

/* ---- encoding ---- */

static uint64_t escr_value(const struct pmu *pmu, const struct netburst_config *cfg)
{
	const struct netburst_event *event = &netburst_events[cfg->event];
	bool t1 = netburst(pmu)->thread == 1;
	uint64_t escr = 0;

	escr |= field_put(ESCR_EVENT_SELECT, event->select);
	escr |= field_put(ESCR_EVENT_MASK, cfg->mask);
	escr |= flag(cfg->tag_enable, ESCR_TAG_ENABLE) | field_put(ESCR_TAG_VALUE, cfg->tag_value);
	escr |= flag(t1 ? cfg->other_user : cfg->user, ESCR_T0_USR);
	escr |= flag(t1 ? cfg->other_kernel : cfg->kernel, ESCR_T0_OS);
	escr |= flag(t1 ? cfg->user : cfg->other_user, ESCR_T1_USR);
	escr |= flag(t1 ? cfg->kernel : cfg->other_kernel, ESCR_T1_OS);
	return escr;
}

static uint64_t cccr_value(const struct pmu *pmu, const struct netburst_config *cfg)
{
	uint64_t cccr = 0;

	cccr |= field_put(CCCR_ESCR_SELECT, netburst_events[cfg->event].escr);
	/* The enumerators count down from 11b, so that 0 is the usual value. */
	cccr |= field_put(CCCR_ACTIVE_THREAD, 3u - cfg->active_thread);
	cccr |= flag(cfg->compare, CCCR_COMPARE) | flag(cfg->complement, CCCR_COMPLEMENT);
	cccr |= field_put(CCCR_THRESHOLD, cfg->threshold) | flag(cfg->edge, CCCR_EDGE);
	cccr |= flag(cfg->force_ovf, CCCR_FORCE_OVF);
	cccr |= flag(cfg->ovf_pmi, netburst(pmu)->thread ? CCCR_OVF_PMI_T1 : CCCR_OVF_PMI_T0);
	cccr |= flag(cfg->cascade, CCCR_CASCADE) | flag(cfg->extended_cascade, CCCR_CASCNT_INTO);
	return cccr;
}

/* ---- programming ---- */

static void put_escr(const struct pmu *pmu, unsigned half, const struct netburst_config *cfg)
{
	uint32_t escr = netburst_escr_msr(cfg->event, half);

	pmu_touch(pmu, pmu_msr(escr));
	wrmsr(escr, escr_value(pmu, cfg));
}

/* The counter is stopped, and cannot be started by a cascade, while its event changes. */
const char *netburst_program(const struct pmu *pmu, unsigned ctr, const struct netburst_config *cfg)
{
	const char *why = refuse_event(pmu, cfg);

	if (!why)
		why = refuse_counter(pmu, ctr, cfg->event);
	if (!why)
		why = refuse_modes(pmu, ctr, cfg);
	if (why)
		return why;
	pmu_touch(pmu, pmu->counter[ctr].ctl);
	wrmsr(pmu_number(pmu->counter[ctr].ctl), 0);
	put_escr(pmu, netburst_counters[ctr].half, cfg);
	wrmsr(pmu_number(pmu->counter[ctr].ctl), cccr_value(pmu, cfg));
	return NULL;
}

static bool needs_counter(const struct netburst_config *cfg)
{
	return cfg->compare || cfg->complement || cfg->edge || cfg->threshold || cfg->force_ovf ||
	       cfg->ovf_pmi || cfg->cascade || cfg->extended_cascade ||
	       cfg->active_thread != NB_ANY_THREAD;
}

const char *netburst_program_upstream(const struct pmu *pmu, unsigned half,
				      const struct netburst_config *cfg)
{
	const char *why = refuse_event(pmu, cfg);

	if (!why && needs_counter(cfg))
		why = "an ESCR holds event, mask, privilege and tag, and nothing else";
	if (!why)
		why = refuse_modes(pmu, 0, cfg);
	if (!why)
		put_escr(pmu, half, cfg);
	return why;
}

/* ---- generic configurations ---- */

/* at_least c is more than c - 1, below c at most c - 1.  An edge is one of a comparison: without
 * any, from no event to some. */
static const char *translate(const struct pmu *pmu, const struct pmu_config *cfg,
			     struct netburst_config *out)
{
	const struct pmu_event *event = &pmu->events[cfg->event];
	unsigned bound = cfg->below ? cfg->below : cfg->at_least;

	if (bound > pmu->max_threshold)
		return "threshold too large for THRESHOLD";
	*out = (struct netburst_config){
		.event = (enum netburst_event_id)event->code,
		.mask = event->unit_mask,
		.user = cfg->user,
		.kernel = cfg->kernel,
		.compare = bound || cfg->edge,
		.complement = cfg->below,
		.edge = cfg->edge,
		.threshold = bound ? bound - 1 : 0,
		.ovf_pmi = cfg->interrupt,
	};
	return NULL;
}

const char *netburst_program_generic(const struct pmu *pmu, unsigned ctr,
				     const struct pmu_config *cfg)
{
	struct netburst_config translated;
	const char *why = translate(pmu, cfg, &translated);

	return why ? why : netburst_program(pmu, ctr, &translated);
}

const char *netburst_conflict(const struct pmu *pmu, unsigned ctr_a, const struct pmu_config *a,
			      unsigned ctr_b, const struct pmu_config *b)
{
	struct netburst_config nb_a, nb_b;

	if (translate(pmu, a, &nb_a) || translate(pmu, b, &nb_b))
		return NULL; /* program() will tell */
	if (netburst_escr_msr(nb_a.event, netburst_counters[ctr_a].half) !=
	    netburst_escr_msr(nb_b.event, netburst_counters[ctr_b].half))
		return NULL;
	if (escr_value(pmu, &nb_a) == escr_value(pmu, &nb_b))
		return NULL;
	return "two counters need one ESCR with different events or privilege levels";
}
