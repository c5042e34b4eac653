/* SPDX-License-Identifier: BSD-2-Clause */
/* Finding ACPI tables: pure computation, nothing in firmware's tables is believed unchecked.
 * ACPI specification 6.4, 5.2. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Bytes [address, address + length) of physical memory, or NULL when they cannot all be read. */
typedef const void *acpi_memory(uint64_t address, uint64_t length);

/* A whole table, header included. */
struct acpi_table {
	const uint8_t *bytes; /* NULL: not found */
	uint32_t length;
};

/* The first table with this 4-letter signature whose checksum is right.  rsdp 0: none. */
struct acpi_table acpi_find(acpi_memory *memory, uint64_t rsdp, const char *signature);

/* Addresses of the I/O APICs that an MADT lists, of the first max; returns how many it lists.  One
 * at address 0, which some firmware leaves behind, is none. */
unsigned acpi_io_apics(struct acpi_table madt, uint64_t *addresses, unsigned max);

/* Does an MADT list an enabled processor whose local APIC has this ID, as an x2APIC or not? */
bool acpi_has_processor(struct acpi_table madt, uint32_t apic_id);

/* Physical address of the 1 MiB of configuration space that an MCFG gives to a bus of segment 0; 0:
 * none, or it does not lie below limit. */
uint64_t acpi_ecam(struct acpi_table mcfg, unsigned bus, uint64_t limit);

/* I/O port of the power management timer (3.579545 MHz, 24 bits or more) that an FADT names; 0:
 * none. */
uint16_t acpi_pm_timer(struct acpi_table fadt);

/* An acpi_memory for the real machine: memory below limit, mapped one to one. */
void acpi_set_memory_limit(uint64_t limit);
const void *acpi_identity(uint64_t address, uint64_t length);
