/* SPDX-License-Identifier: BSD-2-Clause */
/* From the firmware's call to the verdict and back. */
#include "boot/run.h"
#include "boot/version.h"
#include "kernel/console/console.h"
#include "kernel/lib/acpi.h"
#include "kernel/lib/fmt.h"
#include "tests/lib/test.h"

EFI_STATUS efi_main(EFI_HANDLE image, EFI_SYSTEM_TABLE *table);

static bool firmware_open(struct firmware *fw, EFI_HANDLE image, EFI_SYSTEM_TABLE *table)
{
	*fw = (struct firmware){.image = image, .table = table};
	fw->loaded = firmware_protocol(fw, image, (EFI_GUID)EFI_LOADED_IMAGE_PROTOCOL_GUID);
	firmware_console_open(fw);
	/* The firmware resets the machine five minutes after it started an image, unless told. */
	table->BootServices->SetWatchdogTimer(0, 0, 0, NULL);
	return fw->loaded;
}

/* It is found while the firmware's page tables are in force: they map all tables. */
static struct serial_uart find_firmware_uart(const struct firmware *fw)
{
	acpi_set_memory_limit(facts_memory_top(fw));
	return spcr_uart(acpi_find(acpi_identity, (uintptr_t)facts_rsdp(fw), "SPCR"));
}

/* Runs print() with the firmware's console as sink, then with the serial port, unless the firmware
 * itself has a console on a serial line and no other was asked for. */
static void print_everywhere(const struct program *program, void (*print)(const void *arg),
			     const void *arg)
{
	console_add(firmware_console_write);
	print(arg);
	console_remove(firmware_console_write);
	if (program->options.serial.mode == SERIAL_AUTO && firmware_console_is_serial(&program->fw))
		return;
	if (!serial_open(&program->options.serial, &program->firmware_uart))
		return;
	console_add(serial_write);
	print(arg);
	console_remove(serial_write);
	serial_close();
}

static void print_text(const void *text)
{
	console_print("%s", (const char *)text);
}

static void print_list(const void *filter)
{
	battery_list(filter);
}

static bool complain(const struct program *program, const char *where, const char *error)
{
	char text[OPTIONS_ERROR_MAX + 64];

	fmt_print(text, sizeof(text), "pmutest86: error in %s: %s\n", where, error);
	print_everywhere(program, print_text, text);
	return false;
}

/* The file first: what the caller says overrides it. */
static bool read_options(struct program *program)
{
	char text[OPTIONS_TEXT_MAX], sentence[OPTIONS_ERROR_MAX];
	const char *error;

	options_default(&program->options);
	error = config_read(&program->fw, text);
	if (!error && !options_parse(&program->options, text, sentence))
		error = sentence;
	if (error)
		return complain(program, "\\pmutest86.cfg", error);

	error = load_options_read(&program->fw, text, &program->binary_load_options);
	if (!error && !options_parse(&program->options, text, sentence))
		error = sentence;
	if (error)
		return complain(program, "load options", error);

	if (!options_check(&program->options, sentence))
		return complain(program, "options", sentence);
	return true;
}

static void write_report(struct program *program)
{
	const char *error = program_write_report(program);

	if (error)
		console_print("pmutest86: no report file: %s\n", error);
	else
		console_print("pmutest86: report in \\pmutest86-%u.tap\n", program->report_number);
}

static EFI_STATUS run(struct program *program)
{
	const struct options *options = &program->options;
	enum verdict verdict = VERDICT_ERROR;
	const char *error;

	memory_allocate(&program->fw, &program->memory, facts_memory_top(&program->fw));
	error = facts_gather(&program->fw, &program->memory, &program->facts);
	if (error) {
		complain(program, "firmware", error);
		memory_free(&program->fw, &program->memory);
		return ending_take(&program->fw, options->ending, verdict);
	}
	program->facts.other_thread = options->other_thread;
	verdict = run_battery(program);
	if (!options->exit_boot_services) {
		console_add(firmware_console_write);
		console_print("pmutest86: verdict %s\n", report_verdict_name(verdict));
		if (options->report_file)
			write_report(program);
		journal_delete(&program->journal);
		console_remove(firmware_console_write);
		memory_free(&program->fw, &program->memory);
	}
	return ending_take(&program->fw, options->ending, verdict);
}

EFI_STATUS efi_main(EFI_HANDLE image, EFI_SYSTEM_TABLE *table)
{
	struct program program = {0};

	if (!firmware_open(&program.fw, image, table))
		return EFI_UNSUPPORTED;
	program.firmware_uart = find_firmware_uart(&program.fw);
	if (!read_options(&program))
		return EFI_INVALID_PARAMETER;
	if (program.options.list) {
		print_everywhere(&program, print_list,
				 program.options.tests[0] ? program.options.tests : NULL);
		return EFI_SUCCESS;
	}
	console_add(firmware_console_write);
	console_print("pmutest86 %s\n", version);
	console_remove(firmware_console_write);
	return run(&program);
}
