/* SPDX-License-Identifier: BSD-2-Clause */
/* Serial ports: what an SPCR names, and a UART in memory that takes bytes, or none any more. */
#include <stdint.h>

#include "check/unit/tap.h"
#include "kernel/console/console.h"

/* ---- tables ---- */

static uint8_t table[88];

/* Revision 2, a full 16550 at port 2F8h, 9600 baud. */
static void table_ports(void)
{
	memset(table, 0, sizeof(table));
	memcpy(table, "SPCR", 4);
	table[8] = 2;
	table[40] = 1;
	table[41] = 8;
	table[43] = 1;
	table[44] = 0xf8;
	table[45] = 0x02;
	table[58] = 3;
}

/* Revision 4, registers of 32 bits at FEDC9000h, 115200 baud out of 48 MHz. */
static void table_memory(void)
{
	static const uint8_t address[] = {0x00, 0x90, 0xdc, 0xfe}, clock[] = {0x00, 0x6c, 0xdc, 2};

	memset(table, 0, sizeof(table));
	memcpy(table, "SPCR", 4);
	table[8] = 4;
	table[36] = 0x12;
	table[41] = 32;
	table[43] = 3;
	memcpy(table + 44, address, sizeof(address));
	table[58] = 7;
	memcpy(table + 76, clock, sizeof(clock));
}

static struct serial_uart named(uint32_t length)
{
	return spcr_uart((struct acpi_table){table, length});
}

static void test_ports(void)
{
	struct serial_uart uart;

	table_ports();
	uart = named(80);
	OK(uart.address == 0x2f8 && !uart.memory && uart.stride == 1 && uart.width == 1);
	OK(uart.baud == 9600 && uart.clock == 1843200);
	table[36] = 1;
	OK(named(80).address == 0x2f8);
	table[36] = 0x12;
	OK(named(80).address == 0x2f8);
	table[36] = 3; /* PL011 */
	OK(named(80).address == 0);
	table_ports();
	table[45] = 0xff;
	OK(named(80).address == 0xfff8);
	table[44] = 0xf9;
	OK(named(80).address == 0);
	table_ports();
	table[46] = 1;
	OK(named(80).address == 0);
	table_ports();
	table[40] = 2; /* PCI configuration space */
	OK(named(80).address == 0);
}

/* "Console redirection disabled" is an address of 0. */
static void test_none(void)
{
	table_ports();
	table[44] = table[45] = 0;
	OK(named(80).address == 0);
	OK(spcr_uart((struct acpi_table){NULL, 0}).address == 0);
	table_ports();
	OK(named(51).address == 0);
	OK(named(52).address == 0x2f8 && named(52).baud == 0 && named(58).baud == 0);
	OK(named(59).baud == 9600);
}

static void test_rates(void)
{
	static const uint32_t rates[] = {0, 0, 0, 9600, 19200, 0, 57600, 115200, 0};

	table_ports();
	for (unsigned code = 0; code < sizeof(rates) / sizeof(rates[0]); code++) {
		table[58] = (uint8_t)code;
		OK(named(80).baud == rates[code]);
	}
	table[58] = 0xff;
	OK(named(80).baud == 0);
}

static void test_memory(void)
{
	struct serial_uart uart;

	table_memory();
	uart = named(88);
	OK(uart.address == 0xfedc9000 && uart.memory && uart.stride == 4 && uart.width == 4);
	OK(uart.baud == 115200 && uart.clock == 48000000);
	OK(named(79).clock == 0);
	table[8] = 2;
	OK(named(88).clock == 0);
	table_memory();
	table[43] = 0;
	OK(named(88).stride == 4 && named(88).width == 1);
	table[41] = 0;
	OK(named(88).stride == 1 && named(88).width == 1);
	table[43] = 3;
	OK(named(88).stride == 4 && named(88).width == 4);
	table[44] = 2;
	OK(named(88).address == 0);
	table_memory();
	table[41] = 24;
	table[43] = 2;
	OK(named(88).address == 0);
	table_memory();
	table[43] = 4;
	OK(named(88).address == 0);
	table_memory();
	table[48] = 1; /* beyond 4 GiB */
	OK(named(88).address == UINT64_C(0x1fedc9000));
	table_memory();
	memset(table + 44, 0xff, 7);
	table[44] = 0xe0;
	OK(named(88).address == 0);
}

/* ---- PCI ---- */

static uint32_t space[64];

static uint32_t space_read(uint16_t function, unsigned offset)
{
	OK(function == 0x83 && offset % 4 == 0);
	return space[offset / 4];
}

/* What a function is, by its class, command and base addresses. */
static struct serial_uart pci(uint32_t class, uint32_t command, uint32_t low, uint32_t high)
{
	space[1] = command;
	space[2] = class;
	space[4] = low;
	space[5] = high;
	return serial_pci(space_read, 0x83);
}

static void test_pci(void)
{
	struct serial_uart uart = pci(0x07000201, 1, 0x6061, 7);

	OK(uart.address == 0x6060 && !uart.memory && uart.baud == 115200 && uart.clock == 1843200);
	OK(pci(0x07000201, 0xfff0006, 0x6061, 7).address == 0);
	OK(pci(0x07800201, 1, 0x6061, 7).address == 0);
	OK(pci(0x02000201, 1, 0x6061, 7).address == 0);
	OK(pci(0xffffffff, 0xffffffff, 0xffffffff, 0xffffffff).address == 0);
	OK(pci(0x07000201, 1, 1, 7).address == 0);
	OK(pci(0x07000201, 1, 0x12345671, 7).address == 0);
	uart = pci(0x07000601, 2, 0xfe800000, 7);
	OK(uart.address == 0xfe800000 && uart.memory && uart.stride == 1 && uart.maybe_dwords);
	OK(uart.baud == 0);
	OK(pci(0x07000601, 2, 0xfe80000c, 0x38).address == UINT64_C(0x38fe800000));
	OK(pci(0x07000601, 1, 0xfe80000c, 0x38).address == 0);
}

/* ---- a UART in memory: registers that keep what is written ---- */

enum { THR, IER, FCR, LCR, MCR, LSR, MSR, SCR };

static uint32_t registers[8];

static struct serial_uart in_memory(uint8_t stride, uint8_t width)
{
	memset(registers, 0, sizeof(registers));
	return (struct serial_uart){
		.address = (uintptr_t)registers,
		.memory = true,
		.stride = stride,
		.width = width,
	};
}

static bool open_at(const struct serial_uart *uart)
{
	struct serial_places places = {0};

	serial_add(&places, uart);
	return serial_open(&places);
}

static uint8_t *byte(unsigned offset)
{
	return (uint8_t *)registers + offset;
}

static void test_write(void)
{
	struct serial_uart uart = in_memory(4, 4);

	registers[LSR] = 0x60;
	registers[IER] = 5;
	registers[SCR] = 0x77;
	OK(open_at(&uart) && serial_opened()->address == uart.address);
	OK(registers[IER] == 0 && registers[MCR] == 3 && registers[SCR] == 0x77);
	serial_write("ab", 2);
	OK(registers[THR] == 'b');
	OK(serial_read() == -1);
	registers[LSR] = 0x61;
	OK(serial_read() == 'b');
	for (uint32_t garbled = 4; garbled <= 16; garbled *= 2) {
		registers[LSR] = 0x61 | garbled;
		OK(serial_read() == -1);
	}
	serial_close();
	OK(!serial_opened() && registers[IER] == 5 && registers[MCR] == 0);
	OK(serial_read() == -1);

	uart = in_memory(1, 1);
	*byte(LSR) = 0x60;
	OK(open_at(&uart));
	serial_write("c", 1);
	OK(*byte(THR) == 'c');
	serial_close();
	OK(registers[2] == 0 && registers[3] == 0);

	uart = in_memory(4, 1);
	registers[LSR] = 0x60;
	registers[THR] = 0x11223300;
	OK(open_at(&uart));
	serial_write("d", 1);
	OK(registers[THR] == 0x11223300 + 'd');
	serial_close();

	uart = in_memory(2, 2);
	*byte(2 * LSR) = 0x60;
	OK(open_at(&uart));
	serial_write("e", 1);
	OK(*byte(THR) == 'e');
	serial_close();
}

/* A table that leaves the distance open, and registers 4 bytes apart of which the wrong ones have
 * nothing to say: they alone are used. */
static void test_apart(void)
{
	struct serial_uart uart = in_memory(1, 1);

	uart.maybe_dwords = true;
	registers[LSR] = 0x60;
	registers[IER] = 5;
	OK(open_at(&uart));
	OK(serial_opened()->stride == 4 && serial_opened()->width == 4);
	serial_write("f", 1);
	OK(registers[THR] == 'f' && registers[IER] == 0);
	serial_close();
	OK(registers[IER] == 5 && registers[SCR] == 0);

	/* Next to each other after all: nothing behind them is looked at. */
	uart = in_memory(1, 1);
	uart.maybe_dwords = true;
	*byte(LSR) = 0x60;
	OK(open_at(&uart) && serial_opened()->stride == 1);
	serial_close();
}

/* Registers that are no UART, at either distance, are left as they were; so are those of a UART
 * whose sender stands still. */
static void test_nothing_is_touched(void)
{
	struct serial_uart uart = in_memory(1, 1);
	uint32_t before[8];

	uart.maybe_dwords = true;
	for (unsigned i = 0; i < 8; i++)
		before[i] = registers[i] = 0x01020304 * (i + 1) & 0xdfdfdfdf;
	OK(!open_at(&uart));
	OK(!memcmp(before, registers, sizeof(before)));
	memset(registers, 0xff, sizeof(registers));
	OK(!open_at(&uart));
}

/* The divisor's low byte lies where the data register is, and here they are one. */
static void test_rate_is_set(void)
{
	struct serial_uart uart = in_memory(4, 4);

	registers[LSR] = 0x60;
	uart.baud = 115200;
	uart.clock = 48000000;
	OK(open_at(&uart));
	OK(registers[THR] == 26 && registers[IER] == 0 && registers[LCR] == 3 &&
	   registers[FCR] == 7);
	serial_close();

	/* As it is, when that is what the firmware says, or when the clock is not known. */
	uart = in_memory(4, 4);
	registers[LSR] = 0x60;
	registers[LCR] = 3;
	registers[THR] = 26;
	uart.baud = 115200;
	uart.clock = 48000000;
	OK(open_at(&uart) && registers[FCR] == 0);
	serial_close();
	uart = in_memory(4, 4);
	registers[LSR] = 0x60;
	registers[THR] = 1;
	uart.baud = 115200;
	OK(open_at(&uart) && registers[FCR] == 0 && registers[THR] == 1);
	serial_close();
}

/* To within 3 %, or not at all: half the wanted rate is worse than the firmware's. */
static void test_rate_is_near(void)
{
	static const struct {
		uint32_t baud, clock, divisor;
	} rates[] = {
		{115200, 1843200, 1},   {9600, 1843200, 12},     {1500000, 24000000, 1},
		{460800, 48000000, 0},  {460800, 1843200, 0},    {230400, 1843200, 0},
		{921600, 14745600, 1},  {115200, 100000000, 54}, {115200, 1, 0},
		{UINT32_MAX, 48000, 0}, {1, 1843200, 0},         {115200, 0, 0},
	};

	for (unsigned i = 0; i < sizeof(rates) / sizeof(rates[0]); i++) {
		struct serial_uart uart = in_memory(4, 4);

		registers[LSR] = 0x60;
		uart.baud = rates[i].baud;
		uart.clock = rates[i].clock;
		printf("# %u baud out of %u Hz\n", uart.baud, uart.clock);
		OK(open_at(&uart));
		/* The divisor's low byte is where the data register is; 0 is what was there. */
		OK(registers[THR] == rates[i].divisor);
		OK(registers[FCR] == (rates[i].divisor ? 7 : 0));
		serial_close();
	}
}

/* It is given up with the first byte that it does not take, so that no output ever waits for it
 * twice. */
static void test_dead(void)
{
	struct serial_uart uart = in_memory(4, 4);

	registers[LSR] = 0x60;
	OK(open_at(&uart));
	registers[LSR] = 0;
	registers[THR] = 0;
	serial_write("ab", 2);
	registers[LSR] = 0x61;
	serial_write("ab", 2);
	OK(registers[THR] == 0 && serial_read() == -1);
	for (unsigned i = 0; i < 1000000; i++)
		serial_write("never", 5);
	serial_close();
	OK(!serial_opened());
}

int main(void)
{
	test_ports();
	test_none();
	test_rates();
	test_memory();
	test_pci();
	test_write();
	test_apart();
	test_rate_is_set();
	test_rate_is_near();
	test_dead();
	test_nothing_is_touched();
	return tap_end();
}
