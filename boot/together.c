/* SPDX-License-Identifier: BSD-2-Clause */
/* The round in which all other processors that are tested run together, while the firmware's waits
 * for them. */
#include "boot.h"

static struct {
	const struct processors *all;
	unsigned timeout_ms;
} together;

static struct company_seat *seat_of(unsigned place)
{
	return company_seat(together.all->company, place);
}

/* The place of a member; those that are not in the round have none. */
static bool find_place(unsigned number, unsigned *place)
{
	const struct processors *all = together.all;

	*place = 0;
	for (const struct member *m = all->member; m < all->member + all->count; m++) {
		if (!m->planned[BATTERY_TOGETHER] || m->why)
			continue;
		if (m->number == number)
			return true;
		++*place;
	}
	return false;
}

/* On each processor that the firmware starts. */
static void run_here(void *arg, unsigned number)
{
	struct member *m = (struct member *)arg + number;
	unsigned place;

	if (!find_place(number, &place))
		return;
	m->ended = machine_join(place);
	if (!m->ended) {
		m->ended = guard_run(company_run, seat_of(place), together.timeout_ms);
		company_leave(seat_of(place));
		machine_part(place);
	}
	m->left = true;
}

/* It was lost before: then that is the reason. */
static void report_one(const struct member *m, const char *why)
{
	unsigned place;

	if (m->why)
		company_report_lost(m->name, OUTCOME_SKIP, m->why);
	else if (!m->left && why)
		company_report_lost(m->name, why == FIRMWARE_TIMEOUT ? OUTCOME_ERROR : OUTCOME_SKIP,
				    why);
	else if (!m->left)
		company_report_lost(m->name, OUTCOME_SKIP, "the firmware did not start it");
	else if (find_place(m->number, &place))
		company_report(seat_of(place), m->name, m->ended);
}

/* Gives each its seat; returns how many they are. */
static unsigned seat_all(const struct processors *all)
{
	unsigned count = 0;

	for (unsigned i = 0, place; i < all->count; i++)
		if (find_place(i, &place)) {
			company_take(seat_of(place), i);
			count++;
		}
	return count;
}

static const char *run_all(const struct processors *all)
{
	const struct program *program = all->program;
	unsigned count;
	const char *why;

	together.all = all;
	together.timeout_ms = program->options.cpu_timeout * 1000;
	count = seat_all(all);
	if (count < 2)
		return "no other one has come back to run beside it";
	/* It is known who does not come before all that wait for it have no time left. */
	company_begin(count, program->facts.tsc_per_ms, together.timeout_ms / 2);
	why = machine_gather(&program->facts, count);
	if (!why)
		why = firmware_run_on_all(program->fw, run_here, all->member,
					  program->options.cpu_timeout);
	machine_give_up();
	return why;
}

void together_run(const struct processors *all)
{
	const char *why = run_all(all);

	for (const struct member *m = all->member; m < all->member + all->count; m++)
		if (m->planned[BATTERY_TOGETHER])
			report_one(m, why);
}
