/* SPDX-License-Identifier: BSD-2-Clause */
/* The pages that ring 3 may use, and their memory types. */
#include "state.h"

#define CPUID_1_EDX_PAT     BIT(16)

#define MSR_IA32_PAT        0x277u
#define PAT_ENTRY_1         FIELD(10, 8)
#define PAT_ENTRY_3         FIELD(26, 24)
#define PAT_ENTRY_5         FIELD(42, 40) /* no other page uses it */
#define PAT_WRITE_THROUGH   4
#define PAT_WRITE_PROTECTED 5
#define PAT_UNCACHEABLE     0

#define PAGE_USER_DATA      (PAGE_PRESENT | PAGE_WRITE | PAGE_USER | PAGE_NO_EXECUTE)

static bool map_text(uint64_t type)
{
	return paging_map((uintptr_t)user_text_start, (uintptr_t)user_text_end, PAGE_SMALL,
			  PAGE_PRESENT | PAGE_USER | type);
}

static bool map_buffer(uint64_t type)
{
	uintptr_t buffer = (uintptr_t)machine->user_buffer;

	return paging_map(buffer, buffer + USER_BUFFER_SIZE, PAGE_SMALL, PAGE_USER_DATA | type);
}

static bool map_stack(const struct processor *processor)
{
	uintptr_t top = (uintptr_t)processor->user_stack;

	return paging_map(top - PAGE_SIZE, top, PAGE_SMALL, PAGE_USER_DATA);
}

bool user_build(void)
{
	struct processor *processor;

	for (unsigned i = 0; (processor = machine_processor(i)) != NULL; i++)
		if (!map_stack(processor))
			return false;
	return map_text(0) && map_buffer(0);
}

void *user_buffer(void)
{
	return machine->user_buffer;
}

/* The tables are there: nothing of this can fail. */
static void map_code(uint64_t as)
{
	const uintptr_t page = (uintptr_t)user_code;

	paging_map(page, page + USER_CODE_SIZE, PAGE_SMALL, as);
	write_cr3(read_cr3());
}

/* The page for so many bytes, which may be written until it is closed. */
static uint8_t *open_code(size_t size)
{
	if (size > USER_CODE_SIZE)
		panic("code of %u bytes for a page", (unsigned)size);
	map_code(MAPPING_DATA);
	return memset((void *)(uintptr_t)user_code, 0xcc /* INT3 */, USER_CODE_SIZE);
}

static asm_code *close_code(void)
{
	const uint64_t type = machine->user_memory == USER_TEXT_UNCACHEABLE ? PAGE_UNCACHED : 0;

	map_code(PAGE_PRESENT | PAGE_USER | type);
	/* Serializes: what has been fetched from there is forgotten.  Intel SDM vol. 3A, 8.1.3. */
	cpuid(0, 0);
	return (asm_code *)(uintptr_t)user_code;
}

asm_code *user_code_load(const uint8_t *code, size_t size)
{
	memcpy(open_code(size), code, size);
	return close_code();
}

asm_code *user_code_nops(const struct code_around *around, unsigned nops)
{
	uint8_t *page = open_code(around->before + nops + around->behind);

	memcpy(page, around->code, around->before);
	memset(page + around->before, 0x90 /* NOP */, nops);
	memcpy(page + around->before + nops, around->code + around->before, around->behind);
	return close_code();
}

asm_code *msr_switch_idle(void)
{
	return user_code_nops(&idle_around, MSR_SWITCH_NOPS);
}

static bool has_types(void)
{
	uint64_t pat;

	return (cpuid(1, 0).edx & CPUID_1_EDX_PAT) != 0 &&
	       rdmsr_safe(MSR_IA32_PAT, &pat) == FAULT_NONE &&
	       field_get(PAT_ENTRY_1, pat) == PAT_WRITE_THROUGH &&
	       field_get(PAT_ENTRY_3, pat) == PAT_UNCACHEABLE &&
	       field_get(PAT_ENTRY_5, pat) == PAT_WRITE_THROUGH;
}

static void write_entry_5(uint64_t type)
{
	wrmsr(MSR_IA32_PAT, (rdmsr(MSR_IA32_PAT) & ~PAT_ENTRY_5) | field_put(PAT_ENTRY_5, type));
}

bool user_memory_use(enum user_memory memory)
{
	static const uint64_t buffer_types[] = {
		[USER_WRITE_BACK] = 0,
		[USER_BUFFER_WRITE_THROUGH] = PAGE_WRITE_THROUGH,
		[USER_BUFFER_WRITE_PROTECTED] = PAGE_WRITE_PROTECTED,
		[USER_BUFFER_UNCACHEABLE] = PAGE_UNCACHED,
		[USER_TEXT_UNCACHEABLE] = 0,
	};

	if (memory == machine->user_memory)
		return true;
	if (memory != USER_WRITE_BACK && !has_types())
		return false;
	if (memory == USER_BUFFER_WRITE_PROTECTED)
		write_entry_5(PAT_WRITE_PROTECTED);
	map_buffer(buffer_types[memory]);
	map_text(memory == USER_TEXT_UNCACHEABLE ? PAGE_UNCACHED : 0);
	/* No translation and no cache line of the old type stays. */
	write_cr3(read_cr3());
	wbinvd();
	if (machine->user_memory == USER_BUFFER_WRITE_PROTECTED)
		write_entry_5(PAT_WRITE_THROUGH);
	machine->user_memory = memory;
	return true;
}
