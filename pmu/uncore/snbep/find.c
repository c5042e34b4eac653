/* SPDX-License-Identifier: BSD-2-Clause */
/* Uncore of the Xeon E5-2600: which boxes this machine has, and which of them run. */
#include "snbep.h"

#define VENDOR_INTEL 0x8086u
#define BUSES        256u
#define SOCKETS_MAX  4u

enum { IMC, HA, QPI, R2PCIE, R3QPI, CBO, UBOX, PCU };

/* 327043-001, 2.1: functions on the uncore bus of each socket. */
static const struct place {
	uint8_t kind, number, device, function;
	uint16_t id;
} places[] = {
	{IMC, 0, 16, 0, 0x3cb0},   {IMC, 1, 16, 1, 0x3cb1},    {IMC, 2, 16, 4, 0x3cb4},
	{IMC, 3, 16, 5, 0x3cb5},   {HA, 0, 14, 1, 0x3c46},     {QPI, 0, 8, 2, 0x3c41},
	{QPI, 1, 9, 2, 0x3c42},    {R2PCIE, 0, 19, 1, 0x3c43}, {R3QPI, 0, 19, 5, 0x3c44},
	{R3QPI, 1, 19, 6, 0x3c45},
};

/* Match and mask of the QPI ports, and what says which package a bus belongs to. */
static const struct place matches[] = {{QPI, 0, 8, 6, 0x3c86}, {QPI, 1, 9, 6, 0x3c96}};
static const struct place ubox = {UBOX, 0, 11, 0, 0x3ce0};

struct socket {
	uint8_t bus, number, node;
};

static struct snbep_box boxes[SNBEP_BOXES_MAX];
static unsigned box_count;
static bool slice_runs; /* some slice of this socket does */

static uint16_t function_of(const struct place *place, unsigned bus)
{
	return PCI_FUNCTION(bus, place->device, place->function);
}

static bool is_there(const struct place *place, unsigned bus)
{
	return pci_read(function_of(place, bus), PCI_ID) ==
	       ((uint32_t)place->id << 16 | VENDOR_INTEL);
}

/* ---- sockets ---- */

/* Firmware may hide any function, so that function 0 of a device, or the UBox, proves nothing. */
static bool is_uncore_bus(unsigned bus)
{
	if (is_there(&ubox, bus))
		return true;
	for (unsigned i = 0; i < ARRAY_SIZE(places); i++)
		if (places[i].kind == IMC && is_there(&places[i], bus))
			return true;
	return false;
}

#define NO_SOCKET UINT8_MAX

/* The socket by the UBox of the bus. */
static struct socket socket_by_ubox(unsigned bus)
{
	uint32_t id = pci_read(function_of(&ubox, bus), UBOX_CPUNODEID);
	int number = snbep_socket(id, pci_read(function_of(&ubox, bus), UBOX_GIDNIDMAP));

	return (struct socket){.bus = (uint8_t)bus,
			       .number = number < 0 ? NO_SOCKET : (uint8_t)number,
			       .node = (uint8_t)field_get(CPUNODEID_NODE, id)};
}

static bool number_taken(const struct socket *sockets, unsigned n, unsigned number)
{
	for (unsigned i = 0; i < n; i++)
		if (sockets[i].number == number)
			return true;
	return false;
}

/* What no UBox could name is numbered from the lowest bus up. */
static void number_rest(struct socket *sockets, unsigned n)
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

/* From the highest bus down: one without a UBox has the node of the next one above it.  No two have
 * one number, whatever their UBoxes say: boxes of one name could not be told apart. */
static unsigned find_sockets(struct socket *sockets)
{
	struct socket socket = {.number = NO_SOCKET};
	unsigned n = 0;

	for (unsigned bus = BUSES; bus-- > 0 && n < SOCKETS_MAX;) {
		if (!is_uncore_bus(bus))
			continue;
		if (is_there(&ubox, bus))
			socket = socket_by_ubox(bus);
		socket.bus = (uint8_t)bus;
		sockets[n] = socket;
		if (number_taken(sockets, n, socket.number))
			sockets[n].number = NO_SOCKET;
		n++;
	}
	number_rest(sockets, n);
	return n;
}

static void sort_sockets(struct socket *sockets, unsigned n)
{
	for (unsigned i = 1; i < n; i++)
		for (unsigned j = i; j > 0 && sockets[j].number < sockets[j - 1].number; j--) {
			struct socket swapped = sockets[j];

			sockets[j] = sockets[j - 1];
			sockets[j - 1] = swapped;
		}
}

/* ---- boxes ---- */

static bool is_first(const struct snbep_kind *kind)
{
	for (unsigned i = 0; i < box_count; i++)
		if (boxes[i].kind == kind && boxes[i].first)
			return false;
	return true;
}

static struct snbep_box *add_box(unsigned kind, unsigned number, const struct socket *socket)
{
	struct snbep_box *box = &boxes[box_count];

	*box = (struct snbep_box){
		.kind = &snbep_kinds[kind],
		.number = (uint8_t)number,
		.socket = socket->number,
		.node = socket->node,
		.first = is_first(&snbep_kinds[kind]),
	};
	box_count++;
	return box;
}

static void find_match(struct snbep_box *box, const struct socket *socket)
{
	const struct place *place = &matches[box->number];

	uintptr_t space;

	if (!is_there(place, socket->bus)) {
		box->no_match = "the PCI function of match and mask is hidden by the firmware";
		return;
	}
	space = (uintptr_t)pci_map(function_of(place, socket->bus));
	box->match = (uint32_t)space;
	if (!space)
		box->no_match = "no memory-mapped PCI configuration space (ACPI MCFG)";
	else if (space > UINT32_MAX)
		box->no_match = "PCI configuration space is mapped above 4 GiB";
}

static void add_pci_box(const struct place *place, const struct socket *socket)
{
	struct snbep_box *box = add_box(place->kind, place->number, socket);
	uint32_t id;

	box->function = function_of(place, socket->bus);
	if (is_there(place, socket->bus)) {
		if (place->kind == QPI)
			find_match(box, socket);
		return;
	}
	id = pci_read(box->function, PCI_ID);
	box->first = false;
	fmt_print(box->silent, sizeof(box->silent),
		  "PCI function %u.%u of bus %02xh is hidden by the firmware (reads %08xh)",
		  place->device, place->function, socket->bus, id);
}

/* CPUID 0BH where it counts processors, else 4: the latter rounds up to a power of two. */
static unsigned cores_per_package(void)
{
	unsigned threads = cpuid(0x0b, 0).ebx & 0xffff, all = cpuid(0x0b, 1).ebx & 0xffff;

	if (threads && all)
		return all / threads;
	return (cpuid(4, 0).eax >> 26) + 1;
}

/* That proves nothing under a hypervisor. */
static bool reads(uint32_t msr)
{
	uint64_t value;

	return rdmsr_safe(msr, &value) == FAULT_NONE;
}

#define SLICES_MAX 8u

/* Empty: all is well. */
static void say_silence(struct snbep_box *box)
{
	uint32_t msr = CBO_MSR_PMON_BOX_CTL + box->step;

	if (!reads(msr))
		fmt_print(box->silent, sizeof(box->silent),
			  "no slice here: RDMSR %x raises an exception", msr);
	else if (!snbep_is_box(box))
		fmt_print(box->silent, sizeof(box->silent),
			  "no slice here: the registers from MSR %x on do not act as one", msr);
	if (box->silent[0])
		box->first = false;
}

/* Slices are numbered through.  There is one for each core, also for those that firmware has
 * switched off and CPUID does not count.  Returns how many are there. */
static unsigned add_slices(const struct socket *socket)
{
	unsigned cores = cores_per_package(), there = 0;

	for (unsigned n = 0; n < SLICES_MAX; n++) {
		uint32_t step = n * CBO_MSR_STEP;
		struct snbep_box *box;

		if (!reads(CBO_MSR_PMON_BOX_CTL + step) && n >= cores)
			break;
		box = add_box(CBO, n, socket);
		box->step = (uint16_t)step;
		say_silence(box);
		there += !box->silent[0];
	}
	return there;
}

/* MSRs belong to the package of this processor.  A hypervisor that has none of them has no slice
 * either, though RDMSR may not fault: KVM with ignore_msrs=1.  What faults or does nothing beside a
 * slice that is there is for the tests to report. */
static void add_msr_boxes(const struct socket *socket)
{
	unsigned before = box_count;

	if (!add_slices(socket)) {
		box_count = before;
		return;
	}
	if (reads(U_MSR_PMON_UCLK_FIXED_CTL))
		add_box(UBOX, 0, socket);
	if (reads(PCU_MSR_PMON_BOX_CTL))
		add_box(PCU, 0, socket);
}

/* The package of this processor, by its x2APIC ID: SDM volume 2, CPUID 0BH.  The map in the UBox
 * names packages by the same number: that of the specification's source for it, Linux' snbep
 * driver. What has no such leaf is taken for package 0. */
static unsigned own_package(void)
{
	struct cpuid_regs core = cpuid(0x0b, 1);

	return core.ebx & 0xffff ? core.edx >> (core.eax & 0x1f) : 0;
}

static unsigned own_socket(const struct socket *sockets, unsigned n)
{
	unsigned package = own_package();

	for (unsigned s = 0; s < n; s++)
		if (sockets[s].number == package)
			return s;
	return 0;
}

unsigned snbep_find(struct snbep_box **found)
{
	struct socket sockets[SOCKETS_MAX] = {{0}};
	unsigned n, own;

	*found = boxes;
	box_count = 0;
	slice_runs = false;
	n = find_sockets(sockets);
	sort_sockets(sockets, n);
	own = own_socket(sockets, n);
	for (unsigned s = 0; s < n || s == 0; s++) {
		for (unsigned i = 0; s < n && i < ARRAY_SIZE(places); i++)
			add_pci_box(&places[i], &sockets[s]);
		if (s == own)
			add_msr_boxes(&sockets[s]);
	}
	return box_count;
}

/* ---- clocks ---- */

#define GLANCE_US 20u
#define WAIT_US   10000u /* a clock that has not moved then stands still */

/* What counter 0 counts of it, and *fixed what the fixed counter does if there is one. */
static uint64_t counts(const struct pmu *pmu, const struct snbep_config *cfg, uint64_t *fixed,
		       unsigned us)
{
	const struct snbep_kind *kind = snbep_box(pmu)->kind;

	snbep_reset(pmu);
	snbep_put(pmu, pmu_number(pmu->counter[0].ctl), snbep_encode(kind, cfg));
	if (kind->fixed_ctl)
		snbep_put(pmu, kind->fixed_ctl, FIXED_CTL_EN);
	snbep_run(pmu);
	machine_delay_us(us);
	snbep_freeze(pmu);
	*fixed = kind->fixed_ctl ? snbep_get(pmu, kind->fixed_ctr) : 0;
	return snbep_get(pmu, pmu_number(pmu->counter[0].ctr));
}

bool snbep_ticks(const struct pmu *pmu)
{
	const struct snbep_config clock = snbep_clock(pmu);
	uint64_t fixed;

	return counts(pmu, &clock, &fixed, GLANCE_US) || counts(pmu, &clock, &fixed, WAIT_US);
}

const char *snbep_idle(const struct pmu *pmu)
{
	struct snbep_config no_clock = snbep_clock(pmu);
	uint32_t kind = snbep_box(pmu)->kind->bit;
	uint64_t fixed;

	if (!snbep_box(pmu)->kind->clock)
		return NULL;
	if (snbep_ticks(pmu)) {
		slice_runs |= kind == SNBEP_CBO;
		return NULL;
	}
	no_clock.below = 1;
	if (counts(pmu, &no_clock, &fixed, WAIT_US))
		return kind == SNBEP_IMC ? "iMC event 00h counts nothing here, which is allowed"
					 : NULL;
	if (kind == SNBEP_CBO && slice_runs)
		return "the slice is off: its clock stands still while other slices run";
	if (kind == SNBEP_IMC && !fixed)
		return "memory channel not in use: DCLK stands still";
	return kind & (SNBEP_QPI | SNBEP_R3QPI) ? "QPI link not in use: its clock stands still"
						: NULL;
}
