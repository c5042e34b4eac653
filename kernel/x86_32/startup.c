/* SPDX-License-Identifier: BSD-2-Clause */
/* The page where another processor starts. */
#include "x86_32.h"

/* Values that the code in startup.asm loads.  The image holds offsets for to_32 and gdt. */
struct startup_slots {
	uint32_t to_32;
	uint16_t code_32, gdt_limit;
	uint32_t gdt;
	uint32_t stack, entry;
};
_Static_assert(offsetof(struct startup_slots, gdt_limit) == 6 &&
		       offsetof(struct startup_slots, gdt) == 8 &&
		       offsetof(struct startup_slots, stack) == 12 &&
		       offsetof(struct startup_slots, entry) == 16,
	       "layout of startup.asm");

extern const char startup_code[] __attribute__((visibility("hidden")));
extern const char startup_end[] __attribute__((visibility("hidden")));
extern const struct startup_slots startup_slots __attribute__((visibility("hidden")));

const char *startup_missing(void)
{
	if (machine->facts.startup_page == NULL)
		return "no page below 1 MiB, where the other thread could start";
	return NULL;
}

/* The other processor begins without paging, so that the page needs no right to be executed;
 * context_enter() turns paging on. */
void startup_prepare(struct processor *processor, void (*entry)(void))
{
	uint8_t *page = machine->facts.startup_page;
	uint32_t address = (uintptr_t)page;
	uintptr_t code = (uintptr_t)startup_code;
	struct startup_slots *slots = (void *)(page + ((uintptr_t)&startup_slots - code));

	processor->context->cr0 = read_cr0();
	processor->context->cr3 = read_cr3();
	processor->context->cr4 = read_cr4();
	if (page_tables.format.no_execute)
		processor->context->efer = rdmsr(MSR_EFER);
	memcpy(page, startup_code, (uintptr_t)startup_end - code);
	slots->to_32 += address;
	slots->gdt += address;
	slots->stack = (uintptr_t)processor->stack;
	slots->entry = (uintptr_t)entry;
}
