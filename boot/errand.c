/* SPDX-License-Identifier: BSD-2-Clause */
/* Errands of another processor: it takes the machine over, does what it is asked, and gives it
 * back. */
#include "boot.h"

/* Seconds within which a processor that answers says what it is. */
#define ASK_SECONDS 10u

struct errand {
	const struct program *program;
	struct member *member;
	const struct battery *battery; /* NULL: only what it is, is asked */
	unsigned planned; /* results that it would report */
	const char *error; /* why it could not be done; NULL: it was */
};

void member_refuse(struct member *m, const char *why)
{
	m->why = why;
	m->refused = why != NULL;
}

/* In m->why is whether it was done. */
static void send(struct errand *errand, void (*call)(void *arg), unsigned seconds)
{
	struct member *m = errand->member;
	const char *why = firmware_run_on(errand->program->fw, m->number, call, errand, seconds);

	if (why == FIRMWARE_TIMEOUT)
		machine_give_up();
	member_refuse(m, why == FIRMWARE_TIMEOUT ? NULL : why);
	if (!m->refused)
		m->why = why ? why : errand->error;
}

static void ask_kind(void *arg)
{
	struct errand *errand = arg;

	identify_kind(&errand->member->kind);
}

/* On a stack of ours, with its own traps: the firmware's stack may be small. */
static void with_machine(struct errand *errand, void (*body)(void *arg))
{
	static struct machine_facts facts;

	facts = errand->program->facts;
	facts.beside_firmware = true;
	errand->error = machine_take_over(&facts);
	if (errand->error)
		return;
	errand->error = guard_run(body, errand, errand->program->options.cpu_timeout * 1000);
	if (errand->error)
		battery_abandon();
	machine_give_back();
}

static void count_here(void *arg)
{
	struct errand *errand = arg;

	irq_disable();
	errand->planned = battery_count(errand->battery);
}

static void count_planned(void *arg)
{
	with_machine(arg, count_here);
}

static void run_here(void *arg)
{
	const struct errand *errand = arg;
	struct cpu_identity cpu;
	struct battery battery = *errand->battery;

	irq_disable();
	identify_cpu(&cpu);
	battery.cpu = &cpu;
	/* An eighth of the time is for the last test, and for what comes behind it. */
	battery.until = rdtsc() +
			errand->program->options.cpu_timeout * UINT64_C(875) * machine_tsc_per_ms();
	battery_run(&battery);
}

static void run_all(void *arg)
{
	with_machine(arg, run_here);
}

struct battery member_battery(const struct program *program, const struct member *m,
			      enum battery_part part)
{
	struct battery battery = program_battery(program);

	battery.part = part;
	battery.processor = m->name;
	battery.number = m->number;
	battery.gathered = part == BATTERY_COMMON || (m->gathered && part == BATTERY_CORE);
	battery.first = &program->processors.seat;
	battery.kind = m->kind_number;
	return battery;
}

void member_ask_kind(const struct program *program, struct member *m)
{
	struct errand errand = {.program = program, .member = m};

	send(&errand, ask_kind, ASK_SECONDS);
}

unsigned member_count(const struct program *program, struct member *m, enum battery_part part)
{
	const struct battery battery = member_battery(program, m, part);
	struct errand errand = {.program = program, .member = m, .battery = &battery};

	send(&errand, count_planned, ASK_SECONDS);
	return m->why ? 0 : errand.planned;
}

void member_run(const struct program *program, struct member *m, const struct battery *battery)
{
	struct errand errand = {.program = program, .member = m, .battery = battery};

	send(&errand, run_all, program->options.cpu_timeout);
}
