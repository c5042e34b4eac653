/* SPDX-License-Identifier: BSD-2-Clause */
/* Keys that the user types while the machine is taken over. */
#include "console.h"

/* The 8042 keyboard controller (IBM PS/2 technical reference, keyboard and auxiliary device
 * controller). */
#define KBC_DATA        0x60
#define KBC_STATUS      0x64
#define KBC_OUTPUT_FULL 0x01
#define KBC_OF_MOUSE    0x20
#define KBC_ABSENT      0xff
#define SCAN_CODE_UP    0x80 /* set 1, which the controller translates to: a key goes up */

/* A controller that is never empty must not stop the run. */
#define CODES_MOST 256u

static int letter(uint8_t scan_code)
{
	static const uint8_t codes[] = {
		[0x10] = 'q', [0x19] = 'p', [0x21] = 'f', [0x2f] = 'v', [0x31] = 'n'};

	return scan_code < sizeof(codes) && codes[scan_code] ? codes[scan_code] : ' ';
}

static int keyboard_key(void)
{
	for (unsigned i = 0; i < CODES_MOST; i++) {
		uint8_t status = inb(KBC_STATUS), code;

		if (status == KBC_ABSENT || !(status & KBC_OUTPUT_FULL))
			break;
		code = inb(KBC_DATA);
		if (!(status & KBC_OF_MOUSE) && !(code & SCAN_CODE_UP))
			return letter(code);
	}
	return -1;
}

int input_key(void)
{
	int byte = serial_read();

	return byte >= 0 ? byte : keyboard_key();
}
