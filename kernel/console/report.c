/* SPDX-License-Identifier: BSD-2-Clause */
/* The KTAP report: written to the consoles and kept in memory for the file. */
#include "console.h"

#define LINE_SIZE 512

struct report {
	char *text;
	size_t size, length;
	bool quiet; /* the consoles have not had any of it */
	char *diag; /* REPORT_DIAG_SIZE bytes: diagnostics that wait for the result line */
	size_t diag_length;
	bool diag_truncated;
	/* While results are gathered to one: how much of diag is about those that failed. */
	bool gathers, gathered_truncated;
	size_t gathered;
	uint32_t gathered_count[OUTCOME_ERROR + 1];
	const char *gathered_skip; /* why the first that was skipped was */
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
		.diag = buffer + size - REPORT_DIAG_SIZE,
	};
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

/*
 * A line of prefix and formatted text, ended by one "\n".  What firmware or hardware put into it
 * may hold anything: only printable ASCII goes out, or a brand string could forge a result line.
 */
static size_t line_vprint(char *line, const char *prefix, const char *format, va_list args)
{
	size_t length = strlen(prefix), i;

	memcpy(line, prefix, length);
	length += fmt_vprint(line + length, LINE_SIZE - 1 - length, format, args);
	if (length > LINE_SIZE - 2) {
		length = LINE_SIZE - 2;
		memcpy(line + length - 3, "...", 3);
	}
	while (length && line[length - 1] == '\n')
		length--;
	for (i = 0; i < length; i++)
		if (line[i] < ' ' || line[i] > '~')
			line[i] = line[i] == '\n' || line[i] == '\t' ? ' ' : '?';
	line[length++] = '\n';
	return length;
}

static void emit_line(bool tail, const char *prefix, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

static void emit_line(bool tail, const char *prefix, const char *format, ...)
{
	char line[LINE_SIZE];
	size_t length;
	va_list args;

	va_start(args, format);
	length = line_vprint(line, prefix, format, args);
	va_end(args);
	emit(line, length, tail);
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
	char line[LINE_SIZE];
	size_t length;
	va_list args;

	if (report.gathers)
		return;
	va_start(args, format);
	length = line_vprint(line, "# ", format, args);
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

static void hold(const char *prefix, const char *format, va_list args)
	__attribute__((format(printf, 2, 0)));

static void hold(const char *prefix, const char *format, va_list args)
{
	static const char mark[] = "#   (further diagnostics of this test dropped)\n";
	char line[LINE_SIZE];
	size_t length;

	if (!report.diag || report.diag_truncated)
		return;
	length = line_vprint(line, prefix, format, args);
	report.diag_truncated = report.diag_length + length + sizeof(mark) > REPORT_DIAG_SIZE;
	if (report.diag_truncated) {
		memcpy(line, mark, sizeof(mark) - 1);
		length = sizeof(mark) - 1;
	}
	memcpy(report.diag + report.diag_length, line, length);
	report.diag_length += length;
}

void report_diag(const char *format, ...)
{
	va_list args;

	va_start(args, format);
	hold("#   ", format, args);
	va_end(args);
}

void report_held(const char *format, ...)
{
	va_list args;

	va_start(args, format);
	hold("# ", format, args);
	va_end(args);
}

void report_drop_diag(void)
{
	report.diag_length = report.gathered;
	report.diag_truncated = report.gathered_truncated;
}

static void flush_diag(void)
{
	if (report.diag_length)
		emit(report.diag, report.diag_length, false);
	report_drop_diag();
}

static bool is_bad(enum outcome outcome)
{
	return outcome == OUTCOME_FAIL || outcome == OUTCOME_ERROR;
}

static const char *adjective(enum outcome outcome)
{
	return outcome == OUTCOME_ERROR ? "error" : "failed";
}

/* The last line of the diagnostics to where those of this test begin. */
static void move_up(size_t line_at)
{
	char line[LINE_SIZE], *first = report.diag + report.gathered;
	size_t length = report.diag_length - line_at;

	if (report.diag_truncated)
		return;
	memcpy(line, report.diag + line_at, length);
	memmove(first + length, first, line_at - report.gathered);
	memcpy(first, line, length);
}

/* A test that failed keeps its diagnostics, below a line that names it. */
static void gather(const char *name, enum outcome outcome, const char *why)
{
	size_t end = report.diag_length;

	report.gathered_count[outcome]++;
	if (outcome == OUTCOME_SKIP && !report.gathered_skip)
		report.gathered_skip = why;
	if (is_bad(outcome)) {
		report_diag("%s: %s%s%s", adjective(outcome), name, why ? ": " : "",
			    why ? why : "");
		move_up(end);
		report.gathered = report.diag_length;
		report.gathered_truncated = report.diag_truncated;
	}
	report_drop_diag();
}

void report_gather(void)
{
	report_drop_diag();
	report.gathers = true;
	report.gathered_skip = NULL;
	memset(report.gathered_count, 0, sizeof(report.gathered_count));
}

static enum outcome gathered_outcome(void)
{
	const uint32_t *count = report.gathered_count;

	if (count[OUTCOME_ERROR])
		return OUTCOME_ERROR;
	if (count[OUTCOME_FAIL])
		return OUTCOME_FAIL;
	return count[OUTCOME_PASS] || count[OUTCOME_KNOWN] ? OUTCOME_PASS : OUTCOME_SKIP;
}

/* What is gathered remains as diagnostics of the next result. */
static void end_gathering(void)
{
	report.gathers = false;
	report.gathered = 0;
	report.gathered_truncated = false;
	memset(report.gathered_count, 0, sizeof(report.gathered_count));
}

void report_forget(void)
{
	end_gathering();
	report_drop_diag();
}

void report_gathered(const char *name, const char *nothing)
{
	enum outcome outcome = gathered_outcome();
	const char *skip = report.gathered_skip ? report.gathered_skip : nothing;

	end_gathering();
	report_result(name, outcome, outcome == OUTCOME_SKIP ? skip : NULL);
}

void report_result(const char *name, enum outcome outcome, const char *why)
{
	unsigned n = report.results + 1;

	if (report.gathers) {
		gather(name, outcome, why);
		return;
	}
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
			emit_line(false, "#   ", "%s: %s", adjective(outcome), why);
		break;
	}
	flush_diag();
}

static report_measured_sink *measured_sink;

void report_measured_to(report_measured_sink *sink)
{
	measured_sink = sink;
}

void report_measured(const struct measured *measured)
{
	if (measured_sink)
		measured_sink(measured);
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
	return report.progress.count[outcome] + report.gathered_count[outcome];
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
