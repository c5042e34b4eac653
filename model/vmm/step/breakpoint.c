/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The guest's breakpoints, in its debug registers: AMD64 APM volume 2, 13.1.
 *
 * QEMU watches what was in DR7 when that was last loaded by MOV, whatever VMRUN and #VMEXIT
 * exchange (helper_set_dr(), helper_vmrun()).  So the VMM alone loads it: before each entry, and
 * with nothing behind it, as its own accesses are not the guest's.  While the guest is stepped
 * through, QEMU watches data, and DR6 tells behind a step what was hit; and the VMM, before each
 * step, what is executed.  So where data are watched, nothing that accesses memory is executed
 * natively.
 */
#include "stepping.h"

enum { BREAKPOINTS = 4, DR6 = 6 };

#define DR6_HITS FIELD(3, 0)
#define DR6_ONES UINT64_C(0xffff0ff0)
#define DR7_ONES BIT(10)

/* Of breakpoint n. */
#define DR7_ENABLED(n) (UINT64_C(3) << 2 * (n))
#define DR7_TYPE(n)    (UINT64_C(3) << (16 + 4 * (n))) /* 0: it is hit by execution */

static void load_dr7(uint64_t value)
{
	__asm__ volatile("mov %0, %%dr7" : : "r"(value) : "memory");
}

static uint64_t address_of(unsigned n)
{
	uint64_t address;

	switch (n) {
	case 0:
		__asm__ volatile("mov %%dr0, %0" : "=r"(address));
		break;
	case 1:
		__asm__ volatile("mov %%dr1, %0" : "=r"(address));
		break;
	case 2:
		__asm__ volatile("mov %%dr2, %0" : "=r"(address));
		break;
	default:
		__asm__ volatile("mov %%dr3, %0" : "=r"(address));
		break;
	}
	return address;
}

static void set_address(unsigned n, uint64_t address)
{
	switch (n) {
	case 0:
		__asm__ volatile("mov %0, %%dr0" : : "r"(address));
		break;
	case 1:
		__asm__ volatile("mov %0, %%dr1" : : "r"(address));
		break;
	case 2:
		__asm__ volatile("mov %0, %%dr2" : : "r"(address));
		break;
	default:
		__asm__ volatile("mov %0, %%dr3" : : "r"(address));
		break;
	}
}

static bool is_executed(uint64_t dr7, unsigned n)
{
	return dr7 & DR7_ENABLED(n) && !(dr7 & DR7_TYPE(n));
}

bool breakpoint_watches(const struct guest *g, const struct insn *insn)
{
	uint64_t dr7 = g->vmcb->dr7;

	for (unsigned n = 0; n < BREAKPOINTS; n++)
		if (dr7 & DR7_ENABLED(n) && dr7 & DR7_TYPE(n))
			return insn->loads || insn->stores || insn->memory != MEMORY_NONE;
	return false;
}

void breakpoint_enter(const struct guest *g)
{
	uint64_t dr7 = g->vmcb->dr7;

	for (unsigned n = 0; g->stepping && n < BREAKPOINTS; n++)
		if (is_executed(dr7, n))
			dr7 &= ~DR7_ENABLED(n);
	load_dr7(dr7);
}

void breakpoint_leave(void)
{
	load_dr7(DR7_ONES);
}

uint64_t breakpoint_before(const struct guest *g)
{
	const struct vmcb *v = g->vmcb;
	uint64_t hits = 0;

	for (unsigned n = 0; !(v->rflags & RFLAGS_RF) && n < BREAKPOINTS; n++)
		if (is_executed(v->dr7, n) && address_of(n) == v->rip)
			hits |= BIT(n);
	return hits;
}

uint64_t breakpoint_behind(const struct guest *g)
{
	const struct vmcb *v = g->vmcb;
	uint64_t hits = v->dr6 & DR6_HITS;

	for (unsigned n = 0; n < BREAKPOINTS; n++)
		if (!(v->dr7 & DR7_ENABLED(n)) || is_executed(v->dr7, n))
			hits &= ~BIT(n);
	return hits;
}

void breakpoint_show(struct guest *g, uint64_t hits)
{
	if (hits)
		g->vmcb->dr6 = (g->vmcb->dr6 & ~DR6_HITS) | hits;
}

bool breakpoint_write(struct guest *g, unsigned number, uint64_t value)
{
	if (number < BREAKPOINTS)
		set_address(number, value);
	else if (value >> 32)
		return false;
	else if (number == DR6)
		g->vmcb->dr6 = value | DR6_ONES;
	else
		g->vmcb->dr7 = value | DR7_ONES;
	return true;
}
