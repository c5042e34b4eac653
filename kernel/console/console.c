/* SPDX-License-Identifier: BSD-2-Clause */
/* Consoles: every sink gets every character. */
#include "console.h"

#define LINE_SIZE 1024

static console_sink *sinks[CONSOLE_SINKS];

void console_add(console_sink *sink)
{
	unsigned i;

	for (i = 0; i < ARRAY_SIZE(sinks); i++) {
		if (!sinks[i]) {
			sinks[i] = sink;
			return;
		}
	}
	panic("more than %u console sinks", CONSOLE_SINKS);
}

void console_remove(console_sink *sink)
{
	unsigned i;

	for (i = 0; i < ARRAY_SIZE(sinks); i++)
		if (sinks[i] == sink)
			sinks[i] = NULL;
}

void console_write(const char *text, size_t length)
{
	unsigned i;

	for (i = 0; i < ARRAY_SIZE(sinks); i++)
		if (sinks[i])
			sinks[i](text, length);
}

void console_print(const char *format, ...)
{
	static const char mark[] = "...\n";
	char line[LINE_SIZE];
	size_t length;
	va_list args;

	va_start(args, format);
	length = fmt_vprint(line, sizeof(line), format, args);
	va_end(args);
	if (length >= sizeof(line)) {
		length = sizeof(line) - 1;
		memcpy(line + length - (sizeof(mark) - 1), mark, sizeof(mark) - 1);
	}
	console_write(line, length);
}
