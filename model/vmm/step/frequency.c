/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * MPERF and APERF: ticks of the TSC and clocks of the processor in which it does not halt.  Code
 * that is stepped through takes the clocks of the model, all else runs at the rate of the TSC.
 */
#include "kernel/lib/string.h"
#include "stepping.h"

static struct {
	uint64_t halted; /* ticks, and what the guest has written */
	uint64_t ahead; /* so many clocks is APERF ahead of MPERF */
	uint64_t clocks, ticks; /* when stepping began */
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

static uint64_t mperf(const struct guest *g)
{
	return time_tsc(g) - frequency.halted;
}

/* Clocks less ticks since stepping began. */
static uint64_t gained(const struct guest *g)
{
	return clocks() - frequency.clocks - (mperf(g) - frequency.ticks);
}

void frequency_step(const struct guest *g)
{
	frequency.clocks = clocks();
	frequency.ticks = mperf(g);
}

void frequency_run(const struct guest *g)
{
	frequency.ahead += gained(g);
}

static uint64_t aperf(const struct guest *g)
{
	return mperf(g) + frequency.ahead + (g->stepping ? gained(g) : 0);
}

void frequency_rdmsr(const struct guest *g, uint32_t msr, uint64_t *value)
{
	if (msr == MSR_MPERF || msr == MSR_MPERF_RO)
		*value = mperf(g);
	else if (msr == MSR_APERF || msr == MSR_APERF_RO)
		*value = aperf(g);
}

/* The register that is written goes on from there, and the other one as before. */
void frequency_wrmsr(const struct guest *g, uint32_t msr, uint64_t value)
{
	uint64_t change;

	if (msr == MSR_MPERF) {
		change = value - mperf(g);
		frequency.halted -= change;
		frequency.ticks += change;
		frequency.ahead -= change;
	} else if (msr == MSR_APERF) {
		frequency.ahead += value - aperf(g);
	}
}
