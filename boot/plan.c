/* SPDX-License-Identifier: BSD-2-Clause */
/* The battery that the options ask for, on whichever processor it is to run. */
#include "boot.h"

static const struct battery_watch watch = {display_planned, display_begins};

struct battery program_battery(const struct program *program)
{
	const struct options *options = &program->options;

	return (struct battery){
		.filter = options->tests[0] ? options->tests : NULL,
		.timeout_ms = options->timeout * 1000,
		.repeat = options->repeat ? options->repeat : 1,
		.rare = options->rare,
		.random = options->random,
		.seed = options->seed,
		.stop_on_fail = options->stop_on_fail,
		.all_facts = options->all_facts,
		.survives_reset = program->journal.file,
		.watch = &watch,
	};
}
