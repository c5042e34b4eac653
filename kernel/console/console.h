/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Consoles: every sink gets every character; a dead serial port never blocks.
 *
 * Room: where text goes (serial port, screen, the report in memory) and where the user's comes
 * from. Uses: kernel/lib
 */
#ifndef CONSOLE_H
#define CONSOLE_H

#include "kernel/lib/lib.h"
#include "report.h"
#include "screen.h"
#include "serial.h"

/* A sink writes length bytes of text with "\n" line ends. */
typedef void console_sink(const char *text, size_t length);

#define CONSOLE_SINKS 4
void console_add(console_sink *sink);
void console_remove(console_sink *sink);
void console_write(const char *text, size_t length);
void console_print(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Was "q" typed since the last call, on the serial console or a PS/2 keyboard? */
bool input_quit(void);

#endif
