/* SPDX-License-Identifier: BSD-2-Clause */
/* The run from one state of the firmware to the next: between them the machine is ours. */
#include "boot.h"

static const char *take_over(const struct program *program)
{
	const char *error = NULL;

	if (program->options.exit_boot_services)
		error = firmware_exit(program->fw);
	return error ? error : machine_take_over(&program->facts);
}

static enum verdict run_once(struct program *program, const char *error)
{
	enum verdict verdict;

	report_set_buffer(program->buffers, REPORT_BUFFER_SIZE);
	verdict = round_report(program, error, 0);
	program->report = report_text(&program->report_length);
	return verdict;
}

static void open_journal(struct program *program)
{
	if (!program->options.resume)
		return;
	program->no_journal =
		journal_open(&program->journal, program->fw, program_identity(program),
			     program->buffers, REPORT_TEXT_MAX(REPORT_BUFFER_SIZE));
	if (program->journal.resumed)
		program->resume_at = program->journal.head.begun;
}

static void open_screen(const struct program *program)
{
	static const struct framebuffer none = {0};
	const struct options *options = &program->options;
	char *cells = program->buffers + REPORT_BUFFER_SIZE;
	bool wanted = options->screen == SCREEN_MATRIX, displayed;

	report_set_verbose(options->verbose);
	screen_open(options->screen == SCREEN_NONE ? &none : &program->facts.framebuffer,
		    (uint16_t *)(void *)cells);
	displayed = display_open(wanted ? (struct board *)(void *)(cells + SCREEN_BUFFER) : NULL,
				 program->facts.tsc_per_ms, !options->repeat);
	/* Text for the firmware's console must not scroll over the display. */
	scroll_open(0, displayed ? 0 : screen_rows());
	console_add(displayed ? display_write : scroll_write);
}

enum verdict program_run(struct program *program)
{
	const char *error = NULL;
	enum verdict verdict;

	program->refusal = machine_refusal();
	if (!program->refusal) {
		processors_plan(&program->processors);
		open_journal(program);
		error = take_over(program);
	}
	program_open_serial(program, !program->refusal && !error);
	open_screen(program);
	console_add(serial_write);
	verdict =
		program->options.repeat ? run_once(program, error) : rounds_forever(program, error);
	console_remove(serial_write);
	console_remove(scroll_write);
	console_remove(display_write);
	serial_close();
	/* When the program halts or powers off, the report stays on the screen to be read; what is
	 * displayed instead stays for a while in any case. */
	if (program->options.ending == ENDING_RETURN && !display_is_open())
		screen_close();
	display_end(verdict);
	if (!error && !program->refusal)
		machine_give_back();
	return verdict;
}
