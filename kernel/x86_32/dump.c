/* SPDX-License-Identifier: BSD-2-Clause */
/* Prints the registers that a trap found. */
#include "x86_32.h"

void dump_registers(const struct trap_frame *f)
{
	const struct registers *r =
		(const void *)((const char *)f - offsetof(struct registers, frame));
	const struct {
		const char *name;
		uint32_t val;
	} regs[] = {
		{"eax", f->ax}, {"ebx", r->bx},    {"ecx", r->cx}, {"edx", r->dx},
		{"esi", f->si}, {"edi", f->di},    {"ebp", f->bp}, {"esp", f->sp},
		{"eip", f->ip}, {"efl", f->flags}, {"cs ", f->cs}, {"ss ", f->ss},
	};

	for (unsigned i = 0; i < ARRAY_SIZE(regs); i += 4)
		report_diag("%s %08x  %s %08x  %s %08x  %s %08x", regs[i].name, regs[i].val,
			    regs[i + 1].name, regs[i + 1].val, regs[i + 2].name, regs[i + 2].val,
			    regs[i + 3].name, regs[i + 3].val);
}
