/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * SPCRs as firmware writes them, and the ports that they name.  Sources: tables of machines as
 * their owners published them; Linux's line "ACPI: SPCR: console:" in boot logs; QEMU,
 * tests/data/acpi; ACPICA, its template; Microsoft's list of interface types.
 */
#include "check/unit/tap.h"
#include "kernel/console/console.h"

enum { PORTS = 1, MEMORY = 0 };
#define PC 1843200u /* Hz */

/* A table as its source has it; then where the UART is (0: none is named), bytes from register to
 * register and of an access, rate and clock, and whether both may be 4 bytes. */
static const struct shape {
	const char *source;
	struct {
		uint8_t revision, interface, space, bits, access;
		uint64_t address;
		uint8_t code;
		uint32_t clock, precise;
	} says;
	struct serial_uart is;
} shapes[] = {
	/* clang-format off: a row is two or three lines */
	{"ASUS PN50: AMD FCH",
	 {2, 0x00, MEMORY, 8, 0, 0xfedc9000, 7, 0, 0},
	 {0xfedc9000, true, 1, 1, true, 115200, 0}},
	{"coreboot, AMD FCH",
	 {3, 0x00, MEMORY, 32, 3, 0xfedc9000, 7, 48000000, 0},
	 {0xfedc9000, true, 4, 4, false, 115200, 48000000}},
	{"revision 4: the precise rate wins",
	 {4, 0x12, PORTS, 8, 1, 0x3f8, 7, 0, 460800},
	 {0x3f8, false, 1, 1, false, 460800, PC}},
	{"revision 4: the precise rate alone",
	 {4, 0x12, MEMORY, 32, 3, 0xfe042000, 0, 120000000, 1500000},
	 {0xfe042000, true, 4, 4, false, 1500000, 120000000}},
	{"revision 3: what lies there is no rate",
	 {3, 0x12, PORTS, 8, 1, 0x3f8, 7, 0, 460800},
	 {0x3f8, false, 1, 1, false, 115200, PC}},
	{"HPE: redirection is disabled", {1, 0x00, MEMORY, 0, 0, 0, 3, 0, 0}, {0}},
	{"COM2 at 9600",
	 {1, 0x00, PORTS, 8, 0, 0x2f8, 3, 0, 0},
	 {0x2f8, false, 1, 1, false, 9600, PC}},
	{"bhyve: no size of access",
	 {1, 0x00, PORTS, 8, 0, 0x3f8, 7, 0, 0},
	 {0x3f8, false, 1, 1, false, 115200, PC}},
	{"accesses of 8 bytes", {2, 0x00, MEMORY, 64, 4, 0xfe000000, 7, 0, 0}, {0}},
	{"a clock of 1 Hz",
	 {3, 0x00, PORTS, 8, 1, 0x3f8, 7, 1, 0},
	 {0x3f8, false, 1, 1, false, 115200, 1}},
	{"a code that means nothing",
	 {2, 0x00, PORTS, 8, 1, 0x3f8, 8, 0, 0},
	 {0x3f8, false, 1, 1, false, 0, PC}},
	{"above 4 GiB",
	 {2, 0x00, MEMORY, 8, 1, UINT64_C(0x380000000000), 7, 0, 0},
	 {UINT64_C(0x380000000000), true, 1, 1, false, 115200, 0}},
	{"beyond any processor's addresses",
	 {2, 0x00, MEMORY, 8, 1, UINT64_C(0x10000000000000), 7, 0, 0},
	 {0}},
	{"ACPICA's template",
	 {4, 0x00, MEMORY, 8, 1, 0x10000000, 7, 0, 0},
	 {0x10000000, true, 1, 1, false, 115200, 0}},
	{"8 bits at an odd address: not 4 bytes apart",
	 {2, 0x00, MEMORY, 8, 0, 0xfedc9002, 7, 0, 0},
	 {0xfedc9002, true, 1, 1, false, 115200, 0}},
	/* Tables of other machines than PCs. */
	{"QEMU's RISC-V: registers of 4 bytes, read by bytes",
	 {4, 0x12, MEMORY, 32, 1, 0x10000000, 7, 0, 0},
	 {0x10000000, true, 4, 1, false, 115200, 0}},
	{"HiSilicon HIP08",
	 {2, 0x00, MEMORY, 8, 1, UINT64_C(0x3f00002f8), 7, 0, 0},
	 {UINT64_C(0x3f00002f8), true, 1, 1, false, 115200, 0}},
	{"QEMU's ARM: PL011", {2, 0x03, MEMORY, 8, 1, 0x9000000, 3, 0, 0}, {0}},
	{"Ampere Altra: PL011", {2, 0x03, MEMORY, 32, 3, UINT64_C(0x100002600000), 7, 0, 0}, {0}},
	{"SBSA, 32 bits only", {2, 0x0d, MEMORY, 32, 3, 0x9000000, 7, 0, 0}, {0}},
	{"SBSA", {2, 0x0e, MEMORY, 32, 3, 0x9000000, 7, 0, 0}, {0}},
	{"ARM DCC", {2, 0x0f, MEMORY, 32, 3, 0x9000000, 7, 0, 0}, {0}},
	{"BCM2835", {2, 0x10, MEMORY, 32, 3, 0x7e215040, 7, 0, 0}, {0}},
	/* clang-format on */
};

static void put(uint8_t *at, uint64_t value, unsigned size)
{
	for (unsigned i = 0; i < size; i++)
		at[i] = (uint8_t)(value >> 8 * i);
}

static struct serial_uart read(const struct shape *shape)
{
	uint8_t table[88] = {0};

	table[8] = shape->says.revision;
	table[36] = shape->says.interface;
	table[40] = shape->says.space;
	table[41] = shape->says.bits;
	table[43] = shape->says.access;
	put(table + 44, shape->says.address, 8);
	table[58] = shape->says.code;
	put(table + 76, shape->says.clock, 4);
	put(table + 80, shape->says.precise, 4);
	return spcr_uart((struct acpi_table){table, sizeof(table)});
}

int main(void)
{
	for (size_t i = 0; i < ARRAY_SIZE(shapes); i++) {
		const struct serial_uart *is = &shapes[i].is;
		struct serial_uart uart = read(&shapes[i]);

		printf("# %s\n", shapes[i].source);
		OK(uart.address == is->address);
		if (!is->address)
			continue;
		OK(uart.memory == is->memory && uart.maybe_dwords == is->maybe_dwords);
		OK(uart.stride == is->stride && uart.width == is->width);
		OK(uart.baud == is->baud && uart.clock == is->clock);
	}
	return tap_end();
}
