/* SPDX-License-Identifier: BSD-2-Clause */
/* While something counts what comes from memory: which memory each instruction accesses. */
#include "stepping.h"

enum { PAGE = 4096 };

/* Notes on the instruction at hand, taken before it is executed. */
static struct {
	const struct insn *insn; /* NULL: it does not matter */
	bool operand;
	uint64_t linear; /* of its operand */
	uint64_t rsi, rdi;
} noted;

HOT void watch_prepare(const struct guest *g, const struct insn *insn, const struct plan *plan)
{
	noted.insn = NULL;
	if (!silicon_watches_memory(&silicon_cpu) || insn->memory == MEMORY_NONE)
		return;
	noted.insn = insn;
	noted.operand = plan->operand;
	if (plan->operand)
		noted.linear = native_operand(g, plan);
	noted.rsi = vmm_gpr[RSI];
	noted.rdi = vmm_gpr[RDI];
}

/* The program goes on when memory has answered. */
static void report(const struct guest *g, const struct memory_access *access)
{
	if (silicon_is_settled(&silicon_cpu, access))
		return;
	silicon_set_tsc(&silicon_cpu, time_of_boxes(g));
	time_await(g, silicon_memory(&silicon_cpu, access));
}

static void report_range(const struct guest *g, enum memory_kind kind, uint64_t linear,
			 uint64_t size)
{
	while (size) {
		struct memory_access access = {.kind = kind, .size = PAGE - linear % PAGE};

		if (access.size > size)
			access.size = size;
		if (guest_locate(g, linear, &access))
			report(g, &access);
		linear += access.size;
		size -= access.size;
	}
}

/* Reports the memory that an upward string instruction has gone over. */
static void report_string(const struct guest *g)
{
	if (vmm_gpr[RSI] > noted.rsi)
		report_range(g, MEMORY_LOAD, noted.rsi, vmm_gpr[RSI] - noted.rsi);
	if (vmm_gpr[RDI] > noted.rdi)
		report_range(g, noted.insn->memory, noted.rdi, vmm_gpr[RDI] - noted.rdi);
}

/* A locked access is reported as one, even across the end of a page: the programs' pages follow
 * each other in physical memory, too. */
static void report_locked(const struct guest *g)
{
	struct memory_access access = {
		.kind = noted.insn->memory, .size = noted.insn->width, .locked = true};

	if (guest_locate(g, noted.linear, &access))
		report(g, &access);
}

HOT void watch_retired(const struct guest *g)
{
	const struct insn *insn = noted.insn;

	if (!insn)
		return;
	if (insn->memory == MEMORY_FENCE)
		report(g, &(const struct memory_access){.kind = MEMORY_FENCE});
	else if (insn->string)
		report_string(g);
	else if (noted.operand && insn->locked)
		report_locked(g);
	else if (noted.operand)
		report_range(g, insn->memory, noted.linear,
			     insn->memory == MEMORY_FLUSH || insn->memory == MEMORY_FORGET
				     ? 1
				     : insn->width);
}
