/* SPDX-License-Identifier: BSD-2-Clause */
/* Patterns that select tests. */
#include "glob.h"

#include "fmt.h"
#include "string.h"

/* On a mismatch goes back to the last star and lets it take one character more. */
bool glob_match(const char *pattern, size_t length, const char *text)
{
	const char *end = pattern + length, *star = NULL, *retry = NULL;

	while (*text) {
		if (pattern < end && *pattern == '*') {
			star = pattern++;
			retry = text;
		} else if (pattern < end && (*pattern == '?' || *pattern == *text)) {
			pattern++;
			text++;
		} else if (star) {
			pattern = star + 1;
			text = ++retry;
		} else {
			return false;
		}
	}
	while (pattern < end && *pattern == '*')
		pattern++;
	return pattern == end;
}

static bool spells(const char *pattern, size_t length, const char *word)
{
	size_t n = strlen(word);

	for (size_t i = 0; i + n <= length; i++)
		if (memcmp(pattern + i, word, n) == 0)
			return true;
	return false;
}

static bool selects(const char *pattern, size_t length, const char *id, const char *group,
		    const char *test)
{
	char pair[64];

	fmt_print(pair, sizeof(pair), "%s.%s", group, test);
	return glob_match(pattern, length, id) || glob_match(pattern, length, pair) ||
	       glob_match(pattern, length, group);
}

bool glob_names(const char *list, const char *name)
{
	size_t n = strlen(name);

	while (strlen(list) > n) {
		if (!memcmp(list, name, n) && list[n] == '.')
			return true;
		while (*list && *list++ != ',')
			;
	}
	return false;
}

bool glob_selects(const char *list, const char *id, const char *group, const char *test,
		  bool must_name)
{
	bool all = !must_name, selected = false;

	for (;;) {
		const bool leaves_out = *list == '!';
		size_t length = 0;
		bool matches;

		list += leaves_out;
		while (list[length] && list[length] != ',')
			length++;
		matches = length && selects(list, length, id, group, test);
		if (leaves_out && matches)
			return false;
		all &= leaves_out;
		selected |= !leaves_out && matches && (!must_name || spells(list, length, group));
		if (!list[length])
			return all || selected;
		list += length + 1;
	}
}
