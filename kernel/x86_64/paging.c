/* SPDX-License-Identifier: BSD-2-Clause */
/* Page tables: memory mapped one to one, nothing both writable and executable, and the pages that
 * ring 3 may use.  AMD64 APM vol. 2 ch. 5. */
#include "kernel/state.h"

#define PTE_PRESENT           BIT(0)
#define PTE_WRITE             BIT(1)
#define PTE_USER              BIT(2)
#define PTE_WRITE_THROUGH     BIT(3) /* PWT: PAT entry 1 */
#define PTE_UNCACHED          (BIT(3) | BIT(4)) /* PWT and PCD: PAT entry 3 */
#define PTE_LARGE             BIT(7)
#define PTE_PAT               BIT(7) /* of a page of 4 KiB */
#define PTE_WRITE_PROTECTED   (PTE_WRITE_THROUGH | PTE_PAT) /* PAT entry 5, no other page's */
#define PTE_ADDRESS           FIELD(51, 12)

#define PAGE_2M               (UINT64_C(1) << 21)
#define PAGE_1G               (UINT64_C(1) << 30)
#define LOW_4G                (UINT64_C(1) << 32)

#define MSR_IA32_PAT          0x277u
#define PAT_ENTRY_1           FIELD(10, 8)
#define PAT_ENTRY_3           FIELD(26, 24)
#define PAT_ENTRY_5           FIELD(42, 40)
#define PAT_WRITE_THROUGH     4
#define PAT_WRITE_PROTECTED   5
#define PAT_UNCACHEABLE       0

#define CPUID_EXT_EDX_NX      BIT(20)
#define CPUID_EXT_EDX_PAGE_1G BIT(26)

static uint64_t level_size(unsigned level)
{
	return UINT64_C(1) << (12 + 9 * (level - 1));
}

/* The next table below entry: made, or split from a large page that maps it now. */
static uint64_t *table_below(uint64_t *entry, unsigned level)
{
	uint64_t *table;
	uint64_t old = *entry;

	if ((old & PTE_PRESENT) != 0 && (old & PTE_LARGE) == 0)
		return (uint64_t *)(uintptr_t)(old & PTE_ADDRESS);
	table = machine_pages(1);
	if (table == NULL)
		return NULL;
	/* Pages of level 1 have another meaning for bit 7. */
	if (level == 2)
		old &= ~PTE_LARGE;
	for (unsigned i = 0; (old & PTE_PRESENT) != 0 && i < PAGE_SIZE / 8; i++)
		table[i] = old + i * level_size(level - 1);
	/* Rights are those of the last level. */
	*entry = (uint64_t)(uintptr_t)table | PTE_PRESENT | PTE_WRITE | PTE_USER;
	return table;
}

/* Maps one page of this level; its entry's address part is address itself. */
static bool map_page(uint64_t address, unsigned level, uint64_t rights)
{
	uint64_t *table = machine->root;
	unsigned l;

	for (l = machine->levels; l > level; l--) {
		table = table_below(&table[address / level_size(l) % 512], l);
		if (table == NULL)
			return false;
	}
	if (level > 1 && rights != 0)
		rights |= PTE_LARGE;
	table[address / level_size(level) % 512] = rights == 0 ? 0 : address | rights;
	return true;
}

static bool map_range(uint64_t from, uint64_t to, unsigned level, uint64_t rights)
{
	uint64_t size = level_size(level);

	for (uint64_t at = from & ~(size - 1); at < to; at += size)
		if (!map_page(at, level, rights))
			return false;
	return true;
}

static bool map_section(const char *from, const char *to, uint64_t rights)
{
	return map_range((uint64_t)(uintptr_t)from, (uint64_t)(uintptr_t)to, 1, rights);
}

static bool map_user_text(uint64_t type)
{
	return map_section(user_text_start, user_text_end, PTE_PRESENT | PTE_USER | type);
}

static bool map_image(void)
{
	uint64_t nx = machine->no_execute;

	return map_section(image_start, image_end, PTE_PRESENT | nx) &&
	       map_section(text_start, text_end, PTE_PRESENT) && map_user_text(0) &&
	       map_section(data_start, data_end, PTE_PRESENT | PTE_WRITE | nx);
}

static bool map_buffer(uint64_t type)
{
	uint64_t buffer = (uint64_t)(uintptr_t)machine->user_buffer;

	return map_range(buffer, buffer + USER_BUFFER_SIZE, 1,
			 PTE_PRESENT | PTE_WRITE | PTE_USER | machine->no_execute | type);
}

static bool map_user_stack(const struct processor *processor)
{
	uint64_t stack = (uint64_t)(uintptr_t)processor->user_stack - PAGE_SIZE;

	return map_page(stack, 1, PTE_PRESENT | PTE_WRITE | PTE_USER | machine->no_execute);
}

static bool map_arena(void)
{
	uint64_t base = (uint64_t)(uintptr_t)machine->facts.arena;
	uint64_t rights = PTE_PRESENT | PTE_WRITE | machine->no_execute;

	if (!map_range(base, base + machine->facts.arena_size, 1, rights) || !map_buffer(0) ||
	    !map_user_stack(&machine->processor) || !map_user_stack(&machine->sibling))
		return false;
	for (unsigned i = 0; i < machine->stacks; i++)
		if (!map_page(machine->guard_pages[i], 1, 0))
			return false;
	return true;
}

/* All memory, with whatever pages need fewest tables; the firmware's stack is in there too. */
static bool map_memory(void)
{
	uint64_t rights = PTE_PRESENT | PTE_WRITE | machine->no_execute;
	uint64_t top = machine->facts.memory_top;
	bool has_1g = (cpuid(0x80000001u, 0).edx & CPUID_EXT_EDX_PAGE_1G) != 0;

	return map_range(0, LOW_4G, 2, rights) && map_range(LOW_4G, top, has_1g ? 3 : 2, rights) &&
	       map_page(0, 1, 0);
}

static bool map_devices(void)
{
	const struct framebuffer *f = &machine->facts.framebuffer;
	uint64_t screen = (uint64_t)(uintptr_t)f->base;
	uint64_t rights = PTE_PRESENT | PTE_WRITE | machine->no_execute;
	uint64_t uncached = rights | PTE_UNCACHED;

	/* Below 4 GiB, and below the top of memory, it is mapped already. */
	if (f->base != NULL && screen >= LOW_4G && screen >= machine->facts.memory_top &&
	    !map_range(screen, screen + (uint64_t)f->stride * f->height * 4, 2, rights))
		return false;
	for (unsigned i = 0; i < machine->controllers.io_apics; i++)
		if (!map_page(machine->controllers.io_apic[i].base & ~(PAGE_SIZE - UINT64_C(1)), 1,
			      uncached))
			return false;
	return apic_base() == 0 || map_page(apic_base(), 1, uncached);
}

bool paging_build(void)
{
	machine->levels = (read_cr4() & CR4_LA57) != 0 ? 5 : 4;
	machine->no_execute = (cpuid(0x80000001u, 0).edx & CPUID_EXT_EDX_NX) != 0 ? BIT(63) : 0;
	machine->root = machine_pages(1);
	return machine->root != NULL && map_memory() && map_devices() && map_image() && map_arena();
}

static bool within(uint64_t address, const void *from, const void *to)
{
	return address >= (uintptr_t)from && address < (uintptr_t)to;
}

bool paging_map_uncached(uint64_t address)
{
	uint64_t rights = PTE_PRESENT | PTE_WRITE | PTE_UNCACHED | machine->no_execute;
	const void *arena = machine->facts.arena;

	/* A firmware table that points into ourselves. */
	if (within(address, image_start, image_end) || within(address, arena, machine->end))
		return false;
	if (!map_page(address, 1, rights))
		return false;
	/* Nothing of the page that may have covered it stays in the TLB. */
	write_cr3(read_cr3());
	return true;
}

void paging_map_startup(bool executable)
{
	uint64_t rights = executable ? 0 : PTE_WRITE | machine->no_execute;

	/* There is a table for it: that of page 0. */
	map_page((uint64_t)(uintptr_t)machine->facts.startup_page, 1, PTE_PRESENT | rights);
	write_cr3(read_cr3());
}

static bool has_types(void)
{
	uint64_t pat;

	return rdmsr_safe(MSR_IA32_PAT, &pat) == FAULT_NONE &&
	       field_get(PAT_ENTRY_1, pat) == PAT_WRITE_THROUGH &&
	       field_get(PAT_ENTRY_3, pat) == PAT_UNCACHEABLE &&
	       field_get(PAT_ENTRY_5, pat) == PAT_WRITE_THROUGH;
}

static void write_entry_5(uint64_t type)
{
	wrmsr(MSR_IA32_PAT, (rdmsr(MSR_IA32_PAT) & ~PAT_ENTRY_5) | field_put(PAT_ENTRY_5, type));
}

static uint64_t buffer_type(enum user_memory memory)
{
	switch (memory) {
	case USER_BUFFER_WRITE_THROUGH:
		return PTE_WRITE_THROUGH;
	case USER_BUFFER_WRITE_PROTECTED:
		return PTE_WRITE_PROTECTED;
	case USER_BUFFER_UNCACHEABLE:
		return PTE_UNCACHED;
	default:
		return 0;
	}
}

bool user_memory_use(enum user_memory memory)
{
	if (memory == machine->user_memory)
		return true;
	if (memory != USER_WRITE_BACK && !has_types())
		return false;
	if (memory == USER_BUFFER_WRITE_PROTECTED)
		write_entry_5(PAT_WRITE_PROTECTED);
	map_buffer(buffer_type(memory));
	map_user_text(memory == USER_TEXT_UNCACHEABLE ? PTE_UNCACHED : 0);
	/* Neither a translation nor a line of the other type stays. */
	write_cr3(read_cr3());
	wbinvd();
	if (machine->user_memory == USER_BUFFER_WRITE_PROTECTED)
		write_entry_5(PAT_WRITE_THROUGH);
	machine->user_memory = memory;
	return true;
}
