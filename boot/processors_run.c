/* SPDX-License-Identifier: BSD-2-Clause */
/* The runs on other processors.  One at a time has the machine, and gives it back before the next.
 */
#include "boot.h"

#define ID_MAX 48u

/* The one result of a processor that is like another; or about boxes that it has in common. */
static void name_result(char id[ID_MAX], const struct member *m, enum battery_part part)
{
	static const char *const names[BATTERY_PARTS] = {[BATTERY_CORE] = "cpu.same_battery",
							 [BATTERY_COMMON] = "box.same_counters",
							 [BATTERY_TOGETHER] = "cpu.together"};

	fmt_print(id, ID_MAX, "%s.-.%s", m->name, names[part]);
}

static void name_lost(char id[ID_MAX], const struct member *m, enum battery_part part, unsigned i)
{
	if (part >= BATTERY_COMMON ||
	    (part == BATTERY_CORE && (m->gathered || m->planned[part] == 1)))
		name_result(id, m, part);
	else
		fmt_print(id, ID_MAX, "%s.%u.cpu.%s", m->name, i,
			  part == BATTERY_CORE ? "not_run" : "boxes_not_run");
}

/* Tests planned for it are not run: the first result says so, the rest is skipped. */
static void report_lost(const struct member *m, enum battery_part part, enum outcome outcome,
			const char *why)
{
	char id[ID_MAX];

	for (unsigned i = 0; i < m->planned[part]; i++) {
		name_lost(id, m, part, i);
		report_result(id, i ? OUTCOME_SKIP : outcome, why);
	}
}

static void run_gathered(const struct program *program, struct member *m,
			 const struct battery *battery)
{
	char id[ID_MAX];

	name_result(id, m, battery->part);
	report_gather();
	member_run(program, m, battery);
	if (m->why)
		report_result(m->name, OUTCOME_ERROR, m->why);
	report_gathered(id, "no test of it is selected");
}

static void run_full(const struct program *program, struct member *m, const struct battery *battery)
{
	if (battery->part == BATTERY_BOXES)
		report_header("uncore of package %u: from %s", m->is.package, m->name);
	member_run(program, m, battery);
	if (m->why)
		battery_give_up(battery, m->why);
}

static enum outcome outcome_of_loss(const struct member *m, enum battery_part part)
{
	return part != BATTERY_CORE || m->refused ? OUTCOME_SKIP : OUTCOME_ERROR;
}

static const char not_run[] = "not run: on-fail=stop";

static bool is_stopped(const struct program *program)
{
	return program->options.stop_on_fail &&
	       report_count(OUTCOME_FAIL) + report_count(OUTCOME_ERROR);
}

/* A lost processor is an error once: of its core's part, which comes first.  A processor that the
 * firmware does not start is no error. */
static void run_part(const struct program *program, struct member *m, enum battery_part part)
{
	const struct battery battery = member_battery(program, m, part);

	if (is_stopped(program))
		report_lost(m, part, OUTCOME_SKIP, not_run);
	else if (m->why)
		report_lost(m, part, outcome_of_loss(m, part), m->why);
	else if (battery.gathered)
		run_gathered(program, m, &battery);
	else
		run_full(program, m, &battery);
}

/* number: of its first result.  An earlier boot has reported the results before resume_at. */
static void run_or_skip(struct program *program, struct member *m, enum battery_part part,
			unsigned number, unsigned resume_at, processors_begin *begin)
{
	if (number == resume_at) {
		report_lost(m, part, OUTCOME_FAIL, "the machine was reset while it was tested");
	} else if (number > resume_at) {
		begin(program, number);
		run_part(program, m, part);
	}
}

/* Returns the number of the first result behind those of the part. */
static unsigned run_numbered(struct processors *all, struct member *m, enum battery_part part,
			     unsigned number, unsigned resume_at, processors_begin *begin)
{
	if (m->planned[part])
		run_or_skip(all->program, m, part, number, resume_at, begin);
	return number + m->planned[part];
}

static void on_own(const struct program *program, void (*call)(void))
{
	take_over_again(program);
	call();
	machine_give_back();
}

/* The boxes are marked once for all. */
static unsigned run_common(struct processors *all, unsigned number, unsigned resume_at,
			   processors_begin *begin)
{
	if (!all->in_common)
		return number;
	on_own(all->program, battery_mark);
	for (struct member *m = all->member; m < all->member + all->count; m++)
		number = run_numbered(all, m, BATTERY_COMMON, number, resume_at, begin);
	on_own(all->program, battery_unmark);
	return number;
}

static void lose_together(const struct processors *all, enum outcome first, const char *why)
{
	enum outcome outcome = first;

	for (const struct member *m = all->member; m < all->member + all->count; m++)
		if (m->planned[BATTERY_TOGETHER]) {
			report_lost(m, BATTERY_TOGETHER, outcome, why);
			outcome = OUTCOME_SKIP;
		}
}

/* All results come behind the round: a reset leaves none of them, or there are all. */
static void run_together(struct processors *all, unsigned number, unsigned resume_at,
			 processors_begin *begin)
{
	if (!all->together || number < resume_at)
		return;
	if (number == resume_at) {
		lose_together(all, OUTCOME_FAIL, "the machine was reset while they were tested");
	} else if (is_stopped(all->program)) {
		lose_together(all, OUTCOME_SKIP, not_run);
	} else {
		begin(all->program, number);
		together_run(all);
	}
}

void processors_run(struct processors *all, unsigned offset, unsigned resume_at,
		    processors_begin *begin)
{
	unsigned number = offset + 1;

	for (struct member *m = all->member; m < all->member + all->count; m++) {
		number = run_numbered(all, m, BATTERY_CORE, number, resume_at, begin);
		number = run_numbered(all, m, BATTERY_BOXES, number, resume_at, begin);
	}
	number = run_common(all, number, resume_at, begin);
	run_together(all, number, resume_at, begin);
}
