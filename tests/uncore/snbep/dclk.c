/* SPDX-License-Identifier: BSD-2-Clause */
/* DCLK, the clock of a memory channel, which its fixed counter counts: all channels in the same
 * window, as that is a long one. */
#include "kernel/console/report.h"
#include "kernel/cpu.h"
#include "kernel/machine.h"
#include "window.h"

#define FIXED "Intel 327043-001, 2.5: iMC fixed counter"
#define NONE  "no memory channel of which event 00h counts DCLK"

/* What time it is, as a channel sees it. */
typedef uint64_t reference(const struct pmu *channel);

static uint64_t by_tsc(const struct pmu *channel)
{
	(void)channel;
	return rdtsc();
}

/* From 0 at the start: the low half, in which a window has room, is one access, so that it is known
 * sharply when. */
static uint64_t by_general(const struct pmu *channel)
{
	return snbep_get(channel, channel->counter[0].ctr.address);
}

struct dclk {
	const struct pmu *channel;
	uint64_t before, open, close, after;
};

static void set_fixed(const struct pmu *channel, uint32_t value, reference *now, uint64_t *before,
		      uint64_t *after)
{
	*before = now(channel);
	snbep_put(channel, PCI_PMON_FIXED_CTL, value);
	*after = now(channel);
}

/* Of all channels whose clock runs; their number. */
static unsigned find_channels(struct dclk *d)
{
	const struct pmu *pmu;
	unsigned n = 0;

	for (unsigned i = 0; (pmu = snbep_pmu(i)); i++)
		if (pmu->kinds & SNBEP_IMC && !pmu->silent && !pmu->idle)
			d[n++].channel = pmu;
	return n;
}

/* General counter 0 runs before the fixed one and after it. */
static void start_general(const struct pmu *channel)
{
	const struct snbep_config clock = snbep_clock(channel);

	snbep_reset(channel);
	snbep_put(channel, channel->counter[0].ctl.address,
		  snbep_encode(snbep_box(channel)->kind, &clock));
	snbep_run(channel);
}

static void measure_dclks(struct dclk *d, unsigned n, reference *now, uint32_t us, struct span *s)
{
	for (unsigned i = 0; i < n; i++)
		start_general(d[i].channel);
	for (unsigned i = 0; i < n; i++)
		set_fixed(d[i].channel, FIXED_CTL_EN, now, &d[i].before, &d[i].open);
	machine_delay_us(us);
	for (unsigned i = 0; i < n; i++)
		set_fixed(d[i].channel, 0, now, &d[i].close, &d[i].after);
	for (unsigned i = 0; i < n; i++)
		s[i] = (struct span){d[i].close - d[i].open, d[i].after - d[i].before,
				     snbep_get_counter(d[i].channel, PCI_PMON_FIXED_CTR)};
}

/* ---- the channels ---- */

#define GROUP "traffic"
/* Long against the time that the accesses take. */
#define DCLK_US 5000u

SNBEP_TEST(dclk_agree, "DCLK has the same rate on all channels", .clause = FIXED,
	   .kinds = SNBEP_FIRST(SNBEP_IMC))
{
	struct dclk d[SNBEP_BOXES_MAX];
	struct span s[SNBEP_BOXES_MAX];
	unsigned n = find_channels(d);

	for (unsigned i = 0; i < SHARP_TRIES && (!i || !all_spans(s, n, is_sharp)); i++)
		measure_dclks(d, n, by_tsc, DCLK_US, s);
	SKIP_IF(t, !n || !all_spans(s, n, is_sharp), n ? NOT_SHARP : NONE);
	for (unsigned i = 0; i < n; i++)
		for (unsigned j = 0; j < n; j++)
			CHECK(t, s[i].count * s[j].outer >= s[j].count * s[i].inner);
}

#undef GROUP

/* ---- its counters ---- */

#define GROUP "count"

SNBEP_TEST(fixed_matches, "the fixed counter counts the clocks that a general counter counts",
	   .clause = FIXED, .kinds = SNBEP_FIRST(SNBEP_IMC))
{
	struct dclk d[SNBEP_BOXES_MAX];
	struct span s[SNBEP_BOXES_MAX];
	unsigned n = find_channels(d);
	uint32_t us = VERY_SHARP_FIRST_US;

	SKIP_IF(t, !n, NONE);
	measure_dclks(d, n, by_general, us, s);
	for (unsigned i = 1; i < SHARP_TRIES && !all_spans(s, n, is_very_sharp); i++) {
		us = very_sharp_us(s, n, us);
		measure_dclks(d, n, by_general, us, s);
	}
	for (unsigned i = 0; i < n; i++)
		if (!CHECK(t, is_same_rate(&s[i], WRITE_LAG)))
			report_diag("%s: %llu clocks in %llu to %llu", d[i].channel->name,
				    (unsigned long long)s[i].count, (unsigned long long)s[i].inner,
				    (unsigned long long)s[i].outer);
}
