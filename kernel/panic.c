/* SPDX-License-Identifier: BSD-2-Clause */
/* panic(): a bug of ours; the run is over, but the machine is still given back. */
#include "state.h"

static void (*exit_hook)(void);
static uint64_t exit_stack;

void panic_set_exit(void (*hook)(void))
{
	exit_hook = hook;
	/* Aligned as at a function's entry. */
	exit_stack = ((uint64_t)(uintptr_t)__builtin_frame_address(0) - 4096) / 16 * 16 - 8;
}

static _Noreturn void panic_halt(void)
{
	for (;;)
		__asm__ volatile("cli\nhlt");
}

static _Noreturn void panic_leave(void)
{
	exit_hook();
	panic_halt();
}

static void header_line(const char *place)
{
	report_header("  %s", place);
}

static void panic_report(const char *format, va_list args, const uint64_t *frame)
{
	static char message[200];

	fmt_vprint(message, sizeof(message), format, args);
	report_header("panic, called from:");
	dump_backtrace(frame[1], frame[0], header_line);
	report_bail_out(message);
}

void panic(const char *format, ...)
{
	static unsigned panics;
	struct trap_frame frame = {0};
	va_list args;

	irq_disable();
	/* One within the report ends without a report, one within the hook just ends. */
	if (++panics == 1) {
		va_start(args, format);
		panic_report(format, args, __builtin_frame_address(0));
		va_end(args);
	}
	if (exit_hook == NULL || panics > 2)
		panic_halt();
	guard_forget();
	frame.rip = (uint64_t)(uintptr_t)panic_leave;
	frame.cs = read_cs();
	frame.ss = read_ss();
	frame.rflags = BIT(1);
	frame.rsp = exit_stack;
	/* By IRET: it may be an NMI handler that found the bug. */
	trap_resume(&frame);
}
