/* SPDX-License-Identifier: BSD-2-Clause */
/* One time for all clocks of the guest, while a counter counts ticks of the TSC. */
#include "model/cpu/state.h"
#include "model/vmm/apic/apic.h"
#include "model/vmm/step/stepping.h"

#include "check/unit/tap.h"

/* A clock of the power management timer is as long as so many ticks, nearly. */
#define TSC_HZ (1000 * UINT64_C(3579545))

static struct vmcb vmcb;
static struct guest guest = {.vmcb = &vmcb};
static bool counts;
static uint64_t ticks;

struct silicon silicon_cpu;

bool silicon_counts_tsc(const struct silicon *s)
{
	return s == &silicon_cpu && counts;
}

uint64_t silicon_tsc_ticks(struct silicon *s)
{
	return s == &silicon_cpu ? ticks : 0;
}

static void begin(void)
{
	counts = false;
	time_update(&guest);
	vmcb.tsc_offset = 0;
	time_start(&guest, TSC_HZ);
	guest.stepping = counts = true;
	ticks = 0;
}

static void wait(uint64_t for_ticks)
{
	for (uint64_t from = read_tsc(); read_tsc() - from < for_ticks;)
		;
}

static void test_tsc(void)
{
	uint64_t began;

	begin();
	began = time_tsc(&guest);
	OK(time_tsc(&guest) - began < TSC_HZ && !time_is_own());
	time_update(&guest);
	began = time_tsc(&guest);
	wait(100000);
	OK(time_is_own() && time_tsc(&guest) == began && vmcb.intercept & INTERCEPT_RDTSC);
	ticks = 5000;
	OK(time_tsc(&guest) == began + 5000);
	counts = false;
	time_update(&guest);
	OK(!time_is_own() && time_tsc(&guest) >= began + 5000 &&
	   read_tsc() - time_tsc(&guest) >= 95000);
	OK(!(vmcb.intercept & INTERCEPT_RDTSC));
}

/* It stands still as long as the TSC does, and never catches up. */
static void test_pm_timer(void)
{
	uint32_t lag;

	begin();
	OK(time_pm_timer(&guest, 77) == 77);
	time_update(&guest);
	wait(1000000);
	lag = 77 - time_pm_timer(&guest, 77);
	OK((lag & 0xffffff) >= 999);
	ticks = 400000;
	OK(((77 - time_pm_timer(&guest, 77)) & 0xffffff) + 400 >= lag % 0x1000000);
	counts = false;
	time_update(&guest);
	OK(((77 - time_pm_timer(&guest, 77)) & 0xffffff) >= 599);
}

/* Divided by 16: nearly 62.5 million a second. */
static void test_apic_timer(void)
{
	static uint32_t apic[1024];

	apic[APIC_TIMER_COUNT / 4] = 1000000;
	apic[APIC_TIMER_DIVIDE / 4] = 3;
	begin();
	time_update(&guest);
	wait(TSC_HZ / 1000);
	OK(time_apic_count(&guest, (uintptr_t)apic) >= 1062500);
	apic[APIC_TIMER_DIVIDE / 4] = 0xb; /* by 1 */
	OK(time_apic_count(&guest, (uintptr_t)apic) >= 2000000);
	apic[APIC_TIMER_COUNT / 4] = 0;
	OK(time_apic_count(&guest, (uintptr_t)apic) == 0);
}

int main(void)
{
	test_tsc();
	test_pm_timer();
	test_apic_timer();
	return tap_end();
}
