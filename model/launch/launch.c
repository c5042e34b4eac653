/* SPDX-License-Identifier: BSD-2-Clause */
/* silicon.efi: puts the model under the running machine, then starts the program as configured. */
#include "launch.h"
#include "config.h"
#include "model/cpu/cpu.h"
#include "model/vmm/apic/apic.h"
#include "model/vmm/step/step.h"
#include "model/vmm/vmm.h"

EFI_STATUS efi_main(EFI_HANDLE image, EFI_SYSTEM_TABLE *table);

#define PROGRAM_64 "pmutest86.efi"
#define PROGRAM_32 "pmutest86.elf"
#define CONFIG     (const CHAR16 *)L"\\silicon.cfg"

static char config_text[65536];
static char config_error[CONFIG_ERROR_SIZE];
static struct config_run run;

static void end_machine(EFI_SYSTEM_TABLE *table, uint32_t code)
{
	machine_debug_exit(code);
	table->RuntimeServices->ResetSystem(EfiResetShutdown, EFI_SUCCESS, 0, NULL);
}

/* All lines are checked before the first runs: a campaign does not end in its middle. */
static bool check_config(void)
{
	const char *at = config_text;
	enum config_result result;
	unsigned runs = 0;

	while ((result = config_next(&at, &run, config_error)) == CONFIG_RUN)
		runs++;
	if (result == CONFIG_ERROR)
		serial_print("silicon: error: \\silicon.cfg: %s\n", config_error);
	else if (!runs)
		serial_print("silicon: error: \\silicon.cfg: no line model=NAME\n");
	return result == CONFIG_END && runs;
}

/* Prints the tally of the VMM, whose memory is ours. */
static void print_tally(unsigned k, uint64_t tsc_hz)
{
	struct silicon_tally tally = silicon_tally(&silicon_cpu);
	uint64_t ms = step_tally.tsc / (tsc_hz / 1000);

	serial_print("silicon: run %u instructions %llu stepped %llu seconds %llu.%03llu\n", k,
		     (unsigned long long)tally.retired, (unsigned long long)step_tally.entries,
		     (unsigned long long)(ms / 1000), (unsigned long long)(ms % 1000));
	if (tally.of_boxes)
		serial_print("silicon: run %u boxes accessed %llu times\n", k,
			     (unsigned long long)tally.of_boxes);
	if (run.setup.stages & STAGE_X2APIC)
		serial_print("silicon: run %u x2apic accesses %u\n", k, x2apic_accesses);
	serial_print("silicon: run %u digest 0x%016llx\n", k, (unsigned long long)tally.digest);
}

static void print_lawful(unsigned k)
{
	const struct fault *lawful;

	for (unsigned n = 0; (lawful = lawful_number(run.setup.profile, n)); n++)
		if (run.setup.lawful >> n & 1)
			serial_print("silicon: run %u lawful %s\n", k, lawful->name);
}

static EFI_STATUS run_image(const struct launch *l, unsigned number)
{
	EFI_HANDLE program;
	const char *name = run.guest[0] ? run.guest : PROGRAM_64;
	EFI_STATUS status = launch_load(l, name, run.options, &program);

	if (status) {
		serial_print("silicon: error: \\%s: it cannot be started\n", name);
		return status;
	}
	launch_enter_stage(&run.setup);
	status = l->table->BootServices->StartImage(program, NULL, NULL);
	print_tally(number, l->tsc_hz);
	launch_leave_stage(&run.setup, number);
	return status;
}

/* The firmware gets none of its interrupts before all is as it was. */
static EFI_STATUS run_32(const struct launch *l, unsigned number)
{
	EFI_STATUS status = launch_load_32(l, PROGRAM_32, run.options);
	struct controllers controllers;
	uint64_t flags;

	if (status)
		return status;
	serial_print("silicon: run %u program %s\n", number, PROGRAM_32);
	flags = launch_interrupts_off();
	controllers_take(&controllers);
	launch_enter_stage(&run.setup);
	status = launch_start_32(l);
	print_tally(number, l->tsc_hz);
	launch_leave_stage(&run.setup, number);
	controllers_put(&controllers);
	launch_interrupts_restore(flags);
	return status;
}

/* Runs the program of the processor's own word size, if the disk has it and nothing else is asked
 * for. */
static EFI_STATUS run_program(const struct launch *l, unsigned number)
{
	bool legacy = run.program == CONFIG_BY_MODEL && !run.guest[0]
			      ? cpuid_is_32(run.setup.profile) && launch_has_file(l, PROGRAM_32)
			      : run.program == CONFIG_32;

	return legacy ? run_32(l, number) : run_image(l, number);
}

/* The MP services are the model's meanwhile: a processor that the firmware starts is none of it. */
static EFI_STATUS run_with_processors(const struct launch *l, unsigned number)
{
	EFI_STATUS status;

	run.cpu[0] = run.setup;
	for (unsigned n = 1; n < run.cpus; n++)
		run.cpu[n].boxes.tsc_hz = l->tsc_hz;
	if (!launch_add_processors(l->table, run.cpu, run.cpus)) {
		serial_print("silicon: error: the firmware keeps its MP services\n");
		return EFI_UNSUPPORTED;
	}
	status = run_program(l, number);
	launch_remove_processors(l->table);
	return status;
}

static void run_all(const struct launch *l)
{
	const char *at = config_text;

	for (unsigned k = 1; config_next(&at, &run, config_error) == CONFIG_RUN; k++) {
		EFI_STATUS status;

		run.setup.boxes.tsc_hz = l->tsc_hz;
		run.setup.pm_timer = l->pm_timer;
		launch_list_threads(l->table, run.setup.profile);
		vmm_hypercall(HYPERCALL_RESET, &run.setup);
		serial_print("silicon: run %u model=%s fault=%s seed=%u\n", k,
			     run.setup.profile->name, run.fault_name, run.setup.seed);
		print_lawful(k);
		status = run_with_processors(l, k);
		serial_print("silicon: run %u status 0x%llx\n", k, (unsigned long long)status);
	}
}

static bool prepare(struct launch *l)
{
	const char *reason;
	size_t size = sizeof(config_text);

	if (!launch_read_file(l, CONFIG, config_text, &size)) {
		serial_print("silicon: error: \\silicon.cfg: missing, or longer than %u bytes\n",
			     (unsigned)sizeof(config_text) - 1);
		return false;
	}
	if (!check_config())
		return false;
	l->pm_timer = launch_pm_timer(l->table);
	l->tsc_hz = launch_tsc_hz(l->table, l->pm_timer);
	if (!l->tsc_hz) {
		serial_print("silicon: error: no power management timer to know the time by\n");
		return false;
	}
	/* Before the first exit: CPUID may come with any interrupt. */
	silicon_reset(&silicon_cpu, run.setup.profile, NULL);
	reason = vmm_start();
	if (reason)
		serial_print("silicon: error: %s\n", reason);
	return !reason;
}

/* Else another image has run, and ended the machine; unless it could not. */
static bool is_lasting(struct launch *l)
{
	EFI_STATUS status;

	if (!launch_find_volume(l)) {
		serial_print("silicon: error: started from a volume without files\n");
		return false;
	}
	if (launch_is_lasting(l))
		return true;
	status = launch_start_lasting(l);
	serial_print("silicon: error: the image does not start in memory that lasts: %llx\n",
		     (unsigned long long)status);
	return false;
}

/* Does not return: the VMM is part of this image, which must stay where the loader put it. */
EFI_STATUS efi_main(EFI_HANDLE image, EFI_SYSTEM_TABLE *table)
{
	struct launch l = {.image = image, .table = table};

	serial_init();
	if (is_lasting(&l) && prepare(&l)) {
		run_all(&l);
		serial_print("silicon: done\n");
		end_machine(table, DEBUG_EXIT_DONE);
	} else {
		end_machine(table, DEBUG_EXIT_ERROR);
	}
	return EFI_DEVICE_ERROR;
}
