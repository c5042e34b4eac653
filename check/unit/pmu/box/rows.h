/* SPDX-License-Identifier: BSD-2-Clause */
/* The rows of a part as tests find them, and their events as libpfm4 encodes them. */
#pragma once

#include <perfmon/pfmlib.h>
#include <stdlib.h>

#include "check/unit/host.h"
#include "check/unit/tap.h"
#include "pmu/box/box.h"

#define CTL_EN BIT(22)

/* Parts may share a table of kinds: the one that a place of this part has, or a table of
 * discovery. */
static inline const struct box_kind *kind_of(const struct box_part *part, const char *name)
{
	const struct box_kind *kind = part->kinds;

	for (unsigned i = 0; i < part->places_count; i++)
		if (!strcmp(part->kinds[part->places[i].kind].name, name))
			return &part->kinds[part->places[i].kind];
	while (strcmp(kind->name, name))
		kind++;
	return kind;
}

/* Number n of a kind, as the part's places have it; its meters, too. */
static inline struct box box_at(const struct box_part *part, const char *name, unsigned n)
{
	struct box box = {.kind = kind_of(part, name), .part = part};

	for (unsigned i = 0; i < part->places_count; i++) {
		const struct box_place *place = &part->places[i];
		const unsigned from = n - place->number;

		if (&part->kinds[place->kind] != box.kind || from >= place->count)
			continue;
		box.base = place->base + from * place->step;
		box.meters = place->meters + from * place->meters_step;
	}
	return box;
}

/* With its gate, first control and first counter here. */
static inline bool begins(const struct box *box, uint64_t gate, uint64_t ctl, uint64_t ctr)
{
	return box_gate(box).address == gate && box_ctl(box, 0).address == ctl &&
	       box_ctr(box, 0).address == ctr;
}

/* Also of processors that are not this one; false: it cannot be used. */
static inline bool begin_libpfm4(void)
{
	setenv("LIBPFM_ENCODE_INACTIVE", "1", 1);
	if (pfm_initialize() == PFM_SUCCESS)
		return true;
	printf("Bail out! libpfm4 cannot be initialised\n");
	return false;
}

/* Is its encoding of the event of that full name what we write?  The enable bit is the kernel's. */
static inline void check_encoding(const char *full, uint64_t ours)
{
	uint64_t *codes = NULL;
	int count = 0;

	if (!OK(pfm_get_event_encoding(full, PFM_PLM3, NULL, NULL, &codes, &count) == PFM_SUCCESS))
		printf("# %s\n", full);
	else if (!OK((codes[0] & ~CTL_EN) == (ours & ~CTL_EN)))
		printf("# %s: theirs %llx, ours %llx\n", full, (unsigned long long)codes[0],
		       (unsigned long long)ours);
	free(codes);
}
