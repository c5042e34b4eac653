/* SPDX-License-Identifier: BSD-2-Clause */
/* Results that are gathered to one: of a processor, or a box, that is like one reported in full. */
#include "report.h"

/* Reasons that a result has of its own. */
#define REASONS_MAX 8u
/* Reasons that have been told. */
#define TOLD_MAX 64u

struct reason {
	enum outcome outcome;
	const char *why;
	char first[80]; /* of the results that have it, the first one's name */
	unsigned results;
};

static struct {
	bool on;
	uint32_t count[OUTCOME_ERROR + 1];
	const char *skip; /* why the first that was skipped was */
	struct reason reason[REASONS_MAX];
	unsigned reasons;
} gathered;

static uint32_t told[TOLD_MAX];
static unsigned tolds;

void gather_begin(void)
{
	memset(&gathered, 0, sizeof(gathered));
	tolds = 0;
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

/* ---- reasons: what the result in full has told is not told of each that is like it ---- */

static bool has_reason(enum outcome outcome)
{
	return outcome == OUTCOME_SKIP || outcome == OUTCOME_KNOWN;
}

/* FNV-1a. */
static uint32_t hash(const char *text)
{
	uint32_t sum = UINT32_C(0x811c9dc5);

	for (; *text; text++)
		sum = (sum ^ (uint8_t)*text) * UINT32_C(0x01000193);
	return sum;
}

static bool is_told(const char *why)
{
	for (unsigned i = 0; i < tolds; i++)
		if (told[i] == hash(why))
			return true;
	return false;
}

void gather_told(enum outcome outcome, const char *why)
{
	if (has_reason(outcome) && tolds < TOLD_MAX && !is_told(why))
		told[tolds++] = hash(why);
}

static void note_reason(const char *name, enum outcome outcome, const char *why)
{
	struct reason *r = gathered.reason;

	while (r < gathered.reason + gathered.reasons &&
	       (r->outcome != outcome || strcmp(r->why, why) != 0))
		r++;
	if (r == gathered.reason + REASONS_MAX) {
		diagnostics_keep("%s: %s: %s", outcome_adjective(outcome), name, why);
		return;
	}
	if (!r->results++) {
		gathered.reasons++;
		r->outcome = outcome;
		r->why = why;
		fmt_print(r->first, sizeof(r->first), "%s", name);
	}
}

/* All reasons but that of the result itself, if it has one. */
static void report_reasons(const char *own)
{
	for (const struct reason *r = gathered.reason; r < gathered.reason + gathered.reasons;
	     r++) {
		char more[24] = "";

		if (own && !strcmp(r->why, own))
			continue;
		if (r->results > 1)
			fmt_print(more, sizeof(more), " and %u more", r->results - 1);
		diagnostics_keep("%s: %s%s: %s", outcome_adjective(r->outcome), r->first, more,
				 r->why);
	}
}

/* ---- results ---- */

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
	if (has_reason(outcome) && !is_told(why))
		note_reason(name, outcome, why);
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

void report_ungather(void)
{
	memset(&gathered, 0, sizeof(gathered));
	diagnostics_release();
}

void report_forget(void)
{
	report_ungather();
	report_drop_diag();
}

void report_gathered(const char *name, const char *nothing)
{
	enum outcome outcome = worst();
	const char *skip = gathered.skip ? gathered.skip : nothing;
	const char *why = outcome == OUTCOME_SKIP ? skip : NULL;

	report_reasons(why);
	report_ungather();
	report_result(name, outcome, why);
}
