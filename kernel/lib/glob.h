/* SPDX-License-Identifier: BSD-2-Clause */
/* Patterns that select tests: pure computation. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

/* Does the pattern of length characters match all of text?  '*': any run, '?': any character. */
bool glob_match(const char *pattern, size_t length, const char *text);

/* Does some pattern of the comma-separated list begin with this name and a dot? */
bool glob_names(const char *list, const char *name);

/*
 * Does some pattern of the comma-separated list match a test?  A pattern is held against the full
 * id ("amd.0.count.cycles"), against "group.test" and against the bare group.  One behind a '!'
 * leaves out what it matches, wherever it stands; a list of these alone has all others.  must_name:
 * only patterns that spell the group out count.
 */
bool glob_selects(const char *list, const char *id, const char *group, const char *test,
		  bool must_name);
