/* SPDX-License-Identifier: BSD-2-Clause */
/* The program from the firmware's call to the verdict, and its end. */
#include "boot.h"

#include "tests/lib/test.h"

/* A file in UCS-2 has two bytes per character, and a byte order mark. */
#define CONFIG_MAX (2 * OPTIONS_TEXT_MAX + 2)

/* How long the end of a run is displayed to somebody who types nothing. */
#define LINGER_SECONDS 60u

/* Runs print() with the firmware's console as sink, then with the serial port, unless that has had
 * it from the firmware. */
static void print_everywhere(const struct program *program, void (*print)(const char *text),
			     const char *text)
{
	console_add(firmware_console_write);
	print(text);
	console_remove(firmware_console_write);
	if (!program_open_serial(program, false))
		return;
	if (!firmware_console_is_at(program->fw, serial_opened())) {
		console_add(serial_write);
		print(text);
		console_remove(serial_write);
	}
	serial_close();
}

static void print_text(const char *text)
{
	console_print("%s", text);
}

/* Also on a serial line that the options name in front of what is wrong with them. */
static bool complain(struct program *program, const char *where, const char *error)
{
	char text[OPTIONS_ERROR_MAX + OPTIONS_FROM_MAX + 32];

	program_find_serial(program);
	fmt_print(text, sizeof(text), "pmutest86: error in %s: %s\n", where, error);
	print_everywhere(program, print_text, text);
	return false;
}

/* ---- options ---- */

/* The text of \pmutest86.cfg; empty when there is none. */
static const char *read_config(const struct firmware *fw, char text[OPTIONS_TEXT_MAX])
{
	char bytes[CONFIG_MAX];
	struct file *file;
	size_t size;

	text[0] = '\0';
	if (file_open(fw, "pmutest86.cfg", false, &file) == FILE_REFUSED)
		return "the file cannot be opened";
	if (!file)
		return NULL;
	size = file_read(file, 0, bytes, sizeof(bytes));
	file_close(file);
	return options_of_file(text, bytes, size);
}

static bool parse(struct program *program, const char *where, const char *error, const char *text)
{
	char sentence[OPTIONS_ERROR_MAX];

	if (!error && !options_parse(&program->options, text, sentence))
		error = sentence;
	return !error || complain(program, where, error);
}

/* The file first, because the caller's options override it. */
static bool read_options(struct program *program)
{
	char text[OPTIONS_TEXT_MAX], sentence[OPTIONS_ERROR_MAX], from[OPTIONS_FROM_MAX];
	const char *error;

	options_default(&program->options);
	firmware_options_default(&program->options);
	error = read_config(program->fw, text);
	if (!parse(program, "\\pmutest86.cfg", error, text))
		return false;
	error = firmware_options(program->fw, text, &program->binary_load_options);
	options_from(from, text);
	if (!parse(program, from, error, text))
		return false;
	if (!options_check(&program->options, sentence))
		return complain(program, "options", sentence);
	error = firmware_options_refuse(&program->options);
	if (!error)
		error = processors_refuse(program, sentence);
	return !error || complain(program, "options", error);
}

/* ---- the end ---- */

/* There is time: the processor rests ahead of each look. */
static int typed(const struct program *program)
{
	if (program->options.exit_boot_services) {
		cpu_pause();
		return input_key();
	}
	firmware_rest(program->fw);
	return firmware_key(program->fw);
}

/* Until a key is typed that turns no page, but not for ever: nobody may be there. */
static void linger(const struct program *program)
{
	uint64_t start = rdtsc(), most = LINGER_SECONDS * 1000 * program->facts.tsc_per_ms;

	while (rdtsc() - start < most && !display_key(typed(program)))
		;
	screen_close();
}

/* Returns only for ENDING_RETURN. */
static void end(const struct program *program, enum verdict verdict)
{
	switch (program->options.ending) {
	case ENDING_RETURN:
		return;
	case ENDING_POWEROFF:
		qemu_exit(verdict);
		firmware_power_off(program->fw);
		break;
	case ENDING_RESET:
		firmware_reset(program->fw);
		break;
	case ENDING_HALT:
		break;
	}
	/* The user asked to halt, or the firmware did not power off or reset. */
	while (display_is_open())
		display_key(typed(program));
	irq_disable();
	for (;;)
		__asm__ volatile("hlt");
}

/* ---- the run ---- */

#define WHERE_MAX 160u

static void print_on_console(const char *format, const char *what)
{
	console_add(firmware_console_write);
	console_print(format, what);
	console_remove(firmware_console_write);
}

/* Why there is no file is said on the serial line, too: it may be all that there is to read. */
static void write_report_file(struct program *program, char where[WHERE_MAX])
{
	const char *error = report_file_write(program);
	char text[WHERE_MAX + 16];

	fmt_print(where, WHERE_MAX, error ? "no report file: %s" : "report in \\%s",
		  error ? error : program->report_name);
	fmt_print(text, sizeof(text), "pmutest86: %s\n", where);
	if (error)
		print_everywhere(program, print_text, text);
	else
		print_on_console("%s", text);
}

/* Says how long drawing took, if there was a display. */
static void print_cost(void)
{
	unsigned drawing, all;
	char text[80];

	if (!display_cost(&drawing, &all))
		return;
	fmt_print(text, sizeof(text), "pmutest86: drawing took %u of %u ms\n", drawing, all);
	print_on_console("%s", text);
}

/* Says the verdict and writes the report file, where the firmware lives. */
static void finish(struct program *program, enum verdict verdict)
{
	char where[WHERE_MAX] = "no report file: report=none";

	print_on_console("pmutest86: verdict %s\n", report_verdict_name(verdict));
	print_cost();
	if (program->options.report_file)
		write_report_file(program, where);
	if (!display_is_open())
		return;
	display_file(where);
	if (program->options.ending == ENDING_RETURN)
		linger(program);
}

static const char *refuse_report_file(const struct program *program)
{
	if (!program->options.report_file)
		return NULL;
	if (program->options.exit_boot_services)
		return "with takeover=exit no firmware is left to write it";
	return report_file_refuse(program->fw);
}

static enum verdict run(struct program *program, const char *error)
{
	enum verdict verdict = VERDICT_ERROR;
	struct processors *all = &program->processors;
	bool firmware_lives = true;
	size_t members; /* and all that is before them */

	*all = (struct processors){.program = program};
	all->count = processors_count(program, &all->missing);
	/* The arena has room for all of them, of which only those of a round together take any. */
	program->facts.others = all->count;
	members = PROGRAM_BUFFERS + all->count * sizeof(*all->member);
	members = (members + PMU_STATE_ALIGNMENT - 1) & ~(size_t)(PMU_STATE_ALIGNMENT - 1);
	if (!error)
		error = firmware_allocate(program->fw, &program->facts,
					  members + company_size(all->count), &program->buffers);
	program->facts.others = 0;
	if (error) {
		complain(program, "machine", error);
	} else {
		all->member = (struct member *)(void *)(program->buffers + PROGRAM_BUFFERS);
		all->company = program->buffers + members;
		program->facts.other_thread = program->options.other_thread;
		program->facts.enable_apic = program->options.enable_apic;
		program->no_report = refuse_report_file(program);
		verdict = program_run(program);
		firmware_lives = !program->options.exit_boot_services || program->refusal;
		if (firmware_lives)
			finish(program, verdict);
		else
			display_file("no report file: takeover=exit");
	}
	if (firmware_lives)
		journal_delete(&program->journal);
	/* Text that stays on the screen must stay in memory. */
	if (firmware_lives && program->options.ending == ENDING_RETURN)
		firmware_free(program->fw, &program->facts);
	return verdict;
}

unsigned program_main(struct firmware *fw)
{
	struct program program = {.fw = fw};
	/* Found while the firmware's page tables are in force: they map all ACPI tables. */
	const char *error = firmware_facts(fw, &program.facts), *no_serial;
	enum verdict verdict;

	acpi_set_memory_limit(program.facts.tables_limit);
	if (!read_options(&program))
		return PROGRAM_REFUSED;
	program_find_serial(&program);
	if (program.options.list && !error) {
		print_everywhere(&program, battery_list, program.options.tests);
		return VERDICT_PASS;
	}
	print_on_console("pmutest86 %s\n", version);
	if (program.facts.no_framebuffer && program.options.screen != SCREEN_NONE)
		print_on_console("pmutest86: nothing is shown until the end: %s\n",
				 program.facts.no_framebuffer);
	if ((no_serial = program_lacks_serial(&program)))
		print_on_console("pmutest86: no report on a serial line: %s\n", no_serial);
	verdict = run(&program, error);
	end(&program, verdict);
	return verdict;
}
