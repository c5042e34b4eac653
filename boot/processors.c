/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The other processors: which there are, what is planned for each, and the runs on them.  One at a
 * time has the machine, and gives it back before the next.
 */
#include "boot.h"

/* What a processor that answers takes to say what it is. */
#define ASK_SECONDS 10u

#define NONE        ~0u
#define ID_MAX      48u

/* ---- which ---- */

const char *processors_refuse(const struct program *program, char sentence[OPTIONS_ERROR_MAX])
{
	const char *cpus = program->options.cpus, *why;
	unsigned count;

	if (!cpus_is_list(cpus))
		return NULL;
	count = firmware_processors(program->fw, &why);
	if (!count)
		return why;
	if (cpus_last(cpus) < count)
		return NULL;
	fmt_print(sentence, OPTIONS_ERROR_MAX,
		  "option \"cpus=%s\": processor %u is not there: allowed are 0 to %u", cpus,
		  cpus_last(cpus), count - 1);
	return sentence;
}

unsigned processors_count(const struct program *program, const char **why)
{
	*why = NULL;
	if (!strcmp(program->options.cpus, "boot"))
		return 0;
	return firmware_processors(program->fw, why);
}

static bool is_first_of_core(const struct processors *all, const struct member *m)
{
	for (const struct member *other = all->member; other < m; other++)
		if (other->is.package == m->is.package && other->is.core == m->is.core)
			return false;
	return true;
}

/* cpus=kinds is known only when each has been asked. */
static bool is_asked_for(const struct processors *all, const struct member *m, const char *cpus)
{
	if (m->is.runs_firmware)
		return false;
	if (cpus_is_list(cpus))
		return cpus_has(cpus, m->number);
	return strcmp(cpus, "cores") != 0 || is_first_of_core(all, m);
}

/* ---- on another processor ---- */

struct errand {
	const struct program *program;
	struct member *member;
	const struct battery *battery;
	unsigned planned; /* what it would report */
	const char *error; /* why it could not be done; NULL: it was */
};

static void refuse(struct member *m, const char *why)
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
	refuse(m, why == FIRMWARE_TIMEOUT ? NULL : why);
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
	battery_run(&battery);
}

static void run_all(void *arg)
{
	with_machine(arg, run_here);
}

/* ---- what is planned ---- */

/* The processor that the kind was met on first; NULL: this is it. */
static const struct member *first_like(const struct processors *all, const struct member *m)
{
	for (const struct member *other = all->member; other < all->member + all->count; other++)
		if (other != m && other->kind_number != NONE &&
		    !memcmp(&other->kind, &m->kind, sizeof(m->kind)))
			return other;
	return NULL;
}

static void take_kind(struct processors *all, struct member *m)
{
	const struct member *first = first_like(all, m);

	if (!first && all->kinds == BATTERY_KINDS) {
		refuse(m, "there are more kinds of processors than this program tells apart");
		return;
	}
	m->kind_number = first ? first->kind_number : all->kinds++;
	m->gathered = first != NULL;
	all->of_kind[m->kind_number]++;
	if (!first)
		all->first[m->kind_number] = m;
}

static struct battery battery_of(const struct program *program, const struct member *m,
				 enum battery_part part)
{
	struct battery battery = program_battery(program);

	battery.part = part;
	battery.processor = m->name;
	battery.number = m->number;
	battery.gathered = m->gathered && part == BATTERY_CORE;
	battery.kind = m->kind_number;
	return battery;
}

/* How many results that part will be; 0 if it cannot be told, and then not be tested. */
static unsigned count_part(const struct processors *all, struct member *m, enum battery_part part)
{
	const struct program *program = all->program;
	const struct battery battery = battery_of(program, m, part);
	struct errand errand = {.program = program, .member = m, .battery = &battery};

	send(&errand, count_planned, ASK_SECONDS);
	return m->why ? 0 : errand.planned;
}

/* A full set for the first of a further kind, one result for others. */
static void plan_member(struct processors *all, struct member *m)
{
	struct errand errand = {.program = all->program, .member = m};

	if (!m->why && !m->is.enabled)
		refuse(m, "the firmware says that it is disabled");
	if (!m->why && !m->is.healthy)
		refuse(m, "the firmware says that it is not healthy");
	if (!m->why)
		send(&errand, ask_kind, ASK_SECONDS);
	m->planned = 1;
	if (!m->why)
		take_kind(all, m);
	if (!m->why && !m->gathered)
		m->planned = count_part(all, m, BATTERY_CORE);
	if (m->why)
		m->planned = 1;
}

static bool is_spoken_for(const struct processors *all, unsigned package)
{
	for (unsigned i = 0; i < all->count; i++) {
		const struct member *m = &all->member[i];

		if (m->is.package == package && (m->is.runs_firmware || m->speaks_for_package))
			return true;
	}
	return false;
}

static void plan_boxes(struct processors *all, struct member *m)
{
	if (!m->planned || m->why || is_spoken_for(all, m->is.package))
		return;
	m->speaks_for_package = true;
	m->boxes = count_part(all, m, BATTERY_BOXES);
	if (m->why)
		m->planned = 1;
}

/* cpus=kinds: the others of a kind are not asked for. */
static bool is_left_out(const struct member *m, const char *cpus)
{
	return !strcmp(cpus, "kinds") && m->gathered;
}

static void know(struct processors *all, unsigned number)
{
	struct member *m = &all->member[number];

	*m = (struct member){.number = number, .kind_number = NONE};
	fmt_print(m->name, sizeof(m->name), "cpu%u", number);
	refuse(m, firmware_processor(all->program->fw, number, &m->is));
	if (m->why || !m->is.runs_firmware)
		return;
	all->own = number;
	identify_kind(&m->kind);
	take_kind(all, m);
}

void processors_plan(struct processors *all)
{
	const char *cpus = all->program->options.cpus;

	for (unsigned i = 0; i < all->count; i++)
		know(all, i);
	if (all->count && !all->kinds) {
		all->missing = "the firmware does not say which processor it runs on";
		all->count = 0;
	}
	for (struct member *m = all->member; m < all->member + all->count; m++) {
		if (!is_asked_for(all, m, cpus))
			continue;
		plan_member(all, m);
		if (is_left_out(m, cpus))
			m->planned = 0;
		plan_boxes(all, m);
		all->planned += m->planned + m->boxes;
	}
}

/* ---- the report ---- */

static void report_kind(const struct processors *all, unsigned kind)
{
	const struct member *first = all->first[kind];
	const char *core = identify_core(&first->kind);

	report_header(
		"processor kind %u: %u, the first is cpu%u: package %u core %u thread %u, APIC "
		"ID %xh, CPUID 1 EAX %08x%s%s",
		kind, all->of_kind[kind], first->number, first->is.package, first->is.core,
		first->is.thread, first->is.apic_id, first->kind.signature, *core ? ", " : "",
		core);
}

void processors_report(const struct processors *all)
{
	if (all->missing)
		report_header("processors: this one alone: %s", all->missing);
	if (all->count)
		report_header("processors: %u, the firmware's is cpu%u", all->count, all->own);
	for (unsigned kind = 0; kind < all->kinds; kind++)
		report_kind(all, kind);
}

static void name_result(char id[ID_MAX], const struct member *m, const char *test)
{
	fmt_print(id, ID_MAX, "%s.-.cpu.%s", m->name, test);
}

static bool is_one_result(const struct member *m, enum battery_part part)
{
	return part == BATTERY_CORE && (m->gathered || m->planned == 1);
}

/* What is planned for it is not run: the first result says so, the rest is skipped. */
static void report_lost(const struct member *m, enum battery_part part, enum outcome outcome,
			const char *why)
{
	unsigned planned = part == BATTERY_CORE ? m->planned : m->boxes;
	const char *test = part == BATTERY_CORE ? "not_run" : "boxes_not_run";
	char id[ID_MAX];

	name_result(id, m, "same_battery");
	for (unsigned i = 0; i < planned; i++) {
		if (!is_one_result(m, part))
			fmt_print(id, ID_MAX, "%s.%u.cpu.%s", m->name, i, test);
		report_result(id, i ? OUTCOME_SKIP : outcome, why);
	}
}

/* ---- the runs ---- */

static void run_gathered(struct errand *errand)
{
	struct member *m = errand->member;
	char id[ID_MAX];

	name_result(id, m, "same_battery");
	report_gather();
	send(errand, run_all, errand->program->options.cpu_timeout);
	if (m->why)
		report_result(m->name, OUTCOME_ERROR, m->why);
	report_gathered(id, "no test of it is selected");
}

static void run_full(struct errand *errand)
{
	send(errand, run_all, errand->program->options.cpu_timeout);
	if (errand->member->why)
		battery_give_up(errand->battery, errand->member->why);
}

static void run_boxes(struct errand *errand)
{
	report_header("uncore of package %u: from %s", errand->member->is.package,
		      errand->member->name);
	run_full(errand);
}

static enum outcome outcome_of_loss(const struct member *m, enum battery_part part)
{
	return part == BATTERY_BOXES || m->refused ? OUTCOME_SKIP : OUTCOME_ERROR;
}

/* What a processor is lost for is an error once: of its core's part, which comes first.  That the
 * firmware does not start one is none. */
static void run_part(const struct processors *all, struct member *m, enum battery_part part)
{
	const struct battery battery = battery_of(all->program, m, part);
	struct errand errand = {.program = all->program, .member = m, .battery = &battery};

	if (battery.stop_on_fail && report_count(OUTCOME_FAIL) + report_count(OUTCOME_ERROR))
		report_lost(m, part, OUTCOME_SKIP, "not run: on-fail=stop");
	else if (m->why)
		report_lost(m, part, outcome_of_loss(m, part), m->why);
	else if (battery.gathered)
		run_gathered(&errand);
	else if (part == BATTERY_BOXES)
		run_boxes(&errand);
	else
		run_full(&errand);
}

/* number: of its first result.  What comes before resume_at has been reported by an earlier boot.
 */
static void run_or_skip(const struct processors *all, struct member *m, enum battery_part part,
			unsigned number, unsigned resume_at, processors_begin *begin)
{
	unsigned planned = part == BATTERY_CORE ? m->planned : m->boxes;

	if (planned && number == resume_at) {
		report_lost(m, part, OUTCOME_FAIL, "the machine was reset while it was tested");
	} else if (planned && number > resume_at) {
		begin(all->program, number);
		run_part(all, m, part);
	}
}

void processors_run(struct processors *all, unsigned offset, unsigned resume_at,
		    processors_begin *begin)
{
	unsigned number = offset + 1;

	for (struct member *m = all->member; m < all->member + all->count; m++) {
		run_or_skip(all, m, BATTERY_CORE, number, resume_at, begin);
		number += m->planned;
		run_or_skip(all, m, BATTERY_BOXES, number, resume_at, begin);
		number += m->boxes;
	}
}
