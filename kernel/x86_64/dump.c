/* SPDX-License-Identifier: BSD-2-Clause */
/* What is said about a trap that ends something: registers and backtrace. */
#include "kernel/state.h"

#define BACKTRACE_MAX 16u

static const char *const vector_names[] = {
	"#DE", "#DB", "NMI", "#BP", "#OF",       "#BR", "#UD", "#NM", "#DF", "vector 9", "#TS",
	"#NP", "#SS", "#GP", "#PF", "vector 15", "#MF", "#AC", "#MC", "#XM", "#VE",      "#CP",
};

const char *dump_vector_name(uint64_t vector)
{
	static char text[24];

	if (vector < ARRAY_SIZE(vector_names))
		return vector_names[vector];
	fmt_print(text, sizeof(text), "vector %u", (unsigned)vector);
	return text;
}

/* A frame pointer may be anything: the read may fault. */
static bool peek(uint64_t address, uint64_t *val)
{
	long fault = FAULT_NONE;

	__asm__ volatile("1: mov %2, %0\n2:\n" CATCH(1b, 2b)
			 : "=r"(*val), "+S"(fault)
			 : "m"(*(const uint64_t *)(uintptr_t)address)
			 : "memory");
	return fault == FAULT_NONE;
}

void dump_backtrace(uint64_t rip, uint64_t rbp, void (*line)(const char *place))
{
	line(machine_symbol(rip));
	for (unsigned i = 0; i < BACKTRACE_MAX; i++) {
		uint64_t outer, back;

		if (rbp % 8 != 0 || !peek(rbp, &outer) || !peek(rbp + 8, &back) || back == 0)
			return;
		line(machine_symbol(back));
		if (outer == rbp)
			return;
		rbp = outer;
	}
}

static void diag_line(const char *place)
{
	report_diag("  %s", place);
}

static void dump_registers(const struct trap_frame *f)
{
	const struct {
		const char *name;
		uint64_t val;
	} regs[] = {
		{"rax", f->rax}, {"rbx", f->rbx},    {"rcx", f->rcx}, {"rdx", f->rdx},
		{"rsi", f->rsi}, {"rdi", f->rdi},    {"rbp", f->rbp}, {"rsp", f->rsp},
		{"r8 ", f->r8},  {"r9 ", f->r9},     {"r10", f->r10}, {"r11", f->r11},
		{"r12", f->r12}, {"r13", f->r13},    {"r14", f->r14}, {"r15", f->r15},
		{"rip", f->rip}, {"rfl", f->rflags}, {"cs ", f->cs},  {"ss ", f->ss},
	};

	for (unsigned i = 0; i < ARRAY_SIZE(regs); i += 4)
		report_diag("%s %016llx  %s %016llx  %s %016llx  %s %016llx", regs[i].name,
			    (unsigned long long)regs[i].val, regs[i + 1].name,
			    (unsigned long long)regs[i + 1].val, regs[i + 2].name,
			    (unsigned long long)regs[i + 2].val, regs[i + 3].name,
			    (unsigned long long)regs[i + 3].val);
}

const char *dump_trap(const struct trap_frame *frame, const char *what, bool vector)
{
	static char sentence[160];
	uint64_t cr2 = read_cr2();

	fmt_print(sentence, sizeof(sentence), "%s%s%s in ring %u at %s", what, vector ? " " : "",
		  vector ? dump_vector_name(frame->vector) : "", (unsigned)(frame->cs & 3),
		  machine_symbol(frame->rip));
	report_diag("%s", sentence);
	report_diag("error code %llx, cr2 %llx", (unsigned long long)frame->error,
		    (unsigned long long)cr2);
	dump_registers(frame);
	dump_backtrace(frame->rip, frame->rbp, diag_line);
	return sentence;
}
