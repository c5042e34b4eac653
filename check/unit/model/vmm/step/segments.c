/* SPDX-License-Identifier: BSD-2-Clause */
/* Loads of a segment register that change nothing, which the VMM does itself. */
#include "model/profiles/profiles.h"

#include "bench.h"

/* DS has what the selector 8 stands for. */
static void begin_segment(void)
{
	begin();
	vmm_gpr[RCX] = 8;
	vmcb.ds = (struct vmcb_segment){8, 0xa93, UINT32_MAX, 0};
}

static void test_segments(void)
{
	begin_segment();
	OK(done("8e d9") && vmcb.ds.selector == 8);
	OK(!entered && left("8e d1") && left("8e e1") && left("8e 19")); /* SS, FS, from memory */
	begin_segment();
	OK(!done("8e c1")); /* ES has another one */
	begin_segment();
	vmm_gpr[RCX] = 0x10;
	OK(!done("8e d9"));
	begin_segment();
	gdt[1] |= BIT(16); /* base */
	OK(!done("8e d9"));
	begin_segment();
	gdt[1] &= ~BIT(0); /* limit */
	OK(!done("8e d9"));
	begin_segment();
	gdt[1] &= ~BIT(40); /* accessed */
	OK(!done("8e d9"));
	begin_segment();
	vmcb.gdtr.limit = 14;
	OK(!done("8e d9"));
	begin_segment();
	vmcb.cpl = 3;
	OK(!done("8e d9"));
}

static void test_segments_of_users(void)
{
	begin();
	vmcb.cpl = 3;
	vmm_gpr[RCX] = 0x13;
	vmcb.ds = (struct vmcb_segment){0x13, 0xcf3, UINT32_MAX, 0};
	OK(done("8e d9"));
	begin_segment();
	vmm_gpr[RCX] = vmcb.ds.selector = 0xb; /* asks for ring 3 */
	OK(!done("8e d9"));
	begin_segment();
	vmm_gpr[RCX] = vmcb.ds.selector = 0xc; /* of the LDT */
	OK(!done("8e d9"));
	begin();
	vmm_gpr[RCX] = 0;
	OK(!done("8e d9"));
}

int main(void)
{
	silicon_reset(&silicon_cpu, profile_find("zen2"), NULL);
	test_segments();
	test_segments_of_users();
	return tap_end();
}
