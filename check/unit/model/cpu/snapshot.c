/* SPDX-License-Identifier: BSD-2-Clause */
/* Snapshots of before and after: the comparison sees what it must; and counters that firmware
 * leaves running. */
#include <stdlib.h>

#include "kernel/lib/bits.h"
#include "model/cpu/cpu.h"
#include "model/profiles/profiles.h"

#include "check/unit/tap.h"

static struct silicon *const cpu = &silicon_cpu;
static struct snapshot *before, *after;
static char last[SNAPSHOT_NAME];
static uint64_t last_old, last_new;

static void note(const char *where, uint64_t old, uint64_t new, void *arg)
{
	(void)arg;
	snprintf(last, sizeof(last), "%s", where);
	last_old = old;
	last_new = new;
}

static void begin(const char *profile)
{
	silicon_reset(cpu, profile_find(profile), NULL);
	silicon_configure_boxes(cpu,
				&(const struct boxes_config){.sockets = 2, .tsc_hz = 2000000000});
	snapshot_take(cpu, before);
}

static unsigned changes(void)
{
	snapshot_take(cpu, after);
	return snapshot_compare(before, after, note, NULL);
}

static void test_every_profile(void)
{
	for (unsigned i = 0; profile_at(i); i++) {
		begin(profile_at(i)->name);
		OK(before->count > 0 && before->count < SNAPSHOT_MAX);
		OK(changes() == 0);
		stage_counters(cpu, profile_at(i), false);
		OK(changes() > 0);
	}
}

static void test_register(void)
{
	begin("k7");
	silicon_wrmsr(cpu, 0xc0010002, 0x4300c0);
	OK(changes() == 1);
	SAME(last, "MSR c0010002h");
	OK(last_old == 0 && last_new == 0x4300c0);
}

static void test_counters(void)
{
	begin("nehalem");
	silicon_wrmsr(cpu, 0xc2, 5);
	OK(changes() == 1);
	SAME(last, "MSR c2h");
	begin("nehalem");
	stage_counters(cpu, profile_find("nehalem"), false);
	snapshot_take(cpu, before);
	silicon_wrmsr(cpu, 0xc2, 5);
	OK(changes() == 0);
	silicon_wrmsr(cpu, 0x187, 0);
	OK(changes() == 1);
	SAME(last, "MSR 187h");
}

static void test_uncore(void)
{
	struct pci_access access = {.df = 8 << 3 | 2, .size = 4, .offset = 0xd8};
	unsigned bus = 0;

	begin("sandybridge-ep");
	while (!silicon_is_boxes_bus((uint8_t)bus) || !silicon_pci_write(cpu, &access, 0x400000))
		access.bus = (uint8_t)++bus;
	OK(changes() == 1);
	OK(strstr(last, ":08.2 0d8h"));
}

/* The first register of a box in memory that keeps what is written: its change is seen, at its
 * address. */
static void test_window(void)
{
	uint64_t first, size, at;
	uint32_t old, new = 0;
	bool advances;
	char where[SNAPSHOT_NAME];

	begin("icelake-sp");
	OK(silicon_window(cpu, &first, &size));
	for (at = first; at < first + size && !new; at += 4)
		if (silicon_window_register(cpu, at, &advances) && !advances &&
		    silicon_window_read(cpu, at, &old) && !old && silicon_window_write(cpu, at, 1))
			silicon_window_read(cpu, at, &new);
	OK(new == 1 && changes() == 1);
	snprintf(where, sizeof(where), "memory %llxh", (unsigned long long)at - 4);
	SAME(last, where);
	OK(last_old == 0 && last_new == 1);
	begin("k7");
	OK(!silicon_window_register(cpu, first, &advances));
}

static void test_missing(void)
{
	begin("k7");
	before->count--;
	OK(changes() == 1);
	begin("k7");
	snapshot_take(cpu, after);
	after->entry[0].address++;
	after->count = 1;
	OK(snapshot_compare(before, after, note, NULL) >= before->count - 1);
}

int main(void)
{
	before = malloc(sizeof(*before));
	after = malloc(sizeof(*after));
	test_every_profile();
	test_register();
	test_counters();
	test_uncore();
	test_window();
	test_missing();
	free(before);
	free(after);
	return tap_end();
}
