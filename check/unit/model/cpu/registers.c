/* SPDX-License-Identifier: BSD-2-Clause */
/* Registers and RDPMC of the modelled processors. */
#include "kernel/lib/bits.h"
#include "model/cpu/cpu.h"
#include "model/pmu/amd/amd.h"
#include "model/profiles/profiles.h"

#include "check/unit/tap.h"

static struct silicon *const cpu = &silicon_cpu;

static void reset(const char *profile)
{
	silicon_reset(cpu, profile_find(profile), NULL);
}

static bool faults(uint32_t msr)
{
	uint64_t value;

	return silicon_rdmsr(cpu, msr, &value) == ACCESS_GP &&
	       silicon_wrmsr(cpu, msr, 0) == ACCESS_GP;
}

static bool all_fault(uint32_t first, uint32_t last)
{
	for (uint32_t msr = first; msr <= last; msr++)
		if (!faults(msr) || !silicon_intercepts_msr(msr))
			return false;
	return true;
}

static uint64_t back(uint32_t msr, uint64_t value)
{
	uint64_t got = ~value;

	if (silicon_wrmsr(cpu, msr, value) != ACCESS_DONE ||
	    silicon_rdmsr(cpu, msr, &got) != ACCESS_DONE)
		return ~value;
	return got;
}

static void test_foreign_ranges(void)
{
	OK(all_fault(0xc1, 0xc8) && all_fault(0x186, 0x18d));
	OK(all_fault(0x300, 0x3f2) && all_fault(0x4c1, 0x4c8));
	OK(all_fault(0xc0000300, 0xc0000303));
	OK(all_fault(0xc001023c, 0xc001023f) && all_fault(0xc0010248, 0xc001025f));
	OK(all_fault(0xc0010800, 0xc001085f));
	OK(all_fault(0xc001103d, 0xc001103f));
}

/* Boxes outside of the core: bits that are not theirs are dropped. */
static void test_boxes(void)
{
	const uint64_t all = ~UINT64_C(0), width = FIELD(47, 0);

	reset("zen2");
	OK(back(0xc0010230, all) == 0xff0f00000040ffff && back(0xc001023b, all) == width);
	OK(back(0xc0010240, all) == 0x1800000f0040ffff && back(0xc0010247, all) == width);
	reset("zen3");
	OK(back(0xc0010230, all) == 0x0307dc000040ffff);
	reset("zen4");
	OK(back(0xc001025e, all) == 0x3f0f40ffff && back(0xc001025f, all) == width);
	/* A counter of a memory controller sleeps unless some counter of its channel is on. */
	OK(back(0xc001085f, 5) == 0 && back(0xc001085c, 0x8000030a) == 0x8000030a);
	OK(back(0xc001085f, 5) == 5 && back(0xc0010857, 5) == 0);
	OK(faults(0xc0010860));
	/* As VirtualBox found an FX-8150. */
	reset("piledriver");
	OK(back(0xc0010240, all) == 0x1ff0058ffff && back(0xc0010247, all) == width);
	OK(faults(0xc0010248) && faults(0xc0010230));
}

static bool not_mine(uint32_t msr)
{
	uint64_t value;

	return !silicon_intercepts_msr(msr) && silicon_rdmsr(cpu, msr, &value) == ACCESS_NOT_MINE &&
	       silicon_wrmsr(cpu, msr, 0) == ACCESS_NOT_MINE;
}

static void test_left_alone(void)
{
	OK(not_mine(0x10) && not_mine(0x1b) && not_mine(0xc0) && not_mine(0xc9));
	OK(not_mine(0x2ff) && not_mine(0x277) && not_mine(0x3f3) && not_mine(0x834));
	OK(not_mine(0xc0000080) && not_mine(0xc0000101) && not_mine(0xc0010010));
}

static void test_legacy_only(const char *profile)
{
	reset(profile);
	test_foreign_ranges();
	OK(all_fault(0xc0010230, 0xc001023b) && all_fault(0xc0010240, 0xc0010247));
	test_left_alone();
	OK(all_fault(0xc0010200, 0xc001020b) && all_fault(0xc0011030, 0xc001103c));
	for (uint32_t i = 0; i < 4; i++) {
		OK(back(0xc0010000 + i, 0x00530076 + i) == 0x00530076 + i);
		OK(back(0xc0010004 + i, UINT64_C(0x123456789abc) + i) ==
		   UINT64_C(0x123456789abc) + i);
	}
	/* No value faults; bit 21 and 63:32 are dropped. */
	OK(back(0xc0010000, ~UINT64_C(0)) == 0xffdfffff);
}

static void test_zen2(void)
{
	uint64_t value;

	reset("zen2");
	test_foreign_ranges();
	test_left_alone();
	OK(faults(0xc001020c) && faults(0xc001021f));
	for (uint32_t i = 0; i < 6; i++) {
		OK(back(0xc0010200 + 2 * i, 0x00530076 + i) == 0x00530076 + i);
		OK(back(0xc0010201 + 2 * i, UINT64_C(0x123456789abc) + i) ==
		   UINT64_C(0x123456789abc) + i);
	}
	/* The old names mean the first four. */
	for (uint32_t i = 0; i < 4; i++) {
		OK(silicon_rdmsr(cpu, 0xc0010000 + i, &value) == ACCESS_DONE &&
		   value == 0x00530076 + i);
		OK(silicon_rdmsr(cpu, 0xc0010004 + i, &value) == ACCESS_DONE &&
		   value == UINT64_C(0x123456789abc) + i);
	}
	back(0xc0010007, 7);
	OK(silicon_rdmsr(cpu, 0xc0010207, &value) == ACCESS_DONE && value == 7);
	OK(back(0xc0010200, ~UINT64_C(0)) == UINT64_C(0x30fffdfffff));
	/* Encodings that reach above bit 31. */
	OK(back(0xc0010202, UINT64_C(0x1004307cf)) == UINT64_C(0x1004307cf));
	OK(back(0xc0010202, UINT64_C(0x20000430076)) == UINT64_C(0x20000430076));
	OK(back(0xc0010202, UINT64_C(0x10000430076)) == UINT64_C(0x10000430076));
	OK(back(0xc0010202, UINT64_C(0xf004000ff)) == UINT64_C(0xf004000ff));
}

/* PerfMonV2: reserved bits are dropped, what is read-only is left alone. */
static void test_zen4(void)
{
	uint64_t value;

	reset("zen4");
	OK(silicon_rdmsr(cpu, 0xc0000301, &value) == ACCESS_DONE && value == 0x3f);
	OK(back(0xc0000301, ~UINT64_C(0)) == 0x3f && back(0xc0000301, 0x15) == 0x15);
	OK(back(0xc0000303, 0xff) == 0 && back(0xc0000300, 0) == 0x3f);
	OK(back(0xc0000302, 0x0f) == 0 && back(0xc0000300, ~UINT64_C(0)) == 0x30);
	OK(back(0xc001020a, 0x00530076) == 0x00530076 && faults(0xc001020c));
}

static bool rdpmc_is(uint32_t index, unsigned cpl, bool pce, uint64_t want)
{
	uint64_t value;

	return silicon_rdpmc(cpu, index, cpl, pce, &value) == ACCESS_DONE && value == want;
}

static bool rdpmc_faults(uint32_t index, unsigned cpl, bool pce)
{
	uint64_t value;

	return silicon_rdpmc(cpu, index, cpl, pce, &value) == ACCESS_GP;
}

static void test_rdpmc(void)
{
	reset("k7");
	/* Both forms of a negative value load the same. */
	OK(back(0xc0010004, UINT64_C(0xfffffffffffffffb)) == UINT64_C(0xfffffffffffb));
	OK(rdpmc_is(0, 0, false, UINT64_C(0x0000fffffffffffb)));
	OK(back(0xc0010004, UINT64_C(0x0000fffffffffffb)) == UINT64_C(0xfffffffffffb));
	OK(rdpmc_is(0, 0, false, UINT64_C(0x0000fffffffffffb)));
	OK(rdpmc_is(3, 0, false, 0) && rdpmc_faults(4, 0, false));
	OK(rdpmc_is(0, 3, true, UINT64_C(0x0000fffffffffffb)) && rdpmc_faults(0, 3, false));
	OK(rdpmc_faults(0, 1, false) && rdpmc_is(1, 1, true, 0));
	OK(rdpmc_faults(0x80000000, 0, true) && rdpmc_faults(0x40000000, 0, true));
	reset("zen2");
	OK(rdpmc_is(5, 0, false, 0) && rdpmc_faults(16, 0, false));
}

/* Boxes of AMD: the data fabric by 6 to 9 and from 16 on, the L3 by 10 to 15. */
static void test_rdpmc_of_boxes(void)
{
	reset("zen4");
	OK(back(0xc0010247, 0x1003) == 0x1003 && rdpmc_is(9, 0, false, 0x1003));
	OK(back(0xc0010249, 0x1004) == 0x1004 && rdpmc_is(16, 0, false, 0x1004));
	OK(back(0xc001025f, 0x100f) == 0x100f && rdpmc_is(27, 0, false, 0x100f));
	OK(rdpmc_faults(28, 0, false) && rdpmc_faults(16, 3, false) &&
	   rdpmc_is(16, 3, true, 0x1004));
	OK(back(0xc0010231, 0x2000) == 0x2000 && rdpmc_is(10, 0, false, 0x2000));
	OK(back(0xc001023b, 0x2005) == 0x2005 && rdpmc_is(15, 0, false, 0x2005));
	reset("zen2");
	OK(rdpmc_is(9, 0, false, 0) && rdpmc_is(15, 0, false, 0) && rdpmc_faults(16, 0, false));
	reset("piledriver");
	OK(rdpmc_is(9, 0, false, 0) && rdpmc_faults(10, 0, false) && rdpmc_faults(16, 0, false));
}

/* As a guest sees them whose hypervisor has no boxes, and one that ignores what it does not know.
 */
static void test_missing(void)
{
	const struct boxes_config missing = {.missing = true, .tsc_hz = 1};
	struct pci_access ubox = {.bus = 0x3f, .df = 11 << 3, .size = 2};
	uint32_t dword = 0;

	reset("sandybridge-ep");
	OK(back(0xd16, 5) == 5 && silicon_pci_read(cpu, &ubox, &dword) && dword == 0x8086);
	silicon_configure_boxes(cpu, &missing);
	OK(all_fault(0xd00, 0xdff) && faults(0xc24) && faults(0x1a4));
	OK(silicon_pci_read(cpu, &ubox, &dword) && dword == 0xffff);
	OK(silicon_pci_write(cpu, &ubox, 0) && back(0x186, 0x400000) == 0x400000);
	silicon_deviate(cpu, lawful_find("kvm_ignores_msrs"));
	OK(back(0xd16, 5) == 0 && back(0xc24, ~UINT64_C(0)) == 0 && back(0x306, 1) == 0);
	/* Registers that are there refuse reserved bits as ever. */
	OK(back(0x186, 0x400000) == 0x400000 && silicon_wrmsr(cpu, 0x186, BIT(63)) == ACCESS_GP);
}

static bool reads(uint32_t msr, uint64_t want)
{
	uint64_t value;

	return silicon_intercepts_msr(msr) && silicon_rdmsr(cpu, msr, &value) == ACCESS_DONE &&
	       value == want;
}

/* Meters of energy, a second after all began, and an update later.  Nobody writes to them. */
static void test_energy(void)
{
	const struct boxes_config config = {.tsc_hz = UINT64_C(2595810000)};

	reset("sandybridge-ep");
	silicon_configure_boxes(cpu, &config);
	silicon_set_tsc(cpu, config.tsc_hz);
	OK(reads(0x606, 0xa1003) && reads(0x611, 20 * 65536) && reads(0x619, 3 * 65536));
	OK(silicon_wrmsr(cpu, 0x606, 0) == ACCESS_GP && silicon_wrmsr(cpu, 0x611, 0) == ACCESS_GP);
	OK(all_fault(0x60a, 0x60d) && faults(0x610) && all_fault(0x612, 0x618));
	OK(all_fault(0x61a, 0x665));
	silicon_set_tsc(cpu, config.tsc_hz + config.tsc_hz / 1000);
	OK(reads(0x611, 20 * 65536 + 1310));
	reset("skylake");
	silicon_configure_boxes(cpu, &config);
	silicon_set_tsc(cpu, 2 * config.tsc_hz);
	OK(reads(0x606, 0xa0e03) && reads(0x639, 24 * 16384) && reads(0x641, 2 * 16384));
	reset("nehalem");
	OK(all_fault(0x606, 0x606) && all_fault(0x610, 0x665));
	reset("zen4");
	silicon_configure_boxes(cpu, &config);
	silicon_set_tsc(cpu, config.tsc_hz);
	OK(reads(0xc0010299, 0xa1003) && reads(0xc001029a, 4 * 65536));
	OK(reads(0xc001029b, 20 * 65536) && faults(0x606) && all_fault(0x610, 0x665));
	reset("piledriver");
	OK(all_fault(0xc0010299, 0xc001029b));
}

/* Registers that belong to no PMU. */
static void test_part(void)
{
	const struct boxes_config config = {.tsc_hz = UINT64_C(2595810000)};
	uint32_t r[4];

	reset("sandybridge-ep");
	silicon_configure_boxes(cpu, &config);
	OK(reads(0x8b, UINT64_C(0x71a00000000)) && silicon_wrmsr(cpu, 0x8b, 0) == ACCESS_DONE);
	OK(reads(0x8b, UINT64_C(0x71a00000000)) && faults(0xc0010114));
	OK(reads(0xce, UINT64_C(0x1a0000001a00)) && silicon_wrmsr(cpu, 0xce, 0) == ACCESS_GP);
	OK(reads(0x3fc, 0) && reads(0x3fd, 0) && all_fault(0x3f8, 0x3fb) && faults(0x3fe));
	OK(all_fault(0x700, 0x77f) && all_fault(0xe00, 0xeff));
	reset("skylake");
	silicon_configure_boxes(cpu, &config);
	silicon_cpuid(cpu, 0x15, 0, r);
	OK(r[0] == 1000 && r[1] == 2596 && r[2] == 1000000000 && !r[3]);
	silicon_cpuid(cpu, 0x16, 0, r);
	OK(r[0] == 2596 && r[1] == 2596 && r[2] == 100 && !r[3]);
	reset("nehalem");
	silicon_configure_boxes(cpu, &config);
	OK(reads(0xce, UINT64_C(0x130000001300)) && all_fault(0x3f8, 0x3fe));
	reset("core2");
	OK(reads(0x8b, UINT64_C(0x60c00000000)) && faults(0xce));
	OK(reads(0xe7, 0) && reads(0xe8, 0) && all_fault(0xc00000e7, 0xc00000e9));
	reset("zen4");
	silicon_configure_boxes(cpu, &config);
	OK(reads(0x8b, 0x0a101121) && silicon_wrmsr(cpu, 0x8b, 0) == ACCESS_GP && faults(0xce));
	OK(reads(0xc0010114, 0x18) && silicon_wrmsr(cpu, 0xc0010114, 0) == ACCESS_GP);
	OK(reads(0xe7, 0) && reads(0xe8, 0) && reads(0xc00000e7, 0) && reads(0xc00000e8, 0));
	OK(silicon_wrmsr(cpu, 0xe8, 1) == ACCESS_DONE &&
	   silicon_wrmsr(cpu, 0xc00000e8, 1) == ACCESS_GP);
	OK(reads(0xc00000e9, 0) && reads(0xc0010015, 0));
	OK(silicon_wrmsr(cpu, 0xc00000e9, 1) == ACCESS_DONE &&
	   silicon_wrmsr(cpu, 0xc0010015, BIT(30)) == ACCESS_DONE);
	reset("k8");
	OK(faults(0xc0010114) && reads(0x8b, 0) && all_fault(0xe7, 0xe8));
	OK(all_fault(0xc00000e7, 0xc00000e9) &&
	   silicon_wrmsr(cpu, 0xc0010015, 0) == ACCESS_NOT_MINE);
}

/* The uncore of a client's processor has no boxes, and a register that enables all of them. */
static void test_client(const char *profile, uint32_t control, uint64_t bits)
{
	reset(profile);
	OK(silicon_intercepts_msr(0x396) && reads(0x396, 0) &&
	   silicon_wrmsr(cpu, 0x396, 0) == ACCESS_GP);
	OK(all_fault(0x394, 0x395) && all_fault(0x3b0, 0x3b3) && all_fault(0x700, 0x707));
	OK(silicon_intercepts_msr(control) && back(control, bits) == bits);
	OK(silicon_wrmsr(cpu, control, bits + 1) == ACCESS_GP && reads(control, bits));
}

static void test_clients(void)
{
	test_client("sandybridge", 0x391, 0xe000000f);
	test_client("haswell", 0x391, 0xe000000f);
	test_client("broadwell", 0x391, 0xe000000f);
	test_client("gracemont", 0x2ff0, 0x20000000);
	test_client("alderlake", 0x2ff0, 0x20000000);
	test_client("redwoodcove", 0x200e, 0x20000000);
	test_client("skymont", 0x240e, 0x20000000);
	test_client("darkmont", 0x240e, 0x20000000);
	reset("icelake");
	OK(reads(0x396, 0) && all_fault(0x2ff0, 0x2ff0) && all_fault(0xe01, 0xe01));
	reset("sandybridge-ep");
	OK(all_fault(0x391, 0x396) && all_fault(0xe01, 0xe01) && all_fault(0x2ff0, 0x2ff0));
}

/* Equal reads give equal digests; another value, or one read more, another. */
static void test_digest(void)
{
	uint64_t value, digest[4];

	for (unsigned i = 0; i < 4; i++) {
		reset("k7");
		silicon_wrmsr(cpu, 0xc0010004, i == 2);
		silicon_rdmsr(cpu, 0xc0010004, &value);
		if (i == 3)
			silicon_rdmsr(cpu, 0xc0010004, &value);
		digest[i] = silicon_tally(cpu).digest;
	}
	OK(digest[0] == digest[1] && digest[0] != digest[2] && digest[0] != digest[3]);
}

int main(void)
{
	test_digest();
	test_legacy_only("k7");
	test_legacy_only("k8");
	test_boxes();
	test_zen2();
	test_zen4();
	test_rdpmc();
	test_rdpmc_of_boxes();
	test_missing();
	test_energy();
	test_part();
	test_clients();
	OK(!profile_find("k9") && !profile_find("") && !profile_find("k"));
	return tap_end();
}
