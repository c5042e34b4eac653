/* SPDX-License-Identifier: BSD-2-Clause */
/* libpfm4, as far as its interface tells.  The interface has no word on which counters count an
 * event but for the fixed ones, which have codes of their own. */
#include <perfmon/pfmlib.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "events.h"

/* Its number of PMUs in version 4.13.0; later ones are appended. */
#define PMUS_KNOWN 517

bool library_begin(void)
{
	setenv("LIBPFM_ENCODE_INACTIVE", "1", 1);
	return pfm_initialize() == PFM_SUCCESS;
}

bool library_is_newer(void)
{
	return PFM_PMU_MAX > PMUS_KNOWN;
}

static bool pmu_info(int pmu, pfm_pmu_info_t *info)
{
	*info = (pfm_pmu_info_t){.size = sizeof(*info)};
	return pfm_get_pmu_info((pfm_pmu_t)pmu, info) == PFM_SUCCESS;
}

static bool find_pmu(const char *name, pfm_pmu_info_t *info)
{
	for (int pmu = 0; pmu < PFM_PMU_MAX; pmu++)
		if (pmu_info(pmu, info) && !strcmp(info->name, name))
			return true;
	return false;
}

void library_each_pmu(void (*visit)(const char *pmu))
{
	pfm_pmu_info_t info;

	for (int pmu = 0; pmu < PFM_PMU_MAX; pmu++)
		if (pmu_info(pmu, &info) && info.type == PFM_PMU_TYPE_CORE &&
		    (!strncmp(info.desc, "Intel", 5) || !strncmp(info.desc, "AMD", 3)))
			visit(info.name);
}

/* Two codes are NetBurst's: ESCR and, in the upper half, CCCR. */
static bool encode(const char *pmu, const char *name, uint64_t *code)
{
	char full[200];
	uint64_t *codes = NULL;
	int count = 0;
	bool known;

	snprintf(full, sizeof(full), "%s::%s", pmu, name);
	known = pfm_get_event_encoding(full, PFM_PLM0 | PFM_PLM3, NULL, NULL, &codes, &count) ==
			PFM_SUCCESS &&
		count > 0;
	if (known)
		*code = codes[0] | (count > 1 ? codes[1] << 32 : 0);
	free(codes);
	return known;
}

/* By pfm_find_event() some would be found as the one that they are said to be equivalent to. */
static bool find_event(const char *pmu, const char *name, pfm_event_info_t *event)
{
	pfm_pmu_info_t info;

	if (!find_pmu(pmu, &info))
		return false;
	for (int id = info.first_event; id != -1; id = pfm_get_event_next(id)) {
		*event = (pfm_event_info_t){.size = sizeof(*event)};
		if (pfm_get_event_info(id, PFM_OS_NONE, event) == PFM_SUCCESS &&
		    !strcmp(event->name, name))
			return true;
	}
	return false;
}

static bool unit_mask(const pfm_event_info_t *event, int i, pfm_event_attr_info_t *mask)
{
	*mask = (pfm_event_attr_info_t){.size = sizeof(*mask)};
	return pfm_get_event_attr_info(event->idx, i, PFM_OS_NONE, mask) == PFM_SUCCESS &&
	       mask->type == PFM_ATTR_UMASK;
}

static bool has_unit_mask(const pfm_event_info_t *event, const char *name)
{
	pfm_event_attr_info_t mask;

	for (int i = 0; i < event->nattrs; i++)
		if (unit_mask(event, i, &mask) && !strcmp(mask.name, name))
			return true;
	return false;
}

/* It takes upper for lower case. */
static bool same_letters(const char *pmu, const char *name)
{
	char words[200], *next = words, *word;
	pfm_event_info_t event;

	snprintf(words, sizeof(words), "%s", name);
	word = strsep(&next, ".:");
	if (!find_event(pmu, word, &event))
		return false;
	while ((word = strsep(&next, ".:")))
		if (!has_unit_mask(&event, word))
			return false;
	return true;
}

bool library_encode(const char *pmu, const char *name, uint64_t *code)
{
	return encode(pmu, name, code) && same_letters(pmu, name);
}

/* Their event select is 0, their unit mask one more than the number. */
uint32_t library_fixed(const char *pmu, const char *name)
{
	uint64_t code;
	unsigned mask;

	if (!library_encode(pmu, name, &code) || code & 0xff)
		return 0;
	mask = code >> 8 & 0xff;
	return mask ? 1u << (mask - 1) : 0;
}

static bool event_has_code(const pfm_event_info_t *event, const char *pmu, uint64_t fields,
			   uint64_t code)
{
	pfm_event_attr_info_t mask;
	char name[200];
	uint64_t theirs;

	for (int i = 0; i < event->nattrs; i++) {
		if (!unit_mask(event, i, &mask))
			continue;
		snprintf(name, sizeof(name), "%s:%s", event->name, mask.name);
		if (encode(pmu, name, &theirs) && (theirs & fields) == code)
			return true;
	}
	return encode(pmu, event->name, &theirs) && (theirs & fields) == code;
}

bool library_has_code(const char *pmu, uint64_t fields, uint64_t code)
{
	pfm_pmu_info_t info;

	if (!find_pmu(pmu, &info))
		return false;
	for (int id = info.first_event; id != -1; id = pfm_get_event_next(id)) {
		pfm_event_info_t event = {.size = sizeof(event)};

		if (pfm_get_event_info(id, PFM_OS_NONE, &event) == PFM_SUCCESS &&
		    event_has_code(&event, pmu, fields, code))
			return true;
	}
	return false;
}
