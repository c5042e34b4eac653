/* SPDX-License-Identifier: BSD-2-Clause */
/* The page where another processor starts. */
#include "x86_64.h"

#include "kernel/control.h"

/* Values that the code in startup.asm loads.  The image holds offsets for to_32, to_64 and gdt. */
struct startup_slots {
	uint32_t to_32;
	uint16_t code_32, unused_1;
	uint32_t to_64;
	uint16_t code_64, gdt_limit;
	uint32_t gdt;
	uint32_t root, efer, unused_2;
	uint64_t stack, entry;
};
_Static_assert(offsetof(struct startup_slots, to_64) == 8 &&
		       offsetof(struct startup_slots, gdt_limit) == 14 &&
		       offsetof(struct startup_slots, gdt) == 16 &&
		       offsetof(struct startup_slots, root) == 20 &&
		       offsetof(struct startup_slots, efer) == 24 &&
		       offsetof(struct startup_slots, stack) == 32 &&
		       offsetof(struct startup_slots, entry) == 40,
	       "layout of startup.asm");

extern const char startup_code[] __attribute__((visibility("hidden")));
extern const char startup_end[] __attribute__((visibility("hidden")));
extern const struct startup_slots startup_slots __attribute__((visibility("hidden")));

const char *startup_missing(void)
{
	if (machine->facts.startup_page == NULL)
		return "no page below 1 MiB, where the other thread could start";
	if (page_tables.format.levels != 4 || (uintptr_t)page_tables.root > UINT32_MAX)
		return "page tables that cannot be loaded in 32-bit mode";
	return NULL;
}

void startup_prepare(struct processor *processor, void (*entry)(void))
{
	uint8_t *page = machine->facts.startup_page;
	uint32_t address = (uint32_t)(uintptr_t)page;
	uintptr_t code = (uintptr_t)startup_code;
	struct startup_slots *slots = (void *)(page + ((uintptr_t)&startup_slots - code));

	processor->context->cr0 = read_cr0();
	processor->context->cr4 = read_cr4();
	memory_map_startup(false);
	memcpy(page, startup_code, (uintptr_t)startup_end - code);
	slots->to_32 += address;
	slots->to_64 += address;
	slots->gdt += address;
	slots->root = (uint32_t)(uintptr_t)page_tables.root;
	slots->efer = (uint32_t)(rdmsr(MSR_EFER) & (EFER_LME | EFER_NXE));
	slots->stack = (uintptr_t)processor->stack;
	slots->entry = (uintptr_t)entry;
	memory_map_startup(true);
}
