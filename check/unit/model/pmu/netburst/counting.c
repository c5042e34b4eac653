/* SPDX-License-Identifier: BSD-2-Clause */
/* The NetBurst PMU by worked examples: filters, overflow, interrupt, errata. */
#include "bench.h"

#include "check/unit/tap.h"

/* ---- filters: inputs into counter 12, all of them twice as wide as silicon retires ---- */

struct stream {
	unsigned clocks;
	uint8_t n[16];
};

static const struct stream ladder = {16, {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15}};
static const struct stream S = {8, {0, 3, 7, 15, 6, 7, 0, 2}};
static const struct stream S2 = {12, {0, 1, 0, 1, 1, 0, 2, 3, 0, 0, 1, 0}};
static const struct stream output = {15, {1, 0, 0, 0, 0, 1, 1, 1, 1, 1, 0, 0, 1, 1, 1}};

static const uint64_t NONE, COMPLEMENT = CCCR_COMPLEMENT, EDGE = CCCR_EDGE;

/* previous: whether the edge detector's memory is true before the first input. */
static uint64_t filtered(const struct stream *s, uint64_t filter, bool previous)
{
	begin("willamette");
	wr(CRU_ESCR0, UOPS_RETIRED);
	wr(CCCR(12), COUNT_CRU | filter);
	if (previous)
		uops(filter & CCCR_COMPLEMENT ? 0 : 15);
	wr(COUNTER(12), 0);
	for (unsigned i = 0; i < s->clocks; i++)
		uops(s->n[i]);
	return rd(COUNTER(12));
}

static void test_threshold(void)
{
	OK(filtered(&ladder, NONE, false) == 120);
	OK(filtered(&ladder, THRESHOLD(6), false) == 9);
	OK(filtered(&ladder, THRESHOLD(6) | COMPLEMENT, false) == 7);
	OK(filtered(&ladder, THRESHOLD(15), false) == 0);
	OK(filtered(&ladder, THRESHOLD(15) | COMPLEMENT, false) == 16);
	OK(filtered(&ladder, THRESHOLD(0), false) == 15);
	OK(filtered(&ladder, THRESHOLD(0) | COMPLEMENT, false) == 1);
	/* Without COMPARE the rest of the filter is ignored. */
	OK(filtered(&ladder, CCCR_COMPLEMENT | CCCR_EDGE | CCCR_THRESHOLD, false) == 120);
}

static void test_edge(void)
{
	OK(filtered(&S, NONE, false) == 40);
	OK(filtered(&S, THRESHOLD(6), false) == 3);
	OK(filtered(&S, THRESHOLD(6) | COMPLEMENT, false) == 5);
	OK(filtered(&S, THRESHOLD(6) | EDGE, false) == 2);
	OK(filtered(&S, THRESHOLD(6) | COMPLEMENT | EDGE, false) == 3);
	OK(filtered(&S, THRESHOLD(6) | COMPLEMENT | EDGE, true) == 2);
	OK(filtered(&S, EDGE, false) == 40);
	OK(filtered(&S2, NONE, false) == 9);
	OK(filtered(&S2, THRESHOLD(0), false) == 6);
	OK(filtered(&S2, THRESHOLD(0) | EDGE, false) == 4);
	OK(filtered(&S2, THRESHOLD(1), false) == 2);
	OK(filtered(&S2, THRESHOLD(1) | EDGE, false) == 1);
	OK(filtered(&S2, THRESHOLD(0) | COMPLEMENT, false) == 6);
	OK(filtered(&S2, THRESHOLD(0) | COMPLEMENT | EDGE, false) == 5);
	OK(filtered(&S2, THRESHOLD(0) | COMPLEMENT | EDGE, true) == 4);
	OK(filtered(&S2, THRESHOLD(15) | COMPLEMENT, false) == 12);
	OK(filtered(&S2, THRESHOLD(15) | COMPLEMENT | EDGE, false) == 1);
	OK(filtered(&S2, THRESHOLD(15) | COMPLEMENT | EDGE, true) == 0);
	OK(filtered(&S2, THRESHOLD(15), false) == 0);
	OK(filtered(&output, THRESHOLD(0) | EDGE, true) == 2);
	OK(filtered(&output, THRESHOLD(0) | EDGE, false) == 3);
}

/* ---- overflow and interrupt ---- */

static void start(uint64_t preset, uint64_t cccr)
{
	begin("northwood");
	wr(FSB_ESCR0, RUNNING);
	wr(COUNTER(0), preset);
	wr(CCCR(0), COUNT_FSB | cccr);
}

static void test_overflow(void)
{
	start(NEGATIVE(100), CCCR_OVF_PMI_T0);
	clocks(99);
	OK(!has_ovf(0) && rd(COUNTER(0)) == NETBURST_MASK);
	clocks(1);
	OK(has_ovf(0) && rd(COUNTER(0)) == 0 && !requests());
	clocks(1);
	OK(requests() && rd(COUNTER(0)) == 1);
	start(NEGATIVE(99), CCCR_OVF_PMI_T0);
	clocks(99);
	OK(has_ovf(0) && rd(COUNTER(0)) == 0 && !requests());
	clocks(1);
	OK(requests() && rd(COUNTER(0)) == 1);
	/* Held until OVF is cleared, or OVF_PMI. */
	clocks(50);
	OK(requests());
	wr(CCCR(0), rd(CCCR(0)));
	OK(requests() && has_ovf(0));
	wr(CCCR(0), rd(CCCR(0)) & ~CCCR_OVF);
	OK(!requests() && !has_ovf(0) && rd(COUNTER(0)) == 51);
}

static void test_force_ovf(void)
{
	start(0, CCCR_FORCE_OVF | CCCR_OVF_PMI_T0);
	clocks(1);
	OK(has_ovf(0) && rd(COUNTER(0)) == 1 && !requests());
	clocks(1);
	OK(requests() && rd(COUNTER(0)) == 2);
	wr(CCCR(0), rd(CCCR(0)) & ~CCCR_OVF);
	clocks(1);
	OK(has_ovf(0) && !requests());
	clocks(1);
	OK(requests());
}

static void test_sticky(void)
{
	start(NEGATIVE(1), 0);
	clocks(1);
	OK(has_ovf(0) && has_ovf(0));
	wr(CCCR(0), rd(CCCR(0)));
	OK(has_ovf(0));
	wr(CCCR(0), COUNT_FSB & ~(uint32_t)CCCR_ENABLE);
	OK(!has_ovf(0) && rd(COUNTER(0)) == 0);
	clocks(5);
	OK(!requests() && rd(COUNTER(0)) == 0);
	/* Several units may carry past zero. */
	begin("willamette");
	wr(CRU_ESCR0, UOPS_RETIRED);
	wr(COUNTER(12), NEGATIVE(2));
	wr(CCCR(12), COUNT_CRU | CCCR_OVF_PMI_T0);
	uops(3);
	OK(rd(COUNTER(12)) == 1 && has_ovf(12));
	uops(0);
	OK(!requests());
	uops(1);
	OK(requests());
}

/* Clearing OVF or OVF_PMI before the next event takes the interrupt back; T1's reaches no one. */
static void test_no_interrupt(void)
{
	start(NEGATIVE(1), CCCR_OVF_PMI_T0);
	clocks(1);
	wr(CCCR(0), COUNT_FSB | CCCR_OVF_PMI_T0);
	clocks(3);
	OK(!requests());
	start(NEGATIVE(1), CCCR_OVF_PMI_T0);
	clocks(1);
	wr(CCCR(0), COUNT_FSB | CCCR_OVF);
	clocks(3);
	OK(!requests() && has_ovf(0));
	start(NEGATIVE(1), CCCR_OVF_PMI_T1);
	clocks(3);
	OK(!requests() && has_ovf(0));
	start(NEGATIVE(1), 0);
	clocks(3);
	OK(!requests() && has_ovf(0));
}

/* ---- privilege, threads, power ---- */

/* T0_OS, T0_USR, T1_OS, T1_USR as bits 3 to 0; only the first processor runs. */
static uint64_t qualified(uint32_t escr, uint64_t event, uint32_t cccr, unsigned ctr, unsigned cpl,
			  unsigned bits)
{
	struct clock clock = {.cpl = cpl};

	begin("northwood");
	wr(escr, event | bits);
	wr(CCCR(ctr), cccr);
	clock.n[SIGNAL_CYCLES] = 1;
	clock.n[SIGNAL_COMPUTE + COMPUTE_X87] = 1;
	pmu_netburst_ops.core->clock(&pmu, &clock);
	return rd(COUNTER(ctr));
}

static void test_qualification(void)
{
	for (unsigned bits = 0; bits < 16; bits++) {
		unsigned os = bits >> 3, usr = bits >> 2 & 1, any_os = os | (bits >> 1 & 1),
			 any_usr = usr | (bits & 1);

		OK(qualified(FSB_ESCR0, 0x26000200, COUNT_FSB, 0, 0, bits) == os);
		OK(qualified(FSB_ESCR0, 0x26000200, COUNT_FSB, 0, 3, bits) == usr);
		OK(qualified(FSB_ESCR0, 0x26000200, COUNT_FSB, 0, 1, bits) == usr);
		OK(qualified(FIRM_ESCR0, 0x09000000, 0x00033000, 8, 0, bits) == any_os);
		OK(qualified(FIRM_ESCR0, 0x09000000, 0x00033000, 8, 3, bits) == any_usr);
	}
}

static void test_active_thread(void)
{
	static const uint64_t want[4] = {0, 1, 0, 1};

	for (unsigned field = 0; field < 4; field++) {
		uint32_t cccr = (COUNT_FSB & ~(uint32_t)CCCR_ACTIVE_THREAD) | field << 16;

		OK(qualified(FSB_ESCR0, 0x26000200, cccr, 0, 0, 8) == want[field]);
	}
}

/* The always-true comparison: counts whatever the privilege, but not without any event. */
static void test_every_clock(void)
{
	begin("willamette");
	wr(CCCR(14), COUNT_CRU | THRESHOLD(15) | CCCR_COMPLEMENT);
	clocks(10);
	OK(rd(COUNTER(14)) == 0);
	wr(CRU_ESCR1, 0x7e000000); /* in no mode */
	clocks(10);
	OK(rd(COUNTER(14)) == 10);
	/* Select 3 reaches nothing from counter 14: input 0, which is at most 0. */
	wr(CCCR(14), 0x00037000 | THRESHOLD(0) | CCCR_COMPLEMENT);
	clocks(10);
	OK(rd(COUNTER(14)) == 20);
}

/* ---- the short way ---- */

static void leave(struct point *at)
{
	(void)at;
}

/* A deviation that changes nothing has all counters go the long way. */
static const struct defect nothing = {.increment = leave};

/* Two counters of clocks, of which one interrupts each time it comes round, and two of micro-ops,
 * with a threshold and without. */
static void count_at_random(uint64_t seen[4], unsigned *requested, bool deviate)
{
	uint32_t random = 1;

	begin("prescott");
	if (deviate)
		pmu_netburst_ops.deviate(&pmu, &nothing);
	wr(FSB_ESCR0, RUNNING);
	wr(CRU_ESCR0, UOPS_RETIRED);
	wr(COUNTER(0), NEGATIVE(1000));
	wr(COUNTER(1), 0xffffffff);
	wr(COUNTER(12), NEGATIVE(2000));
	wr(CCCR(0), COUNT_FSB | CCCR_OVF_PMI_T0);
	wr(CCCR(1), COUNT_FSB);
	wr(CCCR(12), COUNT_CRU);
	wr(CCCR(13), COUNT_CRU | THRESHOLD(1));
	for (unsigned i = 0; i < 3000; i++, random = random * 1103515245 + 12345) {
		uops_at(random >> 30, random >> 16 & 3);
		*requested += requests();
		if (!requests())
			continue;
		wr(COUNTER(0), NEGATIVE(100));
		wr(CCCR(0), COUNT_FSB | CCCR_OVF_PMI_T0);
	}
	for (unsigned i = 0; i < 2; i++) {
		seen[i] = rd(COUNTER(i)) | rd(CCCR(i)) << 40;
		seen[2 + i] = rd(COUNTER(12 + i)) | rd(CCCR(12 + i)) << 40;
	}
}

static void test_short_way(void)
{
	uint64_t shorter[4], longer[4];
	unsigned requested = 0, requested_long = 0;

	count_at_random(shorter, &requested, false);
	count_at_random(longer, &requested_long, true);
	OK(!memcmp(shorter, longer, sizeof(shorter)));
	OK(requested == requested_long && requested > 10);
	OK(pmu.core.active && has_ovf(12) && rd(COUNTER(1)) > 0xffffffff);
}

/* ---- errata ---- */

static struct netburst_traits broken;

static void begin_broken(bool write_carries, bool stop_loses_carry)
{
	broken = *(const struct netburst_traits *)profile_find("willamette")->pmus[0].traits;
	broken.write_carries = write_carries;
	broken.stop_loses_carry = stop_loses_carry;
	pmu_netburst_ops.reset(&pmu, &broken, NULL);
}

static void test_write_carries(void)
{
	begin_broken(true, false);
	wr(FSB_ESCR0, RUNNING);
	wr(CCCR(0), COUNT_FSB & ~(uint32_t)CCCR_ENABLE); /* stopped, with an input */
	wr(CCCR(1), COUNT_FSB); /* powers the ESCR */
	clocks(1);
	wr(COUNTER(0), 0); /* nothing to carry: the counter was 0 */
	wr(COUNTER(0), NETBURST_MASK);
	OK(rd(COUNTER(0)) == NETBURST_MASK);
	OK(stored(COUNTER(0), NEGATIVE(99)) == UINT64_C(0x00ffffff9d));
	OK(stored(COUNTER(0), NEGATIVE(99)) == NEGATIVE(99)); /* the remedy: write it twice */
	wr(COUNTER(0), 0);
	OK(stored(COUNTER(0), NEGATIVE(99)) == NEGATIVE(99));
	wr(COUNTER(0), UINT64_C(0x00ffffffff));
	wr(FSB_ESCR0, 0);
	clocks(1);
	OK(stored(COUNTER(0), NEGATIVE(99)) == NEGATIVE(99));
}

static void test_stop_loses_carry(void)
{
	for (unsigned late = 0; late < 2; late++) {
		begin_broken(false, true);
		wr(FSB_ESCR0, RUNNING);
		wr(COUNTER(0), 0xffffffff);
		wr(CCCR(0), COUNT_FSB);
		clocks(1 + late);
		wr(CCCR(0), 0);
		OK(rd(COUNTER(0)) == (late ? UINT64_C(0x100000001) : 0));
	}
}

int main(void)
{
	test_threshold();
	test_edge();
	test_overflow();
	test_force_ovf();
	test_sticky();
	test_no_interrupt();
	test_qualification();
	test_active_thread();
	test_every_clock();
	test_short_way();
	test_write_carries();
	test_stop_loses_carry();
	return tap_end();
}
