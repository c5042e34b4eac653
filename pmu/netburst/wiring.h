/* SPDX-License-Identifier: BSD-2-Clause */
/* The wiring, which the files of the NetBurst driver share: who can select what, under which name.
 */
#pragma once

#include "netburst.h"

/* One line of NETBURST_EVENTS. */
struct netburst_event {
	uint16_t mask;
	uint8_t select; /* ESCR_EVENT_SELECT */
	uint8_t group : 2, escr : 3; /* enum netburst_group, CCCR_ESCR_SELECT */
	uint8_t independent : 1; /* of the thread */
};
extern const struct netburst_event netburst_events[NB_EVENTS];

/* One line of NETBURST_ESCR_PAIRS: "unit" + "_ESCR" + number, at 300h + low. */
struct netburst_escr_pair {
	char unit[6]; /* "": nothing answers here */
	uint8_t number, low;
};
extern const struct netburst_escr_pair netburst_escr_pairs[NB_GROUPS][8];

/* The ESCR that a counter of this group and half selects, 0: there is none on this CPU. */
uint32_t netburst_selected_escr(const struct pmu *pmu, unsigned group, unsigned half,
				unsigned select);

/* Events that struct pmu_config can name. */
extern const struct pmu_event netburst_generic_events[];

/* Members of pmu_netburst that live in program.c. */
const char *netburst_program_generic(const struct pmu *pmu, unsigned ctr,
				     const struct pmu_config *cfg);
const char *netburst_conflict(const struct pmu *pmu, unsigned ctr_a, const struct pmu_config *a,
			      unsigned ctr_b, const struct pmu_config *b);
