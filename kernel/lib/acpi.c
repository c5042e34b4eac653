/* SPDX-License-Identifier: BSD-2-Clause */
/* Finding ACPI tables.  ACPI specification 6.4, 5.2.5 (RSDP) to 5.2.12 (MADT); PCI
 * Firmware Specification 3.0, 4.1.2 (MCFG). */
#include "acpi.h"

#define RSDP_LENGTH_1   20u /* revision 0: up to the RSDT's address */
#define RSDP_LENGTH_2   36u
#define RSDP_REVISION   15u
#define RSDP_RSDT       16u
#define RSDP_XSDT       24u
#define HEADER_LENGTH   36u
#define HEADER_SIZE     4u /* where the header holds the table's length */
#define MADT_ENTRIES    44u
#define MADT_ENABLED    1u /* of a processor's flags */
#define MADT_IO_APIC    1u
#define IO_APIC_LENGTH  12u
#define IO_APIC_ADDRESS 4u
#define MCFG_ENTRIES    44u
#define MCFG_LENGTH     16u
#define MCFG_SEGMENT    8u
#define MCFG_FIRST_BUS  10u
#define MCFG_LAST_BUS   11u
#define BUS_SPACE       (UINT64_C(1) << 20)
#define FADT_PM_TMR_BLK 76u
#define FADT_PM_TMR_LEN 91u
#define PM_TMR_LENGTH   4u

/* No real table comes near it; a length beyond it is a broken table. */
#define TABLE_LENGTH_MAX (16u * 1024u * 1024u)

static uint64_t memory_limit;

void acpi_set_memory_limit(uint64_t limit)
{
	memory_limit = limit;
}

const void *acpi_identity(uint64_t address, uint64_t length)
{
	if (address == 0 || length > memory_limit || address > memory_limit - length)
		return NULL;
	return (const void *)(uintptr_t)address;
}

/* Byte by byte, because tables may lie at any address. */
static uint64_t read_le(const uint8_t *bytes, unsigned size)
{
	uint64_t val = 0;

	while (size-- > 0)
		val = val << 8 | bytes[size];
	return val;
}

static bool bytes_equal(const uint8_t *a, const char *b, unsigned size)
{
	for (unsigned i = 0; i < size; i++)
		if (a[i] != (uint8_t)b[i])
			return false;
	return true;
}

static bool checksum_right(const uint8_t *bytes, uint32_t length)
{
	uint8_t sum = 0;

	for (uint32_t i = 0; i < length; i++)
		sum = (uint8_t)(sum + bytes[i]);
	return sum == 0;
}

/* The table at address, if it has this signature and is whole. */
static struct acpi_table table_at(acpi_memory *memory, uint64_t address, const char *signature)
{
	struct acpi_table none = {NULL, 0};
	struct acpi_table table;
	const uint8_t *header = memory(address, HEADER_LENGTH);

	if (header == NULL || !bytes_equal(header, signature, 4))
		return none;
	table.length = (uint32_t)read_le(header + HEADER_SIZE, 4);
	if (table.length < HEADER_LENGTH || table.length > TABLE_LENGTH_MAX)
		return none;
	table.bytes = memory(address, table.length);
	if (table.bytes == NULL || !checksum_right(table.bytes, table.length))
		return none;
	return table;
}

/* The XSDT, or the RSDT if no XSDT is whole; *entry is the size of its pointers. */
static struct acpi_table root_table(acpi_memory *memory, uint64_t rsdp, unsigned *entry)
{
	struct acpi_table root = {NULL, 0};
	const uint8_t *bytes = memory(rsdp, RSDP_LENGTH_1);

	if (bytes == NULL || !bytes_equal(bytes, "RSD PTR ", 8) ||
	    !checksum_right(bytes, RSDP_LENGTH_1))
		return root;
	*entry = 8;
	if (bytes[RSDP_REVISION] >= 2) {
		bytes = memory(rsdp, RSDP_LENGTH_2);
		if (bytes == NULL || !checksum_right(bytes, RSDP_LENGTH_2))
			return root;
		root = table_at(memory, read_le(bytes + RSDP_XSDT, 8), "XSDT");
	}
	if (root.bytes == NULL) {
		*entry = 4;
		root = table_at(memory, read_le(bytes + RSDP_RSDT, 4), "RSDT");
	}
	return root;
}

struct acpi_table acpi_find(acpi_memory *memory, uint64_t rsdp, const char *signature)
{
	struct acpi_table table = {NULL, 0};
	unsigned entry = 0;
	struct acpi_table root = root_table(memory, rsdp, &entry);

	if (root.bytes == NULL)
		return table;
	for (uint32_t at = HEADER_LENGTH; root.length - at >= entry; at += entry) {
		table = table_at(memory, read_le(root.bytes + at, entry), signature);
		if (table.bytes != NULL)
			break;
	}
	return table;
}

/* The next entry of this type and of at least this size; *at moves behind it. */
static const uint8_t *madt_next(struct acpi_table madt, uint32_t *at, unsigned type, uint32_t size)
{
	while (*at < madt.length && madt.length - *at >= 2) {
		const uint8_t *entry = madt.bytes + *at;
		uint32_t length = entry[1];

		if (length < 2 || length > madt.length - *at)
			break;
		*at += length;
		if (entry[0] == type && length >= size)
			return entry;
	}
	return NULL;
}

unsigned acpi_io_apics(struct acpi_table madt, uint64_t *addresses, unsigned max)
{
	unsigned found = 0;
	uint32_t at = MADT_ENTRIES;
	const uint8_t *entry;

	while ((entry = madt_next(madt, &at, MADT_IO_APIC, IO_APIC_LENGTH)) != NULL) {
		uint64_t address = read_le(entry + IO_APIC_ADDRESS, 4);

		if (address == 0)
			continue;
		if (found < max)
			addresses[found] = address;
		found++;
	}
	return found;
}

/* Both kinds of entries for a processor: Local APIC, and Local x2APIC.  Firmware takes the second
 * for IDs that the first could hold as well. */
static const struct processor_entry {
	uint8_t type, length, id, id_size, flags;
} processor_entries[] = {{0, 8, 3, 1, 4}, {9, 16, 4, 4, 8}};

static bool lists(struct acpi_table madt, const struct processor_entry *kind, uint32_t apic_id)
{
	uint32_t at = MADT_ENTRIES;
	const uint8_t *entry;

	while ((entry = madt_next(madt, &at, kind->type, kind->length)) != NULL)
		if (read_le(entry + kind->id, kind->id_size) == apic_id &&
		    (entry[kind->flags] & MADT_ENABLED) != 0)
			return true;
	return false;
}

bool acpi_has_processor(struct acpi_table madt, uint32_t apic_id)
{
	return lists(madt, &processor_entries[0], apic_id) ||
	       lists(madt, &processor_entries[1], apic_id);
}

/* The base address is always the one of bus 0, whatever the first bus is. */
static uint64_t ecam_of(const uint8_t *entry, unsigned bus, uint64_t limit)
{
	uint64_t base = read_le(entry, 8);
	unsigned first = entry[MCFG_FIRST_BUS], last = entry[MCFG_LAST_BUS];

	if (read_le(entry + MCFG_SEGMENT, 2) != 0 || bus < first || bus > last)
		return 0;
	if (base == 0 || base % BUS_SPACE != 0 || base >= limit ||
	    (limit - base) / BUS_SPACE <= last)
		return 0;
	return base + bus * BUS_SPACE;
}

uint64_t acpi_ecam(struct acpi_table mcfg, unsigned bus, uint64_t limit)
{
	uint64_t address = 0;
	uint32_t at = MCFG_ENTRIES;

	while (address == 0 && at < mcfg.length && mcfg.length - at >= MCFG_LENGTH) {
		address = ecam_of(mcfg.bytes + at, bus, limit);
		at += MCFG_LENGTH;
	}
	return address;
}

uint16_t acpi_pm_timer(struct acpi_table fadt)
{
	uint64_t port;

	if (fadt.length <= FADT_PM_TMR_LEN || fadt.bytes[FADT_PM_TMR_LEN] != PM_TMR_LENGTH)
		return 0;
	port = read_le(fadt.bytes + FADT_PM_TMR_BLK, 4);
	return port <= UINT16_MAX - PM_TMR_LENGTH ? (uint16_t)port : 0;
}
