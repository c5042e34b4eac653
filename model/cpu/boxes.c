/* SPDX-License-Identifier: BSD-2-Clause */
/* Boxes: the PMUs of the modelled processor outside of its core. */
#include "kernel/lib/bits.h"
#include "kernel/lib/string.h"
#include "state.h"

/* All parts with boxes, also those of other profiles: an access to such a box must not reach the
 * processor underneath, and is logged.  The names are the linker's, around what BOXES() makes. */
extern const struct boxes_part *const __start_boxes[], *const __stop_boxes[];
#define FOR_EACH_PART(part)                                                                        \
	for (const struct boxes_part *const *part = __start_boxes; part < __stop_boxes; part++)

#define FOR_EACH(b, s)                                                                             \
	for (struct boxes *b = (struct boxes *)(s)->boxes; b < (s)->boxes + (s)->boxes_count; b++)

/* ---- life ---- */

/* To be called after each write, and where time has passed. */
static void look_who_watches(struct silicon *s)
{
	s->boxes_watch = false;
	FOR_EACH (b, s)
		s->boxes_watch |= b->ops->boxes->watches_memory(b->state);
}

void silicon_reset_boxes(struct silicon *s)
{
	for (unsigned i = 1; i < PROFILE_PMUS && s->profile->pmus[i].ops; i++) {
		struct boxes *b = &s->boxes[s->boxes_count++];

		b->ops = s->profile->pmus[i].ops;
		b->traits = s->profile->pmus[i].traits;
		b->ops->reset(b->state, b->traits, s->fault);
	}
}

void silicon_deviate_boxes(struct silicon *s, const struct defect *defect)
{
	FOR_EACH (b, s)
		b->ops->deviate(b->state, defect);
}

void silicon_configure_boxes(struct silicon *s, const struct boxes_config *config)
{
	s->tsc_hz = config->tsc_hz;
	s->boxes_missing = config->missing;
	FOR_EACH (b, s)
		b->ops->boxes->configure(b->state, config);
}

void silicon_share_boxes(struct silicon *s, const struct silicon *other)
{
	unsigned levels = 0;

	if (s->seat.package != other->seat.package)
		return;
	for (unsigned level = 2; level <= 3; level++)
		levels |= (unsigned)cpuid_shares(s->profile, &s->seat, &other->seat, level)
			  << level;
	for (unsigned i = 0; i < s->boxes_count && i < other->boxes_count; i++)
		if (s->boxes[i].traits == other->boxes[i].traits)
			s->boxes[i].ops->boxes->share(s->boxes[i].state, other->boxes[i].state,
						      levels);
	look_who_watches(s);
}

bool silicon_has_boxes(const struct silicon *s)
{
	return s->boxes_count;
}

AT_EXIT void silicon_set_tsc(struct silicon *s, uint64_t tsc)
{
	s->tsc = tsc;
	FOR_EACH (b, s)
		b->ops->boxes->set_time(b->state, tsc, s->tally.retired);
	look_who_watches(s);
}

/* ---- accesses ---- */

unsigned silicon_boxes_requests(struct silicon *s)
{
	unsigned requests = 0;

	FOR_EACH (b, s)
		requests += b->ops->boxes->requests(b->state);
	return requests;
}

AT_EXIT enum access silicon_boxes_rdmsr(struct silicon *s, uint32_t msr, uint64_t *value)
{
	enum access access = ACCESS_NOT_MINE;

	FOR_EACH (b, s)
		if (access == ACCESS_NOT_MINE)
			access = b->ops->rdmsr(b->state, msr, value);
	s->tally.of_boxes += access == ACCESS_DONE;
	return access == ACCESS_DONE && s->boxes_missing ? ACCESS_GP : access;
}

enum access silicon_boxes_rdpmc(struct silicon *s, uint32_t index, unsigned cpl, bool cr4_pce,
				uint64_t *value)
{
	enum access access = ACCESS_GP;

	FOR_EACH (b, s)
		if (access == ACCESS_GP && !s->boxes_missing)
			access = b->ops->rdpmc(b->state, index, cpl, cr4_pce, value);
	return access;
}

AT_EXIT enum access silicon_boxes_wrmsr(struct silicon *s, uint32_t msr, uint64_t value)
{
	enum access access = ACCESS_NOT_MINE;

	if (s->boxes_missing)
		return silicon_boxes_rdmsr(s, msr, &value);
	FOR_EACH (b, s)
		if (access == ACCESS_NOT_MINE)
			access = b->ops->wrmsr(b->state, msr, value);
	s->tally.of_boxes += access == ACCESS_DONE;
	look_who_watches(s);
	return access;
}

bool silicon_boxes_advance(struct silicon *s, uint32_t msr)
{
	FOR_EACH (b, s)
		if (b->ops->boxes->msr_advances(b->state, msr))
			return true;
	return false;
}

bool silicon_pci_read(struct silicon *s, const struct pci_access *access, uint32_t *value)
{
	bool done = false;

	FOR_EACH (b, s)
		done = done || b->ops->boxes->pci_read(b->state, access, value);
	s->tally.of_boxes += done;
	if (done && s->boxes_missing)
		*value = (uint32_t)(BIT(8 * access->size) - 1);
	return done;
}

bool silicon_pci_write(struct silicon *s, const struct pci_access *access, uint32_t value)
{
	bool done = false;

	if (s->boxes_missing)
		return silicon_pci_read(s, access, &value);
	FOR_EACH (b, s)
		done = done || b->ops->boxes->pci_write(b->state, access, value);
	s->tally.of_boxes += done;
	look_who_watches(s);
	return done;
}

bool silicon_window(const struct silicon *s, uint64_t *first, uint64_t *size)
{
	FOR_EACH (b, s)
		if (b->ops->boxes->window(b->traits, first, size))
			return true;
	return false;
}

/* What is read may be watched from then on. */
bool silicon_window_read(struct silicon *s, uint64_t physical, uint32_t *value)
{
	bool done = false;

	FOR_EACH (b, s)
		done = done || b->ops->boxes->window_read(b->state, physical, value);
	s->tally.of_boxes += done;
	if (done && s->boxes_missing)
		*value = UINT32_MAX;
	look_who_watches(s);
	return done;
}

bool silicon_window_write(struct silicon *s, uint64_t physical, uint32_t value)
{
	bool done = false;

	if (s->boxes_missing)
		return silicon_window_read(s, physical, &value);
	FOR_EACH (b, s)
		done = done || b->ops->boxes->window_write(b->state, physical, value);
	s->tally.of_boxes += done;
	look_who_watches(s);
	return done;
}

bool silicon_pci_advances(struct silicon *s, const struct pci_access *access)
{
	FOR_EACH (b, s)
		if (b->ops->boxes->pci_advances(b->state, access))
			return true;
	return false;
}

bool silicon_window_register(struct silicon *s, uint64_t physical, bool *advances)
{
	FOR_EACH (b, s)
		if (b->ops->boxes->window_register(b->state, physical, advances))
			return true;
	return false;
}

void silicon_leave_boxes_running(struct silicon *s)
{
	struct pmu_register reg;

	FOR_EACH (b, s)
		for (unsigned i = 0; b->ops->register_at(b->traits, i, &reg); i++)
			if (reg.runs)
				b->ops->boxes->write(b->state, &reg, reg.runs);
	look_who_watches(s);
}

uint64_t silicon_boxes_memory(struct silicon *s, const struct memory_access *access)
{
	uint64_t until = 0;

	FOR_EACH (b, s) {
		uint64_t busy = b->ops->boxes->memory(b->state, access);

		until = busy > until ? busy : until;
	}
	look_who_watches(s);
	return until;
}

bool silicon_is_settled(const struct silicon *s, const struct memory_access *access)
{
	bool settled = !s->watches_hierarchy;

	FOR_EACH (b, s)
		settled = settled && b->ops->boxes->is_settled(b->state, access);
	return settled;
}

/* ---- what any profile may have ---- */

const struct msr_range *silicon_boxes_range(unsigned index)
{
	FOR_EACH_PART (part)
		for (const struct msr_range *range = (*part)->ops->boxes->msrs((*part)->traits);
		     range->first; range++)
			if (index-- == 0)
				return range;
	return NULL;
}

bool silicon_boxes_intercept_msr(uint32_t msr)
{
	FOR_EACH_PART (part)
		for (const struct msr_range *range = (*part)->ops->boxes->msrs((*part)->traits);
		     range->first; range++)
			if (msr >= range->first && msr <= range->last)
				return true;
	return false;
}

static bool is_any_msr(uint32_t msr)
{
	FOR_EACH_PART (part)
		if ((*part)->ops->boxes->is_msr((*part)->traits, msr))
			return true;
	return false;
}

bool silicon_is_foreign_msr(const struct silicon *s, uint32_t msr)
{
	FOR_EACH (b, s)
		if (b->ops->boxes->is_msr(b->traits, msr))
			return false;
	return is_any_msr(msr);
}

bool silicon_is_foreign_bus(const struct silicon *s, uint8_t bus)
{
	FOR_EACH (b, s)
		if (b->ops->boxes->is_bus(b->traits, bus))
			return false;
	return silicon_is_boxes_bus(bus);
}

bool silicon_is_boxes_bus(uint8_t bus)
{
	FOR_EACH_PART (part)
		if ((*part)->ops->boxes->is_bus((*part)->traits, bus))
			return true;
	return false;
}

bool silicon_is_boxes_function(uint8_t df)
{
	FOR_EACH_PART (part)
		if ((*part)->ops->boxes->is_function((*part)->traits, df))
			return true;
	return false;
}

bool profile_has_function(const struct profile *profile, uint8_t df)
{
	for (unsigned i = 1; i < PROFILE_PMUS && profile->pmus[i].ops; i++)
		if (profile->pmus[i].ops->boxes->is_function(profile->pmus[i].traits, df))
			return true;
	return false;
}
