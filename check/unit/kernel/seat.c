/* SPDX-License-Identifier: BSD-2-Clause */
/* What two processors have in common, by CPUID of machines like those that are named. */
#include "check/fuzz/fake_machine.h"

#include "check/unit/tap.h"
#include "kernel/kernel.h"

/* Of Intel's: the levels of the last leaf, EAX and ECX of each from subleaf 0 on; of AMD's EAX of
 * 8000_001Dh, subleaves 2 and 3, and the node. */
struct machine {
	const char *name;
	uint32_t last; /* leaf; 0Bh and 1Fh have levels */
	uint32_t level[4][2];
	uint32_t l2, l3, nodes; /* nodes: APIC IDs of each; 0: no such leaf */
};
static void put_topology(const struct machine *m, uint32_t id)
{
	fake_leaf(0, 0, (struct cpuid_regs){.eax = m->last});
	for (uint32_t i = 0; i < 4; i++)
		fake_leaf(m->last, i,
			  (struct cpuid_regs){m->level[i][0], m->level[i][1] != 0,
					      m->level[i][1] | i, id});
}

static void put_extended(const struct machine *m, uint32_t id)
{
	if (!m->nodes)
		return;
	fake_leaf(0x80000000, 0, (struct cpuid_regs){.eax = 0x8000001e});
	fake_leaf(0x80000001, 0, (struct cpuid_regs){.ecx = BIT(22)});
	fake_leaf(0x8000001d, 2, (struct cpuid_regs){.eax = m->l2});
	fake_leaf(0x8000001d, 3, (struct cpuid_regs){.eax = m->l3});
	fake_leaf(0x8000001e, 0, (struct cpuid_regs){.eax = id, .ecx = id / m->nodes});
}

static struct cpu_seat seat_of(const struct machine *m, uint32_t id)
{
	struct cpu_seat seat;

	fake_begin(0);
	put_topology(m, id);
	put_extended(m, id);
	seat_find(&seat);
	return seat;
}

enum { SMT = 1 << 8, CORE = 2 << 8, MODULE = 3 << 8, DIE = 5 << 8 };

static const struct machine
	xeon_x5550 = {"Xeon X5550", 0xb, {{1, SMT}, {4, CORE}}, 0, 0, 0},
	core_i7_12700 =
		{"Core i7-12700, E-core", 0x1f, {{1, SMT}, {3, MODULE}, {7, CORE}}, 0, 0, 0},
	xeon_9282 =
		{"Xeon Platinum 9282, two dies", 0x1f, {{1, SMT}, {6, CORE}, {7, DIE}}, 0, 0, 0},
	core2 = {"Core 2 Duo", 0xa, {{0}}, 0, 0, 0},
	ryzen_3950x = {"Ryzen 9 3950X", 0x10, {{0}}, 0x4143, 0x3c163, 32},
	ryzen_3600 = {"Ryzen 5 3600, 3 cores of a complex", 0x10, {{0}}, 0x4143, 0x14163, 32},
	epyc_7601 = {"EPYC 7601, four dies", 0xd, {{0}}, 0x4143, 0x1c163, 16},
	athlon_5350 = {"Athlon 5350", 0xd, {{0}}, 0xc143, 0, 4},
	phenom = {"Phenom II", 6, {{0}}, 0, 0, 0};

static bool common(const struct machine *m, uint32_t one, uint32_t other, enum cpu_common what)
{
	const struct cpu_seat a = seat_of(m, one), b = seat_of(m, other);

	return seat_is_common(&a, &b, what);
}

/* IDs below first have it in common with processor 0, those from there on do not. */
static void test(const struct machine *m, enum cpu_common what, uint32_t first)
{
	printf("# %s\n", m->name);
	OK(common(m, 0, 0, what) && common(m, 0, first - 1, what) && common(m, first - 1, 0, what));
	OK(!common(m, 0, first, what) && !common(m, first - 1, first, what));
}

static void test_unknown(const struct machine *m, enum cpu_common what)
{
	printf("# %s\n", m->name);
	OK(!common(m, 0, 0, what) && !common(m, 0, 1, what));
}

int main(void)
{
	test(&xeon_x5550, COMMON_DIE, 16);
	test(&core_i7_12700, COMMON_DIE, 128);
	test(&xeon_9282, COMMON_DIE, 64);
	test(&ryzen_3950x, COMMON_L3, 16);
	test(&ryzen_3950x, COMMON_NODE, 32);
	test(&ryzen_3600, COMMON_L3, 8);
	test(&epyc_7601, COMMON_L3, 8);
	test(&epyc_7601, COMMON_NODE, 16);
	test(&athlon_5350, COMMON_L2, 4);
	test_unknown(&athlon_5350, COMMON_L3);
	test_unknown(&core2, COMMON_DIE);
	test_unknown(&phenom, COMMON_NODE);
	test_unknown(&phenom, COMMON_L3);
	test_unknown(&xeon_x5550, COMMON_L3);
	test_unknown(&ryzen_3950x, COMMON_NOTHING);
	return tap_end();
}
