/* SPDX-License-Identifier: BSD-2-Clause */
/* MPERF and APERF, stepped and not, over halts and writes. */
#include "model/cpu/state.h"
#include "model/vmm/step/stepping.h"

#include "check/unit/tap.h"

static struct guest guest;
static uint64_t tsc, clocks;

struct silicon silicon_cpu;

struct silicon_tally silicon_tally(const struct silicon *s)
{
	return (struct silicon_tally){.clocks = s == &silicon_cpu ? clocks : 0};
}

uint64_t time_tsc(const struct guest *g)
{
	return g == &guest ? tsc : 0;
}

static uint64_t read(uint32_t msr)
{
	uint64_t value = 0;

	frequency_rdmsr(&guest, msr, &value);
	return value;
}

static bool are(uint64_t mperf, uint64_t aperf)
{
	return read(MSR_MPERF) == mperf && read(MSR_APERF) == aperf &&
	       read(MSR_MPERF_RO) == mperf && read(MSR_APERF_RO) == aperf;
}

static void step(bool on)
{
	if (!on)
		frequency_run(&guest);
	guest.stepping = on;
	if (on)
		frequency_step(&guest);
}

static void begin(void)
{
	frequency_start();
	tsc = 1000;
	clocks = 7;
}

static void test_run(void)
{
	begin();
	OK(are(1000, 1000) && read(MSR_TSC) == 0);
	frequency_halted(600);
	tsc = 2000;
	OK(are(1400, 1400));
}

static void test_step(void)
{
	begin();
	step(true);
	OK(are(1000, 1000));
	tsc += 500;
	clocks += 300;
	OK(are(1500, 1300));
	tsc += 100;
	frequency_halted(100);
	OK(are(1500, 1300));
	step(false);
	OK(are(1500, 1300));
	tsc += 50;
	clocks += 1;
	OK(are(1550, 1350));
	step(true);
	clocks += 1000;
	OK(are(1550, 2350));
	step(false);
}

static void test_write(void)
{
	begin();
	frequency_wrmsr(&guest, MSR_APERF, 3);
	OK(are(1000, 3));
	step(true);
	frequency_wrmsr(&guest, MSR_MPERF, 5);
	OK(are(5, 3));
	tsc += 10;
	clocks += 20;
	frequency_wrmsr(&guest, MSR_MPERF_RO, 0);
	OK(are(15, 23));
	frequency_wrmsr(&guest, MSR_APERF, 0);
	step(false);
	OK(are(15, 0));
}

int main(void)
{
	test_run();
	test_step();
	test_write();
	return tap_end();
}
