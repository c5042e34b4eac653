/* SPDX-License-Identifier: BSD-2-Clause */
/* System instructions, as the AMD64 APM volume 3 has them, and the Intel SDM volume 2 those that
 * AMD has not in 64-bit code. */
#include "kernel/lib/string.h"
#include "native.h"

#define SELECTOR_LDT     BIT(2)
#define CR4_UMIP         BIT(11)

#define MSR_STAR         0xc0000081u
#define MSR_LSTAR        0xc0000082u
#define MSR_SFMASK       0xc0000084u

#define MSR_SYSENTER_CS  0x174u
#define MSR_SYSENTER_ESP 0x175u
#define MSR_SYSENTER_EIP 0x176u

#define EFER_SCE         BIT(0)

#define STAR_SYSCALL_CS  FIELD(47, 32)
#define STAR_SYSRET_CS   FIELD(63, 48)

/* Attributes of flat segments as both load them, but for the level. */
#define SEGMENT_CODE 0xa9b /* pages, 64-bit, present, execute and read, accessed */
#define SEGMENT_DATA 0xc93 /* pages, 32-bit, present, read and write, accessed */

/* Flags that SYSRET takes from R11: all but RF and VM. */
#define FLAGS_RETURNED                                                                             \
	(FIELD(21, 18) | FIELD(14, 14) | FIELD(13, 12) | FIELD(11, 6) | BIT(4) | BIT(2) | BIT(0))

/* ---- segments ---- */

/* It stores a limit of two bytes, and a base. */
bool native_sgdt(struct guest *g, const struct plan *plan, uint64_t next)
{
	uint64_t to = native_operand(g, plan);

	if (g->vmcb->cr4 & CR4_UMIP || !guest_same_address(g, to, true) ||
	    !guest_same_address(g, to + 2, true))
		return false;
	memcpy((void *)(uintptr_t)to, &g->vmcb->gdtr.limit, 2);
	memcpy((void *)(uintptr_t)(to + 2), &g->vmcb->gdtr.base, guest_word(g));
	g->vmcb->rip = next;
	return true;
}

/* The guest's pages are the VMM's business in two places: what the processor knows, and what is
 * kept. */
bool native_invlpg(struct guest *g, const struct plan *plan, uint64_t next)
{
	if (g->vmcb->cpl || g->nest.inside)
		return false;
	invlpga(native_operand(g, plan), g->vmcb->asid);
	guest_forget_pages();
	g->vmcb->rip = next;
	return true;
}

/* Finds the segment that the register would be loaded with. */
static bool find_segment(const struct guest *g, uint16_t selector, struct vmcb_segment *s)
{
	const struct vmcb_segment *gdt = &g->vmcb->gdtr;
	uint64_t offset = selector & ~7u, d;

	if (offset + 7 > gdt->limit || !guest_read(g, gdt->base + offset, &d, sizeof(d)))
		return false;
	*s = (struct vmcb_segment){
		.selector = selector,
		.attributes = segment_attributes(d),
		.limit = (uint32_t)(field_get(FIELD(51, 48), d) << 16 | field_get(FIELD(15, 0), d)),
		.base = field_get(FIELD(63, 56), d) << 24 | field_get(FIELD(39, 16), d),
	};
	if (s->attributes & SEGMENT_PAGES)
		s->limit = s->limit << 12 | 0xfff;
	return true;
}

/* Only loads that change nothing: the segment was loaded before, so it can be, unless from another
 * level. */
bool native_segment(struct guest *g, const struct plan *plan, uint64_t next)
{
	struct vmcb_segment *loaded = plan->index == 0 ? &g->vmcb->es : &g->vmcb->ds;
	uint16_t selector = (uint16_t)guest_gpr(g, (unsigned)plan->base);
	struct vmcb_segment s;

	if (selector != loaded->selector || !(selector & ~3u) || selector & SELECTOR_LDT ||
	    !find_segment(g, selector, &s) || s.attributes != loaded->attributes ||
	    s.limit != loaded->limit || s.base != loaded->base ||
	    field_get(SEGMENT_DPL, s.attributes) < (selector & 3) ||
	    field_get(SEGMENT_DPL, s.attributes) < g->vmcb->cpl)
		return false;
	g->vmcb->rip = next;
	return true;
}

/* ---- SYSCALL and SYSRET between 64-bit code ---- */

/*
 * The one saves RFLAGS in R11, with the trap flag that the guest is stepped through by, and clears
 * it; the other loads it.  So the guest never executes them itself while it is stepped through.
 */

static void load_segments(struct vmcb *v, uint16_t cs, uint16_t ss, unsigned cpl)
{
	uint16_t level = (uint16_t)field_put(SEGMENT_DPL, cpl);

	v->cs = (struct vmcb_segment){cs, SEGMENT_CODE | level, UINT32_MAX, 0};
	v->ss = (struct vmcb_segment){ss, SEGMENT_DATA | level, UINT32_MAX, 0};
	v->cpl = (uint8_t)cpl;
}

static uint64_t star(uint64_t field)
{
	uint64_t value = 0;

	msr_read(MSR_STAR, &value);
	return field_get(field, value);
}

bool native_syscall(struct guest *g, uint64_t next)
{
	struct vmcb *v = g->vmcb;
	uint16_t cs = (uint16_t)(star(STAR_SYSCALL_CS) & ~3u);
	uint64_t mask = 0;

	if (!(v->efer & EFER_SCE))
		return false;
	msr_read(MSR_SFMASK, &mask);
	msr_read(MSR_LSTAR, &v->rip);
	vmm_gpr[RCX] = next;
	vmm_gpr[11] = v->rflags & ~RFLAGS_RF;
	v->rflags = (v->rflags & ~mask & ~RFLAGS_RF) | RFLAGS_RESERVED_1;
	load_segments(v, cs, (uint16_t)(cs + 8), 0);
	return true;
}

bool native_sysret(struct guest *g)
{
	struct vmcb *v = g->vmcb;
	uint16_t base = (uint16_t)star(STAR_SYSRET_CS);

	if (!(v->efer & EFER_SCE) || v->cpl != 0)
		return false;
	v->rip = vmm_gpr[RCX];
	v->rflags = (vmm_gpr[11] & FLAGS_RETURNED) | RFLAGS_RESERVED_1;
	load_segments(v, (uint16_t)((base + 16) | 3), (uint16_t)((base + 8) | 3), 3);
	if (v->rflags & RFLAGS_IF)
		g->look = true;
	return true;
}

/* ---- SYSENTER and SYSEXIT between 64-bit code: both leave TF as it is ---- */

static uint16_t sysenter_cs(void)
{
	uint64_t value = 0;

	msr_read(MSR_SYSENTER_CS, &value);
	return (uint16_t)(value & ~UINT64_C(3));
}

bool native_sysenter(struct guest *g)
{
	struct vmcb *v = g->vmcb;
	uint16_t cs = sysenter_cs();

	if (!cs)
		return false;
	msr_read(MSR_SYSENTER_EIP, &v->rip);
	msr_read(MSR_SYSENTER_ESP, &v->rsp);
	v->rflags &= ~(RFLAGS_IF | RFLAGS_RF);
	load_segments(v, cs, (uint16_t)(cs + 8), 0);
	return true;
}

bool native_sysexit(struct guest *g)
{
	struct vmcb *v = g->vmcb;
	uint16_t cs = sysenter_cs();

	if (!cs || v->cpl != 0)
		return false;
	v->rip = vmm_gpr[RDX];
	v->rsp = vmm_gpr[RCX];
	v->rflags &= ~RFLAGS_RF;
	load_segments(v, (uint16_t)((cs + 32) | 3), (uint16_t)((cs + 40) | 3), 3);
	return true;
}
