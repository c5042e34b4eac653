/* SPDX-License-Identifier: BSD-2-Clause */
/* The run itself: between two states of the firmware, the machine is ours. */
#include "run.h"

#include "bits.h"
#include "console.h"
#include "fmt.h"
#include "identify.h"
#include "panic.h"
#include "screen.h"
#include "test.h"
#include "version.h"

/* As __builtin_setjmp() wants it: five words. */
static void *panic_context[5];

/* panic() has reported; what remains is to end the report and give the machine back. */
static void leave_panic(void)
{
	__builtin_longjmp(panic_context, 1);
}

static void report_options(const struct options *options)
{
	char repeat[12] = "forever";

	if (options->repeat)
		fmt_print(repeat, sizeof(repeat), "%u", options->repeat);
	report_header("options: tests=%s takeover=%s repeat=%s timeout=%u%s%s",
		      options->tests[0] ? options->tests : "*",
		      options->exit_boot_services ? "exit" : "return", repeat, options->timeout,
		      options->stop_on_fail ? " on-fail=stop" : "",
		      options->verbose ? " verbose" : "");
}

static void report_headers(const struct program *program)
{
	report_header("pmutest86 %s", version);
	report_options(&program->options);
	if (program->binary_load_options)
		report_header("load options: not text, ignored");
	if (serial_port())
		report_header("serial: port %xh", serial_port());
	else
		report_header("serial: none");
	report_header("TSC: %llu ticks per millisecond",
		      (unsigned long long)program->facts.tsc_per_ms);
	if (machine_note())
		report_header("%s", machine_note());
}

/* On the machine that is ours now. */
static void measure_all(const struct program *program)
{
	const struct options *options = &program->options;
	const struct battery battery = {
		.filter = options->tests[0] ? options->tests : NULL,
		.timeout_ms = options->timeout * 1000,
		.repeat = options->repeat ? options->repeat : 1,
		.verbose = options->verbose,
		.stop_on_fail = options->stop_on_fail,
	};
	uint64_t smis_before, smis_after;
	struct cpu_identity cpu;

	identify_cpu(&cpu);
	identify_report(&cpu);
	identify_smi_count(&cpu, &smis_before);
	battery_run(&battery);
	if (identify_smi_count(&cpu, &smis_after))
		report_header("SMIs during the run: %llu",
			      (unsigned long long)(smis_after - smis_before));
}

static const char *take_over(const struct program *program)
{
	const char *error = NULL;

	if (program->options.exit_boot_services)
		error = firmware_exit(&program->fw, program->memory.map);
	return error ? error : machine_take_over(&program->facts);
}

enum verdict run_report(const struct program *program, const char *error, unsigned round)
{
	/* The first says what every round would. */
	report_begin(round > 1 && !program->options.verbose);
	report_headers(program);
	if (round)
		report_header("round %u", round);
	if (error) {
		report_bail_out(error);
		return report_end();
	}
	if (!__builtin_setjmp(panic_context)) {
		panic_set_exit(leave_panic);
		measure_all(program);
	}
	panic_set_exit(NULL);
	return report_end();
}

/* It could once, with the same memory: not to be able to is a bug. */
void run_take_over_again(const struct program *program)
{
	const char *error = machine_take_over(&program->facts);

	if (error)
		panic("%s", error);
}

static enum verdict run_once(struct program *program, const char *error)
{
	enum verdict verdict;

	report_set_buffer(program->memory.report, REPORT_BUFFER_SIZE);
	verdict = run_report(program, error, 0);
	program->report = report_text(&program->report_length);
	return verdict;
}

const char *program_write_report(struct program *program)
{
	return report_file_write(&program->fw, program->tally, program->report,
				 program->report_length, &program->report_number);
}

enum verdict run_battery(struct program *program)
{
	const char *error = take_over(program);
	enum verdict verdict;

	screen_open(&program->facts.framebuffer, program->memory.cells);
	serial_open(&program->options.serial, program->firmware_port);
	console_add(screen_write);
	console_add(serial_write);
	verdict = program->options.repeat ? run_once(program, error) : run_forever(program, error);
	console_remove(serial_write);
	console_remove(screen_write);
	serial_close();
	/* Who halts or powers off leaves the report to be read. */
	if (program->options.ending == ENDING_RETURN)
		screen_close();
	if (!error)
		machine_give_back();
	return verdict;
}
