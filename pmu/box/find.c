/* SPDX-License-Identifier: BSD-2-Clause */
/* Finds the boxes of a part that this machine has. */
#include "find.h"

#include <stdarg.h>

#define PCI_FUNCTION_SHIFT 12 /* of struct pmu_reg */

/* More than there can be PMUs by two: where nothing is in the cores, one too many is still found,
 * and told. */
static struct box boxes[PMUS_MAX + 2];
static unsigned box_count;
static const struct box_part *finding;

/* ---- boxes ---- */

static bool is_first(const struct box_kind *kind)
{
	for (unsigned i = 0; i < box_count; i++)
		if (boxes[i].kind == kind && boxes[i].first)
			return false;
	return true;
}

struct box *box_add(const struct box_kind *kind, unsigned number, const struct box_socket *socket)
{
	struct box *box = &boxes[box_count];

	*box = (struct box){
		.kind = kind,
		.part = finding,
		.number = (uint8_t)number,
		.counters = kind->counters,
		.width = kind->width,
		.socket = socket->number,
		.node = socket->node,
		.first = is_first(kind),
	};
	if (box_count < ARRAY_SIZE(boxes) - 1)
		box_count++;
	return box;
}

const struct box *box_added(unsigned *count)
{
	*count = box_count;
	return boxes;
}

void box_silence(struct box *box, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	fmt_vprint(box->silent, sizeof(box->silent), format, args);
	va_end(args);
	box->first = false;
}

/* Some places are those of one model of the part. */
static bool is_for(const struct box_place *place)
{
	struct cpu_identity cpu;

	identify_cpu(&cpu);
	return !place->model || place->model == cpu.model;
}

/* The function of a box's filters. */
static void find_filters(struct box *box, const struct box_place *place, unsigned bus)
{
	uint16_t function = PCI_FUNCTION(bus, place->device, place->filter_function);

	if (!box_has_id(function, place->filter_id)) {
		box->no_filter = "the PCI function of match and mask is hidden by the firmware";
		return;
	}
	box->filter_base = (uintptr_t)pci_map(function);
	if (!box->filter_base)
		box->no_filter = NO_ECAM;
}

/* One with registers beyond 100h. */
static void map_box(struct box *box, uint16_t function)
{
	box->base = (uintptr_t)pci_map(function);
	if (box->base)
		return;
	box_silence(box, NO_ECAM);
}

static void add_pci_box(const struct box_part *part, const struct box_place *place,
			const struct box_socket *socket)
{
	unsigned bus = box_bus(place, socket);
	uint16_t function = PCI_FUNCTION(bus, place->device, place->function);
	struct box *box;

	if (place->optional && !box_is_there(place, bus))
		return;
	box = box_add(&part->kinds[place->kind], place->number, socket);
	if (box->kind->space == REG_MMIO) {
		map_box(box, function);
		return;
	}
	box->base = (uint64_t)function << PCI_FUNCTION_SHIFT;
	if (box_is_there(place, bus)) {
		if (place->filter_id)
			find_filters(box, place, bus);
		return;
	}
	box_silence(box, "PCI function %u.%u of bus %02xh is hidden by the firmware (reads %08xh)",
		    place->device, place->function, bus, pci_read(function, PCI_ID));
}

/* Those that a function shows the place of in memory: one that is not there, or not in use, is no
 * box of this machine. */
static void add_in_block(const struct box_part *part, const struct box_place *place,
			 const struct box_socket *socket)
{
	const unsigned bus = box_bus(place, socket);

	for (unsigned n = 0; n < place->count && box_is_there(place, bus); n++) {
		struct box *box = box_add(&part->kinds[place->kind], place->number + n, socket);

		if (box_find_in_block(box, PCI_FUNCTION(bus, place->device, place->function),
				      place->bar_at, place->base + n * place->step))
			box_count--;
	}
}

/* CPUID 0BH where it counts processors, else 4: the latter rounds up to a power of two. */
static unsigned cores_per_package(void)
{
	unsigned threads = cpuid(0x0b, 0).ebx & 0xffff, all = cpuid(0x0b, 1).ebx & 0xffff;

	if (threads && all)
		return all / threads;
	return (cpuid(4, 0).eax >> 26) + 1;
}

void box_say_silence(struct box *box, struct pmu_reg reg, const char *what)
{
	if (!box_reads(reg))
		box_silence(box, "%s: RDMSR %x raises an exception", what, pmu_number(reg));
	else if (!box_acts(box))
		box_silence(box, "%s: the registers from %s%llx on do not act as one", what,
			    reg.space == REG_MSR ? "MSR " : "", (unsigned long long)reg.address);
}

/* The gate, or where there is none the first control. */
static unsigned first_of(const struct box_kind *kind)
{
	return (unsigned)(kind->at.gate != NOT_THERE ? kind->at.gate : kind->at.ctl);
}

/* Slices are numbered through.  There is one for each core, also for those that firmware has
 * switched off and CPUID does not count.  Returns how many are there. */
static unsigned add_slices(const struct box_kind *kind, const struct box_place *place,
			   const struct box_socket *socket)
{
	unsigned cores = cores_per_package(), there = 0;

	for (unsigned n = 0; n < place->count; n++) {
		unsigned base = place->base + n * place->step;
		struct box *box;

		if (!box_reads(pmu_msr(base + first_of(kind))) && place->number + n >= cores)
			break;
		box = box_add(kind, place->number + n, socket);
		box->base = base;
		box_say_silence(box, pmu_msr(base + first_of(kind)), "no slice here");
		if (box->silent[0] && (place->number || place->optional) &&
		    place->number + n >= cores) {
			box_count--;
			break;
		}
		there += !box->silent[0];
	}
	return there;
}

/* Those that can be read; and that act as one, where a part may lack them. */
static void add_msr_box(const struct box_kind *kind, const struct box_place *place,
			const struct box_socket *socket)
{
	for (unsigned n = 0; n < place->count; n++) {
		unsigned base = place->base + n * place->step;
		struct box *box;

		if (!box_reads(pmu_msr(base + first_of(kind))))
			continue;
		box = box_add(kind, place->number + n, socket);
		box->base = base;
		box->meters = place->meters + n * place->meters_step;
		if (place->optional && !box_acts(box))
			box_count--;
	}
}

static bool is_slice(const struct box_kind *kind)
{
	return kind->role & (BOX_SLICE | BOX_CORE_SLICE);
}

/* MSRs belong to the package of this processor; slices come first.  A hypervisor that has none of
 * them has no slice either, though RDMSR may not fault: KVM with ignore_msrs=1.  A slice that
 * faults or does nothing, beside one that is there, is for the tests to report. */
static void add_msr_boxes(const struct box_part *part, const struct box_socket *socket)
{
	unsigned before = box_count, slices = 0;
	bool needs_slices = false;

	for (unsigned i = 0; i < part->places_count; i++) {
		const struct box_place *place = &part->places[i];
		const struct box_kind *kind = &part->kinds[place->kind];

		if (place->id || place->in_window || place->promised || !is_for(place))
			continue;
		needs_slices |= is_slice(kind);
		if (is_slice(kind))
			slices += add_slices(kind, place, socket);
		else if (slices || !needs_slices)
			add_msr_box(kind, place, socket);
	}
	if (needs_slices && !slices)
		box_count = before;
}

/* ---- boxes with registers in memory ---- */

/* One that not every machine has may read nothing. */
static void add_in_window(const struct box_part *part, const struct box_place *place)
{
	for (unsigned n = 0; n < place->count; n++) {
		struct box *box = box_add(&part->kinds[place->kind], place->number + n,
					  &(const struct box_socket){0});
		const char *why = box_find_in_window(box, place->base + n * place->step);

		if (!why)
			continue;
		box_silence(box, "%s", why);
		if (place->optional)
			box_count--;
	}
}

/* A hypervisor that has no other box has none of these, whatever its host bridge shows. */
static void add_window(const struct box_part *part)
{
	for (unsigned i = 0; box_count && i < part->places_count; i++)
		if (part->places[i].in_window && is_for(&part->places[i]))
			add_in_window(part, &part->places[i]);
}

/* ---- boxes that CPUID promises ---- */

static void add_promised_box(const struct box_kind *kind, unsigned number, uint32_t base,
			     unsigned counters)
{
	struct box *box = box_add(kind, number, &(const struct box_socket){0});

	box->base = base;
	if (counters && counters <= kind->counters) {
		box->counters = (uint8_t)counters;
		box_say_silence(box, box_ctl(box, 0),
				kind->in_core ? "counters of the core" : "CPUID promises a box");
		return;
	}
	box_silence(box, "CPUID promises %u counters, not 1 to %u", counters, kind->counters);
}

/* They are this processor's, or shared with it, and packed: one follows the other. */
static void add_promised(const struct box_part *part, const struct box_place *place)
{
	const struct box_kind *kind = &part->kinds[place->kind];
	const struct box_promised is = box_promised(place, kind);
	uint32_t base = place->base;

	for (uint32_t left = is.boxes; left; left &= left - 1) {
		add_promised_box(kind, lowest_bit(left), base, is.counters);
		base += is.counters * place->step;
	}
}

/* What functions of the socket have, or show the place of. */
static void add_functions(const struct box_part *part, const struct box_socket *socket)
{
	for (unsigned i = 0; i < part->places_count; i++)
		if (part->places[i].id)
			(part->places[i].bar_at ? add_in_block
						: add_pci_box)(part, &part->places[i], socket);
}

unsigned box_find(const struct box_part *part, struct box **found)
{
	struct box_socket sockets[BOX_SOCKETS_MAX] = {{0}};
	unsigned n, own;

	*found = boxes;
	box_count = 0;
	finding = part;
	for (unsigned i = 0; i < part->places_count; i++)
		if (part->places[i].promised)
			add_promised(part, &part->places[i]);
	if (part->discovery) {
		box_find_units(part);
		return box_count;
	}
	if (!part->system.id) {
		add_msr_boxes(part, &(const struct box_socket){0});
		add_window(part);
		return box_count;
	}
	n = box_find_sockets(part, sockets, &own);
	for (unsigned s = 0; s < n || s == 0; s++) {
		if (s < n)
			add_functions(part, &sockets[s]);
		if (s == own)
			add_msr_boxes(part, &sockets[s]);
	}
	return box_count;
}
