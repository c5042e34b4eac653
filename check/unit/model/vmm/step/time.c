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

bool silicon_counts_tsc(struct silicon *s)
{
	return s == &silicon_cpu && counts;
}

uint64_t silicon_tsc_ticks(struct silicon *s)
{
	return s == &silicon_cpu ? ticks : 0;
}

static uint32_t apic[1024];

uint64_t apic_find_base(void)
{
	return (uintptr_t)apic;
}

static unsigned interrupts;

void apic_send_message(uint32_t message)
{
	interrupts += message == 0x51;
}

static uint64_t retired;

struct silicon_tally silicon_tally(struct silicon *s)
{
	return (struct silicon_tally){.retired = s == &silicon_cpu ? retired : 0};
}

static void begin(void)
{
	guest.system = false;
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
	apic[APIC_TIMER_COUNT / 4] = 1000000;
	apic[APIC_TIMER_DIVIDE / 4] = 3;
	begin();
	time_update(&guest);
	wait(TSC_HZ / 1000);
	OK(time_apic_count(&guest) >= 1062500);
	apic[APIC_TIMER_DIVIDE / 4] = 0xb; /* by 1 */
	OK(time_apic_count(&guest) >= 2000000);
	apic[APIC_TIMER_COUNT / 4] = 0;
	OK(time_apic_count(&guest) == 0);
}

/* ---- the timer of a system ---- */

/* A thousandth of a second in both: 1,000,000 counts of the timer undivided. */
enum { MS_COUNT = 1000000 };
#define MS_TICKS (TSC_HZ / 1000)
#define PERIODIC BIT(17)

static void begin_system(uint32_t lvt)
{
	begin();
	guest.system = true;
	interrupts = 0;
	apic[APIC_TIMER_DIVIDE / 4] = 0xb;
	apic[APIC_LVT_TIMER / 4] = lvt;
	apic[APIC_TIMER_INITIAL / 4] = apic[APIC_TIMER_COUNT / 4] = 0;
	time_update(&guest);
	timer_take(&guest);
}

/* Where no counter tells how long they took, each instruction takes a tick. */
static void test_instructions(void)
{
	uint64_t began;

	begin_system(0);
	counts = false;
	time_update(&guest);
	began = time_tsc(&guest);
	retired += 1000;
	wait(5000);
	OK(time_tsc(&guest) == began + 1000);
	time_waited(500);
	OK(time_tsc(&guest) == began + 1500);
	timer_give(&guest);
}

static void start_timer(uint32_t initial)
{
	apic[APIC_TIMER_INITIAL / 4] = apic[APIC_TIMER_COUNT / 4] = initial;
	timer_look(&guest);
	apic[APIC_TIMER_COUNT / 4] = 0; /* as the machine's stands still */
}

static unsigned interrupts_after(uint64_t for_ticks)
{
	interrupts = 0;
	ticks += for_ticks;
	timer_look(&guest);
	return interrupts;
}

/* However long the machine takes, it comes when the guest's time has come, once. */
static void test_once(void)
{
	begin_system(0x51);
	start_timer(MS_COUNT);
	OK(apic[APIC_TIMER_INITIAL / 4] == 0);
	wait(2 * MS_TICKS);
	OK(interrupts_after(MS_TICKS - 1) == 0 && timer_count(&guest) >= 1);
	OK(interrupts_after(2) == 1 && timer_count(&guest) == 0);
	OK(interrupts_after(10 * MS_TICKS) == 0);
	timer_give(&guest);
	OK(apic[APIC_TIMER_INITIAL / 4] == 0);
}

/* A timer begins anew in the guest's time, however far it is by the machine's when it is seen. */
static void test_started(void)
{
	begin_system(0x51);
	apic[APIC_TIMER_INITIAL / 4] = MS_COUNT;
	apic[APIC_TIMER_COUNT / 4] = MS_COUNT / 2;
	timer_look(&guest);
	apic[APIC_TIMER_COUNT / 4] = 0;
	OK(interrupts_after(MS_TICKS - 10) == 0 && interrupts_after(20) == 1);
	timer_give(&guest);
}

/* One that has run out by the machine's time has interrupted by that. */
static void test_run_out(void)
{
	begin_system(0x51);
	apic[APIC_TIMER_INITIAL / 4] = MS_COUNT;
	timer_look(&guest);
	OK(timer_count(&guest) == 0 && interrupts_after(2 * MS_TICKS) == 0);
	timer_give(&guest);
	timer_take(&guest);
	OK(timer_count(&guest) == 0 && interrupts_after(2 * MS_TICKS) == 0);
	timer_give(&guest);
}

static void test_masked(void)
{
	begin_system(0x51 | LVT_MASKED);
	start_timer(MS_COUNT);
	OK(interrupts_after(2 * MS_TICKS) == 0);
	timer_give(&guest);
}

/* It goes on with what is left: by the machine's time, and by the guest's again. */
static void test_handed_over(void)
{
	begin_system(0x51);
	start_timer(MS_COUNT);
	OK(interrupts_after(MS_TICKS / 4) == 0);
	timer_give(&guest);
	OK(apic[APIC_TIMER_INITIAL / 4] > MS_COUNT / 4 * 3 - 10 &&
	   apic[APIC_TIMER_INITIAL / 4] <= MS_COUNT / 4 * 3);
	apic[APIC_TIMER_COUNT / 4] = MS_COUNT / 2;
	timer_take(&guest);
	OK(interrupts_after(MS_TICKS / 2 - 10) == 0 && interrupts_after(20) == 1);
	timer_give(&guest);
}

/* A period that is cut in pieces loses nothing. */
static void test_periodic(void)
{
	unsigned came = 0;

	begin_system(0x51 | PERIODIC);
	start_timer(MS_COUNT);
	for (unsigned i = 0; i < 40; i++) {
		came += interrupts_after(MS_TICKS / 4);
		timer_give(&guest);
		OK(apic[APIC_TIMER_INITIAL / 4] == MS_COUNT);
		apic[APIC_TIMER_COUNT / 4] = MS_COUNT; /* no time has passed */
		timer_take(&guest);
	}
	OK(came == 9 || came == 10);
	timer_give(&guest);
}

int main(void)
{
	test_tsc();
	test_pm_timer();
	test_apic_timer();
	test_instructions();
	test_once();
	test_started();
	test_run_out();
	test_masked();
	test_handed_over();
	test_periodic();
	return tap_end();
}
