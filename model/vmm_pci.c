/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * PCI configuration space, of which the uncore's buses are modelled: mechanism 1 by its ports, the
 * memory-mapped one (ECAM) by nested paging, in which the pages of those buses are missing.  All
 * else goes to the machine underneath.
 */
#include "decode.h"
#include "io.h"
#include "vmm.h"

enum { CONFIG_ADDRESS = 0xcf8, CONFIG_DATA = 0xcfc, PORTS_END = 0xd00 };
enum { IOPM_SIZE = 3 * 4096, ENTRIES = 512 };

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

#define NESTED_PTE       FIELD(2, 0) /* present, writable, user: what nested paging asks for */
#define NESTED_LARGE     BIT(7)

enum { GIGA_SHIFT = 30, MEGA2_SHIFT = 21, PAGE_SHIFT = 12, BUS_SHIFT = 20 };
enum { NESTED_BUSES = 2, PLAIN_ASID = 1, NESTED_ASID = 2 };

/* Says more than enough. */
enum { LOGGED_MAX = 20 };

static struct {
	uint64_t pml4[ENTRIES], pdpt[ENTRIES], pd[ENTRIES], pt[NESTED_BUSES][ENTRIES];
	uint8_t iopm[IOPM_SIZE];
} page_aligned __attribute__((aligned(4096)));

static uint64_t ecam; /* 0: the machine has none */
static unsigned logged;

bool port_exits(uint16_t port)
{
	return port >= CONFIG_ADDRESS && port < PORTS_END;
}

/* ---- what is logged ---- */

void log_foreign(const char *what, uint64_t where, uint64_t rip)
{
	if (logged++ < LOGGED_MAX)
		uart_print("\nsilicon: uncore access %s %llx at %llx\n", what,
			   (unsigned long long)where, (unsigned long long)rip);
}

/* ---- mechanism 1 ---- */

static uint32_t port_read(uint16_t port, unsigned size)
{
	return size == 1 ? io_read8(port) : size == 2 ? io_read16(port) : io_read32(port);
}

static void port_write(uint16_t port, unsigned size, uint32_t value)
{
	if (size == 1)
		io_write8(port, (uint8_t)value);
	else if (size == 2)
		io_write16(port, (uint16_t)value);
	else
		io_write32(port, value);
}

/* The configuration register that an access to a port reaches; false: none. */
static bool find_config(const struct guest *g, uint16_t port, unsigned size,
			struct pci_access *access)
{
	uint32_t address = io_read32(CONFIG_ADDRESS);

	if (port < CONFIG_DATA || !(address & ADDRESS_ENABLE))
		return false;
	*access = (struct pci_access){
		.bus = (uint8_t)field_get(ADDRESS_BUS, address),
		.df = (uint8_t)field_get(ADDRESS_DF, address),
		.offset = (uint16_t)((address & ADDRESS_OFFSET) + port - CONFIG_DATA),
		.size = size,
	};
	if (silicon_is_foreign_bus(&silicon_cpu, access->bus))
		log_foreign("to configuration address", address, g->vmcb->rip);
	return true;
}

static void set_rax(struct guest *g, unsigned size, uint32_t value)
{
	uint64_t kept = size == 4 ? 0 : g->vmcb->rax & ~(BIT(8 * size) - 1);

	g->vmcb->rax = kept | value;
}

void do_port(struct guest *g)
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
	silicon_set_tsc(&silicon_cpu, read_tsc());
	if (info & IOIO_IN) {
		if (!config || !silicon_pci_read(&silicon_cpu, &access, &value))
			value = port_read(port, size);
		set_rax(g, size, value);
	} else if (!config || !silicon_pci_write(&silicon_cpu, &access, value)) {
		port_write(port, size, value);
	}
}

/* ---- ECAM ---- */

static uint64_t gpr(const struct guest *g, unsigned number)
{
	return number == RAX ? g->vmcb->rax : number == RSP ? g->vmcb->rsp : vmm_gpr[number];
}

static void set_gpr(struct guest *g, unsigned number, uint32_t value)
{
	if (number == RAX)
		g->vmcb->rax = value;
	else if (number == RSP)
		g->vmcb->rsp = value;
	else
		vmm_gpr[number] = value;
}

static uint32_t immediate(const struct decoder *d)
{
	const uint8_t *at = d->bytes + d->at - 4;

	return at[0] | (uint32_t)at[1] << 8 | (uint32_t)at[2] << 16 | (uint32_t)at[3] << 24;
}

/* A MOV of 32 bits, the only thing that anybody accesses registers with. */
static bool move(struct guest *g, const struct decoder *d, const struct pci_access *access)
{
	uint32_t value = 0;

	switch (d->opcode) {
	case 0x8b:
	case 0xa1:
		if (!silicon_pci_read(&silicon_cpu, access, &value))
			return false;
		set_gpr(g, d->opcode == 0xa1 ? RAX : d->reg, value);
		return true;
	case 0x89:
		return silicon_pci_write(&silicon_cpu, access, (uint32_t)gpr(g, d->reg));
	case 0xa3:
		return silicon_pci_write(&silicon_cpu, access, (uint32_t)g->vmcb->rax);
	case 0xc7:
		return silicon_pci_write(&silicon_cpu, access, immediate(d));
	default:
		return false;
	}
}

void do_nested_fault(struct guest *g)
{
	uint64_t physical = g->vmcb->exit_info_2, address = physical - ecam;
	struct pci_access access = {
		.bus = (uint8_t)field_get(ECAM_BUS, address),
		.df = (uint8_t)field_get(ECAM_DF, address),
		.offset = (uint16_t)field_get(ECAM_OFFSET, address),
		.size = 4,
	};
	struct decoder d;
	unsigned available;
	const uint8_t *code = guest_code(g, g->vmcb->rip, &available);

	decode_raw(&d, code, available);
	silicon_set_tsc(&silicon_cpu, read_tsc());
	if (d.cut || !d.valid || d.vex || d.map != MAP_ONE || d.rex & 8 || d.operand16 ||
	    access.offset & 3 || !move(g, &d, &access))
		panic("an access to %llx at %llx, which is no MOV of 32 bits",
		      (unsigned long long)physical, (unsigned long long)g->vmcb->rip);
}

static uint32_t config_dword(unsigned offset)
{
	io_write32(CONFIG_ADDRESS, ADDRESS_ENABLE | offset);
	return io_read32(CONFIG_DATA);
}

static uint64_t find_ecam(void)
{
	uint64_t base;

	if (config_dword(0) != HOST_BRIDGE_Q35)
		return 0;
	base = (uint64_t)config_dword(PCIEXBAR + 4) << 32 | config_dword(PCIEXBAR);
	return base & PCIEXBAR_ENABLE && !(base & PCIEXBAR_LENGTH) ? base & PCIEXBAR_ADDRESS : 0;
}

/* ---- nested paging ---- */

static uint64_t table_entry(const void *table)
{
	return (uint64_t)(uintptr_t)table | NESTED_PTE;
}

/* The 2 MiB around the bus in pages, those of the bus missing. */
static void leave_out_bus(unsigned bus, uint64_t *pt)
{
	uint64_t first = ecam + ((uint64_t)bus << BUS_SHIFT);
	uint64_t start = first & ~(BIT(MEGA2_SHIFT) - 1);

	for (uint64_t i = 0; i < ENTRIES; i++) {
		uint64_t page = start + (i << PAGE_SHIFT);

		pt[i] = page >> BUS_SHIFT == first >> BUS_SHIFT ? 0 : page | NESTED_PTE;
	}
	page_aligned.pd[start >> MEGA2_SHIFT & (ENTRIES - 1)] = table_entry(pt);
}

/* One to one, as the VMM's own. */
static void build_nested_tables(void)
{
	uint64_t giga = ecam >> GIGA_SHIFT;
	unsigned tables = 0;

	for (uint64_t i = 0; i < ENTRIES; i++) {
		page_aligned.pdpt[i] = i << GIGA_SHIFT | NESTED_LARGE | NESTED_PTE;
		page_aligned.pd[i] =
			giga << GIGA_SHIFT | i << MEGA2_SHIFT | NESTED_LARGE | NESTED_PTE;
	}
	page_aligned.pml4[0] = table_entry(page_aligned.pdpt);
	page_aligned.pdpt[giga] = table_entry(page_aligned.pd);
	for (unsigned bus = 0; bus < 256 && tables < NESTED_BUSES; bus++)
		if (silicon_is_uncore_bus((uint8_t)bus))
			leave_out_bus(bus, page_aligned.pt[tables++]);
}

void pci_start(struct vmcb *v)
{
	uint32_t address = io_read32(CONFIG_ADDRESS);

	ecam = find_ecam();
	io_write32(CONFIG_ADDRESS, address);
	if (ecam)
		build_nested_tables();
	for (unsigned port = CONFIG_ADDRESS; port < PORTS_END; port++)
		page_aligned.iopm[port / 8] |= (uint8_t)(1 << port % 8);
	v->iopm_base = (uint64_t)(uintptr_t)page_aligned.iopm;
	v->intercept |= INTERCEPT_IOIO;
	v->nested_cr3 = (uint64_t)(uintptr_t)page_aligned.pml4;
	pci_update(v);
}

/* Another ASID, so that no translation outlives the change. */
void pci_update(struct vmcb *v)
{
	bool nested = ecam && silicon_has_uncore(&silicon_cpu);

	v->nested_control = nested ? NESTED_ENABLE : 0;
	logged = 0;
	v->asid = nested ? NESTED_ASID : PLAIN_ASID;
}
