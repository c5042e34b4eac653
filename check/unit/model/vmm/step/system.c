/* SPDX-License-Identifier: BSD-2-Clause */
/* SYSCALL and SYSRET, as the manual has them: AMD64 APM volume 3. */
#include "bench.h"
#include "model/profiles/profiles.h"

#define FLAG_TF  BIT(8)
#define FLAG_RF  BIT(16)
#define FLAG_AC  BIT(18)
#define EFER_SCE BIT(0)
#define KERNEL   UINT64_C(0xffffffff81000000)

static void enable(void)
{
	begin();
	vmcb.efer = EFER_SCE;
	/* SYSCALL to 0010h and 0018h, SYSRET to 0023h + 10h and + 8h. */
	msrs[MSR_STAR] = UINT64_C(0x0023001000000000);
	msrs[MSR_LSTAR] = KERNEL;
	msrs[MSR_SFMASK] = FLAG_IF | FLAG_TF;
}

static bool executed(const char *hex)
{
	unsigned length;
	const struct known *known = known_at(RIP, hex, &length);

	return native_execute(&guest, &known->plan, length);
}

static void test_syscall(void)
{
	enable();
	vmcb.cpl = 3;
	vmcb.rflags |= FLAG_TF | FLAG_RF | FLAG_AC;
	OK(executed("0f 05"));
	OK(vmcb.rip == (KERNEL));
	OK(vmm_gpr[RCX] == (RIP + 2));
	OK(vmm_gpr[11] == (FLAG_IF | FLAG_TF | FLAG_AC | RFLAGS_RESERVED_1));
	OK(vmcb.rflags == (FLAG_AC | RFLAGS_RESERVED_1));
	OK(vmcb.cpl == (0));
	OK(vmcb.cs.selector == (0x10));
	OK(vmcb.cs.attributes == (0xa9b));
	OK(vmcb.ss.selector == (0x18));
	OK(vmcb.ss.attributes == (0xc93));
}

static void test_sysret(void)
{
	enable();
	vmm_gpr[RCX] = 0x400000;
	vmm_gpr[11] = FLAG_IF | FLAG_RF;
	OK(executed("48 0f 07"));
	OK(vmcb.rip == (0x400000));
	OK(vmcb.rflags == (FLAG_IF | RFLAGS_RESERVED_1));
	OK(vmcb.cpl == (3));
	OK(vmcb.cs.selector == (0x33));
	OK(vmcb.cs.attributes == (0xafb));
	OK(vmcb.ss.selector == (0x2b));
	OK(vmcb.ss.attributes == (0xcf3));
	OK(guest.look);
}

/* Where it faults, and to 32-bit code, the guest does it. */
static void test_left(void)
{
	enable();
	OK(!executed("0f 07"));
	vmcb.cpl = 3;
	OK(!executed("48 0f 07"));
	vmcb.efer = 0;
	OK(!executed("0f 05"));
	vmcb.cpl = 0;
	OK(!executed("48 0f 07"));
	OK(vmcb.rip == (RIP));
}

int main(void)
{
	silicon_reset(&silicon_cpu, profile_find("zen2"), NULL);
	test_syscall();
	test_sysret();
	test_left();
	return tap_end();
}
