/* SPDX-License-Identifier: BSD-2-Clause */
/* ACPI tables: where an MCFG puts a bus, an FADT its timer, and what is not believed. */
#include "kernel/lib/acpi.h"

#include <stdlib.h>

#include "check/unit/tap.h"

#define HEADER      44u
#define ENTRY       16u
#define LIMIT       (UINT64_C(1) << 46)
#define ENTRIES_MAX 2u

struct entry {
	uint64_t base;
	uint16_t segment;
	uint8_t first, last;
};

static void put(uint8_t *at, uint64_t value, unsigned size)
{
	for (unsigned i = 0; i < size; i++)
		at[i] = (uint8_t)(value >> 8 * i);
}

/* Where the bus is by a table of these entries that is cut at length bytes, for the address
 * sanitizer in a block of exactly that size. */
static uint64_t ecam(const struct entry *entries, unsigned n, uint32_t length, unsigned bus)
{
	uint8_t whole[HEADER + ENTRIES_MAX * ENTRY] = {0}, *bytes = malloc(length ? length : 1);
	struct acpi_table table = {bytes, length};
	uint64_t address;

	for (unsigned i = 0; i < n; i++) {
		uint8_t *at = whole + HEADER + i * ENTRY;

		put(at, entries[i].base, 8);
		put(at + 8, entries[i].segment, 2);
		at[10] = entries[i].first;
		at[11] = entries[i].last;
	}
	memcpy(bytes, whole, length);
	address = acpi_ecam(table, bus, LIMIT);
	free(bytes);
	return address;
}

static uint64_t whole(const struct entry *entries, unsigned n, unsigned bus)
{
	return ecam(entries, n, HEADER + n * ENTRY, bus);
}

static void test_good(void)
{
	static const struct entry low = {0x80000000, 0, 0, 0xff};
	static const struct entry high = {UINT64_C(0x3c0000000000), 0, 0, 0xff};
	static const struct entry two[] = {{0xc0000000, 1, 0, 0xff}, {0x90000000, 0, 0x40, 0x7f}};

	OK(whole(&low, 1, 0) == 0x80000000);
	OK(whole(&low, 1, 0x3f) == 0x83f00000);
	OK(whole(&low, 1, 0xff) == 0x8ff00000);
	OK(whole(&high, 1, 0x7f) == UINT64_C(0x3c0007f00000));
	/* Entries of segment 0 only, counted from bus 0. */
	OK(whole(two, 2, 0x7f) == 0x97f00000);
	OK(whole(two, 2, 0x3f) == 0);
	OK(whole(two, 2, 0x80) == 0);
}

/* MCFGs as firmware writes them, by Linux's line "PCI: MMCONFIG for domain" in boot logs that
 * owners of the machines published; the last two are made up. */
static const struct shape {
	const char *source;
	struct entry entries[ENTRIES_MAX];
	unsigned n;
	uint64_t first, last; /* where the first and the last bus of segment 0 are */
	unsigned last_bus;
} shapes[] = {
	{"a board with all buses", {{0xe0000000, 0, 0, 0xff}}, 1, 0xe0000000, 0xeff00000, 0xff},
	{"a board with half of them", {{0xf0000000, 0, 0, 0x7f}}, 1, 0xf0000000, 0xf7f00000, 0x7f},
	{"with an eighth", {{0xfc000000, 0, 0, 0x1f}}, 1, 0xfc000000, 0xfdf00000, 0x1f},
	{"with an odd number", {{0xe0000000, 0, 0, 0x10}}, 1, 0xe0000000, 0xe1000000, 0x10},
	{"two nodes of AMD, one base for both segments",
	 {{0xf0000000, 0, 0, 0x3f}, {0xf0000000, 1, 0x40, 0x7f}},
	 2,
	 0xf0000000,
	 0xf3f00000,
	 0x3f},
	{"HPE Superdome Flex, a segment for each socket",
	 {{0x80000000, 0, 0, 0xfe}, {UINT64_C(0xfff00000000), 1, 0, 0xfe}},
	 2,
	 0x80000000,
	 0x8fe00000,
	 0xfe},
	{"segments in another order",
	 {{UINT64_C(0xfff00000000), 1, 0, 0xfe}, {0x80000000, 0, 0, 0xfe}},
	 2,
	 0x80000000,
	 0x8fe00000,
	 0xfe},
	{"segment 0 in two entries",
	 {{0xc0000000, 0, 0, 0x7f}, {0xd0000000, 0, 0x80, 0xff}},
	 2,
	 0xc0000000,
	 0xdff00000,
	 0xff},
};

static void test_shapes(void)
{
	for (size_t i = 0; i < sizeof(shapes) / sizeof(shapes[0]); i++) {
		const struct shape *shape = &shapes[i];

		printf("# %s\n", shape->source);
		OK(whole(shape->entries, shape->n, 0) == shape->first);
		OK(whole(shape->entries, shape->n, shape->last_bus) == shape->last);
		OK(whole(shape->entries, shape->n, shape->last_bus + 1) == 0);
	}
}

static void test_broken(void)
{
	static const struct entry nowhere = {0, 0, 0, 0xff}, odd = {0x80080000, 0, 0, 0xff};
	static const struct entry backwards = {0x80000000, 0, 0xff, 0};
	static const struct entry beyond = {LIMIT, 0, 0, 0xff};
	static const struct entry across = {LIMIT - 0x8000000, 0, 0, 0xff};
	static const struct entry wraps = {UINT64_C(0xfffffffffff00000), 0, 0, 0xff};
	static const struct entry last = {LIMIT - 0x10000000, 0, 0, 0xff};
	static const struct entry good = {0x80000000, 0, 0, 0xff};
	struct acpi_table none = {NULL, 0};

	OK(whole(&nowhere, 1, 0) == 0);
	OK(whole(&odd, 1, 0) == 0);
	OK(whole(&backwards, 1, 0x3f) == 0);
	OK(whole(&beyond, 1, 0) == 0);
	OK(whole(&across, 1, 0) == 0);
	OK(whole(&wraps, 1, 0) == 0);
	OK(whole(&last, 1, 0xff) == LIMIT - 0x100000);
	OK(acpi_ecam(none, 0, LIMIT) == 0);
	for (uint32_t length = 36; length < HEADER + ENTRY; length++)
		OK(ecam(&good, 1, length, 0) == 0);
}

/* Cut at length bytes; the port and its length as a table has them. */
static uint16_t pm_timer(uint32_t length, uint64_t port, uint8_t size)
{
	uint8_t *bytes = calloc(1, length);
	struct acpi_table table = {bytes, length};
	uint16_t found;

	if (length > 80)
		put(bytes + 76, port, 4);
	if (length > 91)
		bytes[91] = size;
	found = acpi_pm_timer(table);
	free(bytes);
	return found;
}

static void test_pm_timer(void)
{
	OK(pm_timer(116, 0x608, 4) == 0x608);
	OK(pm_timer(92, 0x408, 4) == 0x408);
	OK(pm_timer(91, 0x608, 4) == 0);
	OK(pm_timer(36, 0x608, 4) == 0);
	OK(pm_timer(116, 0, 4) == 0);
	OK(pm_timer(116, 0x608, 0) == 0);
	OK(pm_timer(116, 0x10608, 4) == 0);
	OK(pm_timer(116, 0xffffffff, 4) == 0);
}

int main(void)
{
	test_pm_timer();
	test_good();
	test_shapes();
	test_broken();
	return tap_end();
}
