/* SPDX-License-Identifier: BSD-2-Clause */
/* AMD's boxes as rows: worked values of control registers, and what CPUID of some processors
 * promises (InstLatx64). */
#include "check/fuzz/fake_machine.h"

#include "pmu/box/box.h"

#include "check/unit/tap.h"

extern const struct box_part box_part_zen, box_part_amd_nb;
enum { NORTHBRIDGE_K8, NORTHBRIDGE_10H, NORTHBRIDGE_15H }; /* kinds */
enum { CACHE_17H, CACHE_19H, FABRIC_17H, FABRIC_V2, CONTROLLER, PLACES }; /* kinds, and places */

#define IS(part, kind, want, ...)                                                                  \
	OK(box_encode(&box_part_##part.kinds[kind], &(struct box_config){__VA_ARGS__}) ==          \
	   UINT64_C(want))
#define NUMBER(n) (FIRST_OF_THEM + (n))

static void test_caches(void)
{
	IS(zen, CACHE_17H, 0xff0f000000400106, .event = CACHE_MISSES);
	IS(zen, CACHE_17H, 0xff0400000040ff04, .event = CACHE_LOOKUPS, .slice = NUMBER(2));
	IS(zen, CACHE_17H, 0x040f00000040ff04, .event = CACHE_LOOKUPS, .thread_of = NUMBER(2));
	IS(zen, CACHE_17H, 0xff0000000040ff04, .event = CACHE_LOOKUPS, .slice = NONE_OF_THEM);
	IS(zen, CACHE_19H, 0x0300c00000400104, .event = CACHE_MISSES);
	IS(zen, CACHE_19H, 0x010054000040ff04, .event = CACHE_LOOKUPS, .thread_of = NUMBER(10));
	IS(zen, CACHE_19H, 0x020054000040ff04, .event = CACHE_LOOKUPS, .thread_of = NUMBER(11));
	IS(zen, CACHE_19H, 0x030680000040ff04, .event = CACHE_LOOKUPS, .slice = NUMBER(6));
}

static void test_fabrics(void)
{
	IS(zen, FABRIC_17H, 0x00403807, .event = FABRIC_REQUESTS);
	IS(zen, FABRIC_17H, 0x00403847, .event = FABRIC_REQUESTS, .instance = 1);
	IS(zen, FABRIC_17H, 0x1004038c7, .event = FABRIC_REQUESTS, .instance = 7);
	IS(zen, FABRIC_V2, 0x0740fe1f, .event = FABRIC_READS_HERE);
	IS(zen, FABRIC_V2, 0x0f40fe1f, .event = FABRIC_READS);
	IS(zen, FABRIC_V2, 0x0f40ff1f, .event = FABRIC_WRITES);
	IS(zen, FABRIC_V2, 0x20740fedf, .event = FABRIC_READS_HERE, .instance = 11);
	IS(zen, FABRIC_V2, 0x00b40fe5f, .event = FABRIC_READS_ELSEWHERE, .instance = 1);
}

static void test_controllers(void)
{
	IS(zen, CONTROLLER, 0x80000000, .event = BOX_CLOCKS);
	IS(zen, CONTROLLER, 0x8000010a, .event = CONTROLLER_READS);
	IS(zen, CONTROLLER, 0x8000020a, .event = CONTROLLER_WRITES);
	IS(amd_nb, NORTHBRIDGE_15H, 0x00403fe0, .event = NODE_DRAM);
	IS(amd_nb, NORTHBRIDGE_15H, 0x004007e0, .event = NODE_DRAM_0);
	IS(amd_nb, NORTHBRIDGE_K8, 0x004307e0, .event = NODE_DRAM);
	IS(amd_nb, NORTHBRIDGE_10H, 0x00433fe0, .event = NODE_DRAM);
	IS(amd_nb, NORTHBRIDGE_10H, 0x004338e0, .event = NODE_DRAM_1);
}

/* ---- what CPUID promises ---- */

struct processor {
	uint32_t signature, features, perfmon[3]; /* 8000_0001h ECX; 8000_0022h EAX, EBX, ECX */
	struct {
		unsigned counters;
		uint32_t boxes;
	} is[PLACES];
};

enum { NB_AND_LLC = 1 << 24 | 1 << 28 };

static const struct processor processors[] = {
	/* Rome; Milan, of which the leaf is all zero */
	{0x00830f10, NB_AND_LLC, {0}, {[CACHE_17H] = {6, 1}, [FABRIC_17H] = {4, 1}}},
	{0x00a00f11, NB_AND_LLC, {0}, {[CACHE_19H] = {6, 1}, [FABRIC_17H] = {4, 1}}},
	/* Genoa, and one of a single channel */
	{0x00a10f11,
	 NB_AND_LLC,
	 {7, 0x00304106, 0xfff},
	 {[CACHE_19H] = {6, 1}, [FABRIC_V2] = {16, 1}, [CONTROLLER] = {4, 0xfff}}},
	{0x00a10f11,
	 NB_AND_LLC,
	 {7, 0x00044106, 0x8},
	 {[CACHE_19H] = {6, 1}, [FABRIC_V2] = {16, 1}, [CONTROLLER] = {4, 0x8}}},
	/* Strix Halo: of 64 counters six bits would be 0 */
	{0x00b70f00,
	 NB_AND_LLC,
	 {7, 0x00402106, 0xffff},
	 {[CACHE_19H] = {6, 1}, [FABRIC_V2] = {8, 1}, [CONTROLLER] = {4, 0xffff}}},
	/* Where the leaf counts none, but the bit is there, four are; and a guest without all of it
	 */
	{0x00a10f11, 1 << 24, {1, 6, 0}, {[FABRIC_V2] = {4, 1}}},
	{0x00a10f11, 0, {1, 6, 0}, {{0, 0}}},
};

static void check_promises(const struct processor *p)
{
	fake_begin(0);
	fake_leaf(0, 0, (struct cpuid_regs){1, 0x68747541, 0x444d4163, 0x69746e65});
	fake_leaf(1, 0, (struct cpuid_regs){.eax = p->signature});
	fake_leaf(0x80000000, 0, (struct cpuid_regs){.eax = 0x80000022});
	fake_leaf(0x80000001, 0, (struct cpuid_regs){.ecx = p->features});
	fake_leaf(0x80000022, 0,
		  (struct cpuid_regs){p->perfmon[0], p->perfmon[1], p->perfmon[2], 0});
	for (unsigned i = 0; i < PLACES; i++) {
		const struct box_place *place = &box_part_zen.places[i];
		const struct box_promised is =
			box_promised(place, &box_part_zen.kinds[place->kind]);

		OK(is.boxes == p->is[i].boxes && (!is.boxes || is.counters == p->is[i].counters));
	}
}

int main(void)
{
	test_caches();
	test_fabrics();
	test_controllers();
	for (unsigned i = 0; i < ARRAY_SIZE(processors); i++)
		check_promises(&processors[i]);
	return tap_end();
}
