/* SPDX-License-Identifier: BSD-2-Clause */
/* Lines on COM1, where the program under test reports too, and the ways to end the machine. */

#include "kernel/lib/fmt.h"
#include "machine.h"

enum { COM1 = 0x3f8, UART_LINE_CONTROL = 3, UART_LINE_STATUS = 5, UART_EIGHT_BITS = 3 };
enum { UART_EMPTY = 0x20, UART_PATIENCE = 100000 };
enum { DEBUG_EXIT_PORT = 0xf4 };

void serial_init(void)
{
	outb(COM1 + UART_LINE_CONTROL, UART_EIGHT_BITS);
	/* The firmware may have left half a line behind. */
	serial_print("\n");
}

/* Bounded, so that a missing port never blocks. */
static void put(char c)
{
	for (unsigned i = 0; i < UART_PATIENCE; i++)
		if (inb(COM1 + UART_LINE_STATUS) & UART_EMPTY)
			break;
	outb(COM1, (uint8_t)c);
}

/* Long enough for the longest list of allowed names. */
static char line[4608];

static void print(const char *format, va_list args)
{
	fmt_vprint(line, sizeof(line), format, args);
	for (const char *c = line; *c; c++) {
		if (*c == '\n')
			put('\r');
		put(*c);
	}
}

void serial_print(const char *format, ...)
{
	va_list args;

	va_start(args, format);
	print(format, args);
	va_end(args);
}

void machine_debug_exit(uint32_t code)
{
	outl(DEBUG_EXIT_PORT, code);
}

/* Called in the VMM as well as in the guest, so it must not rely on the firmware: where there is
 * no debug-exit device it asks the ACPI registers of q35 and pc (as OVMF places them) for S5. */
void panic(const char *format, ...)
{
	va_list args;

	serial_print("silicon: error: ");
	va_start(args, format);
	print(format, args);
	va_end(args);
	serial_print("\n");
	machine_debug_exit(DEBUG_EXIT_ERROR);
	outw(0x604, 0x2000);
	outw(0xb004, 0x2000);
	for (;;)
		__asm__ volatile("cli; hlt");
}

void vmm_host_exception(unsigned vector, const uint64_t *frame)
{
	unsigned has_error = vector_has_error(vector);

	panic("exception %u in the VMM at %llx", vector, (unsigned long long)frame[has_error]);
}
