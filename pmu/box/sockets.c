/* SPDX-License-Identifier: BSD-2-Clause */
/* Finds the sockets of this machine, by the functions of a part's boxes. */
#include "sockets.h"

#define VENDOR_INTEL 0x8086u
#define BUSES        256u

static uint16_t function_of(const struct box_place *place, unsigned bus)
{
	return PCI_FUNCTION(bus, place->device, place->function);
}

bool box_has_id(uint16_t function, uint16_t id)
{
	return pci_read(function, PCI_ID) == ((uint32_t)id << 16 | VENDOR_INTEL);
}

bool box_is_there(const struct box_place *place, unsigned bus)
{
	return box_has_id(function_of(place, bus), place->id);
}

unsigned box_bus(const struct box_place *place, const struct box_socket *socket)
{
	unsigned bus = socket->bus;

	if (!place->behind)
		return place->on_io_bus ? socket->io_bus : bus;
	while (bus < socket->last_bus && !box_is_there(place, bus))
		bus++;
	return bus;
}

/* On the buses behind that of its system box a part's other boxes lie. */
static bool is_spread(const struct box_part *part)
{
	for (unsigned i = 0; i < part->places_count; i++)
		if (part->places[i].behind)
			return true;
	return false;
}

/* Firmware may hide any function, so that function 0 of a device, or the system box, proves
 * nothing. */
static bool is_uncore_bus(const struct box_part *part, unsigned bus)
{
	if (box_is_there(&part->system, bus) || is_spread(part))
		return box_is_there(&part->system, bus);
	for (unsigned i = 0; i < part->places_count; i++)
		if (part->kinds[part->places[i].kind].role == BOX_CHANNEL &&
		    box_is_there(&part->places[i], bus))
			return true;
	return false;
}

#define NO_SOCKET UINT8_MAX

/* The socket by the system box of the bus. */
static struct box_socket socket_by_map(const struct box_part *part, unsigned bus)
{
	uint16_t function = function_of(&part->system, bus);
	uint32_t node = pci_read(function, part->node_at);
	int number = box_socket(node, pci_read(function, part->map_at));

	return (struct box_socket){.bus = (uint8_t)bus,
				   .number = number < 0 ? NO_SOCKET : (uint8_t)number,
				   .node = (uint8_t)field_get(BOX_NODE, node)};
}

static bool number_taken(const struct box_socket *sockets, unsigned n, unsigned number)
{
	for (unsigned i = 0; i < n; i++)
		if (sockets[i].number == number)
			return true;
	return false;
}

/* Sockets that no system box could name are numbered from the lowest bus up. */
static void number_rest(struct box_socket *sockets, unsigned n)
{
	for (unsigned i = n; i-- > 0;) {
		uint8_t number = 0;

		if (sockets[i].number != NO_SOCKET)
			continue;
		while (number_taken(sockets, n, number))
			number++;
		sockets[i].number = number;
	}
}

/* Of devices: behind the bus of the system box of the socket below; and the last one ahead of the
 * system box above.  They are in the order of their buses, from the highest one down. */
static void find_other_buses(struct box_socket *sockets, unsigned n)
{
	for (unsigned i = 0; i < n; i++) {
		sockets[i].last_bus = i ? (uint8_t)(sockets[i - 1].bus - 1) : BUSES - 1;
		if (i + 1 < n)
			sockets[i].io_bus = (uint8_t)(sockets[i + 1].bus + 1);
	}
}

/* From the highest bus down: one without a system box has the node of the next one above it.  No
 * two have one number, whatever their system boxes say: boxes of one name could not be told apart.
 */
static unsigned find_sockets(const struct box_part *part, struct box_socket *sockets)
{
	struct box_socket socket = {.number = NO_SOCKET};
	unsigned n = 0;

	for (unsigned bus = BUSES; bus-- > 0 && n < BOX_SOCKETS_MAX;) {
		if (!is_uncore_bus(part, bus))
			continue;
		if (box_is_there(&part->system, bus))
			socket = socket_by_map(part, bus);
		socket.bus = (uint8_t)bus;
		sockets[n] = socket;
		if (number_taken(sockets, n, socket.number))
			sockets[n].number = NO_SOCKET;
		n++;
	}
	number_rest(sockets, n);
	find_other_buses(sockets, n);
	return n;
}

static void sort_sockets(struct box_socket *sockets, unsigned n)
{
	for (unsigned i = 1; i < n; i++)
		for (unsigned j = i; j > 0 && sockets[j].number < sockets[j - 1].number; j--) {
			struct box_socket swapped = sockets[j];

			sockets[j] = sockets[j - 1];
			sockets[j - 1] = swapped;
		}
}

/* By its x2APIC ID: SDM volume 2, CPUID 0BH.  The map in the system box names packages by the same
 * number, as Linux takes it. */
unsigned box_own_package(void)
{
	struct cpuid_regs core = cpuid(0x0b, 1);

	return core.ebx & 0xffff ? core.edx >> (core.eax & 0x1f) : 0;
}

static unsigned own_socket(const struct box_socket *sockets, unsigned n)
{
	unsigned package = box_own_package();

	for (unsigned s = 0; s < n; s++)
		if (sockets[s].number == package)
			return s;
	return 0;
}

unsigned box_find_sockets(const struct box_part *part, struct box_socket *sockets, unsigned *own)
{
	unsigned n = find_sockets(part, sockets);

	sort_sockets(sockets, n);
	*own = own_socket(sockets, n);
	return n;
}
