/* SPDX-License-Identifier: BSD-2-Clause */
/* Seeded NetBurst faults by what they do, one or two of each hook. */
#include "bench.h"

#include "check/unit/tap.h"

#define BOTH UINT32_C(0x0200020c) /* uops_retired */

/* Counter 12 on a stream of micro-ops, in ring 0 but for the last two. */
static uint64_t counted(const char *fault, uint32_t escr, uint64_t filter)
{
	static const uint8_t stream[] = {0, 3, 1, 0, 2, 2, 0, 3, 1, 3};

	begin_with("northwood", fault);
	wr(CRU_ESCR0, escr);
	wr(CCCR(12), COUNT_CRU | filter);
	for (unsigned i = 0; i < sizeof(stream); i++)
		uops_at(i < 8 ? 0 : 3, stream[i]);
	return rd(COUNTER(12));
}

static void test_filters(void)
{
	const uint64_t complement = CCCR_COMPLEMENT, edge = CCCR_EDGE;

	OK(counted(NULL, BOTH, 0) == 15 && counted(NULL, BOTH, THRESHOLD(1)) == 5);
	OK(counted("p4_threshold_greater_equal", BOTH, THRESHOLD(1)) == 7);
	OK(counted("p4_threshold_plus_one", BOTH, THRESHOLD(1)) == 3);
	OK(counted("p4_threshold_ignored", BOTH, THRESHOLD(1)) == 7);
	OK(counted("p4_threshold_exact_match", BOTH, THRESHOLD(0)) == 2);
	OK(counted("p4_threshold_15_stuck", BOTH, THRESHOLD(15) | complement) == 0);
	OK(counted("p4_every_clock_needs_input", BOTH, THRESHOLD(15) | complement) == 7);
	OK(counted("p4_compare_ignored", BOTH, THRESHOLD(1)) == 15);
	OK(counted("p4_compare_adds_value", BOTH, THRESHOLD(1)) == 13);
	OK(counted("p4_complement_ignored", BOTH, THRESHOLD(1) | complement) == 5);
	OK(counted("p4_complement_off_by_one", BOTH, THRESHOLD(1) | complement) == 3);
	OK(counted("p4_complement_misses_idle", BOTH, THRESHOLD(1) | complement) == 2);
	OK(counted(NULL, BOTH, THRESHOLD(0) | edge) == 3);
	OK(counted("p4_edge_dead", BOTH, THRESHOLD(0) | edge) == 7);
	OK(counted("p4_edge_falling", BOTH, THRESHOLD(0) | edge) == 2);
	OK(counted("p4_edge_counts_both", BOTH, THRESHOLD(0) | edge) == 5);
	OK(counted("p4_edge_without_compare", BOTH, edge) == 3);
	OK(counted("p4_one_per_clock", BOTH, 0) == 7);
	OK(counted("p4_enable_lags_one", BOTH, 0) == 14);
}

static void test_escrs(void)
{
	const uint32_t os = BOTH & ~(uint32_t)ESCR_T0_USR, usr = BOTH & ~(uint32_t)ESCR_T0_OS,
		       none = os & usr, t1 = none | 3;

	OK(counted(NULL, os, 0) == 11 && counted(NULL, usr, 0) == 4 && counted(NULL, none, 0) == 0);
	OK(counted("p4_usr_dead", usr, 0) == 0 && counted("p4_os_dead", os, 0) == 0);
	OK(counted("p4_usr_and_os_swapped", os, 0) == 4);
	OK(counted("p4_usr_counts_ring0", usr, 0) == 15);
	OK(counted("p4_neither_counts", none, 0) == 15);
	OK(counted("p4_both_counts_user_only", BOTH, 0) == 4);
	OK(counted(NULL, t1, 0) == 0 && counted("p4_t1_counts_t0", t1, 0) == 15);
	OK(counted("p4_halves_swapped", BOTH, 0) == 0);
}

/* Clocks until counter 0 with that preset requests an interrupt, 20 at most. */
static unsigned interrupts_at(const char *fault, uint64_t preset, uint64_t cccr)
{
	begin_with("northwood", fault);
	wr(FSB_ESCR0, RUNNING);
	wr(COUNTER(0), preset);
	wr(CCCR(0), COUNT_FSB | cccr);
	for (unsigned i = 1; i <= 20; i++)
		if (clocks(1) || requests())
			return i;
	return 0;
}

static void test_interrupts(void)
{
	const uint64_t preset = NEGATIVE(5), pmi = CCCR_OVF_PMI_T0;

	OK(interrupts_at(NULL, preset, pmi) == 6);
	OK(interrupts_at("p4_pmi_on_overflow", preset, pmi) == 5);
	OK(interrupts_at("p4_pmi_late_by_one", preset, pmi) == 7);
	OK(interrupts_at("p4_ovf_early", preset, pmi) == 5);
	OK(interrupts_at("p4_ovf_never", preset, pmi) == 0);
	OK(interrupts_at("p4_pmi_flag_dead", preset, pmi) == 0);
	OK(interrupts_at(NULL, preset, 0) == 0);
	OK(interrupts_at("p4_pmi_without_flag", preset, 0) == 6);
	OK(interrupts_at("p4_lvt_not_masked", preset, pmi) == 6 && !requests());
	OK(interrupts_at("p4_request_outlives_ovf", preset, pmi) == 6);
	wr(CCCR(0), 0);
	OK(requests());
	OK(interrupts_at("p4_force_ovf_ignored", 0, pmi | CCCR_FORCE_OVF) == 0);
	OK(interrupts_at("p4_force_ovf_interrupts", 0, CCCR_FORCE_OVF) == 2);
}

static void test_ovf(void)
{
	interrupts_at("p4_ovf_cleared_by_reading", NEGATIVE(5), 0);
	OK(has_ovf(0) && !has_ovf(0));
	interrupts_at("p4_ovf_on_neighbour", NEGATIVE(5), 0);
	OK(!has_ovf(0) && has_ovf(1));
	interrupts_at("p4_ovf_stays", NEGATIVE(5), 0);
	wr(CCCR(0), 0);
	OK(has_ovf(0));
	interrupts_at("p4_ovf_cleared_by_one", NEGATIVE(5), 0);
	wr(CCCR(0), rd(CCCR(0)));
	OK(!has_ovf(0));
	interrupts_at("p4_stops_at_overflow", NEGATIVE(5), 0);
	OK(rd(COUNTER(0)) == 0);
	interrupts_at("p4_wrap_saturates", NEGATIVE(5), 0);
	OK(rd(COUNTER(0)) == NETBURST_MASK);
}

/* Counter 2 after 5 clocks, 10, 15: counter 0 overflows with the fifth, and is cleared after 10. */
static bool cascades(const char *fault, uint64_t cccr, uint64_t at5, uint64_t at10, uint64_t at15)
{
	begin_with("northwood", fault);
	wr(FSB_ESCR0, RUNNING);
	wr(FSB_ESCR1, RUNNING);
	wr(CCCR(2), (COUNT_FSB & ~CCCR_ENABLE) | cccr);
	wr(COUNTER(0), NEGATIVE(5));
	wr(CCCR(0), COUNT_FSB);
	clocks(5);
	OK(rd(COUNTER(2)) == at5);
	clocks(5);
	OK(rd(COUNTER(2)) == at10);
	wr(CCCR(0), COUNT_FSB);
	clocks(5);
	return rd(COUNTER(2)) == at15;
}

static void test_cascade(void)
{
	OK(cascades(NULL, CCCR_CASCADE, 0, 5, 5));
	OK(cascades("p4_cascade_dead", CCCR_CASCADE, 0, 0, 0));
	OK(cascades("p4_cascade_upwards_only", CCCR_CASCADE, 0, 5, 5));
	OK(cascades("p4_cascade_at_once", CCCR_CASCADE, 5, 10, 15));
	OK(cascades(NULL, 0, 0, 0, 0));
	OK(cascades("p4_cascade_without_flag", 0, 0, 5, 5));
	OK(cascades("p4_cascade_loses_first", CCCR_CASCADE, 0, 4, 4));
	OK(cascades("p4_cascade_outlives_source_ovf", CCCR_CASCADE, 0, 5, 10));
	OK(cascades("p4_cascade_from_pair_mate", CCCR_CASCADE, 0, 0, 0));
	OK(cascades("p4_cascade_stops_source", CCCR_CASCADE, 0, 5, 5) && rd(COUNTER(0)) == 5);
	OK(cascades("p4_enable_ignored", 0, 5, 10, 15));
}

static uint64_t rdpmc(const char *fault, uint32_t index)
{
	uint64_t value;

	begin_with("willamette", fault);
	wr(COUNTER(0), 7);
	wr(COUNTER(16), UINT64_C(0x1223456789));
	pmu_netburst_ops.rdpmc(&pmu, index, 0, false, &value);
	return value;
}

static void test_registers(void)
{
	OK(rdpmc("p4_rdpmc_low32", 16) == 0x23456789);
	OK(rdpmc("p4_rdpmc_fast_is_full", 0x80000010) == UINT64_C(0x1223456789));
	OK(rdpmc("p4_rdpmc_fast_upper", 0x80000010) == 0x12);
	OK(rdpmc("p4_rdpmc_index_4_bits", 16) == 7);
	begin_with("willamette", "p4_counter_width_39");
	wr(COUNTER(5), NETBURST_MASK);
	OK(rd(COUNTER(5)) == NETBURST_MASK >> 1);
	begin_with("willamette", "p4_cru_escrs_are_one");
	wr(CRU_ESCR1, RUNNING);
	OK(rd(CRU_ESCR0) == RUNNING);
	begin_with("willamette", "p4_cccr_compare_sets_reserved");
	wr(CCCR(5), CCCR_COMPARE);
	OK(rd(CCCR(5)) == (CCCR_COMPARE | BIT(28)));
}

int main(void)
{
	test_filters();
	test_escrs();
	test_interrupts();
	test_ovf();
	test_cascade();
	test_registers();
	return tap_end();
}
