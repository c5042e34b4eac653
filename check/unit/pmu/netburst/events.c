/* SPDX-License-Identifier: BSD-2-Clause */
/* Events of NetBurst's ESCRs against libpfm4: select, ESCR and mask bits. */
#include <perfmon/pfmlib.h>
#include <stdlib.h>

#include "check/unit/tap.h"
#include "pmu/netburst/wiring.h"

/* The processor that knows more events, of the two that the library has. */
#define LIBRARY "netburst_p"

/* Names that it spells in its own way. */
static const char *their_name(const char *ours)
{
	return strcmp(ours, "uop_type") ? ours : "uops_type";
}

static bool find(const char *pmu, const char *name, pfm_event_info_t *info)
{
	char full[80];
	int index;

	snprintf(full, sizeof(full), "%s::%s", pmu, name);
	index = pfm_find_event(full);
	*info = (pfm_event_info_t){.size = sizeof(*info)};
	return index >= 0 && pfm_get_event_info(index, PFM_OS_NONE, info) == PFM_SUCCESS;
}

/* Bits that the manual's list of thread-specific events alone has. */
static unsigned listed_alone(const char *name)
{
	enum { UNCONDITIONAL = 0x0001, USC_ULC = 0x000c };

	if (!strcmp(name, "retired_branch_type"))
		return UNCONDITIONAL;
	return strcmp(name, "memory_complete") ? 0 : USC_ULC;
}

/* Its mask bits from 16 on are tags; those of replay_event from 2 on are names of metrics. */
static unsigned their_mask(const pfm_event_info_t *info)
{
	unsigned limit = strcmp(info->name, "replay_event") ? 16 : 2;
	unsigned mask = listed_alone(info->name);

	for (int i = 0; i < info->nattrs; i++) {
		pfm_event_attr_info_t attr = {.size = sizeof(attr)};

		pfm_get_event_attr_info(info->idx, i, PFM_OS_NONE, &attr);
		if (attr.type == PFM_ATTR_UMASK && attr.code < limit)
			mask |= 1u << attr.code;
	}
	return mask;
}

static void check_event(enum netburst_event_id id)
{
	const struct netburst_event *ours = &netburst_events[id];
	const char *name = netburst_event_name(id);
	pfm_event_info_t theirs;

	printf("# %s\n", name);
	if (!OK(find(LIBRARY, their_name(name), &theirs)))
		return;
	OK(theirs.code == (ours->select | (unsigned)ours->escr << 8));
	OK(their_mask(&theirs) == ours->mask);
}

int main(void)
{
	pfm_event_info_t info;

	setenv("LIBPFM_ENCODE_INACTIVE", "1", 1);
	if (pfm_initialize() != PFM_SUCCESS) {
		printf("Bail out! libpfm4 cannot be initialised\n");
		return 2;
	}
	for (unsigned id = NB_NO_EVENT + 1; id < NB_EVENTS; id++)
		if (id != NB_X87_SIMD_MOVES_UOP)
			check_event((enum netburst_event_id)id);
	/* Names of perfctr, FreeBSD and OProfile. */
	OK(!find(LIBRARY, "x87_SIMD_moves_uop", &info));
	OK(!find("netburst", "instr_completed", &info));
	return tap_end();
}
