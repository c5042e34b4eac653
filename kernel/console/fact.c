/* SPDX-License-Identifier: BSD-2-Clause */
/* Lines of the report that scripts read. */
#include "console.h"

/* So much of a value that its line has room for it, whatever is in it. */
#define VALUE_SIZE 220u

static bool is_plain(char c)
{
	static const char others[] = {'.', '_', '-', '+', ':', ',', '/'};
	bool plain = (c >= '0' && c <= '9') || ((c | 0x20) >= 'a' && (c | 0x20) <= 'z');

	for (size_t i = 0; i < sizeof(others); i++)
		plain = plain || c == others[i];
	return plain;
}

static void fact_vprint(char quoted[2 * VALUE_SIZE + 2], const char *format, va_list args)
{
	char value[VALUE_SIZE], *out = quoted;
	const char *in = value;

	if (fmt_vprint(value, sizeof(value), format, args) >= sizeof(value))
		memcpy(value + sizeof(value) - 4, "...", 4);
	while (is_plain(*in))
		*out++ = *in++;
	if (!*in && in > value) {
		*out = '\0';
		return;
	}
	out = quoted;
	*out++ = '"';
	for (in = value; *in; *out++ = *in++)
		if (*in == '"' || *in == '\\')
			*out++ = '\\';
	memcpy(out, "\"", 2);
}

void report_fact(const char *owner, const char *key, const char *format, ...)
{
	char value[2 * VALUE_SIZE + 2];
	va_list args;

	va_start(args, format);
	fact_vprint(value, format, args);
	va_end(args);
	report_header("fact %s.%s=%s", owner, key, value);
}

void report_finding(const char *owner, const char *key, const char *format, ...)
{
	char value[2 * VALUE_SIZE + 2];
	va_list args;

	va_start(args, format);
	fact_vprint(value, format, args);
	va_end(args);
	report_held("fact %s.%s=%s", owner, key, value);
}
