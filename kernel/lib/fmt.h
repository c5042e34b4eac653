/* SPDX-License-Identifier: BSD-2-Clause */
/* Formatted text without a C library: %s %c %u %d %x %llu %lld %llx %%, with 0, - and width. */
#pragma once

#include <stdarg.h>
#include <stddef.h>

/* Like vsnprintf: writes at most size bytes including the NUL, returns the full length. */
size_t fmt_vprint(char *out, size_t size, const char *format, va_list args)
	__attribute__((format(printf, 3, 0)));
size_t fmt_print(char *out, size_t size, const char *format, ...)
	__attribute__((format(printf, 3, 4)));
