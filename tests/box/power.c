/* SPDX-License-Identifier: BSD-2-Clause */
/* Events that the PCU counts without help: frequencies and power states. */
#include "box.h"

#define GROUP  "traffic", "count"
#define POWER  "uncore guide, 2.6: PCU events and filter; SDM vol. 4: 3FCh, 3FDh"
#define ON_PCU .clause = POWER, .kinds = BOX_POWER

ABSENT_UNLESS(why_no_residency, box_of(pmu)->kind->residency,
	      "residencies of this part are not documented to be read by these numbers")

/* ---- frequencies ---- */

#define BANDS     4u
#define BAND_BITS 8u
#define ALL_OF    UINT32_C(0xff) /* 25.5 GHz */
/* In clocks: filter and clock event need not act in the same one. */
#define BAND_LAG 2

#define BAND(n)  .event = (uint8_t)(POWER_BAND_0 + (n))

/* All clocks are at or above the band, or none is. */
static void check_band(struct run *t, unsigned band, uint32_t filter, bool reached)
{
	const struct trial trial = {
		.cfg = {{BAND(band)}, {CLOCKS}},
		FILTERS(.reg = {filter}),
		.law = {{{1, reached ? -1 : 0}, WITHIN(0, reached ? BAND_LAG : 0)},
			{{0, 1}, AT_LEAST(BAND_LAG + 1)}},
	};

	judge(t, &trial);
}

BOX_TEST(bands, "any frequency reaches band 0, none reaches 25.5 GHz, and each band is its own",
	 ON_PCU)
{
	for (unsigned band = 0; band < BANDS; band++) {
		uint32_t own = ALL_OF << (band * BAND_BITS);

		check_band(t, band, 0, true);
		check_band(t, band, own, false);
		check_band(t, band, ~own, true);
	}
}

/* As a frequency is or is not reached: by each in the same clocks.  6.4 GHz and 12.8 GHz are there
 * for the upper two bits. */
BOX_TEST(bands_agree, "the four bands count the same where they are of the same frequency", ON_PCU)
{
	struct trial_filters all = {0};
	const struct trial trial = {.filters = &all,
				    .cfg = {{BAND(0)}, {BAND(1)}, {BAND(2)}, {BAND(3)}},
				    .law = {ALIKE},
				    .each = 0x7};

	for (uint32_t f = 1; f <= 0x80; f += f < 0x40 ? 1 : f) {
		all.reg[0] = f * UINT32_C(0x01010101);
		judge(t, &trial);
	}
}

/* ---- power states ---- */

/* This core is in C0; what the others are in, and whether C1 is C0, is open. */
BOX_TEST(occupancy, "of the cores at least this one is in C0, and none in two states", ON_PCU)
{
	const struct trial c0 = {
		.cfg = {{QUEUE, .at_least = 1}, {QUEUE, .below = 1}, {QUEUE}, {CLOCKS}},
		.law = {{{1, 1, 0, -1}, EXACTLY(0)}, {{1}, AT_LEAST(1)}, {{-1, 0, 1}, AT_LEAST(0)}},
	};
	const struct trial states = {
		.cfg = {{QUEUE}, {.event = POWER_C3}, {.event = POWER_C6}, {CLOCKS}},
		.law = {{{1, 0, 0, -1}, AT_LEAST(0)},
			{{1, 1, 1, (int8_t)-kind_of(t)->most}, AT_MOST(0)}},
	};

	judge(t, &c0);
	judge(t, &states);
}

/* A condition on the cores in C0 that is always true, or never; and how often it becomes true. */
static void check_steady(struct run *t, struct box_config c0, bool always)
{
	struct trial trial = {
		.cfg = {c0, {CLOCKS}},
		.law = {{{1, always ? -1 : 0}, EXACTLY(0)}, {{0, 1}, AT_LEAST(2)}},
	};

	judge(t, &trial);
	trial.cfg[0].edge = true;
	trial.law[0] = (struct law){{1}, AT_MOST(always)};
	judge(t, &trial);
}

/* A counter may lack the event, or all of them. */
static const char *why_no_occupancy(const struct pmu *pmu, unsigned ctr)
{
	const struct box_event *event = box_event(box_of(pmu)->kind, POWER_C0);

	return event && ctr >= event->first ? NULL : "this counter cannot count occupancies";
}

BOX_TEST(occupancy_steps,
	 "each counter can invert an occupancy, and count its edges: some cores are in C0, or all",
	 ON_PCU, .per_counter = true, .absent = why_no_occupancy)
{
	const uint8_t more = (uint8_t)(kind_of(t)->most + 1);

	check_steady(t, (struct box_config){.event = POWER_C0, .at_least = 1}, true);
	check_steady(t, (struct box_config){.event = POWER_C0, .below = 1}, false);
	if (more > t->pmu->max_threshold)
		return;
	check_steady(t, (struct box_config){.event = POWER_C0, .at_least = more}, false);
	check_steady(t, (struct box_config){.event = POWER_C0, .below = more}, true);
}

BOX_TEST(residency, "the residency counters go forward, no faster than the TSC", ON_PCU,
	 .absent = why_no_residency)
{
	for (uint32_t i = 0; i < 2; i++) {
		const uint32_t msr = kind_of(t)->residency + i;
		uint64_t from = rdtsc(), before = rdmsr(msr), after;

		wait_a_window();
		after = rdmsr(msr);
		CHECK_IS(t, after - before, <=, rdtsc() - from);
	}
}

/* ---- edges ---- */

#undef GROUP
#define GROUP     "edge", "invert"

#define TOGGLES   20
#define TOGGLE_US 5u

/* Any frequency reaches band 0 at 0, and none at 25.5 GHz. */
static void toggle_band(void)
{
	const struct pmu *pcu = find_box(BOX_POWER);

	for (unsigned i = 0; i < 2 * TOGGLES; i++) {
		pmu_put(pcu, box_filter(box_of(pcu), 0), i % 2 ? 0 : ALL_OF);
		machine_delay_us(TOGGLE_US);
	}
}

/* It was false at first, which may or may not count as having become so. */
TRIALS(toggles, "each time a condition becomes true one edge is counted",
       (.clause = THRESHOLDS, .kinds = BOX_POWER),
       {.cfg = {{BAND(0), .at_least = 1, .edge = true}, {BAND(0), .below = 1, .edge = true}},
	FILTERS(.reg = {ALL_OF}),
	.load = toggle_band,
	.law = {{{1}, EXACTLY(TOGGLES)}, {{0, 1}, .n = TOGGLES, .below = 1}}},
       {.cfg = {{BAND(0), .at_least = 1, .edge = true}},
	FILTERS(.reg = {ALL_OF}),
	.load = toggle_band,
	.law = {{{1}, EXACTLY(TOGGLES)}}})
