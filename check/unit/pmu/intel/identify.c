/* SPDX-License-Identifier: BSD-2-Clause */
/* CPUID leaf 0AH: what it means, and what becomes of one that cannot be. */
#include "check/unit/pmu/find.h"
#include "check/unit/tap.h"
#include "pmu/intel/intel.h"
#include "pmu/intel/regs.h"

#define NEHALEM 0x000106a5u
#define SKYLAKE 0x000506e3u

static struct intel_cpu cpu;
static bool usable;

static struct intel_leaves leaves_of(uint32_t signature, uint32_t eax, uint32_t ebx, uint32_t ecx,
				     uint32_t edx)
{
	return (struct intel_leaves){
		.leaf_0 = {0xd, 0x756e6547, 0x6c65746e, 0x49656e69},
		.leaf_1 = {.eax = signature},
		.leaf_a = {eax, ebx, ecx, edx},
	};
}

static void decode(uint32_t signature, uint32_t eax, uint32_t ebx, uint32_t ecx, uint32_t edx)
{
	struct intel_leaves leaves = leaves_of(signature, eax, ebx, ecx, edx);

	usable = intel_decode(&leaves, &cpu);
	printf("# %08x: 0AH = %08x %08x %08x %08x: version %u, %u of %u bits, fixed %x%s%s\n",
	       signature, eax, ebx, ecx, edx, cpu.version, cpu.general, cpu.width, cpu.fixed,
	       cpu.silent ? ": " : "", cpu.silent ? cpu.silent : "");
}

static void check_counters(unsigned version, unsigned general, unsigned width, uint32_t fixed)
{
	OK(usable);
	OK(cpu.version == version);
	OK(cpu.general == general);
	OK(cpu.width == width);
	OK(cpu.fixed == fixed);
}

static void test_counters(void)
{
	decode(0x000006e8, 0x07280201, 0, 0, 0);
	check_counters(1, 2, 40, 0);
	OK(cpu.single_enable && cpu.part == INTEL_YONAH && !cpu.any_thread);
	decode(0x000006f6, 0x07280202, 0, 0, 0x00000503);
	check_counters(2, 2, 40, 7);
	OK(!cpu.single_enable && cpu.part == INTEL_CORE2 && !cpu.any_thread);
	decode(NEHALEM, 0x07300403, 0, 0, 0x00000603);
	check_counters(3, 4, 48, 7);
	OK(cpu.any_thread && cpu.part == INTEL_NEHALEM);
	decode(SKYLAKE, 0x07300404, 0, 0, 0x00000603);
	check_counters(4, 4, 48, 7);
	decode(0x000706e5, 0x08300805, 0, 0xf, 0x00008604);
	check_counters(5, 8, 48, 0xf);
	OK(!cpu.any_thread && cpu.part == INTEL_ICELAKE && !cpu.note);
	/* The first Core 2: three all the same, but what a hypervisor says is meant. */
	decode(0x000006f6, 0x07280202, 0, 0, 0);
	check_counters(2, 2, 40, 7);
}

static void test_fixed_bitmap(void)
{
	struct intel_leaves leaves = leaves_of(0x000006f6, 0x07280202, 0, 0, 0);

	decode(0x000c0652, 0x08300805, 0, 0x77, 0x00008603);
	check_counters(5, 8, 48, 7);
	OK(cpu.fixed_promised == 0x77 && cpu.note);
	decode(NEHALEM, 0x07300403, 0, 0xffffffff, 0x00000603);
	check_counters(3, 4, 48, 7);
	decode(NEHALEM, 0x07300401, 0, 0xffffffff, 0x00000603);
	check_counters(1, 4, 48, 0);
	/* 40 bits among 48. */
	decode(NEHALEM, 0x07300403, 0, 0, 0x00000503);
	check_counters(3, 4, 48, 0);
	OK(cpu.note != NULL);
	leaves.leaf_1.ecx = CPUID_1_ECX_HYPERVISOR;
	usable = intel_decode(&leaves, &cpu);
	check_counters(2, 2, 40, 0);
}

static void test_events(void)
{
	struct pmu_event events[PMU_EVENTS_MAX] = {0};

	decode(NEHALEM, 0x07300403, 4, 0, 0x00000603);
	OK((cpu.unavailable & 0xff) == 0x84);
	decode(NEHALEM, 0x08300403, 0, 0, 0x00000603);
	OK((cpu.unavailable & 0xff) == 0);
	decode(NEHALEM, 0xff300403, 0, 0, 0x00000603);
	OK(cpu.unavailable == 0);
	decode(NEHALEM, 0x05300403, 0, 0, 0x00000603);
	OK((cpu.unavailable & 0xff) == 0xe0);
	intel_events(&cpu, events);
	OK(!events[EV_BRANCHES].name && !find_event(events, "TOPDOWN.SLOTS_P")->name &&
	   !events[EV_NEAR_RETURNS].name);
	OK(events[EV_INSTRUCTIONS].why->accuracy == PMU_EXACT);
	OK(events[EV_CYCLES].why->accuracy == PMU_AT_LEAST);
	OK(events[EV_CYCLES].counters == 0x2f);
	OK(events[EV_INSTRUCTIONS].counters == 0x1f);
	OK(find_event(events, "CPU_CLK_UNHALTED.REF")->counters == 0x40);
	/* Not on general counters, but the fixed one has it. */
	decode(NEHALEM, 0x07300403, 1, 0, 0x00000603);
	memset(events, 0, sizeof(events));
	intel_events(&cpu, events);
	OK(events[EV_CYCLES].counters == 0x20);
}

static void test_parts(void)
{
	struct intel_leaves leaves = leaves_of(0x00090672, 0x08300605, 0, 7, 0x00008603);

	decode(0x00000673, 0, 0, 0, 0);
	check_counters(0, 2, 40, 0);
	OK(cpu.part == INTEL_P6 && cpu.single_enable);
	/* Tolapai, a Pentium M whose leaves end before 0AH. */
	decode(0x00010650, 0, 0, 0, 0);
	check_counters(0, 2, 40, 0);
	OK(cpu.part == INTEL_P6 && cpu.single_enable);
	leaves.leaf_7.edx = CPUID_7_EDX_HYBRID;
	leaves.leaf_1a.eax = 0x20000001;
	OK(intel_decode(&leaves, &cpu) && cpu.part == INTEL_GRACEMONT);
	leaves.leaf_1a.eax = 0x40000001;
	OK(intel_decode(&leaves, &cpu) && cpu.part == INTEL_GOLDEN_COVE);
	/* Families 12h and 13h have architectural events. */
	leaves.leaf_1.eax = 0x00400f10;
	OK(intel_decode(&leaves, &cpu) && cpu.family == 0x13);
}

static void check_silent(const char *why)
{
	OK(!usable);
	OK(cpu.silent != NULL);
	SAME(cpu.silent ? cpu.silent : "", why);
}

static void test_absurd(void)
{
	decode(NEHALEM, 0x07300003, 0, 0, 0x00000603);
	check_silent("CPUID 0AH promises performance monitoring and no general counter");
	decode(NEHALEM, 0x07400403, 0, 0, 0x00000803);
	check_silent("CPUID 0AH promises counters of a width that is documented nowhere");
	decode(NEHALEM, 0x07000403, 0, 0, 0x00000003);
	check_silent("CPUID 0AH promises counters of a width that is documented nowhere");
	decode(NEHALEM, 0x00300403, 0, 0, 0x00000603);
	check_silent("CPUID 0AH says that neither cycles nor instructions can be counted");
	decode(NEHALEM, 0x07300403, 0x7f, 0, 0x00000603);
	check_silent("CPUID 0AH says that neither cycles nor instructions can be counted");
	decode(NEHALEM, 0, 0, 0, 0);
	check_silent("CPUID 0AH tells of no performance monitoring");
	/* More than there are registers for: those that are documented. */
	decode(SKYLAKE, 0x0830ffff, 0, 0xffffffff, 0x0000061f);
	check_counters(255, 8, 48, 0xf);
	OK(cpu.note != NULL);
}

static void test_not_ours(void)
{
	struct intel_leaves leaves = leaves_of(SKYLAKE, 0x07300404, 0, 0, 0x603);

	decode(0x00000f29, 0, 0, 0, 0);
	OK(!usable && !cpu.silent);
	decode(0x00000543, 0, 0, 0, 0);
	OK(!usable && !cpu.silent);
	leaves.leaf_0.ebx = 0x68747541;
	OK(!intel_decode(&leaves, &cpu) && !cpu.silent);
}

static void test_branch_records(void)
{
	decode(SKYLAKE, 0x07300404, 0, 0, 0x603);
	OK(intel_lbr(&cpu).entries == 32 && intel_lbr(&cpu).from == 0x680 &&
	   intel_lbr(&cpu).select);
	decode(0x000006f6, 0x07280202, 0, 0, 0x503);
	OK(intel_lbr(&cpu).entries == 4 && intel_lbr(&cpu).from == 0x40 && !intel_lbr(&cpu).select);
	OK(intel_arch_lbr_entries(&cpu) == 0);
	cpu.arch_lbr = true;
	OK(intel_lbr(&cpu).entries == 0 && intel_arch_lbr_entries(&cpu) == 0);
	cpu.leaf_1c = (struct cpuid_regs){.eax = 0x4000000b, .ebx = 7, .ecx = 7};
	OK(intel_arch_lbr_entries(&cpu) == 32 && intel_arch_lbr_control(&cpu) == 0x7f000f);
	cpu.leaf_1c = (struct cpuid_regs){.eax = 0x80, .ebx = 1};
	OK(intel_arch_lbr_entries(&cpu) == 64 && intel_arch_lbr_control(&cpu) == 7);
	cpu.leaf_1c.ebx = 6;
	OK(intel_arch_lbr_control(&cpu) == 0x7f0009);
}

int main(void)
{
	test_counters();
	test_fixed_bitmap();
	test_events();
	test_parts();
	test_absurd();
	test_not_ours();
	test_branch_records();
	return tap_end();
}
