/* SPDX-License-Identifier: BSD-2-Clause */
/* The KTAP report: written to the consoles and kept in memory for the file. */
#include "report.h"

struct report {
	char *text;
	size_t size, length;
	bool quiet; /* the consoles have not had any of it */
	bool bailed_out;
	unsigned results;
	struct report_progress progress;
};

static struct report report;

void report_set_buffer(char *buffer, size_t size)
{
	if (size < REPORT_BUFFER_MIN)
		panic("report buffer of %llu bytes", (unsigned long long)size);
	report = (struct report){
		.text = buffer,
		.size = size - REPORT_DIAG_SIZE,
	};
	diagnostics_use(buffer + size - REPORT_DIAG_SIZE);
	gather_begin();
}

static void keep(const char *text, size_t length)
{
	if (length > report.size - report.length)
		length = report.size - report.length;
	memcpy(report.text + report.length, text, length);
	report.length += length;
}

static void keep_truncation_mark(void)
{
	char mark[REPORT_MARK_SIZE];

	fmt_print(mark, sizeof(mark),
		  "# report truncated here: its buffer of %llu bytes is full; "
		  "serial and screen had the rest\n",
		  (unsigned long long)report.size);
	keep(mark, strlen(mark));
}

/* Prints what was held back. */
static void speak(void)
{
	if (report.quiet)
		console_write(report.text, report.length);
	report.quiet = false;
}

/* Whole lines only.  tail: must not be lost, and may use the reserve. */
static void emit(const char *text, size_t length, bool tail)
{
	if (!report.quiet)
		console_write(text, length);
	if (tail) {
		keep(text, length);
		return;
	}
	if (report.progress.truncated)
		return;
	if (report.length + length + REPORT_TAIL_SIZE > report.size) {
		speak();
		report.progress.truncated = true;
		keep_truncation_mark();
		return;
	}
	keep(text, length);
}

static void emit_line(bool tail, const char *prefix, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

static void emit_line(bool tail, const char *prefix, const char *format, ...)
{
	char line[REPORT_LINE_SIZE];
	size_t length;
	va_list args;

	va_start(args, format);
	length = report_line(line, prefix, format, args);
	va_end(args);
	emit(line, length, tail);
}

static bool wants_all;

void report_set_verbose(bool verbose)
{
	wants_all = verbose;
}

bool report_is_verbose(void)
{
	return wants_all;
}

void report_begin(bool quiet)
{
	if (!report.text)
		panic("report without a buffer");
	report_set_buffer(report.text, report.size + REPORT_DIAG_SIZE);
	report.quiet = quiet;
	emit_line(false, "", "KTAP version 1");
}

void report_save(struct report_progress *progress)
{
	*progress = report.progress;
}

void report_resume(size_t length, const struct report_progress *progress)
{
	if (length > REPORT_TEXT_MAX(report.size + REPORT_DIAG_SIZE))
		panic("a report of %llu bytes to go on with", (unsigned long long)length);
	report.length = length;
	report.progress = *progress;
	for (unsigned i = 0; i <= OUTCOME_ERROR; i++)
		report.results += progress->count[i];
	console_write(report.text, length);
}

void report_header(const char *format, ...)
{
	char line[REPORT_LINE_SIZE];
	size_t length;
	va_list args;

	if (gathering())
		return;
	va_start(args, format);
	length = report_line(line, "# ", format, args);
	va_end(args);
	emit(line, length, false);
}

void report_plan(unsigned n, const char *reason)
{
	report.progress.planned = true;
	report.progress.plan = n;
	if (n)
		emit_line(false, "", "1..%u", n);
	else
		emit_line(false, "", "1..0 # SKIP %s", reason);
}

static void flush_diag(void)
{
	size_t length;
	const char *text = diagnostics(&length);

	if (length)
		emit(text, length, false);
	report_drop_diag();
}

void report_result(const char *name, enum outcome outcome, const char *why)
{
	unsigned n = report.results + 1;

	measured_tell(name);
	if (gathering()) {
		gather(name, outcome, why);
		return;
	}
	gather_told(outcome, why);
	report.results = n;

	report.progress.count[outcome]++;
	switch (outcome) {
	case OUTCOME_PASS:
		emit_line(false, "", "ok %u %s", n, name);
		break;
	case OUTCOME_SKIP:
		emit_line(false, "", "ok %u %s # SKIP %s", n, name, why);
		break;
	case OUTCOME_KNOWN:
		emit_line(false, "", "not ok %u %s # TODO known: %s", n, name, why);
		break;
	case OUTCOME_FAIL:
	case OUTCOME_ERROR:
		speak();
		emit_line(false, "", "not ok %u %s", n, name);
		if (why)
			emit_line(false, "#   ", "%s: %s", outcome_adjective(outcome), why);
		break;
	}
	flush_diag();
}

void report_bail_out(const char *why)
{
	speak();
	/* Only the first one uses the reserve, so that room remains for the verdict. */
	emit_line(!report.bailed_out, "Bail out! ", "%s", why);
	report.bailed_out = true;
	flush_diag();
}

unsigned report_count(enum outcome outcome)
{
	return report.progress.count[outcome] + gather_count(outcome);
}

static enum verdict judge(void)
{
	if (report.bailed_out || !report.progress.planned ||
	    report.results != report.progress.plan || report.progress.count[OUTCOME_ERROR])
		return VERDICT_ERROR;
	if (report.progress.count[OUTCOME_FAIL])
		return VERDICT_FAIL;
	if (!report.progress.count[OUTCOME_PASS] && !report.progress.count[OUTCOME_KNOWN])
		return VERDICT_SKIP;
	return VERDICT_PASS;
}

const char *report_verdict_name(enum verdict verdict)
{
	static const char *const names[] = {
		[VERDICT_PASS] = "pass",
		[VERDICT_FAIL] = "fail",
		[VERDICT_SKIP] = "skip",
		[VERDICT_ERROR] = "error",
	};

	return names[verdict];
}

enum verdict report_end(void)
{
	enum verdict verdict = judge();

	if (verdict == VERDICT_ERROR)
		speak();
	flush_diag();
	if (report.progress.planned && report.results != report.progress.plan)
		emit_line(true, "# ", "plan not met: %u planned, %u reported", report.progress.plan,
			  report.results);
	emit_line(true, "# ", "passed %u, failed %u, skipped %u, known %u, errors %u",
		  report.progress.count[OUTCOME_PASS], report.progress.count[OUTCOME_FAIL],
		  report.progress.count[OUTCOME_SKIP], report.progress.count[OUTCOME_KNOWN],
		  report.progress.count[OUTCOME_ERROR]);
	emit_line(true, "# ", "verdict: %s", report_verdict_name(verdict));
	return verdict;
}

const char *report_text(size_t *length)
{
	*length = report.length;
	return report.text;
}
