/* SPDX-License-Identifier: BSD-2-Clause */
/* Selection of tests by pattern. */
#include "kernel/lib/glob.h"

#include "check/unit/tap.h"

static bool match(const char *pattern, const char *text)
{
	return glob_match(pattern, strlen(pattern), text);
}

static bool selects(const char *list)
{
	return glob_selects(list, "amd.0.count.cycles", "count", "cycles", false);
}

static bool selects_hidden(const char *list)
{
	return glob_selects(list, "-.-.selftest.user_fault", "selftest", "user_fault", true);
}

static void test_match(void)
{
	OK(match("", ""));
	OK(!match("", "a"));
	OK(match("*", ""));
	OK(match("**", "abc"));
	OK(match("a*c", "abbbc"));
	OK(match("a*b*c", "a-b-b-c"));
	OK(!match("a*b*c", "a-b-b-"));
	OK(match("*aab", "aaaab"));
	OK(match("a?c", "abc"));
	OK(!match("a?c", "ac"));
	OK(!match("?", ""));
	OK(match("*?", "a"));
	OK(!match("abc", "ab"));
	OK(!match("ab", "abc"));
	OK(!match("ABC", "abc"));
	OK(glob_match("ab,cd", 2, "ab"));
}

static void test_names(void)
{
	OK(glob_names("cbo3.*", "cbo3"));
	OK(glob_names("*.count.*,cbo3.1.count.x", "cbo3"));
	OK(!glob_names("cbo*.1,cbo?.1,cbo31.*,xcbo3.*,cbo3", "cbo3"));
	OK(!glob_names("", "cbo3") && !glob_names("count.cbo3.x", "cbo3"));
}

static void test_selects(void)
{
	OK(selects("amd.0.count.cycles"));
	OK(selects("count.cycles"));
	OK(selects("count"));
	OK(selects("count.*"));
	OK(selects("amd.*"));
	OK(selects("*.cycles"));
	OK(selects("*"));
	OK(!selects("cycles"));
	OK(!selects("amd.1.*"));
	OK(!selects("count.cycle"));
	OK(!selects(""));
	OK(!selects(","));
	OK(selects("truth.*,count.cycles"));
	OK(selects("count.cycles,truth.*"));
	OK(selects(",,count"));
	OK(!selects("truth,access"));
}

static void test_left_out(void)
{
	OK(!selects("!count"));
	OK(!selects("*,!count.cycles"));
	OK(!selects("!amd.0.*,*"));
	OK(selects("!truth"));
	OK(selects("!truth,!access"));
	OK(selects("!truth,count"));
	OK(!selects("!truth,access"));
	OK(!selects("!*"));
	OK(!selects_hidden("!truth"));
	OK(!selects_hidden("selftest,!selftest.user_*"));
}

static void test_hidden(void)
{
	OK(!selects_hidden("*"));
	OK(!selects_hidden("*.user_fault"));
	OK(selects_hidden("selftest"));
	OK(selects_hidden("selftest.*"));
	OK(selects_hidden("-.-.selftest.user_fault"));
	OK(selects_hidden("*,selftest.user_*"));
	OK(!selects_hidden("selftest.pmi_storm,*"));
}

int main(void)
{
	test_match();
	test_names();
	test_selects();
	test_left_out();
	test_hidden();
	return tap_end();
}
