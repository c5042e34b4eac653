/* SPDX-License-Identifier: BSD-2-Clause */
/* Conditions that only NetBurst's counters can be in, while something else is broken. */
#include "netburst.h"

#define P4_CONDITION(token_, name_, ...)                                                           \
	CONDITION_MAY(p4_##token_, name_, MODEL_NETBURST, false, __VA_ARGS__)

static const struct cccr *cccr_of(const struct point *at)
{
	return &netburst(at)->cccr[at->ctr];
}

/* NULL: none answers. */
static const struct escr *escr_of(const struct point *at)
{
	int escr = cccr_of(at)->escr;

	return escr < 0 ? NULL : &netburst(at)->escr[escr];
}

static bool is_in_modes(const struct point *at, bool user, bool os)
{
	const struct escr *escr = escr_of(at);

	return escr && (escr->modes & ESCR_T0_USR) == (user ? ESCR_T0_USR : 0) &&
	       (escr->modes & ESCR_T0_OS) == (os ? ESCR_T0_OS : 0);
}

static bool has_many_sub_events(const struct point *at)
{
	const struct escr *escr = escr_of(at);

	return escr && escr->mask & (escr->mask - 1);
}

static bool is_tagging(const struct point *at)
{
	const struct pmu_netburst *p = netburst(at);

	for (unsigned i = 0; i < NETBURST_ESCRS; i++)
		if (p->escr[i].tag_enable)
			return true;
	return false;
}

static bool shares_escr(const struct point *at)
{
	for (unsigned i = 0; i < NETBURST_COUNTERS; i++)
		if (i != at->ctr && at->counter[i].set.enable &&
		    netburst(at)->cccr[i].escr == cccr_of(at)->escr)
			return true;
	return false;
}

static bool may_extend(const struct netburst_traits *traits, const struct pmu_register *reg)
{
	return traits->extended_cascade &&
	       (reg->counter < 0 || netburst_has_extended_cascade((unsigned)reg->counter));
}

P4_CONDITION(usr, "usr", "its ESCR selects rings 1 to 3 only", is_in_modes(at, true, false), true);
P4_CONDITION(os, "os", "its ESCR selects ring 0 only", is_in_modes(at, false, true), true);
P4_CONDITION(both, "both", "its ESCR selects all rings", is_in_modes(at, true, true), true);
P4_CONDITION(mask, "mask", "its event mask has several bits", has_many_sub_events(at), true);
P4_CONDITION(ovf_pmi, "ovf_pmi", "OVF_PMI is set", cccr_of(at)->ovf_pmi_t0, true);
P4_CONDITION(ovf, "ovf", "OVF is set", netburst(at)->ovf >> at->ctr & 1, true);
P4_CONDITION(other_ovf, "other_ovf", "OVF of another counter is set",
	     netburst(at)->ovf & ~bit_of(at), true);
P4_CONDITION(force_ovf, "force_ovf", "FORCE_OVF is set", cccr_of(at)->force_ovf, true);
P4_CONDITION(cascade, "cascade", "CASCADE is set", cccr_of(at)->cascade, true);
P4_CONDITION(cascaded, "cascaded", "a cascade has started it",
	     cccr_of(at)->cascade && !at->set->enable, true);
P4_CONDITION(extended, "extended_cascade", "CASCNTxINTOy is set", cccr_of(at)->extended_cascade,
	     may_extend(traits, reg));
P4_CONDITION(tagging, "tagging", "an ESCR tags micro-ops", is_tagging(at), true);
P4_CONDITION(pebs, "pebs", "PEBS is enabled", netburst(at)->pebs_enable &PEBS_ENABLE_MY_THR, true);
P4_CONDITION(shared, "shared_escr", "another enabled counter has its ESCR", shares_escr(at), true);
