/* SPDX-License-Identifier: BSD-2-Clause */
/* SYSCALL and SYSRET of 64-bit mode, as AMD64 APM volume 3 describes them. */
#include "guest.h"

#define STAR_SYSCALL FIELD(47, 32)
#define STAR_SYSRET  FIELD(63, 48)

/* Present, not system; the flat segments that both instructions load without a look at the GDT. */
enum { FLAT_CODE = 0x09b, FLAT_DATA = 0xc93, FLAT_LONG = 0x200, FLAT_SMALL = 0xc00 };

static void load_flat(struct vmcb_segment *segment, uint64_t selector, unsigned attributes,
		      unsigned cpl)
{
	*segment = (struct vmcb_segment){
		.selector = (uint16_t)((selector & ~3u) | cpl),
		.attributes = (uint16_t)(attributes | field_put(SEGMENT_DPL, cpl)),
		.limit = 0xffffffff,
	};
}

static uint64_t msr(uint32_t number)
{
	uint64_t value = 0;

	msr_read(number, &value);
	return value;
}

/* These registers are the guest's: VMRUN does not exchange them, and the VMM does not use them. */
void syscall_enter(struct guest *g, uint64_t next_rip)
{
	struct vmcb *v = g->vmcb;
	uint64_t selector = field_get(STAR_SYSCALL, msr(MSR_STAR));

	vmm_gpr[RCX] = next_rip;
	vmm_gpr[R11] = v->rflags & ~RFLAGS_RF;
	v->rflags &= ~(msr(MSR_SFMASK) | RFLAGS_RF);
	v->rflags |= RFLAGS_RESERVED_1;
	v->rip = msr(MSR_LSTAR);
	load_flat(&v->cs, selector, FLAT_CODE | FLAT_LONG, 0);
	load_flat(&v->ss, selector + 8, FLAT_DATA, 0);
	v->cpl = 0;
}

void syscall_leave(struct guest *g, bool to_long_mode)
{
	struct vmcb *v = g->vmcb;
	uint64_t selector = field_get(STAR_SYSRET, msr(MSR_STAR));

	if (to_long_mode)
		load_flat(&v->cs, selector + 16, FLAT_CODE | FLAT_LONG, 3);
	else
		load_flat(&v->cs, selector, FLAT_CODE | FLAT_SMALL, 3);
	load_flat(&v->ss, selector + 8, FLAT_DATA, 3);
	v->rflags = (vmm_gpr[R11] & ~(RFLAGS_RF | RFLAGS_VM)) | RFLAGS_RESERVED_1;
	v->rip = to_long_mode ? vmm_gpr[RCX] : (uint32_t)vmm_gpr[RCX];
	v->cpl = 3;
}
