/* SPDX-License-Identifier: BSD-2-Clause */
/* The rows of clients: worked examples. */
#include "check/unit/host.h"
#include "check/unit/tap.h"
#include "pmu/box/box.h"

extern const struct box_part box_part_snb, box_part_skl, box_part_icl, box_part_tgl, box_part_adl,
	box_part_mtl, box_part_lnl, box_part_ptl;

enum { CBO = BOX_CORE_SLICE, ARB = BOX_ARBITER };

/* Of the part's first box of this role. */
static const struct box_kind *kind_of(const struct box_part *part, uint32_t role)
{
	const struct box_place *place = part->places;

	while (part->kinds[place->kind].role != role)
		place++;
	return &part->kinds[place->kind];
}

/* Box n of a kind, as its places have it. */
static struct box box_at(const struct box_part *part, uint32_t role, unsigned n)
{
	struct box box = {.kind = kind_of(part, role), .part = part};

	for (unsigned i = 0; i < part->places_count; i++) {
		const struct box_place *place = &part->places[i];

		if (part->kinds[place->kind].role == role && n >= place->number &&
		    n < place->number + (unsigned)place->count)
			box.base = place->base + (n - place->number) * place->step;
	}
	return box;
}

/* Control and counter i. */
static bool lies(const struct box_part *part, uint32_t role, unsigned n, unsigned i, uint32_t ctl,
		 uint32_t ctr)
{
	const struct box box = box_at(part, role, n);

	return box_ctl(&box, i).address == ctl && box_ctr(&box, i).address == ctr;
}

static uint64_t encode(const struct box_part *part, uint32_t role, struct box_config cfg)
{
	return box_encode(kind_of(part, role), &cfg);
}

static void test_registers(void)
{
	OK(lies(&box_part_snb, CBO, 2, 1, 0x721, 0x727));
	OK(lies(&box_part_skl, CBO, 7, 1, 0xf71, 0xf77));
	OK(lies(&box_part_icl, CBO, 5, 0, 0x728, 0x72a) &&
	   lies(&box_part_icl, CBO, 5, 1, 0x729, 0x72b));
	OK(lies(&box_part_adl, CBO, 3, 0, 0x2018, 0x201a));
	OK(lies(&box_part_adl, CBO, 3, 1, 0x2019, 0x201b));
	OK(lies(&box_part_adl, ARB, 1, 0, 0x2fd8, 0x2fda));
	OK(lies(&box_part_mtl, CBO, 3, 1, 0x2473, 0x2479));
	OK(lies(&box_part_mtl, ARB, 0, 0, 0x2412, 0x2418));
	OK(lies(&box_part_lnl, CBO, 3, 1, 0x2473, 0x2479) &&
	   lies(&box_part_lnl, ARB, 0, 1, 0x2413, 0x2419));
	OK(lies(&box_part_ptl, CBO, 5, 0, 0x2492, 0x2498) &&
	   lies(&box_part_ptl, ARB, 0, 0, 0x2412, 0x2418));
	OK(lies(&box_part_snb, ARB, 0, 0, 0x3b2, 0x3b0) &&
	   lies(&box_part_tgl, ARB, 0, 1, 0x3b3, 0x3b1));
	OK(lies(&box_part_icl, ARB, 0, 0, 0x3b3, 0x3b1) &&
	   kind_of(&box_part_icl, ARB)->counters == 1);
}

/* UCLK is the arbiter's fixed counter. */
static void test_fixed(void)
{
	const struct box_part *parts[] = {&box_part_snb, &box_part_icl, &box_part_adl,
					  &box_part_mtl, &box_part_ptl};
	const uint64_t ctl[] = {0x394, 0x394, 0x2fde, 0x2402, 0x2402};
	const uint64_t ctr[] = {0x395, 0x395, 0x2fdf, 0x2408, 0x2408};

	for (unsigned i = 0; i < ARRAY_SIZE(parts); i++) {
		const struct box arb = box_at(parts[i], ARB, 0);
		struct box_state state = {.box = &arb};
		const struct pmu pmu = {.state = &state};

		OK(box_fixed_ctl(&pmu).address == ctl[i] && box_fixed_ctr(&pmu).address == ctr[i]);
		OK(arb.kind->fixed.enable == 0x400000);
	}
}

static void test_global(void)
{
	const struct box snb = box_at(&box_part_snb, CBO, 0), icl = box_at(&box_part_icl, CBO, 0);

	OK(box_global(&snb).address == 0x391 && box_global(&snb).rests == 0x20000000);
	OK(box_global(&icl).space == REG_NONE);
	OK(box_part_skl.global.on == 0x20000000 && box_part_skl.global.msr == 0xe01 &&
	   box_part_tgl.global.msr == 0xe01);
	OK(box_part_adl.global.msr == 0x2ff0);
	OK(box_part_mtl.global.msr == 0x240e && box_part_lnl.global.msr == 0x240e &&
	   box_part_ptl.global.msr == 0x240e);
	OK(kind_of(&box_part_lnl, ARB)->at.fixed_ctl == NOT_THERE);
}

static void test_examples(void)
{
	OK(encode(&box_part_snb, CBO, (struct box_config){.event = CORE_LOOKUPS}) == 0x408f34);
	OK(encode(&box_part_snb, CBO, (struct box_config){.event = CORE_MISSES}) == 0x401834);
	OK(encode(&box_part_skl, ARB, (struct box_config){.event = REQUESTS_TRACKED}) == 0x400181);
	OK(encode(&box_part_skl, CBO, (struct box_config){.row = 1, .below = 31}) == 0x1fc08f34);
	OK(box_max_threshold(kind_of(&box_part_adl, CBO)) == 63);
	OK(box_max_threshold(kind_of(&box_part_adl, ARB)) == 31);
}

/* ---- memory ---- */

/* The place of the n-th one that processors of the model have. */
static const struct box_place *memory_of(const struct box_part *part, unsigned model, unsigned n)
{
	for (unsigned i = 0; i < part->places_count; i++) {
		const struct box_place *place = &part->places[i];

		if (place->in_window && (!place->model || place->model == model) && !n--)
			return place;
	}
	return NULL;
}

/* Where what counts this of it lies in the window, and how long it is. */
static bool counts_at(const struct box_part *part, unsigned model, unsigned n, enum metered of,
		      uint32_t at, unsigned bytes)
{
	const struct box_place *place = memory_of(part, model, n);
	const struct box box = {
		.kind = &part->kinds[place->kind], .part = part, .base = place->base};
	struct pmu pmu = {0};

	box_fill_meters(&pmu, &box);
	for (unsigned i = 0; i < pmu.meters->count; i++)
		if (pmu.meters->meter[i].of == of)
			return pmu.meters->meter[i].reg.space == REG_MMIO &&
			       pmu.meters->meter[i].reg.address == at &&
			       pmu.meters->meter[i].reg.bytes == bytes &&
			       !pmu.meters->meter[i].reg.by_dwords;
	return false;
}

static void test_memory(void)
{
	OK(counts_at(&box_part_snb, 0x2a, 0, METERED_READS, 0x5050, 4));
	OK(counts_at(&box_part_skl, 0x5e, 0, METERED_WRITES, 0x5054, 4));
	OK(counts_at(&box_part_icl, 0x7e, 0, METERED_ASKED, 0x5044, 4));
	OK(counts_at(&box_part_tgl, 0xa7, 0, METERED_READS, 0x5050, 4));
	OK(counts_at(&box_part_tgl, 0x8c, 0, METERED_READS, 0x5058, 8));
	OK(counts_at(&box_part_tgl, 0x8c, 0, METERED_WRITES, 0x50a0, 8));
	OK(counts_at(&box_part_tgl, 0x8d, 1, METERED_READS, 0x1d858, 4));
	OK(counts_at(&box_part_adl, 0x97, 0, METERED_ASKED, 0xd840, 4));
	OK(counts_at(&box_part_adl, 0x97, 1, METERED_WRITES, 0x1d8a0, 4));
	OK(counts_at(&box_part_mtl, 0xc6, 1, METERED_READS, 0x1d858, 4));
	OK(counts_at(&box_part_ptl, 0xcc, 0, METERED_WRITES, 0xd8a0, 4));
	OK(kind_of(&box_part_lnl, BOX_MEMORY)->counters == 5 &&
	   !kind_of(&box_part_ptl, BOX_MEMORY)->counters);
	OK(!memory_of(&box_part_icl, 0x9d, 0) && !memory_of(&box_part_snb, 0x2a, 1));
	OK(!memory_of(&box_part_tgl, 0x8c, 1) && !memory_of(&box_part_adl, 0x97, 2));
	OK(!kind_of(&box_part_snb, BOX_MEMORY)->counters &&
	   !kind_of(&box_part_tgl, BOX_MEMORY)->counters);
	OK(box_part_snb.window_at == 0x48 && box_part_adl.window_at == 0x48);
}

/* Of the second controller; what lets both run is its own. */
static void test_memory_counters(void)
{
	const struct box_place *place = memory_of(&box_part_adl, 0x97, 1);
	const struct box_kind *kind = &box_part_adl.kinds[place->kind];
	const struct box box = {.kind = kind, .part = &box_part_adl, .base = place->base};

	OK(box_gate(&box).address == 0x1d9c4 && box_gate(&box).bytes == 4);
	OK(box_gate(&box).acts == 6 && kind->gate->stop == 1 && kind->gate->run == 0);
	OK(box_ctl(&box, 4).address == 0x1d9e0 && box_ctl(&box, 4).bytes == 4);
	OK(box_ctr(&box, 4).address == 0x1da08 && box_ctr(&box, 4).bytes == 8);
	OK(kind->counters == 5 && kind->width == 64 && kind->gate->global_at == 0x1d9c0);
	OK(box_encode(kind, &(struct box_config){.event = MEMORY_READS}) == 0x22);
	OK(box_encode(kind, &(struct box_config){.event = MEMORY_WRITES}) == 0x23);
	OK(box_encode(kind, &(struct box_config){.event = BOX_CLOCKS}) == 0x01);
}

int main(void)
{
	test_registers();
	test_fixed();
	test_global();
	test_examples();
	test_memory();
	test_memory_counters();
	return tap_end();
}
