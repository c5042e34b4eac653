/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * ACPI tables by whatever firmware.  The input is the machine's memory: a byte (1: checksums are
 * put right, so that what lies behind them is reached), then blocks of address (8 bytes), length
 * (2) and contents.  The first block is where the RSDP should be.
 */
#include "fuzz.h"

#include <stdbool.h>
#include <string.h>

#include "kernel/console/console.h"
#include "kernel/lib/acpi.h"

#define MEGABYTE (UINT64_C(1) << 20)

enum { BLOCKS = 16, IO_APICS = 16, HEADER = 36, RSDP_1 = 20, RSDP_2 = 36 };

static struct {
	uint64_t address;
	size_t length;
	uint8_t *bytes;
} blocks[BLOCKS];
static unsigned blocks_count;

/* The last block given out: each time a copy of its own, so that an access beyond it is seen. */
static const void *given;
static uint64_t given_length;

/* Where blocks overlap, the first one counts: an address means the same each time. */
static const void *memory(uint64_t address, uint64_t length)
{
	unsigned i = 0;
	uint64_t offset;

	MUST(length > 0);
	while (i < blocks_count && address - blocks[i].address >= blocks[i].length)
		i++;
	if (i == blocks_count)
		return NULL;
	offset = address - blocks[i].address;
	if (length > blocks[i].length - offset)
		return NULL;
	given = fuzz_copy(blocks[i].bytes + offset, length);
	given_length = length;
	return given;
}

/* ---- building the memory ---- */

static uint32_t length_field(const uint8_t *bytes)
{
	return bytes[4] | (uint32_t)bytes[5] << 8 | (uint32_t)bytes[6] << 16 |
	       (uint32_t)bytes[7] << 24;
}

static uint8_t sum_of(const uint8_t *bytes, size_t length)
{
	uint8_t sum = 0;

	while (length)
		sum = (uint8_t)(sum + bytes[--length]);
	return sum;
}

static void repair(uint8_t *bytes, size_t covered, size_t checksum)
{
	bytes[checksum] = (uint8_t)(bytes[checksum] - sum_of(bytes, covered));
}

static void repair_block(uint8_t *bytes, size_t length)
{
	if (length >= RSDP_1 && !memcmp(bytes, "RSD PTR ", 8)) {
		repair(bytes, RSDP_1, 8);
		if (length >= RSDP_2)
			repair(bytes, RSDP_2, 32);
	} else if (length >= HEADER && length_field(bytes) >= HEADER &&
		   length_field(bytes) <= length) {
		repair(bytes, length_field(bytes), 9);
	}
}

static void build(struct input *in)
{
	bool repairs = input_number(in, 1) & 1;

	for (blocks_count = 0; in->left && blocks_count < BLOCKS; blocks_count++) {
		size_t length;
		uint8_t *bytes;

		blocks[blocks_count].address = input_number(in, 8);
		length = input_number(in, 2);
		if (length > in->left)
			length = in->left;
		bytes = fuzz_copy(in->at, length);
		in->at += length;
		in->left -= length;
		if (repairs)
			repair_block(bytes, length);
		blocks[blocks_count].length = length;
		blocks[blocks_count].bytes = bytes;
	}
}

/* ---- the tables ---- */

/* Addresses in a block of exactly max: as many are listed, and the first ones are the same. */
static void check_io_apics(struct acpi_table madt)
{
	unsigned count = acpi_io_apics(madt, NULL, 0);
	uint64_t *all = fuzz_block(count * sizeof(*all));

	MUST(count <= madt.length / 12);
	MUST(acpi_io_apics(madt, all, count) == count);
	for (unsigned max = 0; max < count && max < IO_APICS; max++) {
		uint64_t *some = fuzz_block(max * sizeof(*some));

		MUST(acpi_io_apics(madt, some, max) == count);
		MUST(!memcmp(some, all, max * sizeof(*some)));
	}
	for (unsigned i = 0; i < count; i++)
		MUST(all[i] && all[i] <= UINT32_MAX);
}

/* An entry is eight bytes or more, and has one ID. */
static void check_processors(struct acpi_table madt)
{
	unsigned count = 0;

	for (uint32_t id = 0; id < 512; id++)
		count += acpi_has_processor(madt, id);
	MUST(count <= madt.length / 8);
}

static void check_madt(struct acpi_table madt)
{
	check_io_apics(madt);
	check_processors(madt);
}

/* Its eight registers are in the ports or where pages can map them, and each is an access of its
 * own. */
static void check_spcr(struct acpi_table spcr)
{
	struct serial_uart uart = spcr_uart(spcr);
	uint64_t address;

	if (!uart.address)
		return;
	MUST(spcr.length >= 52);
	memcpy(&address, spcr.bytes + 44, sizeof(address));
	MUST(address == uart.address && uart.memory == !spcr.bytes[40]);
	MUST(uart.width == 1 || (uart.memory && (uart.width == 2 || uart.width == 4)));
	MUST(uart.stride >= uart.width && uart.stride % uart.width == 0);
	MUST(uart.address % uart.width == 0);
	MUST(uart.address + 7 * uart.stride + uart.width - 1 <=
	     (uart.memory ? SERIAL_ADDRESS_MAX : UINT16_MAX));
	MUST(uart.baud <= 115200 || (spcr.bytes[8] >= 4 && spcr.length >= 84));
	MUST(!uart.maybe_dwords || (uart.memory && uart.width == 1 && uart.address % 4 == 0 &&
				    uart.address + 8 * 4 - 1 <= SERIAL_ADDRESS_MAX));
}

/* A megabyte for a bus, on its own boundary, below the limit. */
static void check_mcfg(struct acpi_table mcfg)
{
	static const uint64_t limits[] = {1, UINT64_C(1) << 36, UINT64_C(1) << 52};

	for (size_t i = 0; i < sizeof(limits) / sizeof(limits[0]); i++)
		for (unsigned bus = 0; bus < 256; bus += 51) {
			uint64_t address = acpi_ecam(mcfg, bus, limits[i]);

			MUST(address % MEGABYTE == 0);
			MUST(!address || (mcfg.length >= 60 && address >= (bus + 1) * MEGABYTE &&
					  address <= limits[i] - MEGABYTE));
		}
}

/* Four bytes in the I/O space. */
static void check_fadt(struct acpi_table fadt)
{
	uint16_t port = acpi_pm_timer(fadt);

	MUST(!port || (fadt.length >= 92 && port <= UINT16_MAX - 3));
}

static const struct {
	const char *signature;
	void (*check)(struct acpi_table table);
} readers[] = {
	{"APIC", check_madt},
	{"SPCR", check_spcr},
	{"MCFG", check_mcfg},
	{"FACP", check_fadt},
};

static void check_found(struct acpi_table table, const char *signature)
{
	if (!table.bytes) {
		MUST(!table.length);
		return;
	}
	MUST(table.bytes == given && table.length == given_length);
	MUST(table.length >= HEADER && table.length == length_field(table.bytes));
	MUST(!memcmp(table.bytes, signature, 4));
	MUST(!sum_of(table.bytes, table.length));
}

/* ---- the real machine's memory ---- */

static void check_identity(uint64_t limit, uint64_t address, uint64_t length)
{
	const void *bytes;

	acpi_set_memory_limit(limit);
	bytes = acpi_identity(address, length);
	MUST(!bytes || (uintptr_t)bytes == address);
	MUST(!bytes || (address + length >= address && address + length <= limit));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct input in = {data, size};

	build(&in);
	for (size_t i = 0; i < sizeof(readers) / sizeof(readers[0]); i++) {
		uint64_t rsdp = blocks_count ? blocks[0].address : 0;
		struct acpi_table table = acpi_find(memory, rsdp, readers[i].signature);

		check_found(table, readers[i].signature);
		readers[i].check(table);
		/* No checksum and no header stand before a reader here. */
		if (blocks_count)
			readers[i].check(
				(struct acpi_table){fuzz_copy(blocks[0].bytes, blocks[0].length),
						    (uint32_t)blocks[0].length});
	}
	if (blocks_count > 1)
		check_identity(blocks[0].address, blocks[1].address, blocks[1].length);
	fuzz_free_all();
	return 0;
}
