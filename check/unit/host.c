/* SPDX-License-Identifier: BSD-2-Clause */
/* The host, for unit tests: stands in for the bare machine. */
#include "host.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "kernel/lib/bits.h"
#include "kernel/lib/fmt.h"

char host_panic[256];

static jmp_buf catcher;
static bool catching;

void panic(const char *format, ...)
{
	va_list args;

	va_start(args, format);
	fmt_vprint(host_panic, sizeof(host_panic), format, args);
	va_end(args);
	if (catching)
		longjmp(catcher, 1);
	printf("Bail out! panic: %s\n", host_panic);
	exit(1);
}

bool host_panics(void (*body)(void *arg), void *arg)
{
	bool panicked = true;

	host_panic[0] = '\0';
	catching = true;
	if (!setjmp(catcher)) {
		body(arg);
		panicked = false;
	}
	catching = false;
	return panicked;
}
