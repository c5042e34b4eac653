/* SPDX-License-Identifier: BSD-2-Clause */
/* Consoles: every sink gets every character; a dead serial port never blocks. */
#ifndef CONSOLE_H
#define CONSOLE_H

#include <stddef.h>
#include <stdint.h>

/* A sink writes length bytes of text with "\n" line ends. */
typedef void console_sink(const char *text, size_t length);

#define CONSOLE_SINKS 4
void console_add(console_sink *sink);
void console_remove(console_sink *sink);
void console_write(const char *text, size_t length);
void console_print(const char *format, ...) __attribute__((format(printf, 1, 2)));

#endif
