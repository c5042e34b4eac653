/* SPDX-License-Identifier: BSD-2-Clause */
/* repeat=forever: round after round, each with its own report.  The consoles get the first report
 * and every report with a failure; for other rounds they get one line, at most one in a second. */
#include "boot.h"

/* There are two: for the current round, and for the report that goes to the file. */
#define BUFFER_SIZE (REPORT_BUFFER_SIZE / 2)

struct burn_in {
	char *buffer, *spare;
	unsigned rounds, failed, first_failed;
	uint64_t tests_passed, tests_failed;
	uint64_t start, next_line; /* TSC */
	enum verdict verdict; /* of all rounds */
};

static void count_round(struct burn_in *b, enum verdict verdict)
{
	b->verdict = verdict == VERDICT_PASS && b->failed ? VERDICT_FAIL : verdict;
	if (verdict == VERDICT_FAIL || verdict == VERDICT_ERROR)
		b->failed++;
	if (b->failed == 1 && !b->first_failed)
		b->first_failed = b->rounds;
}

static void print_round(struct burn_in *b, const struct program *program)
{
	unsigned passed = report_count(OUTCOME_PASS);
	unsigned failed = report_count(OUTCOME_FAIL) + report_count(OUTCOME_ERROR);
	uint64_t now = rdtsc(), second = 1000 * program->facts.tsc_per_ms;

	b->tests_passed += passed;
	b->tests_failed += failed;
	if (!failed && now < b->next_line)
		return;
	b->next_line = now + second;
	console_print("# round %u: passed %u, failed %u; all rounds: passed %llu, failed %llu, "
		      "%llu s\n",
		      b->rounds, passed, failed, (unsigned long long)b->tests_passed,
		      (unsigned long long)b->tests_failed,
		      (unsigned long long)((now - b->start) / second));
}

/* Keeps the report of the first round that failed, or else of the last round. */
static void choose_report(struct burn_in *b, struct program *program)
{
	char *buffer = b->buffer;

	/* Always of the same length, because the file is overwritten. */
	fmt_print(program->tally, sizeof(program->tally),
		  "# rounds: %10u, failed: %10u, first failed: %10u; verdict of all: %-5s\n",
		  b->rounds, b->failed, b->first_failed, report_verdict_name(b->verdict));
	if (b->first_failed && b->first_failed < b->rounds)
		return;
	program->report = report_text(&program->report_length);
	b->buffer = b->spare;
	b->spare = buffer;
}

/* Saves it at once, because many a burn-in ends with the power switch. */
static void save_failure(struct program *program)
{
	if (program->options.exit_boot_services || !program->options.report_file)
		return;
	machine_give_back();
	/* It is written again at the end: errors are reported there. */
	report_file_write(program);
	take_over_again(program);
}

/* False: it was the last round. */
static bool run_round(struct burn_in *b, struct program *program, const char *error)
{
	enum verdict verdict;

	b->rounds++;
	report_set_buffer(b->buffer, BUFFER_SIZE);
	verdict = round_report(program, error, b->rounds);
	count_round(b, verdict);
	print_round(b, program);
	choose_report(b, program);
	if (verdict != VERDICT_PASS && (verdict != VERDICT_FAIL || program->options.stop_on_fail))
		return false;
	if (b->first_failed == b->rounds)
		save_failure(program);
	return !display_quit();
}

enum verdict rounds_forever(struct program *program, const char *error)
{
	struct burn_in b = {
		.buffer = program->buffers,
		.spare = program->buffers + BUFFER_SIZE,
		.start = rdtsc(),
	};

	while (run_round(&b, program, error))
		;
	console_print("%s", program->tally);
	return b.verdict;
}
