/* SPDX-License-Identifier: BSD-2-Clause */
/* Diagnostics, which wait for the result line that they stand below. */
#include "report.h"

static struct {
	char *text; /* REPORT_DIAG_SIZE bytes */
	size_t length;
	bool truncated;
	/* While results are gathered to one: how much of it is about those before this one. */
	size_t kept;
	bool kept_truncated;
	unsigned unnamed; /* results whose line has no room */
} diag;

size_t report_line(char line[REPORT_LINE_SIZE], const char *prefix, const char *format,
		   va_list args)
{
	size_t length = strlen(prefix), i;

	memcpy(line, prefix, length);
	length += fmt_vprint(line + length, REPORT_LINE_SIZE - 1 - length, format, args);
	if (length > REPORT_LINE_SIZE - 2) {
		length = REPORT_LINE_SIZE - 2;
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

void diagnostics_use(char *memory)
{
	memset(&diag, 0, sizeof(diag));
	diag.text = memory;
}

const char *diagnostics(size_t *length)
{
	*length = diag.length;
	return diag.text;
}

static void hold(const char *prefix, const char *format, va_list args)
	__attribute__((format(printf, 2, 0)));

static void hold(const char *prefix, const char *format, va_list args)
{
	static const char mark[] = "#   (further diagnostics of this test dropped)\n";
	char line[REPORT_LINE_SIZE];
	size_t length;

	if (!diag.text || diag.truncated)
		return;
	length = report_line(line, prefix, format, args);
	diag.truncated = diag.length + length + sizeof(mark) > REPORT_DIAG_SIZE - REPORT_NAMES_SIZE;
	if (diag.truncated) {
		memcpy(line, mark, sizeof(mark) - 1);
		length = sizeof(mark) - 1;
	}
	memcpy(diag.text + diag.length, line, length);
	diag.length += length;
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
	diag.length = diag.kept;
	diag.truncated = diag.kept_truncated;
}

/* ---- of several results ---- */

#define UNNAMED_SIZE 64u

void diagnostics_keep(const char *format, ...)
{
	char line[REPORT_LINE_SIZE], *at = diag.text + diag.kept;
	size_t length;
	va_list args;

	va_start(args, format);
	length = report_line(line, "#   ", format, args);
	va_end(args);
	if (diag.length + length + UNNAMED_SIZE > REPORT_DIAG_SIZE) {
		diag.unnamed++;
		report_drop_diag();
		return;
	}
	memmove(at + length, at, diag.length - diag.kept);
	memcpy(at, line, length);
	diag.kept = diag.length += length;
	diag.kept_truncated = diag.truncated;
}

void diagnostics_release(void)
{
	if (diag.unnamed)
		diag.length += fmt_print(diag.text + diag.length, UNNAMED_SIZE,
					 "#   (and %u more, dropped)\n", diag.unnamed);
	diag.kept = diag.unnamed = 0;
	diag.kept_truncated = false;
}
