/* SPDX-License-Identifier: BSD-2-Clause */
/* CPUID of the modelled processors. */
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

static void test_cpuid_v2(void)
{
	uint32_t r[4] = {0x8000001f, 0, 0, 0};

	reset("zen4");
	silicon_cpuid(cpu, 0x80000000, 0, r);
	OK(r[0] == 0x80000028);
	silicon_cpuid(cpu, 0x80000022, 0, r);
	OK(r[0] == 7 && r[1] == 0x00304106 && r[2] == 0xfff && !r[3]);
	reset("zen5");
	silicon_cpuid(cpu, 0x80000022, 0, r);
	OK(r[0] == 7 && r[1] == 0x00084106 && r[2] == 3 && !r[3]);
	reset("zen2");
	silicon_cpuid(cpu, 0x80000022, 0, r);
	OK(!r[0] && !r[1]);
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
	test_cpuid_v2();
	test_cpuid("k7", 0x00000642, 0xd, 0, 0);
	test_cpuid("k8", 0x00000f4a, 0x1, 0, 0);
	test_cpuid("k10", 0x00100f43, 0x5, 0x40c, 0x1f);
	test_cpuid("jaguar", 0x00700f01, 0xd, 0x1140040c, 0xff);
	test_cpuid("piledriver", 0x00600f20, 0xd, 0x01c0040c, 0xff);
	test_cpuid("zen2", 0x00830f10, 0x10, 0x11c0040c, 0x3ff);
	test_cpuid("zen4", 0x00a10f11, 0x10, 0x11c0040c, 0xbff);
	test_cpuid("zen5", 0x00b40f40, 0x10, 0x11c0040c, 0x81bff);
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
	return tap_end();
}
