/* SPDX-License-Identifier: BSD-2-Clause */
/* Registers, RDPMC and CPUID of the modelled processors. */
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
	OK(all_fault(0xc0010230, 0xc001023b) && all_fault(0xc0010240, 0xc001025f));
	OK(all_fault(0xc0010800, 0xc001085f) && all_fault(0xc0011030, 0xc001103d));
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
	test_left_alone();
	OK(all_fault(0xc0010200, 0xc001020b));
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

static void test_cpuid_v2(void)
{
	uint32_t r[4] = {0x8000001f, 0, 0, 0};

	reset("zen4");
	silicon_cpuid(cpu, 0x80000000, 0, r);
	OK(r[0] == 0x80000028);
	silicon_cpuid(cpu, 0x80000022, 0, r);
	OK(r[0] == 7 && r[1] == 0x106 && !r[2] && !r[3]);
	reset("zen5");
	silicon_cpuid(cpu, 0x80000022, 0, r);
	OK(r[0] == 7 && r[1] == 0x00084106 && r[2] == 3 && !r[3]);
	reset("zen2");
	silicon_cpuid(cpu, 0x80000022, 0, r);
	OK(!r[0] && !r[1]);
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
	OK(rdpmc_is(5, 0, false, 0) && rdpmc_faults(6, 0, false) && rdpmc_faults(10, 0, false));
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

/* Registers that belong to no PMU. */
static void test_part(void)
{
	const struct boxes_config config = {.tsc_hz = UINT64_C(2595810000)};
	uint32_t r[4];

	reset("sandybridge-ep");
	silicon_configure_boxes(cpu, &config);
	OK(reads(0x8b, UINT64_C(0x71a00000000)) && silicon_wrmsr(cpu, 0x8b, 0) == ACCESS_DONE);
	OK(reads(0x8b, UINT64_C(0x71a00000000)) && faults(0xc0010114) && all_fault(0x606, 0x606));
	OK(reads(0xce, UINT64_C(0x1a0000001a00)) && silicon_wrmsr(cpu, 0xce, 0) == ACCESS_GP);
	OK(reads(0x3fc, 0) && reads(0x3fd, 0) && all_fault(0x3f8, 0x3fb) && faults(0x3fe));
	OK(all_fault(0x610, 0x665) && all_fault(0x700, 0x77f) && all_fault(0xe00, 0xeff));
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
	OK(reads(0x8b, 0x0a101121) && silicon_wrmsr(cpu, 0x8b, 0) == ACCESS_GP && faults(0xce));
	OK(reads(0xc0010114, 0x18) && silicon_wrmsr(cpu, 0xc0010114, 0) == ACCESS_GP);
	OK(reads(0xe7, 0) && reads(0xe8, 0) && reads(0xc00000e7, 0) && reads(0xc00000e8, 0));
	OK(silicon_wrmsr(cpu, 0xe8, 1) == ACCESS_DONE &&
	   silicon_wrmsr(cpu, 0xc00000e8, 1) == ACCESS_GP);
	OK(reads(0xc00000e9, 0) && reads(0xc0010015, 0) && all_fault(0xc0010299, 0xc001029b));
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
	test_client("skylake", 0xe01, 0xe000001f);
	test_client("gracemont", 0x2ff0, 0x20000000);
	test_client("goldencove", 0x2ff0, 0x20000000);
	test_client("alderlake", 0x2ff0, 0x20000000);
	reset("icelake");
	OK(reads(0x396, 0) && all_fault(0x2ff0, 0x2ff0) && all_fault(0xe01, 0xe01));
	reset("sandybridge-ep");
	OK(all_fault(0x391, 0x396) && all_fault(0xe01, 0xe01) && all_fault(0x2ff0, 0x2ff0));
}

static void test_cpuid_common(uint32_t last, uint32_t ibs, bool has_aperf)
{
	uint32_t r[4] = {0, 0, 0, 0};

	silicon_cpuid(cpu, 0, 0, r);
	OK(r[0] == last && r[1] == 0x68747541 && r[3] == 0x69746e65 && r[2] == 0x444d4163);
	silicon_cpuid(cpu, 0x40000000, 0, r);
	OK(r[0] == 0x40000000 && !memcmp(&r[1], "pmutest86 mo", 12));
	silicon_cpuid(cpu, 0x40000001, 0, r);
	OK(!r[0] && !r[1] && !r[2] && !r[3]);
	for (uint32_t leaf = 0; leaf < 4; leaf++)
		r[leaf] = ~0u;
	silicon_cpuid(cpu, 0xa, 0, r);
	OK(!r[0] && !r[1] && !r[2] && !r[3]);
	r[0] = ~0u;
	silicon_cpuid(cpu, 0x8000001b, 0, r);
	OK(r[0] == ibs);
	r[2] = ~0u;
	silicon_cpuid(cpu, 6, 0, r);
	OK(r[2] == has_aperf);
	/* No more than is underneath. */
	r[1] = r[2] = r[3] = 0xa5a5a5a5;
	silicon_cpuid(cpu, 7, 0, r);
	OK(!((r[1] | r[2] | r[3]) & 0x5a5a5a5a));
}

/* The third core of the second package of four, of the thread that asks: SDM volume 2, CPUID 0BH.
 */
static void test_seat(const char *profile, unsigned threads)
{
	const struct seat seat = {.package = 1, .core = 2, .cores = 4};
	uint32_t id = threads == 2 ? 12 : 6, r[4] = {0};

	reset(profile);
	silicon_seat(cpu, &seat);
	OK(silicon_apic_id(profile_find(profile), &seat, 0) == id);
	silicon_cpuid(cpu, 1, 0, r);
	OK(r[1] >> 24 == id);
	r[2] = 1;
	silicon_cpuid(cpu, 0xb, 1, r);
	OK(id >> r[0] == seat.package && r[1] == seat.cores * threads && r[3] == id);
	r[2] = 0;
	silicon_cpuid(cpu, 0xb, 0, r);
	OK(r[0] == threads - 1 && r[1] == threads && r[3] == id);
}

/* A part has the flag if it says so itself, or if a core that tells its kind is beside another. */
static void test_hybrid(const char *profile, bool alone, bool beside)
{
	const struct seat seat = {.cores = 2, .hybrid = true};
	uint32_t r[4] = {0};

	reset(profile);
	silicon_cpuid(cpu, 7, 0, r);
	OK(!(r[3] & BIT(15)) == !alone);
	silicon_seat(cpu, &seat);
	memset(r, 0, sizeof(r));
	silicon_cpuid(cpu, 7, 1, r);
	OK(!(r[3] & BIT(15)));
	silicon_cpuid(cpu, 7, 0, r);
	OK(!(r[3] & BIT(15)) == !beside);
}

/* A feature with a state of its own is there only where leaf 0DH has that: SDM volume 1, 13.2
 * and 13.3.  Each bit of leaf 7, and those of leaf 0DH that go with it. */
static const struct {
	unsigned reg, bit;
	uint32_t states;
} stateful[] = {
	{1, 14, 0x18}, /* MPX */
	{1, 16, 0xe6}, /* AVX-512 */
	{2, 3, 0x200}, /* PKU */
	{3, 24, 0x60000}, /* AMX */
};

static void test_states(const struct profile *profile)
{
	uint32_t r[4] = {~0u, ~0u, ~0u, ~0u}, state[4] = {~0u, ~0u, ~0u, ~0u};

	silicon_reset(cpu, profile, NULL);
	silicon_cpuid(cpu, 7, 0, r);
	silicon_cpuid(cpu, 0xd, 0, state);
	for (size_t i = 0; i < ARRAY_SIZE(stateful); i++)
		OK(!(r[stateful[i].reg] & (uint32_t)BIT(stateful[i].bit)) ||
		   (state[0] & stateful[i].states) == stateful[i].states);
}

static void test_cpuid(const char *profile, uint32_t signature, uint32_t last, uint32_t features,
		       uint32_t ibs)
{
	uint32_t r[4] = {~0u, ~0u, ~0u, ~0u};
	char brand[49] = "";

	reset(profile);
	test_cpuid_common(last, ibs, last >= 6 && !cpuid_is_32(profile_find(profile)));
	silicon_cpuid(cpu, 1, 0, r);
	OK(r[0] == signature && r[1] == 0x10800); /* one, and APIC ID 0 */
	OK(r[2] & (uint32_t)BIT(31) && !(r[2] & (uint32_t)BIT(5)));
	OK(r[3] & (uint32_t)BIT(9) && r[3] & (uint32_t)BIT(5) && r[3] & (uint32_t)BIT(4));
	r[2] = 0;
	silicon_cpuid(cpu, 1, 0, r);
	OK(r[2] == (uint32_t)BIT(31));
	for (unsigned i = 0; i < 4; i++)
		r[i] = ~0u;
	silicon_cpuid(cpu, 0x80000001, 0, r);
	OK(r[0] == signature && (r[2] & 0x19c0840c) == features && r[3] & (uint32_t)BIT(29));
	for (uint32_t i = 0; i < 3; i++) {
		silicon_cpuid(cpu, 0x80000002 + i, 0, r);
		memcpy(brand + 16 * i, r, 16);
	}
	SAME(brand, profile_find(profile)->brand);
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

/* On a processor that has everything. */
static uint32_t cpuid_32(uint32_t leaf, unsigned reg)
{
	uint32_t r[4] = {~0u, ~0u, ~0u, ~0u};

	silicon_cpuid(cpu, leaf, 0, r);
	return r[reg];
}

enum { EAX, EBX, ECX, EDX };

static void test_cpuid_32(const char *name, uint32_t ecx, uint32_t edx, uint32_t last,
			  uint32_t extended_edx)
{
	reset(name);
	OK(cpuid_32(1, EDX) & BIT(26) && cpuid_32(0x80000001, EDX) & BIT(29));
	silicon_show_32(cpu, true);
	OK(cpuid_32(1, EDX) == edx && cpuid_32(1, ECX) == (ecx | (uint32_t)BIT(31)));
	OK(cpuid_32(0x80000000, EAX) == last);
	OK(cpuid_32(0x80000001, EDX) == extended_edx);
	OK(cpuid_32(0x40000000, EAX) == 0x40000000);
	silicon_show_32(cpu, false);
	OK(cpuid_32(0x80000001, EDX) & BIT(29));
}

int main(void)
{
	test_digest();
	test_legacy_only("k7");
	test_legacy_only("k8");
	test_zen2();
	test_zen4();
	test_cpuid_v2();
	test_rdpmc();
	test_missing();
	test_part();
	test_clients();
	test_cpuid("k7", 0x00000642, 0xd, 0, 0);
	test_cpuid("k8", 0x00000f4a, 0x1, 0, 0);
	test_cpuid("k10", 0x00100f43, 0x5, 4, 0x1f);
	test_cpuid("piledriver", 0x00600f20, 0xd, 0x00c00004, 0xff);
	test_cpuid("zen2", 0x00830f10, 0x10, 0x00c00004, 0x3ff);
	test_cpuid("zen4", 0x00a10f11, 0x10, 0x00c00004, 0xbff);
	test_cpuid("zen5", 0x00b40f40, 0x10, 0x00c00004, 0x81bff);
	test_cpuid_32("k7", 0, 0x0183fbff, 0x80000006, 0xc1c7fbff);
	test_cpuid_32("p6", 0, 0x0383fbff, 0x80000004, 0);
	test_cpuid_32("willamette", 0, 0x3febfbff & ~(uint32_t)BIT(28), 0x80000004, 0);
	test_cpuid_32("northwood", 0x4400, 0xbfebfbff, 0x80000004, 0);
	test_seat("sandybridge-ep", 1);
	test_seat("nehalem", 2);
	test_hybrid("goldencove", true, true);
	test_hybrid("gracemont", false, true);
	test_hybrid("nehalem", false, false);
	test_hybrid("zen4", false, false);
	for (unsigned i = 0; profile_at(i); i++)
		test_states(profile_at(i));
	OK(!profile_find("k9") && !profile_find("") && !profile_find("k"));
	return tap_end();
}
