/* SPDX-License-Identifier: BSD-2-Clause */
/* What PCU and QPI ports count without help: frequencies, power states, flits. */
#include "traffic.h"

#define GROUP "traffic"
#define POWER "Intel 327043-001, 2.6: PCU events and filter; SDM vol. 4: 3FCh, 3FDh"
#define LINK  "Intel 327043-001, 2.7: QPI events"

/* ---- PCU ---- */

#define BANDS     4u
#define BAND_BITS 8u
#define ALL_OF    UINT32_C(0xff) /* 25.5 GHz */
/* Of clocks: filter and clock event need not act in the same one. */
#define BAND_LAG 2u

/* The four bands are on events 0Bh to 0Eh. */
static struct snbep_config band_of(unsigned band)
{
	struct snbep_config cfg = {PCU_FREQ_BAND0_CYCLES};

	cfg.event = (uint16_t)(cfg.event + band);
	return cfg;
}

/* The band with the clock event beside it. */
static void check_band(struct run *t, unsigned band, uint32_t filter, bool reached)
{
	struct window w = box_window(t, 0, CONFIGS(band_of(band), {PCU_CLOCKTICKS}), wait_a_window);
	uint64_t in_band, clocks;

	snbep_put(t->pmu, PCU_MSR_PMON_BOX_FILTER, filter);
	window_run(t, &w);
	in_band = w.c[0].out;
	clocks = w.c[1].out;
	CHECK(t, clocks > BAND_LAG);
	if (reached)
		CHECK(t, in_band + BAND_LAG >= clocks && in_band <= clocks + BAND_LAG);
	else
		CHECK_EQ(t, in_band, 0);
}

SNBEP_TEST(bands, "any frequency reaches band 0, none reaches 25.5 GHz, and each band is its own",
	   .clause = POWER, .kinds = SNBEP_PCU)
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
SNBEP_TEST(bands_agree, "the four bands count the same where they are of the same frequency",
	   .clause = POWER, .kinds = SNBEP_PCU)
{
	struct window w = box_window(t, 0, CONFIGS(band_of(0), band_of(1), band_of(2), band_of(3)),
				     wait_a_window);

	for (uint32_t f = 1; f <= 0x80; f += f < 0x40 ? 1 : f) {
		snbep_put(t->pmu, PCU_MSR_PMON_BOX_FILTER, f * UINT32_C(0x01010101));
		window_run(t, &w);
		for (unsigned band = 1; band < BANDS; band++)
			CHECK_EQ(t, w.c[band].out, w.c[0].out);
	}
}

#define CORES_MAX 8u

/* This core is in C0; what the others are in, and whether C1 is C0, is open. */
SNBEP_TEST(occupancy, "of at most 8 cores at least this one is in C0, and none in two states",
	   .clause = POWER, .kinds = SNBEP_PCU)
{
	struct window c0 =
		box_count(t, 0,
			  CONFIGS({PCU_CORES_C0, .at_least = 1}, {PCU_CORES_C0, .below = 1},
				  {PCU_CLOCKTICKS}, {PCU_CORES_C0}),
			  wait_a_window);
	struct window all = box_count(
		t, 0, CONFIGS({PCU_CORES_C0}, {PCU_CORES_C3}, {PCU_CORES_C6}, {PCU_CLOCKTICKS}),
		wait_a_window);

	CHECK_EQ(t, c0.c[0].out + c0.c[1].out, c0.c[2].out);
	CHECK(t, c0.c[0].out > 0 && c0.c[3].out >= c0.c[0].out);
	CHECK(t, all.c[0].out >= all.c[3].out);
	CHECK(t, all.c[0].out + all.c[1].out + all.c[2].out <= CORES_MAX * all.c[3].out);
}

/* The counter under test on the cores in C0, with the clock event beside it. */
static void check_always(struct run *t, struct snbep_config c0, bool always)
{
	struct window w = box_count(t, t->counter, CONFIGS(c0, clock_of(t)), wait_a_window);

	CHECK(t, w.c[1].out > 1);
	CHECK_EQ(t, w.c[0].out, always ? w.c[1].out : 0);
	w.c[0].box.edge = true;
	window_run(t, &w);
	CHECK(t, w.c[0].out <= always);
}

SNBEP_TEST(occupancy_steps,
	   "each counter can invert an occupancy, and count its edges: 1 to 8 cores are in C0",
	   .clause = POWER, .kinds = SNBEP_PCU, .per_counter = true)
{
	check_always(t, (struct snbep_config){PCU_CORES_C0, .at_least = 1}, true);
	check_always(t, (struct snbep_config){PCU_CORES_C0, .below = 1}, false);
	check_always(t, (struct snbep_config){PCU_CORES_C0, .at_least = CORES_MAX + 1}, false);
	check_always(t, (struct snbep_config){PCU_CORES_C0, .below = CORES_MAX + 1}, true);
}

SNBEP_TEST(residency, "the residency counters go forward, no faster than the TSC", .clause = POWER,
	   .kinds = SNBEP_PCU)
{
	static const uint32_t msr[] = {MSR_CORE_C3_RESIDENCY, MSR_CORE_C6_RESIDENCY};

	for (unsigned i = 0; i < ARRAY_SIZE(msr); i++) {
		uint64_t from = rdtsc(), before = rdmsr(msr[i]), after;

		wait_a_window();
		after = rdmsr(msr[i]);
		CHECK(t, after - before <= rdtsc() - from);
	}
}

/* ---- QPI ---- */

/* Of 80 bits, on 20 lanes that move 8 bits in a clock. */
#define FLITS_PER_CLOCK 2u

/* In L0 a flit is sent in every slot, an idle one if there is nothing to say; a link that saves
 * power sends fewer. */
static void check_slots(struct run *t)
{
	struct window w = box_count(
		t, 0, CONFIGS({QPI_TXL_FLITS_G0_ALL}, clock_of(t), {QPI_TXL0_POWER_CYCLES}),
		wait_a_window);

	if (w.c[1].out == w.c[2].out)
		CHECK_EQ(t, w.c[0].out, FLITS_PER_CLOCK * w.c[1].out);
	else
		tell("clocks in L0", w.c[2].out, w.c[1].out);
}

SNBEP_CLOCK_TEST_OF(SNBEP_QPI, flits, "idle, data and other flits fill the two slots of a clock",
		    LINK)
{
	struct window w = box_count(t, 0,
				    CONFIGS({QPI_TXL_FLITS_G0_IDLE}, {QPI_TXL_FLITS_G0_DATA},
					    {QPI_TXL_FLITS_G0_NON_DATA}, clock_of(t)),
				    wait_a_window);

	CHECK(t, w.c[0].out + w.c[1].out + w.c[2].out <= FLITS_PER_CLOCK * w.c[3].out);
	check_slots(t);
}

/* The rate of a link depends on both its ends. */
SNBEP_CLOCK_TEST_OF(SNBEP_QPI, clocks, "the clock of a link in use goes on", LINK)
{
	uint64_t tsc = rdtsc();
	struct window w = box_count(t, 0, CONFIGS(clock_of(t)), wait_a_window);

	CHECK(t, w.c[0].out > 0);
	tsc = rdtsc() - tsc;
	report_diag("QPI clock: %llu or more kHz",
		    (unsigned long long)(w.c[0].out * machine_tsc_per_ms() / tsc));
}
