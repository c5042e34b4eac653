/* SPDX-License-Identifier: BSD-2-Clause */
/* MPERF, APERF and IRPERF, stepped and not, over halts and writes. */
#include "model/cpu/state.h"
#include "model/vmm/step/stepping.h"

#include "check/unit/tap.h"

static struct guest guest;
static uint64_t tsc, clocks, retired;

struct silicon silicon_cpu;

struct silicon_tally silicon_tally(struct silicon *s)
{
	return (struct silicon_tally){.clocks = s == &silicon_cpu ? clocks : 0, .retired = retired};
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

/* It stands still unless it is switched on, is exact while stepped through, and goes on as MPERF
 * else. */
static void test_irperf(void)
{
	begin();
	OK(read(MSR_IRPERF) == 0 && read(MSR_HWCR) == 0);
	frequency_wrmsr(&guest, MSR_HWCR, BIT(30) | BIT(8));
	OK(read(MSR_IRPERF) == 0 && read(MSR_HWCR) == BIT(30));
	tsc += 10;
	OK(read(MSR_IRPERF) == 10);
	step(true);
	tsc += 500;
	clocks += 300;
	retired += 40;
	OK(read(MSR_IRPERF) == 50);
	frequency_wrmsr(&guest, MSR_MPERF, 5);
	OK(read(MSR_IRPERF) == 50 && read(MSR_MPERF) == 5);
	frequency_wrmsr(&guest, MSR_IRPERF, 1000);
	retired++;
	step(false);
	OK(read(MSR_IRPERF) == 1001);
	frequency_halted(7);
	tsc += 9;
	OK(read(MSR_IRPERF) == 1003);
	frequency_wrmsr(&guest, MSR_HWCR, 0);
	tsc += 100;
	OK(read(MSR_IRPERF) == 1003 && read(MSR_HWCR) == 0);
	frequency_wrmsr(&guest, MSR_IRPERF, 3);
	frequency_wrmsr(&guest, MSR_HWCR, BIT(30));
	tsc += 1;
	OK(read(MSR_IRPERF) == 4);
}

int main(void)
{
	test_irperf();
	test_run();
	test_step();
	test_write();
	return tap_end();
}
