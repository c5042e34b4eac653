/* SPDX-License-Identifier: BSD-2-Clause */
/* panic(): a bug of ours; the run is over, but the machine is still given back. */
#include "state.h"

/* Where a panic of this processor goes. */
static struct {
	void (*hook)(void);
	uintptr_t stack;
	const struct processor *processor;
} way_out;

void panic_set_exit(void (*hook)(void))
{
	way_out.hook = hook;
	/* With the alignment that a function finds at its entry. */
	way_out.stack = ((uintptr_t)__builtin_frame_address(0) - 4096) / 16 * 16 - sizeof(void *);
	way_out.processor = this_processor();
}

static _Noreturn void panic_halt(void)
{
	for (;;)
		__asm__ volatile("cli\nhlt");
}

static _Noreturn void panic_leave(void)
{
	way_out.hook();
	panic_halt();
}

static void header_line(const char *place)
{
	report_header("  %s", place);
}

static void panic_report(const char *format, va_list args, const uintptr_t *frame)
{
	static char message[200];

	fmt_vprint(message, sizeof(message), format, args);
	report_ungather();
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
	/* A panic while a panic is reported is not reported; a panic in the hook halts. */
	if (++panics == 1) {
		va_start(args, format);
		panic_report(format, args, __builtin_frame_address(0));
		va_end(args);
	}
	if (way_out.hook == NULL || panics > 2 || this_processor() != way_out.processor)
		panic_halt();
	guard_forget();
	frame.ip = (uintptr_t)panic_leave;
	frame.cs = KERNEL_CODE;
	frame.ss = KERNEL_DATA;
	frame.flags = BIT(1);
	frame.sp = way_out.stack;
	/* By IRET, because the bug may be in an NMI handler. */
	trap_resume(&frame);
}
