/* SPDX-License-Identifier: BSD-2-Clause */
/* Prints the registers that a trap found. */
#include "x86_64.h"

/* The push order of trap.asm. */
struct registers {
	uint64_t r15, r14, r13, r12, r11, r10, r9, r8, rdx, rcx, rbx;
	struct trap_frame frame;
};
_Static_assert(sizeof(struct registers) % 16 == 0, "trap.asm calls trap() with RSP aligned");

void dump_registers(const struct trap_frame *f)
{
	const struct registers *r =
		(const void *)((const char *)f - offsetof(struct registers, frame));
	const struct {
		const char *name;
		uint64_t val;
	} regs[] = {
		{"rax", f->ax},  {"rbx", r->rbx},   {"rcx", r->rcx}, {"rdx", r->rdx},
		{"rsi", f->si},  {"rdi", f->di},    {"rbp", f->bp},  {"rsp", f->sp},
		{"r8 ", r->r8},  {"r9 ", r->r9},    {"r10", r->r10}, {"r11", r->r11},
		{"r12", r->r12}, {"r13", r->r13},   {"r14", r->r14}, {"r15", r->r15},
		{"rip", f->ip},  {"rfl", f->flags}, {"cs ", f->cs},  {"ss ", f->ss},
	};

	for (unsigned i = 0; i < ARRAY_SIZE(regs); i += 4)
		report_diag("%s %016llx  %s %016llx  %s %016llx  %s %016llx", regs[i].name,
			    (unsigned long long)regs[i].val, regs[i + 1].name,
			    (unsigned long long)regs[i + 1].val, regs[i + 2].name,
			    (unsigned long long)regs[i + 2].val, regs[i + 3].name,
			    (unsigned long long)regs[i + 3].val);
}
