/* SPDX-License-Identifier: BSD-2-Clause */
/* What the user types while the machine is taken over. */
#include "console.h"

/* The 8042 keyboard controller (IBM PS/2 technical reference, keyboard and auxiliary device
 * controller). */
#define KBC_DATA        0x60
#define KBC_STATUS      0x64
#define KBC_OUTPUT_FULL 0x01
#define KBC_ABSENT      0xff
#define SCAN_CODE_Q     0x10 /* set 1, which the controller translates to; key down */

/* More than the FIFO of any UART holds: a line that sends without end must not stop the run. */
#define INPUT_MOST 256u

static bool serial_quit(void)
{
	bool quit = false;
	int byte;

	for (unsigned i = 0; i < INPUT_MOST && (byte = serial_read()) >= 0; i++)
		quit |= byte == 'q';
	return quit;
}

static bool keyboard_quit(void)
{
	bool quit = false;

	for (unsigned i = 0; i < INPUT_MOST; i++) {
		uint8_t status = inb(KBC_STATUS);

		if (status == KBC_ABSENT || !(status & KBC_OUTPUT_FULL))
			break;
		quit |= inb(KBC_DATA) == SCAN_CODE_Q;
	}
	return quit;
}

bool input_quit(void)
{
	bool serial = serial_quit();

	return keyboard_quit() || serial;
}
