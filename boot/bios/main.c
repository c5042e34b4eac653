/* SPDX-License-Identifier: BSD-2-Clause */
/* The C code that entry.asm calls: it opens the screen, and runs the program. */
#include "bios.h"

static struct firmware firmware;
static uint16_t cells[SCREEN_CELLS_MAX];

/* entry.asm: which loader this is, and what it tells. */
_Noreturn void bios_main(uint32_t magic, uintptr_t address);

_Noreturn void bios_main(uint32_t magic, uintptr_t address)
{
	const char *error = multiboot_read(&firmware, magic, address);

	if (!error && !firmware.screen_told)
		firmware.framebuffer = vga_text();
	screen_open(&firmware.framebuffer, cells);
	scroll_open(0, screen_rows());
	if (error) {
		console_add(firmware_console_write);
		console_print("pmutest86: %s\n", error);
	} else {
		/* It comes back if the options are wrong, or asked for a list: to be read. */
		qemu_exit(program_main(&firmware));
	}
	for (;;)
		__asm__ volatile("cli\n\thlt");
}
