/* SPDX-License-Identifier: BSD-2-Clause */
/* The program's end: by the hardware alone. */
#include "bios.h"

/* Reset Control Register of Intel's and AMD's south bridges (ICH9 datasheet, 13.7.5). */
#define RESET_CONTROL 0xcf9u
#define RESET_SYSTEM  0x02u
#define RESET_NOW     0x04u

/* The keyboard controller's output port: bit 0 resets the processor. */
#define KEYBOARD_COMMAND 0x64u
#define KEYBOARD_BUSY    0x02u
#define KEYBOARD_RESET   0xfeu

#define WAIT_US          50000u

/* Roughly: a read of this port takes a microsecond, or the other way round, some. */
#define DELAY_PORT 0x80u

static void wait(void)
{
	for (unsigned i = 0; i < WAIT_US; i++)
		inb(DELAY_PORT);
}

static void reset_by_acpi(const struct firmware *fw)
{
	(void)fw;
}

static void reset_by_chipset(void)
{
	uint8_t control = inb(RESET_CONTROL) & (uint8_t) ~(RESET_SYSTEM | RESET_NOW);

	outb(RESET_CONTROL, control | RESET_SYSTEM);
	outb(RESET_CONTROL, control | RESET_SYSTEM | RESET_NOW);
	wait();
}

static void reset_by_keyboard(void)
{
	for (unsigned i = 0; i < WAIT_US && inb(KEYBOARD_COMMAND) & KEYBOARD_BUSY; i++)
		inb(DELAY_PORT);
	outb(KEYBOARD_COMMAND, KEYBOARD_RESET);
	wait();
}

/* A fault with no handler for it, nor for that: the processor shuts down, upon which a board resets
 * it. */
static void reset_by_shutdown(void)
{
	static const struct table_pointer no_handlers = {0};

	__asm__ volatile("lidt %0\n\tud2" : : "m"(no_handlers));
}

void firmware_reset(const struct firmware *fw)
{
	reset_by_acpi(fw);
	reset_by_chipset();
	reset_by_keyboard();
	reset_by_shutdown();
}

/* ACPI says how only in a language of its own, which takes an interpreter. */
void firmware_power_off(const struct firmware *fw)
{
	static const char text[] = "pmutest86: this program cannot power the machine off: halted\n";

	firmware_console_write(text, sizeof(text) - 1);
	(void)fw;
}
