/* SPDX-License-Identifier: BSD-2-Clause */
/* The value of serial=: where the serial line is. */
#include "options.h"

static const char *behind(const char *text, const char *prefix)
{
	size_t length = strlen(prefix);

	return strlen(text) >= length && !memcmp(text, prefix, length) ? text + length : NULL;
}

/* In hexadecimal, with or without 0x. */
static const char *read_hex(const char *text, uint64_t max, uint64_t *value)
{
	if (text[0] == '0' && (text[1] | 0x20) == 'x')
		text += 2;
	return options_number(text, 16, max, value);
}

static bool read_port(struct serial_config *serial, const char *text)
{
	uint64_t port;
	uint32_t baud = SERIAL_BAUD_DEFAULT;

	/* At most fff8h, because a UART has eight registers. */
	text = read_hex(text, 0xfff8, &port);
	if (!text || !port)
		return false;
	if (*text == ',' && (!options_range(text + 1, 1, SERIAL_BAUD_CLOCK, &baud) ||
			     SERIAL_BAUD_CLOCK % baud || SERIAL_BAUD_CLOCK / baud > 0xffff))
		return false;
	if (*text && *text != ',')
		return false;
	serial->mode = SERIAL_UART;
	serial->uart = serial_at_port((uint16_t)port, baud);
	return true;
}

static bool read_memory(struct serial_config *serial, const char *text, uint8_t bytes)
{
	uint64_t address;

	text = read_hex(text, SERIAL_ADDRESS_MAX, &address);
	if (!text || *text || !address || address % bytes)
		return false;
	serial->mode = SERIAL_UART;
	serial->uart = serial_in_memory(address, bytes);
	return true;
}

/* BUS:DEVICE.FUNCTION, as lspci has it. */
static bool read_function(struct serial_config *serial, const char *text)
{
	uint64_t bus, device, function;

	text = options_number(text, 16, 0xff, &bus);
	text = text && *text == ':' ? options_number(text + 1, 16, 0x1f, &device) : NULL;
	text = text && *text == '.' ? options_number(text + 1, 16, 7, &function) : NULL;
	if (!text || *text)
		return false;
	serial->mode = SERIAL_PCI;
	serial->function = (uint16_t)(bus << 8 | device << 3 | function);
	return true;
}

bool serial_is_read(struct serial_config *serial, const char *value)
{
	const char *text;

	memset(serial, 0, sizeof(*serial));
	if (!strcmp(value, "auto") || !strcmp(value, "none")) {
		serial->mode = *value == 'a' ? SERIAL_AUTO : SERIAL_NONE;
		return true;
	}
	if ((text = behind(value, "mmio:")))
		return read_memory(serial, text, 1);
	if ((text = behind(value, "mmio32:")))
		return read_memory(serial, text, 4);
	if ((text = behind(value, "pci:")))
		return read_function(serial, text);
	return read_port(serial, value);
}
