/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Tests of boxes outside of the cores, by what a box is for and what it can do, not by parts.  Most
 * are tables of trials: a trial is a window and the laws that its counts obey.
 *
 * Room: what is claimed of boxes outside of the cores
 * Uses: kernel, pmu/box, tests/lib
 */
#pragma once

#include "memory.h"
#include "pmu/box/box.h"
#include "tests/lib/test.h"

#define BOX_TEST(name, claim, ...) TEST(name, claim, .of_boxes = true, __VA_ARGS__)

/* A test that is nothing but trials.  attributes: in parentheses, as BOX_TEST() has them last. */
#define UNPACK(...) __VA_ARGS__
#define TRIALS(name, claim, attributes, ...)                                                       \
	static const struct trial name##_trials[] = {__VA_ARGS__};                                 \
	BOX_TEST(name, claim, UNPACK attributes)                                                   \
	{                                                                                          \
		judge_all(t, name##_trials, ARRAY_SIZE(name##_trials));                            \
	}

#define UNCORE          "uncore guide, 2.1"
#define BOX_CONTROL     "uncore guide, 2.1: box control: frz, frz_en"
#define COUNTER_CONTROL "uncore guide, 2.1: counter control: ev_sel, umask, en"
#define THRESHOLDS      "uncore guide, 2.1: counter control: thresh, invert, edge_det"
#define OVERFLOW        "uncore guide, 2.1.1: counter overflow"
#define LOCK            "uncore guide, 2.2: LOCK_CYCLES, the number of lock sequences started"

/* The boxes that have a clock event, and with it a box control register; and for .kinds and
 * .counts: only where that clock runs, others are skipped for their reason. */
#define CLOCKED                                                                                    \
	(BOX_CHANNEL | BOX_HOME | BOX_LINK | BOX_PCIE_STOP | BOX_LINK_STOP | BOX_SLICE |           \
	 BOX_POWER | BOX_IO | BOX_RING_SWITCH | BOX_MESH | BOX_WHOLE)
#define ON_CLOCKED .kinds = CLOCKED, .counts = EV_CYCLES
/* And those of which it is not known that their counters take writes, or what modes make of their
 * clocks. */
#define ON_COUNTED .kinds = CLOCKED | BOX_MEMORY, .counts = EV_CYCLES

/* Those that may have UCLK as a fixed counter. */
#define HAS_UCLK (BOX_SYSTEM | BOX_ARBITER | BOX_WHOLE | BOX_POWER)

/* A write takes effect some tens of nanoseconds later: this many clocks at 5 GHz. */
#define WRITE_LAG 500u

/* ---- trials ---- */

/* Of one box; it may have more. */
#define TRIAL_COUNTERS 4u

/* The work that is done in a window. */
typedef void box_load(void);

/* Nothing but time: 50 us, 20,000 clocks of the slowest box and more. */
void wait_a_window(void);
#define SPLIT_LOCKS 100u
void split_locks(void); /* this many locks across the end of a line */

/* A law: the sum of by[i] times count i is n, or up to below less or above more. */
struct law {
	int8_t by[TRIAL_COUNTERS]; /* or MANY, of either sign */
	int32_t n;
	uint16_t below, above;
};
#define NO_LIMIT          UINT16_MAX
#define EXACTLY(n_)       .n = (n_)
#define WITHIN(n_, slack) .n = (n_), .below = (slack), .above = (slack)
#define AT_LEAST(n_)      .n = (n_), .above = NO_LIMIT
#define AT_MOST(n_)       .n = (n_), .below = NO_LIMIT
/* As a weight: however many there are of the other, one of this is enough. */
#define MANY INT8_MAX

/*
 * How far a count of MEMORY_LINES lines may be from that number: 2 %, the specification's figure
 * for what the tests cannot keep out: page walks, patrol scrub (some 12 reads per millisecond and
 * socket), other agents.  The specification gives it for a million lines; 4096 do as well, because
 * a window takes a millisecond or two, so that 2 %, 81 lines, is more than scrub and refresh can
 * add.
 */
#define TRAFFIC_SLACK (MEMORY_LINES / 50)
#define ABOUT(n_)     WITHIN(n_, TRAFFIC_SLACK)

/* A slice can compare how many entries its queue has only if its counter 0 counts them, so that it
 * does there in addition. */
#define CLOCKS .event = BOX_CLOCKS
#define QUEUE  .event = BOX_QUEUE

/* What the filters of boxes let through.  Of a slice: requests of a kind, or of any, whose code may
 * have bits flipped; states and nodes are bits.  Of others, what is in their registers. */
enum request { ANY_REQUEST, DRD, RFO };
struct trial_filters {
	uint32_t reg[BOX_FILTERS_MAX];
	uint16_t request, flipped, nodes, states, thread;
};
#define FILTERS(...)                                                                               \
	.filters = &(const struct trial_filters)                                                   \
	{                                                                                          \
		__VA_ARGS__                                                                        \
	}

#define LAWS_MAX TRIAL_COUNTERS
/* The order is one without holes: there are a hundred. */
struct trial {
	uint64_t from; /* where the first counter starts; its count is from there on */
	box_load *prepare, *load; /* before, and in the window; without a load it only waits */
	const struct trial_filters *filters; /* of each box; NULL: all passes */
	uint32_t kinds; /* only on boxes of these kinds; 0: on all that the test is for */
	/* On all boxes of this kind, whose counts are added up; 0: on the box under test, but in a
	 * test for BOX_FIRST(kind) on all boxes of that kind. */
	uint32_t all;
	/* All weights 0 end them.  A law about a counter that the box does not have is no law. */
	struct law law[LAWS_MAX];
	/* The first is for the counter under test, others for those after it in a circle.  The
	 * first one that is all 0 ends them. */
	struct box_config cfg[TRIAL_COUNTERS];
	uint8_t first; /* not from the counter under test on, but from so many after it */
	uint8_t each; /* bit i: law i holds on each box by itself, not only for the sum of all */
	uint8_t off; /* bit i: counter i of the trial is not enabled */
	uint8_t occurs; /* i + 1: without any count of counter i the test is skipped at the end */
	/* What is done to MEMORY_LINES lines in it.  Without a law the events occur as often for
	 * each as their rows say. */
	uint8_t lines;
	uint8_t place; /* as memory_use() */
	bool around : 1; /* from each counter behind the first, too */
	bool nested : 1; /* opened one by one, closed in the opposite order */
	bool disturbed : 1; /* by what others do, above all one SMI: judged by trial_sums() */
};

#define LOADED   .lines = LINE_LOADED, .prepare = memory_clean, .load = memory_load
#define STORED   .lines = LINE_STORED, .prepare = memory_clean, .load = memory_store
#define FLUSHED  .lines = LINE_FLUSHED, .prepare = memory_clean, .load = memory_write_back
#define STREAMED .lines = LINE_STREAMED, .prepare = memory_clean, .load = memory_stream

/* One configuration on one counter, and what it counts. */
#define COUNTS(cfg_, ...) .cfg = {{cfg_}}, .law = {{{1}, __VA_ARGS__}}
/* On all counters of each box, which count the same. */
#define ALIKE                                                                                      \
	{{1, -1}, EXACTLY(0)}, {{1, 0, -1}, EXACTLY(0)},                                           \
	{                                                                                          \
		{1, 0, 0, -1}, EXACTLY(0)                                                          \
	}
#define ON_ALL(...) .cfg = {{__VA_ARGS__}, {__VA_ARGS__}, {__VA_ARGS__}, {__VA_ARGS__}}

/* n counters from number slot of the trial on count the same: as many at a time as a trial has, the
 * last one of which is the first one of the next time.  Laws from the first one on are taken. */
void judge_alike(struct run *t, const struct trial *trial, unsigned slot, unsigned n,
		 struct box_config cfg);
/* One window of all counters of the box under test, by number, each of which holds the next. */
struct all_counters {
	struct box_config cfg[BOX_COUNTERS_MAX];
	uint64_t from; /* where each starts */
	bool programmed; /* so, by a window before */
	uint64_t out[BOX_COUNTERS_MAX]; /* what it has counted */
};
void trial_all(struct run *t, struct all_counters *all, box_load *load);
/* NULL, or what the boxes lack that it asks for. */
const char *trial_lacks(const struct run *t, const struct trial *trial);
/* One window; skips the test where they lack something.  out[i]: of counter i of the trial, the sum
 * over all boxes. */
void trial_run(struct run *t, const struct trial *trial, uint64_t out[TRIAL_COUNTERS]);
/* The same so many times in one window, each from the counters on that follow those of the last. */
void trial_run_beside(struct run *t, const struct trial *trial, unsigned times,
		      uint64_t out[][TRIAL_COUNTERS]);
/* All is judged: boxes that need no more than a select to count have none any more. */
void trial_end(const struct run *t, const struct trial *trial);
/* How many counters it takes. */
unsigned trial_counters(const struct trial *trial);
/* The first count. */
uint64_t trial_count(struct run *t, const struct trial *trial);
/* Two windows that are alike will do; else of three the middle one, count by count. */
void trial_sums(struct run *t, const struct trial *trial, uint64_t out[TRIAL_COUNTERS]);
/* The boxes that it is run on, from *i = 0 until NULL. */
const struct pmu *trial_box(const struct run *t, const struct trial *trial, unsigned *i);
/* Counter i of the trial, as that box has it. */
uint64_t trial_read(const struct run *t, const struct trial *trial, const struct pmu *box,
		    unsigned i);
/* The kind of the boxes of which counts are added up; 0: there is one box. */
uint64_t trial_kinds(const struct run *t, const struct trial *trial);

/* ---- judge.c, channels.c ---- */

/* Runs it and checks its laws. */
void judge(struct run *t, const struct trial *trial);
void judge_all(struct run *t, const struct trial *trials, unsigned n);

/* Checks a number that was put together from several trials; too few on boxes of a kind of which
 * one is hidden cannot be judged. */
void check_sum(struct run *t, uint64_t kind, const char *what, uint64_t got, struct law want);
bool is_about(uint64_t count, uint64_t n);

/* Data channels that count each line: more than one if they work in lockstep. */
int32_t channels_per_line(struct run *t);

/* memory_repeat(), and nothing for as long as that took: displays and devices use memory, too, on
 * some machines more than this program. */
void repeat_timed(void), wait_as_long(void);
#define OTHERS_TOO "devices use memory too much here to tell which channel a line lies in"

/* The number of a block of memory, for memory_use(), that is all another socket's; without one the
 * test is skipped. */
uint8_t remote_place(struct run *t);

#define ALL_STATES 0xffffu /* as many as the filter has */

/* Counter 0's number of entries in a slice's table of requests reaches its others some clocks
 * later, by an entry or more each. */
#define TOR_LAG 16

/* By which they may differ from what it counts itself. */
static inline uint16_t tor_slack(const struct box_kind *kind)
{
	const unsigned not_known = 255;

	return (uint16_t)((kind->most ? kind->most : not_known) * TOR_LAG);
}

/* ---- boxes ---- */

/* The first visible box of one of these kinds, or NULL. */
const struct pmu *find_box(uint64_t kinds);

/* Reset, with the clock event on all counters, frozen.  Without such an event its fixed counter
 * runs. */
void put_clocks(struct run *t, const struct pmu *pmu);

/* For .absent of a test. */
const char *why_no_inversion(const struct pmu *pmu, unsigned ctr);
const char *why_no_fixed(const struct pmu *pmu, unsigned ctr);
const char *why_no_locks(const struct pmu *pmu, unsigned ctr); /* of a system box */

static inline const struct box_kind *kind_of(const struct run *t)
{
	return box_of(t->pmu)->kind;
}

/* ---- rates ---- */

/* The counter of a clock: what opens and closes it, and the clock that it is compared with. */
struct clock {
	const struct pmu *box;
	struct pmu_reg ctl, ctr;
	uint32_t on, off; /* of ctl */
	uint64_t (*now)(const void *clock);
	const struct pmu *reference; /* of by_counter(): its counter */
	struct pmu_reg reference_ctr;
};
uint64_t by_counter(const void *clock);

/* Compares n clocks at a time, the first time in a window of so many microseconds, until all are
 * known as sharply as asked for (SHARP, VERY_SHARP). The test is skipped if they never are known to
 * 5 %. */
#define CLOCKS_MAX 32u /* of n: the channels of four sockets, eight each */
#define FIRST_US   1000u /* tells how long the accesses take */
void measure_clocks(struct run *t, const struct clock *clock, unsigned n, uint32_t us,
		    unsigned sharpness, struct span *s);
