/* SPDX-License-Identifier: BSD-2-Clause */
/* One report, on the machine taken over. */
#include "boot.h"

#include "tests/lib/test.h"

/* __builtin_setjmp() needs five words. */
static void *panic_context[5];

/* panic() has reported: the report ends, and the machine is given back. */
static void leave_panic(void)
{
	__builtin_longjmp(panic_context, 1);
}

/* A firmware looks at its keyboards once in some ten milliseconds, and it has the time to do so
 * once a second. */
#define LOOK_MS          50u
#define LOOK_EVERY_MS    1000u

#define OPTIONS_LINE_MAX (OPTIONS_TESTS_MAX + 128)

/* The options that decide about results. */
static void write_options(char line[OPTIONS_LINE_MAX], const struct options *options)
{
	char repeat[12] = "forever";
	bool others = strcmp(options->cpus, "boot") != 0;

	if (options->repeat)
		fmt_print(repeat, sizeof(repeat), "%u", options->repeat);
	fmt_print(line, OPTIONS_LINE_MAX,
		  "options: tests=%s takeover=%s repeat=%s timeout=%u rare=%u random=%u "
		  "seed=%u%s%s%s%s%s%s%s",
		  options->tests[0] ? options->tests : "*",
		  options->exit_boot_services ? "exit" : "return", repeat, options->timeout,
		  options->rare, options->random, options->seed, others ? " cpus=" : "",
		  others ? options->cpus : "", options->stop_on_fail ? " on-fail=stop" : "",
		  options->other_thread ? " other-thread=yes" : "",
		  options->enable_apic ? " apic=enable" : "", options->resume ? " resume=auto" : "",
		  options->verbose ? " verbose" : "");
}

static void report_serial(void)
{
	const struct serial_uart *uart = serial_opened();

	if (uart)
		report_header("serial: %s %llxh", uart->memory ? "memory" : "port",
			      (unsigned long long)uart->address);
	else
		report_header("serial: none");
}

/* Nobody serves it while the machine is ours, unless it is the firmware by SMI. */
static void report_watchdog(void)
{
	uint16_t port = machine_tco_timer();

	if (port)
		report_header("watchdog: the TCO timer at port %xh runs and may reset the machine",
			      port);
}

/* Says why no screen is used, but nothing of a machine without one. */
static void report_screen(const struct program *program)
{
	if (program->facts.no_framebuffer && program->options.screen != SCREEN_NONE)
		report_header("screen: none: %s", program->facts.no_framebuffer);
}

/* ours: the machine is taken over. */
static void report_headers(const struct program *program, bool ours)
{
	char options[OPTIONS_LINE_MAX];

	report_header("pmutest86 %s", version);
	write_options(options, &program->options);
	report_header("%s", options);
	if (program->no_journal)
		report_header("resume: none: %s", program->no_journal);
	if (program->journal.foreign && !program->journal.resumed)
		report_header("resume: \\pmutest86.run was of another run: begun anew");
	if (program->binary_load_options)
		report_header("load options: not text, ignored");
	report_serial();
	report_screen(program);
	if (program->no_report)
		report_header(
			"report file: none: %s; the report is on serial line and screen alone",
			program->no_report);
	report_header("TSC: %llu ticks per millisecond",
		      (unsigned long long)program->facts.tsc_per_ms);
	if (!ours)
		return;
	if (apic_present() && apic_is_x2apic())
		report_header("local APIC: x2APIC mode");
	if (apic_was_disabled())
		report_header("local APIC: the firmware had it disabled");
	if (machine_protection())
		report_header("memory: %s", machine_protection());
	report_watchdog();
	if (machine_note())
		report_header("%s", machine_note());
}

/* Begins the block of facts. */
static void report_facts(const struct program *program)
{
	report_fact("program", "version", "%s", version);
	report_fact("program", "bits", "%u", (unsigned)(8 * sizeof(uintptr_t)));
	report_fact("tsc", "khz", "%llu", (unsigned long long)program->facts.tsc_per_ms);
}

static int next_firmware_key(const void *fw)
{
	return firmware_key(fw);
}

/* While the firmware has the machine: of a USB keyboard it alone knows. */
static void read_firmware_keys(struct program *program)
{
	uint64_t start = rdtsc(), ms = program->facts.tsc_per_ms;

	if (start < program->look_at)
		return;
	while (rdtsc() - start < LOOK_MS * ms)
		display_key(firmware_key(program->fw));
	display_pause(next_firmware_key, program->fw);
	program->look_at = rdtsc() + LOOK_EVERY_MS * ms;
}

static void checkpoint(void *arg, unsigned number)
{
	struct program *program = arg;
	const char *error;

	if (!program->journal.file)
		return;
	machine_give_back();
	error = journal_write(&program->journal, number);
	read_firmware_keys(program);
	take_over_again(program);
	if (error)
		report_header("resume: none: %s", error);
}

/* The machine is taken over. */
static void measure_all(struct program *program)
{
	struct cpu_identity cpu;
	struct battery battery = program_battery(program);
	unsigned nmis;
	uint32_t smis_before, smis_after;

	battery.cpu = &cpu;
	battery.checkpoint = program->journal.file ? checkpoint : NULL;
	battery.checkpoint_arg = program;
	battery.resume_at = program->resume_at;
	battery.more = program->processors.planned;
	battery.number = program->processors.own;
	identify_cpu(&cpu);
	identify_report(&cpu);
	processors_report(&program->processors);
	report_facts(program);
	nmis = trap_stray_nmis();
	identify_smi_count(&cpu, &smis_before);
	program->results = battery_run(&battery);
	if (trap_stray_nmis() != nmis)
		report_header("NMIs that no test asked for: %u", trap_stray_nmis() - nmis);
	if (identify_smi_count(&cpu, &smis_after))
		report_header("SMIs during the run: %u", smis_after - smis_before);
}

static void begin_processor(struct program *program, unsigned number)
{
	const char *error = NULL;

	if (program->journal.file)
		error = journal_write(&program->journal, number);
	if (error)
		report_header("resume: none: %s", error);
}

/* The firmware has the machine meanwhile. */
static void measure_others(struct program *program)
{
	if (!program->processors.planned)
		return;
	machine_give_back();
	processors_run(&program->processors, program->results, program->resume_at, begin_processor);
	take_over_again(program);
}

static void begin_report(const struct program *program, unsigned round, bool ours)
{
	const struct journal_head *head = &program->journal.head;

	cause_begin();
	if (program->journal.resumed && head->begun) {
		report_resume(head->length, &head->progress);
		report_header("resumed: the machine was reset after test %u had begun",
			      head->begun);
	} else {
		/* Later rounds would repeat what the first round says. */
		report_begin(round > 1 && !report_is_verbose());
	}
	report_headers(program, ours);
}

/* As without a PMU: there is nothing to test here. */
static void report_refusal(const struct program *program)
{
	struct cpu_identity cpu;

	identify_cpu(&cpu);
	identify_report_cpuid(&cpu);
	report_facts(program);
	identify_facts_cpuid("cpu", &cpu);
	report_plan(0, program->refusal);
}

static void report_causes(void)
{
	struct cpu_identity cpu;

	identify_cpu(&cpu);
	cause_report(cpu.virtual);
}

enum verdict round_report(struct program *program, const char *error, unsigned round)
{
	begin_report(program, round, !error && !program->refusal);
	if (program->journal.resumed && !program->journal.head.begun)
		error = "the machine was reset before the first test";
	if (round)
		report_header("round %u", round);
	if (error) {
		report_bail_out(error);
		return report_end();
	}
	if (program->refusal) {
		report_refusal(program);
		return report_end();
	}
	if (!__builtin_setjmp(panic_context)) {
		panic_set_exit(leave_panic);
		measure_all(program);
		panic_set_exit(NULL);
		measure_others(program);
	} else {
		battery_abandon();
	}
	panic_set_exit(NULL);
	/* What was noted before a reset is lost. */
	if (!program->journal.resumed)
		report_causes();
	return report_end();
}

/* The same memory was enough before: a failure is a bug. */
void take_over_again(const struct program *program)
{
	const char *error = machine_take_over(&program->facts);

	if (error)
		panic("%s", error);
}

/* FNV-1a. */
static uint64_t hash(uint64_t sum, const char *text)
{
	for (; *text; text++)
		sum = (sum ^ (uint8_t)*text) * UINT64_C(0x100000001b3);
	return sum;
}

uint64_t program_identity(const struct program *program)
{
	char options[OPTIONS_LINE_MAX];
	struct cpu_identity cpu;

	identify_cpu(&cpu);
	write_options(options, &program->options);
	return hash(hash(hash(cpu.signature, cpu.brand), options), version);
}
