/* SPDX-License-Identifier: BSD-2-Clause */
/* The value of cpus=: a word, or a list of numbers and ranges. */
#include "options.h"

#define NUMBER_MAX 9999u

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

/* NULL: there is none, or it is too large. */
static const char *take_number(const char *text, unsigned *number)
{
	const char *p = text;

	for (*number = 0; is_digit(*p) && *number <= NUMBER_MAX; p++)
		*number = *number * 10 + (unsigned)(*p - '0');
	return p == text || *number > NUMBER_MAX ? NULL : p;
}

struct cpu_range {
	unsigned first, last;
};

/* "3" or "2-5", and the comma behind it if more follows.  NULL: neither. */
static const char *take_range(const char *text, struct cpu_range *range)
{
	text = take_number(text, &range->first);
	range->last = range->first;
	if (text && *text == '-')
		text = take_number(text + 1, &range->last);
	if (!text || range->last < range->first)
		return NULL;
	if (*text == ',' && is_digit(text[1]))
		return text + 1;
	return *text ? NULL : text;
}

bool cpus_is_list(const char *value)
{
	return is_digit(*value);
}

bool cpus_is_valid(const char *value)
{
	static const char *const words[] = {"boot", "kinds", "cores", "all"};
	struct cpu_range range;

	for (size_t i = 0; i < ARRAY_SIZE(words); i++)
		if (!strcmp(value, words[i]))
			return true;
	do
		value = take_range(value, &range);
	while (value && *value);
	return value;
}

bool cpus_has(const char *list, unsigned number)
{
	struct cpu_range range = {0};
	bool has = false;

	while (*list) {
		list = take_range(list, &range);
		has |= number >= range.first && number <= range.last;
	}
	return has;
}

unsigned cpus_last(const char *list)
{
	struct cpu_range range = {0};
	unsigned last = 0;

	while (*list) {
		list = take_range(list, &range);
		last = range.last > last ? range.last : last;
	}
	return last;
}
