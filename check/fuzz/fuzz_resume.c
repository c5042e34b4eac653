/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Going on with a report that a file on the boot volume holds, however damaged: the verdict is
 * still the last line, and an error unless the plan was met.  The input is the file's struct
 * report_progress, how many lines follow it (1), and then the text, repeated up to a length (4).
 */
#include "fuzz.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "kernel/console/console.h"

/* The byte of lines: how many, and whether there is a bail-out behind them. */
enum { LINES = 32, BAIL_OUT = 0x80 };

static const char *long_reason(void)
{
	static char reason[600];

	memset(reason, 'x', sizeof(reason) - 1);
	return reason;
}

static void fill(char *buffer, size_t length, const struct input *in)
{
	for (size_t i = 0; i < length; i++)
		buffer[i] = in->left ? (char)in->at[i % in->left] : '#';
}

/* Reports what the rest of a run may still add; returns how many results. */
static unsigned go_on(unsigned lines)
{
	unsigned results = 0;

	for (lines %= LINES; lines; lines--) {
		report_header("line %u of what is left", lines);
		report_diag("and a diagnostic of test %u", lines);
		if (lines & 1) {
			report_result("amd.0.count.cycles", (enum outcome)(lines % 5), "a reason");
			results++;
		}
	}
	return results;
}

static bool ends_with(const char *text, size_t length, const char *end)
{
	return length >= strlen(end) && !memcmp(text + length - strlen(end), end, strlen(end));
}

static void check_end(const char *buffer, enum verdict verdict)
{
	char last[64] = "# verdict: ";
	const char *text;
	size_t length;

	strcat(strcat(last, report_verdict_name(verdict)), "\n");
	text = report_text(&length);
	MUST(text == buffer && length <= REPORT_BUFFER_MIN - REPORT_DIAG_SIZE);
	MUST(ends_with(text, length, last));
}

static uint32_t sum_of(const struct report_progress *progress)
{
	uint32_t sum = 0;

	for (unsigned i = 0; i <= OUTCOME_ERROR; i++)
		sum += progress->count[i];
	return sum;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static char *buffer;
	struct input in = {data, size};
	struct report_progress progress = {0};
	enum verdict verdict;
	unsigned lines, results;
	size_t length;

	if (!buffer)
		buffer = malloc(REPORT_BUFFER_MIN);
	for (size_t i = 0; i < sizeof(progress) / 4; i++)
		((uint32_t *)&progress)[i] = (uint32_t)input_number(&in, 4);
	lines = (unsigned)input_number(&in, 1);
	length = input_number(&in, 4) % (REPORT_TEXT_MAX(REPORT_BUFFER_MIN) + 1);
	fill(buffer, length, &in);
	report_set_buffer(buffer, REPORT_BUFFER_MIN);
	report_resume(length, &progress);
	results = go_on(lines);
	if (lines & BAIL_OUT)
		report_bail_out(long_reason());
	verdict = report_end();
	check_end(buffer, verdict);
	if (lines & BAIL_OUT || !progress.planned || progress.plan != sum_of(&progress) + results)
		MUST(verdict == VERDICT_ERROR);
	return 0;
}
