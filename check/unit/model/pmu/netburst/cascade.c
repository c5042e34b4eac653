/* SPDX-License-Identifier: BSD-2-Clause */
/* Cascading of NetBurst counters by worked examples. */
#include "bench.h"

#include "check/unit/tap.h"

#define TARGET(ctr_cccr) (((ctr_cccr) & ~(uint64_t)CCCR_ENABLE) | CCCR_CASCADE)
#define EXTENDED(ctr_cccr)                                                                         \
	(((ctr_cccr) & ~(uint64_t)CCCR_ENABLE) | CCCR_EXTENDED_CASCADE | CCCR_OVF_PMI_T0)

/* ---- 200 and 400 ---- */

static void start_200_400(uint64_t target, uint64_t preset)
{
	begin("willamette");
	wr(FSB_ESCR0, RUNNING);
	wr(FSB_ESCR1, RUNNING);
	wr(COUNTER(2), preset);
	wr(CCCR(2), target);
	wr(COUNTER(0), NEGATIVE(200));
	wr(CCCR(0), COUNT_FSB);
}

static void test_200_400(void)
{
	start_200_400(TARGET(COUNT_FSB), NEGATIVE(400));
	OK(rd(COUNTER(0)) == UINT64_C(0xffffffff38) && rd(COUNTER(2)) == UINT64_C(0xfffffffe70));
	clocks(199);
	OK(rd(COUNTER(0)) == NETBURST_MASK && rd(COUNTER(2)) == NEGATIVE(400) && !has_ovf(0));
	clocks(1);
	OK(rd(COUNTER(0)) == 0 && rd(COUNTER(2)) == NEGATIVE(400) && has_ovf(0));
	clocks(1);
	OK(rd(COUNTER(0)) == 1 && rd(COUNTER(2)) == NEGATIVE(399));
	clocks(399);
	OK(rd(COUNTER(0)) == 400 && rd(COUNTER(2)) == 0 && has_ovf(0) && has_ovf(2));
	OK(!(rd(CCCR(2)) & CCCR_ENABLE));
}

static unsigned interrupt_at(uint64_t preset)
{
	start_200_400(TARGET(COUNT_FSB) | CCCR_OVF_PMI_T0, preset);
	for (unsigned clock = 1; clock < 1000; clock++) {
		clocks(1);
		if (requests())
			return clock;
	}
	return 0;
}

static void test_interrupt(void)
{
	OK(interrupt_at(NEGATIVE(400)) == 601);
	OK(interrupt_at(NEGATIVE(399)) == 600);
}

static void test_stop(void)
{
	start_200_400(TARGET(COUNT_FSB), NEGATIVE(400));
	clocks(300);
	wr(CCCR(0), rd(CCCR(0)) & ~CCCR_OVF);
	clocks(50);
	OK(rd(COUNTER(2)) == UINT64_C(0xfffffffed4) && rd(COUNTER(0)) == 150);
	start_200_400(TARGET(COUNT_FSB), NEGATIVE(400));
	clocks(300);
	wr(CCCR(2), rd(CCCR(2)) & ~CCCR_CASCADE);
	clocks(50);
	OK(rd(COUNTER(2)) == UINT64_C(0xfffffffed4) && rd(COUNTER(0)) == 150);
	start_200_400(COUNT_FSB & ~(uint32_t)CCCR_ENABLE, NEGATIVE(400));
	clocks(700);
	OK(rd(COUNTER(2)) == NEGATIVE(400));
	start_200_400(COUNT_FSB | CCCR_CASCADE, NEGATIVE(400));
	clocks(100);
	OK(rd(COUNTER(2)) == NEGATIVE(300));
}

/* ---- who starts whom ---- */

/* A CCCR with which the counter counts the micro-ops or clocks given below: all of its group's
 * ESCRs that matter are programmed. */
static uint64_t counting_cccr(unsigned ctr)
{
	return ctr < 4 ? COUNT_FSB : ctr < 12 ? 0x00031000u : COUNT_CRU;
}

/* FLAME and MS have no event that a clock can carry alone, so all count "at most 15". */
static void program_escrs(void)
{
	static const uint32_t escrs[] = {FSB_ESCR0, FSB_ESCR1, 0x3a6, 0x3a7,
					 0x3c0,     0x3c1,     0x3b8, 0x3b9};

	for (size_t i = 0; i < ARRAY_SIZE(escrs); i++)
		wr(escrs[i], 0x26000200);
}

/* Does the overflow of source start target, which has that flag? */
static bool starts(const char *model, unsigned source, unsigned target, uint64_t flag)
{
	uint64_t every = THRESHOLD(15) | CCCR_COMPLEMENT;

	begin(model);
	program_escrs();
	wr(CCCR(target), (counting_cccr(target) & ~CCCR_ENABLE) | flag | every);
	wr(COUNTER(source), NEGATIVE(5));
	wr(CCCR(source), counting_cccr(source) | every);
	clocks(5);
	if (rd(COUNTER(target)) != 0)
		return false;
	clocks(5);
	return rd(COUNTER(target)) == 5;
}

static bool is_pair(unsigned source, unsigned target)
{
	if (target >= 16)
		return source == target - 2;
	return source < 16 && (source ^ target) == 2;
}

static void test_pairs(void)
{
	for (unsigned source = 0; source < NETBURST_COUNTERS; source++)
		for (unsigned target = 0; target < NETBURST_COUNTERS; target++)
			if (source != target)
				OK(starts("willamette", source, target, CCCR_CASCADE) ==
				   is_pair(source, target));
}

static void test_extended_pairs(void)
{
	static const unsigned sources[NETBURST_COUNTERS] = {
		[12] = 16, [15] = 17, [16] = 17, [17] = 16};

	for (unsigned target = 0; target < NETBURST_COUNTERS; target++)
		for (unsigned source = 12; source < NETBURST_COUNTERS; source++) {
			if (source == target)
				continue;
			OK(starts("prescott", source, target, CCCR_EXTENDED_CASCADE) ==
			   (sources[target] == source));
			OK(!starts("willamette", source, target, CCCR_EXTENDED_CASCADE));
		}
}

static void test_extended_4096(void)
{
	begin("northwood");
	wr(CRU_ESCR0, UOPS_RETIRED);
	wr(CRU_ESCR1, UOPS_RETIRED);
	wr(COUNTER(17), NEGATIVE(3));
	wr(CCCR(17), EXTENDED(COUNT_CRU));
	wr(COUNTER(16), NEGATIVE(4096));
	wr(CCCR(16), 0x00039000);
	OK(rd(CCCR(17)) == 0x04038800);
	clocks(4096);
	OK(has_ovf(16) && rd(COUNTER(17)) == NEGATIVE(3));
	clocks(3);
	OK(has_ovf(17) && rd(COUNTER(17)) == 0 && !requests());
	clocks(1);
	OK(requests());
}

/* One source, two targets. */
static void test_two_targets(void)
{
	begin("willamette");
	wr(CRU_ESCR0, UOPS_RETIRED);
	wr(CRU_ESCR1, UOPS_RETIRED);
	wr(CCCR(12), TARGET(COUNT_CRU));
	wr(CCCR(16), TARGET(COUNT_CRU));
	wr(COUNTER(14), NEGATIVE(10));
	wr(CCCR(14), COUNT_CRU);
	clocks(13);
	OK(rd(COUNTER(12)) == 3 && rd(COUNTER(16)) == 3 && rd(COUNTER(14)) == 3);
}

int main(void)
{
	test_200_400();
	test_interrupt();
	test_stop();
	test_pairs();
	test_extended_pairs();
	test_extended_4096();
	test_two_targets();
	return tap_end();
}
