/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Lists of globs against the name of a test, held against a matcher that is slow and plain.  The
 * input is four lines: list, group, test, and what stands before them in the id.
 */
#include "fuzz.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "kernel/lib/glob.h"

enum { NAME = 24, PATTERN = 512 };

/* Cut from the input at a line's end, or where room is full; the end of the line is skipped. */
static char *take_line(struct input *in, size_t most)
{
	const uint8_t *end = in->left ? memchr(in->at, '\n', in->left) : NULL;
	size_t line = end ? (size_t)(end - in->at) : in->left;
	size_t length = line < most ? line : most;
	char *text = fuzz_block(length + 1);

	memcpy(text, in->at, length);
	text[length] = '\0';
	in->at += line + (end != NULL);
	in->left -= line + (end != NULL);
	return text;
}

/* reach[i]: the pattern up to here matches the first i characters of text. */
static bool plainly_matches(const char *pattern, size_t length, const char *text)
{
	size_t n = strlen(text);
	bool reach[4 * NAME] = {true};

	MUST(n < sizeof(reach));
	for (size_t p = 0; p < length; p++) {
		if (pattern[p] == '*') {
			for (size_t i = 1; i <= n; i++)
				reach[i] |= reach[i - 1];
			continue;
		}
		for (size_t i = n; i > 0; i--)
			reach[i] = reach[i - 1] && (pattern[p] == '?' || pattern[p] == text[i - 1]);
		reach[0] = false;
	}
	return reach[n];
}

static bool spells(const char *pattern, size_t length, const char *word)
{
	char text[PATTERN + 1] = "";

	memcpy(text, pattern, length);
	return strstr(text, word);
}

static bool plainly_selects(const char *list, const char *id, const char *pair, const char *group,
			    bool must_name)
{
	unsigned choosing = 0, chosen = 0, left_out = 0;

	for (const char *at = list;; at++) {
		bool leaves_out = *at == '!';
		const char *glob = at + leaves_out;
		size_t length = strcspn(glob, ",");
		bool matches = length && (plainly_matches(glob, length, id) ||
					  plainly_matches(glob, length, pair) ||
					  plainly_matches(glob, length, group));

		left_out += leaves_out && matches;
		choosing += !leaves_out;
		chosen += !leaves_out && matches && (!must_name || spells(glob, length, group));
		at = glob + length;
		if (!*at)
			return !left_out && (choosing ? chosen > 0 : !must_name);
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct input in = {data, size};
	const char *list = take_line(&in, PATTERN), *group = take_line(&in, NAME);
	const char *test = take_line(&in, NAME), *prefix = take_line(&in, NAME);
	char pair[2 * NAME + 2], id[3 * NAME + 3];
	size_t length = strlen(list);

	snprintf(pair, sizeof(pair), "%s.%s", group, test);
	snprintf(id, sizeof(id), "%s.%s", prefix, pair);
	for (unsigned must_name = 0; must_name < 2; must_name++)
		MUST(glob_selects(list, id, group, test, must_name) ==
		     plainly_selects(list, id, pair, group, must_name));
	/* A pattern of no string: its end is its length alone. */
	MUST(glob_match(fuzz_copy(list, length), length, id) == plainly_matches(list, length, id));
	fuzz_free_all();
	return 0;
}
