/* SPDX-License-Identifier: BSD-2-Clause */
/* Boxes: the PMUs of the modelled processor that are outside of its core. */
#include "kernel/lib/bits.h"
#include "kernel/lib/string.h"
#include "model/uncore/snbep/snbep.h"
#include "state.h"

/* All kinds, whatever the profile: what another profile has must neither reach the processor
 * underneath nor be touched unseen. */
static const struct pmu_ops *const kinds[] = {&uncore_snbep_ops};

/* ---- life ---- */

void silicon_reset_boxes(struct silicon *s)
{
	s->boxes_count = 0;
	s->boxes_watch = false;
	for (unsigned i = 1; i < PROFILE_PMUS && s->profile->pmus[i].ops; i++) {
		struct boxes *boxes = &s->boxes[s->boxes_count++];

		boxes->ops = s->profile->pmus[i].ops;
		boxes->ops->reset(boxes->state, s->profile->pmus[i].traits, s->fault);
	}
}

void silicon_configure_boxes(struct silicon *s, const struct boxes_config *config)
{
	for (unsigned i = 0; i < s->boxes_count; i++)
		s->boxes[i].ops->configure(s->boxes[i].state, config);
}

bool silicon_has_boxes(const struct silicon *s)
{
	return s->boxes_count;
}

void silicon_set_tsc(struct silicon *s, uint64_t tsc)
{
	for (unsigned i = 0; i < s->boxes_count; i++)
		s->boxes[i].ops->set_tsc(s->boxes[i].state, tsc);
}

/* ---- accesses ---- */

static void look_who_watches(struct silicon *s)
{
	s->boxes_watch = false;
	for (unsigned i = 0; i < s->boxes_count; i++)
		s->boxes_watch |= s->boxes[i].ops->watches_memory(s->boxes[i].state);
}

enum access silicon_boxes_rdmsr(struct silicon *s, uint32_t msr, uint64_t *value)
{
	enum access access = ACCESS_NOT_MINE;

	for (unsigned i = 0; i < s->boxes_count && access == ACCESS_NOT_MINE; i++)
		access = s->boxes[i].ops->rdmsr(s->boxes[i].state, msr, value);
	return access;
}

enum access silicon_boxes_wrmsr(struct silicon *s, uint32_t msr, uint64_t value)
{
	enum access access = ACCESS_NOT_MINE;

	for (unsigned i = 0; i < s->boxes_count && access == ACCESS_NOT_MINE; i++)
		access = s->boxes[i].ops->wrmsr(s->boxes[i].state, msr, value);
	if (access == ACCESS_DONE)
		look_who_watches(s);
	return access;
}

bool silicon_boxes_advance(struct silicon *s, uint32_t msr)
{
	for (unsigned i = 0; i < s->boxes_count; i++)
		if (s->boxes[i].ops->msr_advances(s->boxes[i].state, msr))
			return true;
	return false;
}

bool silicon_pci_read(struct silicon *s, const struct pci_access *access, uint32_t *value)
{
	for (unsigned i = 0; i < s->boxes_count; i++)
		if (s->boxes[i].ops->pci_read(s->boxes[i].state, access, value))
			return true;
	return false;
}

bool silicon_pci_write(struct silicon *s, const struct pci_access *access, uint32_t value)
{
	bool done = false;

	for (unsigned i = 0; i < s->boxes_count && !done; i++)
		done = s->boxes[i].ops->pci_write(s->boxes[i].state, access, value);
	if (done)
		look_who_watches(s);
	return done;
}

bool silicon_pci_advances(struct silicon *s, const struct pci_access *access)
{
	for (unsigned i = 0; i < s->boxes_count; i++)
		if (s->boxes[i].ops->pci_advances(s->boxes[i].state, access))
			return true;
	return false;
}

void silicon_leave_boxes_running(struct silicon *s)
{
	struct pmu_register reg;

	for (unsigned i = 0; i < s->boxes_count; i++)
		for (unsigned k = 0; s->boxes[i].ops->register_at(s->boxes[i].state, k, &reg); k++)
			if (reg.runs)
				s->boxes[i].ops->write(s->boxes[i].state, reg.address, reg.runs);
	look_who_watches(s);
}

uint64_t silicon_boxes_memory(struct silicon *s, const struct memory_access *access)
{
	uint64_t until = 0;

	for (unsigned i = 0; i < s->boxes_count; i++) {
		uint64_t busy = s->boxes[i].ops->memory(s->boxes[i].state, access);

		until = busy > until ? busy : until;
	}
	return until;
}

/* ---- what any profile may have ---- */

const struct msr_range *silicon_boxes_range(unsigned index)
{
	for (size_t i = 0; i < ARRAY_SIZE(kinds); i++)
		for (const struct msr_range *range = kinds[i]->msrs; range->first; range++)
			if (index-- == 0)
				return range;
	return NULL;
}

static bool has(const struct silicon *s, const struct pmu_ops *kind)
{
	for (unsigned i = 0; i < s->boxes_count; i++)
		if (s->boxes[i].ops == kind)
			return true;
	return false;
}

bool silicon_is_foreign_msr(const struct silicon *s, uint32_t msr)
{
	for (size_t i = 0; i < ARRAY_SIZE(kinds); i++)
		if (!has(s, kinds[i]) && kinds[i]->is_msr(msr))
			return true;
	return false;
}

bool silicon_is_foreign_bus(const struct silicon *s, uint8_t bus)
{
	for (size_t i = 0; i < ARRAY_SIZE(kinds); i++)
		if (!has(s, kinds[i]) && kinds[i]->is_bus(bus))
			return true;
	return false;
}

bool silicon_is_boxes_bus(uint8_t bus)
{
	for (size_t i = 0; i < ARRAY_SIZE(kinds); i++)
		if (kinds[i]->is_bus(bus))
			return true;
	return false;
}

bool silicon_is_boxes_function(uint8_t df)
{
	for (size_t i = 0; i < ARRAY_SIZE(kinds); i++)
		if (kinds[i]->is_function(df))
			return true;
	return false;
}
