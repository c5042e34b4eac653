/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * PCI configuration space, of which the uncore's buses are modelled: mechanism 1 by its ports, the
 * memory-mapped one (ECAM) by nested paging, in which holes.c leaves out the pages of those buses.
 * All else goes to the machine underneath.
 */
#include "model/vmm/step/step.h"
#include "vmm.h"

enum { CONFIG_ADDRESS = 0xcf8, CONFIG_DATA = 0xcfc, PORTS_END = 0xd00 };
enum { IOPM_SIZE = 3 * 4096 };

#define ADDRESS_ENABLE (uint32_t) BIT(31)
#define ADDRESS_BUS    (uint32_t) FIELD(23, 16)
#define ADDRESS_DF     (uint32_t) FIELD(15, 8)
#define ADDRESS_OFFSET (uint32_t) FIELD(7, 2)

#define ECAM_BUS       FIELD(27, 20)
#define ECAM_DF        FIELD(19, 12)
#define ECAM_OFFSET    FIELD(11, 0)
#define ECAM_SIZE      (ECAM_BUS | ECAM_DF | ECAM_OFFSET)

/* Host bridge of q35: where ECAM is. */
enum { HOST_BRIDGE_Q35 = 0x29c08086, PCIEXBAR = 0x60 };
#define PCIEXBAR_ENABLE  BIT(0)
#define PCIEXBAR_LENGTH  FIELD(2, 1) /* 0: all 256 buses */
#define PCIEXBAR_ADDRESS FIELD(35, 28)

enum { BUS_SHIFT = 20 };
/* Lines in the log of one run. */
enum { LOGGED_MAX = 20 };

static uint8_t iopm[IOPM_SIZE] __attribute__((aligned(4096)));

static uint64_t ecam; /* 0: the machine has none */
static uint16_t pm_timer; /* its port; 0: there is none */
static unsigned logged;

/* ---- what is logged ---- */

void pci_log_foreign(const struct guest *g, const char *what, uint64_t where)
{
	if (!g->system && logged++ < LOGGED_MAX)
		serial_print("\nsilicon: uncore access %s %llx at %llx\n", what,
			     (unsigned long long)where, (unsigned long long)g->vmcb->rip);
}

/* ---- mechanism 1 ---- */

static uint32_t port_read(uint16_t port, unsigned size)
{
	return size == 1 ? inb(port) : size == 2 ? inw(port) : inl(port);
}

static void port_write(uint16_t port, unsigned size, uint32_t value)
{
	if (size == 1)
		outb(port, (uint8_t)value);
	else if (size == 2)
		outw(port, (uint16_t)value);
	else
		outl(port, value);
}

/* The configuration register that an access to a port reaches; false: none. */
static bool find_config(const struct guest *g, uint16_t port, unsigned size,
			struct pci_access *access)
{
	uint32_t address = inl(CONFIG_ADDRESS);

	if (port < CONFIG_DATA || port >= PORTS_END || !(address & ADDRESS_ENABLE))
		return false;
	*access = (struct pci_access){
		.bus = (uint8_t)field_get(ADDRESS_BUS, address),
		.df = (uint8_t)field_get(ADDRESS_DF, address),
		.offset = (uint16_t)((address & ADDRESS_OFFSET) + port - CONFIG_DATA),
		.size = size,
	};
	if (silicon_is_foreign_bus(&silicon_cpu, access->bus))
		pci_log_foreign(g, "to configuration address", address);
	return true;
}

static void set_rax(struct guest *g, unsigned size, uint32_t value)
{
	uint64_t kept = size == 4 ? 0 : g->vmcb->rax & ~(BIT(8 * size) - 1);

	g->vmcb->rax = kept | value;
}

bool pci_port(struct guest *g)
{
	uint64_t info = g->vmcb->exit_info_1;
	uint16_t port = (uint16_t)field_get(IOIO_PORT, info);
	unsigned size = (unsigned)field_get(IOIO_SIZE, info);
	uint32_t value = (uint32_t)(size == 4 ? g->vmcb->rax : g->vmcb->rax & (BIT(8 * size) - 1));
	struct pci_access access;
	bool config;

	if (info & IOIO_STRING)
		panic("a string instruction for port %x at %llx", port,
		      (unsigned long long)g->vmcb->rip);
	config = find_config(g, port, size, &access);
	silicon_set_tsc(&silicon_cpu, time_of_boxes(g));
	if (info & IOIO_IN) {
		if (!config || !silicon_pci_read(&silicon_cpu, &access, &value))
			value = port_read(port, size);
		if (pm_timer && port == pm_timer && size == sizeof(value))
			value = time_pm_timer(g, value);
		set_rax(g, size, value);
	} else if (!config || !silicon_pci_write(&silicon_cpu, &access, value)) {
		port_write(port, size, value);
	}
	return true;
}

/* ---- ECAM ---- */

static bool find_ecam_access(uint64_t physical, struct pci_access *access)
{
	uint64_t address = physical - ecam;

	*access = (struct pci_access){
		.bus = (uint8_t)field_get(ECAM_BUS, address),
		.df = (uint8_t)field_get(ECAM_DF, address),
		.offset = (uint16_t)field_get(ECAM_OFFSET, address),
		.size = 4,
	};
	return ecam && !(address & ~ECAM_SIZE);
}

bool pci_read(uint64_t physical, uint32_t *value)
{
	struct pci_access access;

	return find_ecam_access(physical, &access) &&
	       silicon_pci_read(&silicon_cpu, &access, value);
}

bool pci_write(uint64_t physical, uint32_t value)
{
	struct pci_access access;

	return find_ecam_access(physical, &access) &&
	       silicon_pci_write(&silicon_cpu, &access, value);
}

static uint32_t config_dword(unsigned offset)
{
	outl(CONFIG_ADDRESS, ADDRESS_ENABLE | offset);
	return inl(CONFIG_DATA);
}

static uint64_t find_ecam(void)
{
	uint64_t base;

	if (config_dword(0) != HOST_BRIDGE_Q35)
		return 0;
	base = (uint64_t)config_dword(PCIEXBAR + 4) << 32 | config_dword(PCIEXBAR);
	return base & PCIEXBAR_ENABLE && !(base & PCIEXBAR_LENGTH) ? base & PCIEXBAR_ADDRESS : 0;
}

bool pci_bus_pages(unsigned bus, uint64_t *first, uint64_t *size)
{
	*first = ecam + ((uint64_t)bus << BUS_SHIFT);
	*size = BIT(BUS_SHIFT);
	return ecam && silicon_is_boxes_bus((uint8_t)bus);
}

/* ---- ports ---- */

void pci_watch_port(uint16_t port, bool on)
{
	uint8_t *bits = &iopm[port / 8];

	*bits = (uint8_t)((*bits & ~(1 << port % 8)) | on << port % 8);
}

void pci_set_pm_timer(uint16_t port)
{
	pm_timer = port;
	for (unsigned i = 0; port && i < sizeof(uint32_t); i++)
		pci_watch_port((uint16_t)(port + i), true);
}

void pci_start(struct vmcb *v)
{
	uint32_t address = inl(CONFIG_ADDRESS);

	ecam = find_ecam();
	outl(CONFIG_ADDRESS, address);
	/* The address register is the machine's own: it is read when the data is asked for. */
	for (unsigned port = CONFIG_DATA; port < PORTS_END; port++)
		pci_watch_port((uint16_t)port, true);
	v->iopm_base = (uint64_t)(uintptr_t)iopm;
	v->intercept |= INTERCEPT_IOIO;
}

void pci_begin_log(void)
{
	logged = 0;
}
