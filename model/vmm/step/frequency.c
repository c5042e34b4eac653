/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * MPERF, APERF and IRPERF: ticks of the TSC, clocks and instructions of the processor in which it
 * does not halt.  Code that is stepped through takes the clocks of the model, and is counted; all
 * else runs at the rate of the TSC, in clocks and in instructions.
 */
#include "kernel/lib/string.h"
#include "stepping.h"

#define HWCR_IRPERF_EN BIT(30)

/* A count that goes on as MPERF does, but by one of the model's while the guest is stepped through.
 */
struct meter {
	uint64_t ahead; /* of MPERF */
	uint64_t began; /* the model's, when stepping began */
};

static struct {
	uint64_t halted; /* ticks, and what the guest has written */
	uint64_t ticks; /* when stepping began */
	struct meter clocks, instructions;
	bool counts; /* IRPERF does; else it stands still here: */
	uint64_t irperf;
} frequency;

void frequency_start(void)
{
	memset(&frequency, 0, sizeof(frequency));
}

void frequency_halted(uint64_t tsc)
{
	frequency.halted += tsc;
}

static uint64_t clocks(void)
{
	return silicon_tally(&silicon_cpu).clocks;
}

static uint64_t instructions(void)
{
	return silicon_tally(&silicon_cpu).retired;
}

static uint64_t mperf(const struct guest *g)
{
	return time_tsc(g) - frequency.halted;
}

/* More of it than ticks since stepping began; now is the model's count. */
static uint64_t gained(const struct guest *g, const struct meter *m, uint64_t now)
{
	return now - m->began - (mperf(g) - frequency.ticks);
}

void frequency_step(const struct guest *g)
{
	frequency.clocks.began = clocks();
	frequency.instructions.began = instructions();
	frequency.ticks = mperf(g);
}

void frequency_run(const struct guest *g)
{
	frequency.clocks.ahead += gained(g, &frequency.clocks, clocks());
	frequency.instructions.ahead += gained(g, &frequency.instructions, instructions());
}

/* While it is stepped through the machine's time does not matter: read twice, it would not be the
 * same. */
static uint64_t read(const struct guest *g, const struct meter *m, uint64_t now)
{
	return m->ahead + (g->stepping ? frequency.ticks + now - m->began : mperf(g));
}

static uint64_t aperf(const struct guest *g)
{
	return read(g, &frequency.clocks, clocks());
}

static uint64_t irperf(const struct guest *g)
{
	return frequency.counts ? read(g, &frequency.instructions, instructions())
				: frequency.irperf;
}

void frequency_rdmsr(const struct guest *g, uint32_t msr, uint64_t *value)
{
	if (msr == MSR_MPERF || msr == MSR_MPERF_RO)
		*value = silicon_shown_clocks(&silicon_cpu, mperf(g), msr == MSR_MPERF_RO);
	else if (msr == MSR_APERF || msr == MSR_APERF_RO)
		*value = silicon_shown_clocks(&silicon_cpu, aperf(g), msr == MSR_APERF_RO);
	else if (msr == MSR_IRPERF)
		*value = irperf(g);
	else if (msr == MSR_HWCR)
		*value = frequency.counts ? HWCR_IRPERF_EN : 0;
}

/* Others go on as before. */
static void set_mperf(const struct guest *g, uint64_t value)
{
	uint64_t change = value - mperf(g);

	frequency.halted -= change;
	frequency.ticks += change;
	frequency.clocks.ahead -= change;
	frequency.instructions.ahead -= change;
}

/* It goes on from value, or stands still there. */
static void set_irperf(const struct guest *g, uint64_t value, bool counts)
{
	frequency.counts = counts;
	frequency.irperf = value;
	if (counts)
		frequency.instructions.ahead += value - irperf(g);
}

void frequency_wrmsr(const struct guest *g, uint32_t msr, uint64_t value)
{
	if (msr == MSR_MPERF)
		set_mperf(g, value);
	else if (msr == MSR_APERF)
		frequency.clocks.ahead += value - aperf(g);
	else if (msr == MSR_IRPERF)
		set_irperf(g, value, frequency.counts);
	else if (msr == MSR_HWCR)
		set_irperf(g, irperf(g), value & HWCR_IRPERF_EN);
}
