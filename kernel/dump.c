/* SPDX-License-Identifier: BSD-2-Clause */
/* Describes a trap that ends a guard: its name and place, the registers, the backtrace. */
#include "state.h"

#define BACKTRACE_MAX 16u

static const char *const vector_names[] = {
	"#DE", "#DB", "NMI", "#BP", "#OF",       "#BR", "#UD", "#NM", "#DF", "vector 9", "#TS",
	"#NP", "#SS", "#GP", "#PF", "vector 15", "#MF", "#AC", "#MC", "#XM", "#VE",      "#CP",
};

void trap_name(char name[TRAP_NAME_SIZE], uint64_t vector)
{
	if (vector < ARRAY_SIZE(vector_names))
		fmt_print(name, TRAP_NAME_SIZE, "%s", vector_names[vector]);
	else
		fmt_print(name, TRAP_NAME_SIZE, "vector %u", (unsigned)vector);
}

/* The read may fault, because a frame pointer may hold anything. */
static bool peek(uintptr_t address, uintptr_t *val)
{
	long fault = FAULT_NONE;

	__asm__ volatile("1: mov %2, %0\n2:\n" CATCH("1b", "2b")
			 : "=r"(*val), "+S"(fault)
			 : "m"(*(const uintptr_t *)address)
			 : "memory");
	return fault == FAULT_NONE;
}

void dump_backtrace(uintptr_t ip, uintptr_t bp, void (*line)(const char *place))
{
	line(machine_symbol(ip));
	for (unsigned i = 0; i < BACKTRACE_MAX; i++) {
		uintptr_t outer, back;

		if (bp % sizeof(bp) != 0 || !peek(bp, &outer) || !peek(bp + sizeof(bp), &back) ||
		    back == 0)
			return;
		line(machine_symbol(back));
		if (outer == bp)
			return;
		bp = outer;
	}
}

static void diag_line(const char *place)
{
	report_diag("  %s", place);
}

const char *dump_trap(const struct trap_frame *frame, const char *what, bool vector)
{
	struct processor *p = this_processor();
	unsigned long long cr2 = read_cr2();
	char name[TRAP_NAME_SIZE] = "";

	if (vector)
		trap_name(name, frame->vector);
	fmt_print(p->reason, sizeof(p->reason), "%s%s%s in ring %u at %s", what, vector ? " " : "",
		  name, (unsigned)(frame->cs & 3), machine_symbol(frame->ip));
	if (p->silent)
		return p->reason;
	report_diag("%s", p->reason);
	report_diag("error code %llx, cr2 %llx", (unsigned long long)frame->error, cr2);
	dump_registers(frame);
	dump_backtrace(frame->ip, frame->bp, diag_line);
	return p->reason;
}
