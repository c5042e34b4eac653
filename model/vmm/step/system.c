/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * SYSCALL and SYSRET between 64-bit code, as the AMD64 APM volume 3 has them: the one saves RFLAGS
 * in R11, with the trap flag that the guest is stepped through by, and clears it; the other loads
 * it.  So the guest never executes them itself while it is stepped through.
 */
#include "native.h"

#define MSR_STAR        0xc0000081u
#define MSR_LSTAR       0xc0000082u
#define MSR_SFMASK      0xc0000084u

#define EFER_SCE        BIT(0)

#define STAR_SYSCALL_CS FIELD(47, 32)
#define STAR_SYSRET_CS  FIELD(63, 48)

/* Attributes of flat segments as both load them, but for the level. */
#define SEGMENT_CODE 0xa9b /* pages, 64-bit, present, execute and read, accessed */
#define SEGMENT_DATA 0xc93 /* pages, 32-bit, present, read and write, accessed */

/* What SYSRET takes from R11: but RF and VM. */
#define FLAGS_RETURNED                                                                             \
	(FIELD(21, 18) | FIELD(14, 14) | FIELD(13, 12) | FIELD(11, 6) | BIT(4) | BIT(2) | BIT(0))

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
