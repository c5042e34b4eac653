/* SPDX-License-Identifier: BSD-2-Clause */
/* Results that are gathered to one: of a processor, or a box, that is like one reported in full. */
#include "report.h"

static struct {
	bool on;
	uint32_t count[OUTCOME_ERROR + 1];
	const char *skip; /* why the first that was skipped was */
} gathered;

void gather_begin(void)
{
	memset(&gathered, 0, sizeof(gathered));
}

bool gathering(void)
{
	return gathered.on;
}

unsigned gather_count(enum outcome outcome)
{
	return gathered.count[outcome];
}

const char *outcome_adjective(enum outcome outcome)
{
	static const char *const adjectives[] = {
		[OUTCOME_PASS] = "passed", [OUTCOME_SKIP] = "skipped", [OUTCOME_KNOWN] = "known",
		[OUTCOME_FAIL] = "failed", [OUTCOME_ERROR] = "error",
	};

	return adjectives[outcome];
}

void report_gather(void)
{
	report_drop_diag();
	memset(&gathered, 0, sizeof(gathered));
	gathered.on = true;
}

/* A test that failed keeps its diagnostics, below a line that names it. */
void gather(const char *name, enum outcome outcome, const char *why)
{
	gathered.count[outcome]++;
	if (outcome == OUTCOME_SKIP && !gathered.skip)
		gathered.skip = why;
	if (outcome == OUTCOME_FAIL || outcome == OUTCOME_ERROR)
		diagnostics_keep("%s: %s%s%s", outcome_adjective(outcome), name, why ? ": " : "",
				 why ? why : "");
	report_drop_diag();
}

static enum outcome worst(void)
{
	const uint32_t *count = gathered.count;

	if (count[OUTCOME_ERROR])
		return OUTCOME_ERROR;
	if (count[OUTCOME_FAIL])
		return OUTCOME_FAIL;
	return count[OUTCOME_PASS] || count[OUTCOME_KNOWN] ? OUTCOME_PASS : OUTCOME_SKIP;
}

static void end_gathering(void)
{
	memset(&gathered, 0, sizeof(gathered));
	diagnostics_release();
}

void report_forget(void)
{
	end_gathering();
	report_drop_diag();
}

void report_gathered(const char *name, const char *nothing)
{
	enum outcome outcome = worst();
	const char *skip = gathered.skip ? gathered.skip : nothing;
	const char *why = outcome == OUTCOME_SKIP ? skip : NULL;

	end_gathering();
	report_result(name, outcome, why);
}
