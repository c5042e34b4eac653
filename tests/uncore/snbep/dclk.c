/* SPDX-License-Identifier: BSD-2-Clause */
/* DCLK, the clock of a memory channel, which its fixed counter counts: all channels in the same
 * window, as that is a long one. */
#include "snbep.h"

#define FIXED "Intel 327043-001, 2.5: iMC fixed counter"
#define NONE  "no memory channel of which event 00h counts DCLK"

/* The channels whose clock runs. */
struct channels {
	unsigned n;
	const struct pmu *channel[SNBEP_BOXES_MAX];
	uint64_t (*now)(const void *of); /* what time it is, as a channel sees it */
};

static struct channels find_channels(uint64_t (*now)(const void *of))
{
	struct channels c = {.now = now};
	const struct pmu *pmu;

	for (unsigned i = 0; (pmu = snbep_pmu(i)); i++)
		if (pmu->kinds & SNBEP_IMC && !pmu->silent && !pmu->idle)
			c.channel[c.n++] = pmu;
	return c;
}

/* From 0 at the start: the low half, in which a window has room, is one access, so that it is known
 * sharply when. */
static uint64_t by_general(const void *channel)
{
	const struct pmu *pmu = channel;

	return snbep_get(pmu, pmu->counter[0].ctr.address);
}

static void gate(const void *channel, bool open)
{
	snbep_put(channel, PCI_PMON_FIXED_CTL, open ? FIXED_CTL_EN : 0);
}

/* General counter 0 runs before the fixed one and after it. */
static void measure_dclks(const void *arg, uint32_t us, struct span *s)
{
	const struct channels *c = arg;
	struct bracket b[SNBEP_BOXES_MAX];

	for (unsigned i = 0; i < c->n; i++) {
		box_start(c->channel[i], snbep_clock(c->channel[i]));
		b[i] = (struct bracket){.of = c->channel[i], .now = c->now, .gate = gate};
	}
	brackets_run(b, c->n, us);
	for (unsigned i = 0; i < c->n; i++)
		s[i] = bracket_span(&b[i], snbep_get_counter(c->channel[i], PCI_PMON_FIXED_CTR));
}

/* ---- the channels ---- */

#define GROUP "traffic"
/* Long against the time that the accesses take. */
#define DCLK_US 5000u

SNBEP_TEST(dclk_agree, "DCLK has the same rate on all channels", .clause = FIXED,
	   .kinds = SNBEP_FIRST(SNBEP_IMC))
{
	const struct channels c = find_channels(bracket_tsc);
	struct span s[SNBEP_BOXES_MAX];

	SKIP_IF(t, !c.n, NONE);
	spans_sharpen(measure_dclks, &c, DCLK_US, is_sharp, c.n, s);
	SKIP_IF(t, !all_spans(s, c.n, is_sharp), NOT_SHARP);
	for (unsigned i = 0; i < c.n; i++)
		for (unsigned j = 0; j < c.n; j++)
			CHECK(t, s[i].count * s[j].outer >= s[j].count * s[i].inner);
}

#undef GROUP

/* ---- its counters ---- */

#define GROUP "count"

SNBEP_TEST(fixed_matches, "the fixed counter counts the clocks that a general counter counts",
	   .clause = FIXED, .kinds = SNBEP_FIRST(SNBEP_IMC))
{
	const struct channels c = find_channels(by_general);
	struct span s[SNBEP_BOXES_MAX];

	SKIP_IF(t, !c.n, NONE);
	spans_sharpen(measure_dclks, &c, VERY_SHARP_FIRST_US, is_very_sharp, c.n, s);
	for (unsigned i = 0; i < c.n; i++)
		if (!CHECK(t, is_same_rate(&s[i], WRITE_LAG)))
			report_span(c.channel[i]->name, &s[i]);
}
