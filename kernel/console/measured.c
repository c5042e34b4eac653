/* SPDX-License-Identifier: BSD-2-Clause */
/* What the running test has measured: for whoever draws it, and as facts for the report. */
#include "report.h"

#define LATE_PLACES 32u /* the last one is of all that are later */
#define VALUE_SIZE  240u /* more than all numbers of a sum take */

static report_measured_sink *measured_sink;

/* Of the running test. */
static struct {
	uint32_t late[LATE_PLACES];
	struct measured sum; /* no parts: none */
} found;

void report_measured_to(report_measured_sink *sink)
{
	measured_sink = sink;
}

uint64_t measured_sum(const struct measured *measured)
{
	uint64_t sum = 0;

	for (unsigned i = 0; i < measured->parts; i++)
		sum += measured->part[i];
	return sum;
}

bool measured_holds(const struct measured *measured)
{
	uint64_t sum = measured_sum(measured);

	return sum + measured->slack >= measured->least &&
	       (measured->most == UINT64_MAX || sum <= measured->most + measured->slack);
}

static void keep(const struct measured *measured)
{
	unsigned late = measured->late < LATE_PLACES ? (unsigned)measured->late : LATE_PLACES - 1;

	if (!measured->parts)
		found.late[late]++;
	else if (!found.sum.parts || (measured_holds(&found.sum) && !measured_holds(measured)))
		found.sum = *measured;
}

void report_measured(const struct measured *measured)
{
	if (measured)
		keep(measured);
	else
		memset(&found, 0, sizeof(found));
	if (measured_sink)
		measured_sink(measured);
}

/* ---- as facts ---- */

/* The least and the most of a sum, as "5", "5..7" or "5..". */
static size_t print_bounds(char *text, size_t size, const struct measured *m)
{
	uint64_t least = m->least > m->slack ? m->least - m->slack : 0;
	size_t length = fmt_print(text, size, "%llu", (unsigned long long)least);

	if (m->most == UINT64_MAX)
		return length + fmt_print(text + length, size - length, "..");
	if (m->most + m->slack == least)
		return length;
	return length + fmt_print(text + length, size - length, "..%llu",
				  (unsigned long long)(m->most + m->slack));
}

static void tell_sum(const char *test)
{
	const struct measured *m = &found.sum;
	char value[VALUE_SIZE];
	size_t length = 0;

	for (unsigned i = 0; i < m->parts; i++)
		length += fmt_print(value + length, sizeof(value) - length, "%s%llu", i ? "+" : "",
				    (unsigned long long)m->part[i]);
	length += fmt_print(value + length, sizeof(value) - length, "/");
	length += print_bounds(value + length, sizeof(value) - length, m);
	if (m->threshold)
		fmt_print(value + length, sizeof(value) - length, ":%u", m->threshold);
	if (m->parts)
		report_finding(test, "sum", "%s", value);
}

static void tell_late(const char *test)
{
	char value[VALUE_SIZE];
	size_t length = 0;

	for (unsigned i = 0; i < LATE_PLACES; i++)
		if (found.late[i] && length + 16 < sizeof(value))
			length += fmt_print(value + length, sizeof(value) - length, "%s%u:%u",
					    length ? "," : "", i, found.late[i]);
	if (length)
		report_finding(test, "late", "%s", value);
}

void measured_tell(const char *test)
{
	tell_sum(test);
	tell_late(test);
	memset(&found, 0, sizeof(found));
}
