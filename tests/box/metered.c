/* SPDX-License-Identifier: BSD-2-Clause */
/* Lines of memory that its controllers count by themselves.  Displays, devices and other cores use
 * memory, too: what they do is counted, and no law forbids it. */
#include "box.h"

#define GROUP "traffic", "count"
#define LINES                                                                                      \
	"Linux, uncore_snb.c and uncore_snbep.c, and Intel's PCM: data reads and writes of memory"

/* Leaf 4 of CPUID: Intel SDM volume 2. */
#define CPUID_CACHES 4u
#define CACHE_TYPE   FIELD(4, 0) /* 0: no more of them */
#define CACHE_LEVEL  FIELD(7, 5)

/* One beside memory knows lines that no other cache has. */
static bool has_fourth_level(void)
{
	uint32_t eax, level = 0;

	for (unsigned i = 0; field_get(CACHE_TYPE, eax = cpuid_if_there(CPUID_CACHES, i).eax); i++)
		level |= field_get(CACHE_LEVEL, eax) == 4;
	return level;
}

static const char *why_no_lines(const struct pmu *pmu, unsigned ctr)
{
	(void)pmu;
	(void)ctr;
	return has_fourth_level() ? "a fourth level of cache may answer in the place of memory"
				  : NULL;
}

#define OF_MEMORY_BY(absent_) .clause = LINES, .kinds = BOX_FIRST(BOX_MEMORY), .absent = (absent_)
#define ON_MEMORY             OF_MEMORY_BY(why_no_lines)

/* Of all controllers, modulo 2 to the 32nd, as the narrowest of them count. */
static uint32_t sum_of(enum metered of)
{
	const struct pmu *pmu;
	uint32_t sum = 0;

	for (unsigned b = 0; (pmu = box_pmu(b)); b++)
		for (unsigned i = 0;
		     pmu->kinds & BOX_MEMORY && !pmu->silent && i < pmu->meters->count; i++)
			if (pmu->meters->meter[i].of == of)
				sum += (uint32_t)pmu_get(pmu->meters->meter[i].reg);
	return sum;
}

/* Forward: in so short a time no memory moves 2 to the 31st lines, 137 GB. */
static uint32_t counted(struct run *t, enum metered of, box_load *load)
{
	uint32_t before = sum_of(of), count;

	load();
	count = sum_of(of) - before;
	CHECK_IS(t, count, <, BIT(31));
	return count;
}

/* Of all lines, which others only add to; 2 %, as of all tests of traffic, for what a prefetcher
 * has under way as the window opens. */
#define MOST_OF(n) ((n) - (n) / 50)

BOX_TEST(lines_read, "memory counts a read for each line that is flushed and loaded", ON_MEMORY)
{
	CHECK_IS(t, counted(t, METERED_READS, memory_fill), >=, MOST_OF(MEMORY_MANY));
}

BOX_TEST(lines_written, "memory counts a write for each line that is stored to and flushed",
	 ON_MEMORY)
{
	memory_store();
	CHECK_IS(t, counted(t, METERED_WRITES, memory_write_back), >=, MOST_OF(MEMORY_LINES));
}

static const char *why_not_asked(const struct pmu *pmu, unsigned ctr)
{
	for (const struct box_meter *row = box_of(pmu)->kind->meters; row->name; row++)
		if (row->of == METERED_ASKED)
			return why_no_lines(pmu, ctr);
	return "such a controller does not count requests";
}

/* Sources differ in what a request is. */
BOX_TEST(lines_asked_for, "requests are counted while lines are flushed and loaded",
	 OF_MEMORY_BY(why_not_asked))
{
	uint32_t asked = counted(t, METERED_ASKED, memory_fill);

	report_diag("%u requests for %u lines", asked, MEMORY_MANY);
	CHECK_IS(t, asked, >, 0);
}

/* ---- beside what its channels count ---- */

/* An Ice Lake-D may have a third one, which is not driven. */
static const char *why_no_channels(const struct pmu *pmu, unsigned ctr)
{
	struct cpu_identity cpu;

	(void)ctr;
	identify_cpu(&cpu);
	return box_of(pmu)->kind->channels && cpu.model == box_of(pmu)->part->model
		       ? NULL
		       : "which channels are such a controller's is not known";
}

/* Of a box, not of the sum of all. */
static uint64_t meter_of(const struct pmu *pmu, enum metered of)
{
	const struct pmu_meter *meter = pmu->meters->meter;

	while (meter->of != of)
		meter++;
	return pmu_get(meter->reg);
}

static bool is_its_channel(const struct run *t, const struct pmu *pmu)
{
	return pmu->kinds & BOX_CHANNEL && !pmu->silent &&
	       box_of(pmu)->socket == box_of(t->pmu)->socket &&
	       box_of(pmu)->number / kind_of(t)->channels == box_of(t->pmu)->number;
}

/* Of all of its channels that are there. */
static uint64_t counted_by_channels(const struct run *t)
{
	const struct pmu *pmu;
	uint64_t sum = 0;

	for (unsigned b = 0; (pmu = box_pmu(b)); b++)
		if (is_its_channel(t, pmu))
			sum += pmu_read(pmu, 0);
	return sum;
}

static unsigned select_on_channels(const struct run *t, enum box_event_id event)
{
	const struct box_config cfg = {.event = (uint8_t)event};
	const struct pmu *pmu;
	unsigned n = 0;

	for (unsigned b = 0; (pmu = box_pmu(b)); b++)
		if (is_its_channel(t, pmu)) {
			box_reset(pmu);
			box_select(pmu, 0, &cfg);
			n++;
		}
	return n;
}

static void let_channels(const struct run *t, void (*act)(const struct pmu *pmu))
{
	const struct pmu *pmu;

	for (unsigned b = 0; (pmu = box_pmu(b)); b++)
		if (is_its_channel(t, pmu))
			act(pmu);
}

#define WAITING 64u /* in queues, as a channel and its controller are read one after the other */

/* Channels are open for less than from the first reading to the last one, and for more than between
 * the others; 1 %: the specification's figure. */
static void check_beside_channels(struct run *t, enum metered of, enum box_event_id event)
{
	uint64_t first, opened, closing, last, count, slack;

	SKIP_IF(t, select_on_channels(t, event) < kind_of(t)->channels,
		"a channel of this controller is not in use, or hidden");
	memory_clean();
	first = meter_of(t->pmu, of);
	let_channels(t, box_run);
	opened = meter_of(t->pmu, of);
	memory_write_back();
	closing = meter_of(t->pmu, of);
	let_channels(t, box_freeze);
	last = meter_of(t->pmu, of);
	count = counted_by_channels(t);
	let_channels(t, box_reset);
	slack = count / 100 + WAITING;
	CHECK_IS(t, count + slack, >=, closing - opened);
	CHECK_IS(t, count, <=, last - first + slack);
}

BOX_TEST(lines_of_channels, "a controller counts by itself the lines that its channels count",
	 .clause = LINES, .kinds = BOX_MEMORY, .absent = why_no_channels)
{
	check_beside_channels(t, METERED_READS, CHANNEL_READS);
	check_beside_channels(t, METERED_WRITES, CHANNEL_WRITES);
}

/* ---- counters, where controllers have them: those of all run and stop with their box ---- */

#define PMON      "Linux, uncore_snb.c: adl_uncore_imc; Intel's register lists of Core Ultra"
#define ALL_LINES .n = MEMORY_LINES, .below = TRAFFIC_SLACK, .above = NO_LIMIT
#define ON_COMMANDS                                                                                \
	.clause = PMON, .kinds = BOX_FIRST(BOX_MEMORY), .counts = EV_CYCLES, .absent = why_no_lines

TRIALS(cas_read, "controllers of memory read as often as lines are loaded that no cache has",
       (ON_COMMANDS), {LOADED, .around = true, COUNTS(.event = MEMORY_READS, ALL_LINES)})

TRIALS(cas_written, "controllers of memory write as often as dirty lines are flushed",
       (ON_COMMANDS), {FLUSHED, .around = true, COUNTS(.event = MEMORY_WRITES, ALL_LINES)})

#undef GROUP
#define GROUP "access", "alive"

/* Each counter shows something, or nothing; and so does its control. */
static void check_all(struct run *t, bool counts, bool controls)
{
	for (unsigned c = 0; c < t->pmu->counters; c++) {
		CHECK_EQ(t, pmu_read(t->pmu, c) != 0, counts);
		CHECK_EQ(t, pmu_get(t->pmu->counter[c].ctl) != 0, controls);
	}
}

BOX_TEST(clears, "box control clears all counters, or all controls, and nothing else",
	 .clause = PMON, .kinds = BOX_MEMORY, .counts = EV_CYCLES)
{
	const struct pmu_reg gate = t->pmu->bank->gate;
	const uint32_t stop = box_gating(kind_of(t))->stop;

	put_clocks(t, t->pmu);
	t->pmu->box->run(t->pmu);
	wait_a_window();
	t->pmu->box->freeze(t->pmu);
	check_all(t, true, true);
	pmu_put(t->pmu, gate, stop | box_gating(kind_of(t))->reset_ctls);
	check_all(t, true, false);
	put_clocks(t, t->pmu);
	t->pmu->box->run(t->pmu);
	wait_a_window();
	pmu_put(t->pmu, gate, stop | box_gating(kind_of(t))->reset_ctrs);
	check_all(t, false, true);
	CHECK_EQ(t, pmu_get(gate), stop);
}

#undef GROUP
#define GROUP "count", "privilege"

BOX_TEST(no_event, "a counter that is told of no event counts nothing while its box runs",
	 .clause = PMON, .kinds = BOX_MEMORY, .counts = EV_CYCLES, .per_counter = true)
{
	put_clocks(t, t->pmu);
	pmu_put(t->pmu, t->pmu->counter[t->counter].ctl, 0);
	t->pmu->box->run(t->pmu);
	wait_a_window();
	t->pmu->box->freeze(t->pmu);
	for (unsigned c = 0; c < t->pmu->counters; c++)
		CHECK_EQ(t, pmu_read(t->pmu, c) != 0, c != t->counter);
}
