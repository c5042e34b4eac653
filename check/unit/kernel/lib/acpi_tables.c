/* SPDX-License-Identifier: BSD-2-Clause */
/* ACPI tables: which one is found, and what is read from it. */
#include "check/unit/tap.h"
#include "kernel/lib/acpi.h"

enum { RSDP = 0x1000, RSDT = 0x2000, XSDT = 0x3000, FIRST = 0x4000, SECOND = 0x5000, TOP = 0x6000 };

static uint8_t memory[TOP];

static const void *read_memory(uint64_t address, uint64_t length)
{
	return address && length <= TOP && address <= TOP - length ? memory + address : NULL;
}

static void put(unsigned at, uint64_t value, unsigned size)
{
	for (; size; size--, value >>= 8)
		memory[at++] = (uint8_t)value;
}

static void seal(unsigned from, unsigned length, unsigned checksum)
{
	uint8_t sum = 0;

	memory[from + checksum] = 0;
	for (unsigned i = 0; i < length; i++)
		sum = (uint8_t)(sum + memory[from + i]);
	memory[from + checksum] = (uint8_t)-sum;
}

static void put_table(unsigned at, const char *signature, unsigned length)
{
	memcpy(memory + at, signature, 4);
	put(at + 4, length, 4);
	seal(at, length, 9);
}

static void put_rsdp(unsigned revision)
{
	memset(memory, 0, sizeof(memory));
	memcpy(memory + RSDP, "RSD PTR ", 8);
	memory[RSDP + 15] = (uint8_t)revision;
	put(RSDP + 16, RSDT, 4);
	put(RSDP + 20, 36, 4);
	put(RSDP + 24, XSDT, 8);
	seal(RSDP, 20, 8);
	seal(RSDP, 36, 32);
}

/* Two tables of one name; the RSDT names them the other way round. */
static void put_all(unsigned revision)
{
	put_rsdp(revision);
	put_table(FIRST, "TEST", 40);
	put_table(SECOND, "TEST", 36);
	put(RSDT + 36, SECOND, 4);
	put(RSDT + 40, FIRST, 4);
	put_table(RSDT, "RSDT", 44);
	put(XSDT + 36, FIRST, 8);
	put(XSDT + 44, SECOND, 8);
	put_table(XSDT, "XSDT", 52);
}

static unsigned found(void)
{
	struct acpi_table table = acpi_find(read_memory, RSDP, "TEST");

	return table.bytes ? (unsigned)(table.bytes - memory) : 0;
}

static void test_roots(void)
{
	put_all(2);
	OK(found() == FIRST);
	OK(acpi_find(read_memory, RSDP, "TEST").length == 40);
	OK(!acpi_find(read_memory, RSDP, "NONE").bytes);
	OK(!acpi_find(read_memory, 0, "TEST").bytes);
	put_all(0);
	OK(found() == SECOND);
	/* An XSDT that is not whole: the RSDT. */
	put_all(2);
	memory[XSDT + 50]++;
	OK(found() == SECOND);
	/* Neither. */
	memory[RSDT + 20]++;
	OK(!found());
}

static void test_rsdp(void)
{
	put_all(0);
	memory[RSDP + 8]++;
	OK(!found());
	put_all(2);
	memory[RSDP + 32]++;
	OK(!found());
	put_all(0);
	memory[RSDP + 32]++;
	OK(found() == SECOND);
	put_all(0);
	memory[RSDP] = 'r';
	OK(!found());
}

static void test_tables(void)
{
	/* A broken one is passed over. */
	put_all(2);
	memory[FIRST + 30]++;
	OK(found() == SECOND);
	put_all(2);
	put_table(FIRST, "TEST", 35);
	OK(found() == SECOND);
	put_all(2);
	put(FIRST + 4, TOP - FIRST + 1, 4);
	OK(found() == SECOND);
	put_all(2);
	put(XSDT + 36, UINT64_MAX - 35, 8);
	put_table(XSDT, "XSDT", 52);
	OK(found() == SECOND);
	/* A root without room for a whole pointer. */
	put_all(2);
	put_table(XSDT, "XSDT", 43);
	OK(!found());
	put_table(XSDT, "XSDT", 36);
	OK(!found());
}

static uint64_t addresses[3];

static unsigned io_apics(unsigned length, unsigned max)
{
	return acpi_io_apics((struct acpi_table){memory, length}, addresses, max);
}

static void test_madt(void)
{
	static const uint8_t entries[] = {
		0, 8,  0, 0, 1, 0, 0,    0, /* a processor */
		1, 12, 0, 0, 0, 0, 0xc0, 0xfe, 0, 0, 0, 0,
		1, 11, 0, 0, 0, 0, 0xc1, 0xfe, 0, 0, 0, /* too short for one */
		1, 12, 0, 0, 0, 0, 0xc2, 0xfe, 0, 0, 0, 0,
	};
	const unsigned all = 44 + sizeof(entries);

	memcpy(memory + 44, entries, sizeof(entries));
	OK(io_apics(all, 3) == 2 && addresses[0] == 0xfec00000 && addresses[1] == 0xfec20000);
	addresses[1] = 0;
	OK(io_apics(all, 1) == 2 && addresses[1] == 0 && io_apics(all, 0) == 2);
	OK(io_apics(all - 1, 3) == 1 && io_apics(44, 3) == 0 && io_apics(36, 3) == 0);
	memory[44 + 1] = 1;
	OK(io_apics(all, 3) == 0);
	memory[44 + 1] = 0;
	OK(io_apics(all, 3) == 0);
}

static bool has(uint32_t length, uint32_t apic_id)
{
	return acpi_has_processor((struct acpi_table){memory, length}, apic_id);
}

static void test_processors(void)
{
	static const uint8_t entries[] = {
		0, 8, 0, 6, 1,    0, 0, 0, /* enabled */
		0, 8, 1, 7, 2,    0, 0, 0, /* could be */
		2, 8, 2, 8, 1,    0, 0, 0, /* something else */
		0, 7, 3, 9, 1,    0, 0, /* too short for one */
		0, 8, 4, 7, 0xff, 0, 0, 0,
	};
	const unsigned all = 44 + sizeof(entries), last = 44 + 31;

	memcpy(memory + 44, entries, sizeof(entries));
	OK(has(all, 6) && has(all, 7));
	OK(!has(all, 0) && !has(all, 8) && !has(all, 9) && !has(all, 0x106));
	/* Without the last entry, or with a part of it. */
	for (unsigned length = last; length < all; length++)
		OK(has(length, 6) && !has(length, 7));
	for (unsigned length = 36; length < 44 + 8; length++)
		OK(!has(length, 6));
	memory[44 + 1] = 0;
	OK(!has(all, 6) && !has(all, 7));
}

static void test_identity(void)
{
	acpi_set_memory_limit(0x1000);
	OK(acpi_identity(0xf00, 0x100) == (const void *)(uintptr_t)0xf00);
	OK(!acpi_identity(0xf01, 0x100) && !acpi_identity(0, 1) && !acpi_identity(1, 0x1001));
	OK(!acpi_identity(UINT64_MAX - 1, 4) && !acpi_identity(8, UINT64_MAX));
}

int main(void)
{
	test_roots();
	test_rsdp();
	test_tables();
	test_madt();
	test_processors();
	test_identity();
	return tap_end();
}
