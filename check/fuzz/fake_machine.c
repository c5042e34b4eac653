/* SPDX-License-Identifier: BSD-2-Clause */
/* A processor made of an input. */
#include "fake_machine.h"

#include <string.h>
#include <sys/mman.h>

#include "kernel/kernel.h"
#include "kernel/lib/bits.h"

#define RECORD_LEAF 'C'
#define RECORD_MSR  'M'
#define RECORD_PCI  'P'

/* More records than this are not looked at. */
enum { RECORDS = 256, REGISTERS = 4096, MAPPED = 8, MAPPED_DWORDS = 1024, PAGES = 8 };

struct leaf {
	uint32_t leaf, subleaf;
	struct cpuid_regs regs;
};

/* An MSR, or a dword of PCI configuration space: they have addresses of their own. */
struct reg {
	uint64_t address;
	bool there;
	uint8_t flags;
	uint64_t value, writable, noted;
};
#define PCI_ADDRESS(function, offset) (BIT(32) | (uint64_t)(function) << 16 | (offset))

void (*fake_on_write)(uint32_t msr, uint64_t now, uint64_t value);
void (*fake_on_delay)(unsigned us);

static struct leaf leaves[RECORDS];
static struct reg registers[REGISTERS]; /* hashed: those that are used are listed */
static uint16_t used[REGISTERS];
static uint32_t (*mapped)[MAPPED_DWORDS]; /* below 4 GiB, where the drivers look for it */
static unsigned leaves_count, used_count, mapped_count;
/* Pages that somebody has made, by their addresses, or by PCI_ADDRESS() of their functions. */
static struct {
	uint64_t address;
	volatile void *page;
} pages[PAGES];
static unsigned pages_count;
static uint8_t machine_flags;
static bool faults, forgets, written;

/* ---- building ---- */

/* Where the register is, or would be. */
static unsigned place_of(uint64_t address)
{
	unsigned at = (unsigned)(address * UINT64_C(0x9e3779b97f4a7c15) >> 52);

	while (registers[at].there && registers[at].address != address)
		at = (at + 1) % REGISTERS;
	return at;
}

/* A new one has these flags, and keeps these bits of what is written. */
static struct reg *find_register(uint64_t address, uint8_t flags, uint64_t writable)
{
	unsigned at = place_of(address);

	if (!registers[at].there) {
		MUST(used_count < REGISTERS - 1);
		used[used_count++] = (uint16_t)at;
		registers[at] = (struct reg){
			.address = address,
			.there = true,
			.flags = flags,
			.writable = writable,
		};
	}
	return &registers[at];
}

static struct reg *find_msr(uint32_t msr)
{
	if (machine_flags & FAKE_FORGETFUL_MSRS)
		return find_register(msr, 0, 0);
	if (machine_flags & FAKE_ALL_MSRS)
		return find_register(msr, 0, ~UINT64_C(0));
	return find_register(msr, FAKE_READ_FAULT | FAKE_WRITE_FAULT, 0);
}

static struct reg *find_pci(uint16_t function, unsigned offset)
{
	return find_register(PCI_ADDRESS(function, offset), 0, ~UINT64_C(0));
}

static void put_register(struct reg *reg, uint8_t flags, uint64_t value, uint64_t writable)
{
	reg->flags = flags;
	reg->value = value;
	reg->writable = writable;
	faults |= (flags & (FAKE_READ_FAULT | FAKE_WRITE_FAULT)) != 0;
	forgets |= writable != ~UINT64_C(0);
}

void fake_begin(uint8_t flags)
{
	while (used_count)
		registers[used[--used_count]].there = false;
	leaves_count = mapped_count = pages_count = 0;
	written = false;
	machine_flags = flags;
	faults = !(flags & (FAKE_ALL_MSRS | FAKE_FORGETFUL_MSRS));
	forgets = flags & FAKE_FORGETFUL_MSRS;
}

void fake_leaf(uint32_t leaf, uint32_t subleaf, struct cpuid_regs regs)
{
	MUST(leaves_count < RECORDS);
	leaves[leaves_count++] = (struct leaf){leaf, subleaf, regs};
}

void fake_msr(uint32_t msr, uint8_t flags, uint64_t value, uint64_t writable)
{
	put_register(find_msr(msr), flags, value, writable);
}

void fake_pci(uint16_t function, unsigned offset, uint32_t value)
{
	put_register(find_pci(function, offset), 0, value, ~UINT64_C(0));
}

static void add_page(uint64_t address, volatile void *page)
{
	MUST(pages_count < PAGES);
	pages[pages_count].address = address;
	pages[pages_count++].page = page;
}

void fake_device(volatile void *page)
{
	add_page((uintptr_t)page, page);
}

void fake_space(uint16_t function, volatile void *page)
{
	add_page(PCI_ADDRESS(function, 0), page);
}

/* ---- of an input ---- */

static void read_register_record(struct input *in, bool pci)
{
	uint32_t address = (uint32_t)input_number(in, 4);
	uint8_t flags = (uint8_t)input_number(in, 1);
	uint64_t value = input_number(in, 8), writable = input_number(in, 8);

	if (pci)
		put_register(find_pci((uint16_t)(address >> 16), address & 0xfc),
			     flags & FAKE_COUNTS, (uint32_t)value, writable);
	else
		fake_msr(address, flags, value, writable);
}

static void read_leaf_record(struct input *in)
{
	uint32_t leaf = (uint32_t)input_number(in, 4), subleaf = (uint32_t)input_number(in, 1);
	struct cpuid_regs regs;

	regs.eax = (uint32_t)input_number(in, 4);
	regs.ebx = (uint32_t)input_number(in, 4);
	regs.ecx = (uint32_t)input_number(in, 4);
	regs.edx = (uint32_t)input_number(in, 4);
	fake_leaf(leaf, subleaf, regs);
}

void fake_build(struct input *in)
{
	fake_begin((uint8_t)input_number(in, 1));
	for (unsigned records = 0; records < RECORDS; records++) {
		uint8_t tag = (uint8_t)input_number(in, 1);

		if (tag == RECORD_MSR || tag == RECORD_PCI)
			read_register_record(in, tag == RECORD_PCI);
		else if (tag == RECORD_LEAF)
			read_leaf_record(in);
		else
			break;
	}
}

/* ---- looking at it ---- */

bool fake_faults(void)
{
	return faults;
}

bool fake_forgets(void)
{
	return forgets;
}

bool fake_written(void)
{
	return written;
}

void fake_note(void)
{
	for (unsigned i = 0; i < used_count; i++)
		registers[used[i]].noted = registers[used[i]].value;
}

/* On a real part: flags of overflows are cleared by writing them.  In the order of the numbers: of
 * Intel's cores, of Nehalem's uncore, of each box of a Xeon 7500 or E7, of AMD's cores. */
static bool is_write_only(uint64_t address)
{
	return address == 0x390 || address == 0x393 ||
	       (address >= 0xc00 && address < 0x1000 && address % 32 == 2) || address == 0xc0000302;
}

bool fake_as_noted(uint64_t bits)
{
	for (unsigned i = 0; i < used_count; i++) {
		const struct reg *reg = &registers[used[i]];

		if (!(reg->flags & FAKE_COUNTS) && !is_write_only(reg->address) &&
		    (reg->value ^ reg->noted) & bits)
			return false;
	}
	return true;
}

/* ---- the instructions ---- */

struct cpuid_regs cpuid(uint32_t leaf, uint32_t subleaf)
{
	for (unsigned i = 0; i < leaves_count; i++)
		if (leaves[i].leaf == leaf && leaves[i].subleaf == subleaf)
			return leaves[i].regs;
	return (struct cpuid_regs){0};
}

int rdmsr_safe(uint32_t msr, uint64_t *val)
{
	const struct reg *m = find_msr(msr);
	bool fault = m->flags & FAKE_READ_FAULT;

	*val = fault ? 0 : m->value;
	return fault ? FAULT_GP : FAULT_NONE;
}

static void write_register(struct reg *reg, uint64_t val)
{
	reg->value = (reg->value & ~reg->writable) | (val & reg->writable);
}

int wrmsr_safe(uint32_t msr, uint64_t val)
{
	struct reg *m = find_msr(msr);

	written = true;
	if (fake_on_write)
		fake_on_write(msr, m->value, val);
	if (m->flags & FAKE_WRITE_FAULT)
		return FAULT_GP;
	write_register(m, val);
	return FAULT_NONE;
}

uint64_t rdmsr(uint32_t msr)
{
	uint64_t val;

	if (rdmsr_safe(msr, &val) != FAULT_NONE)
		panic("RDMSR %x faults", msr);
	return val;
}

void wrmsr(uint32_t msr, uint64_t val)
{
	if (wrmsr_safe(msr, val) != FAULT_NONE)
		panic("WRMSR %x faults", msr);
}

/* ---- the machine around it ---- */

bool apic_present(void)
{
	return machine_flags & FAKE_APIC;
}

unsigned apic_extended_entries(void)
{
	return 0;
}

void apic_write_extended(unsigned entry, uint32_t value)
{
	(void)entry;
	(void)value;
}

void machine_delay_us(unsigned us)
{
	for (unsigned i = 0; i < used_count; i++)
		if (registers[used[i]].flags & FAKE_COUNTS)
			registers[used[i]].value += us;
	if (fake_on_delay)
		fake_on_delay(us);
}

static bool pci_there(uint16_t function)
{
	return registers[place_of(PCI_ADDRESS(function, PCI_ID))].there;
}

static struct reg *find_dword(uint16_t function, unsigned offset)
{
	MUST(offset < 0x100 && offset % 4 == 0);
	return pci_there(function) ? find_pci(function, offset) : NULL;
}

uint32_t pci_read(uint16_t function, unsigned offset)
{
	const struct reg *dword = find_dword(function, offset);

	return dword ? (uint32_t)dword->value : PCI_ABSENT;
}

void pci_write(uint16_t function, unsigned offset, uint32_t value)
{
	struct reg *dword = find_dword(function, offset);

	written = true;
	if (dword)
		write_register(dword, value);
}

static void *map_one(void)
{
	if (!(machine_flags & FAKE_ECAM) || mapped_count == MAPPED)
		return NULL;
	if (!mapped)
		mapped = mmap(NULL, MAPPED * sizeof(*mapped), PROT_READ | PROT_WRITE,
			      MAP_PRIVATE | MAP_ANONYMOUS | MAP_32BIT, -1, 0);
	MUST(mapped != MAP_FAILED);
	memset(mapped[mapped_count], 0, sizeof(mapped[mapped_count]));
	return mapped[mapped_count++];
}

/* NULL: nobody has made it. */
static volatile uint32_t *page_at(uint64_t address)
{
	for (unsigned i = 0; i < pages_count; i++)
		if (pages[i].address == address)
			return pages[i].page;
	return NULL;
}

volatile uint32_t *pci_map(uint16_t function)
{
	volatile uint32_t *space = page_at(PCI_ADDRESS(function, 0));

	if (space)
		return space;
	return pci_there(function) ? map_one() : NULL;
}

/* Where pages have been made there are no others. */
volatile uint32_t *device_map(uint64_t address)
{
	uint8_t *page;

	if (pages_count)
		return page_at(address);
	page = map_one();
	return page ? (volatile uint32_t *)(page + (address & 0xffc)) : NULL;
}
