/* SPDX-License-Identifier: BSD-2-Clause */
/* Lines "model=NAME [fault=NAME] [-- options for the program]"; # starts a comment. */
#include <stdbool.h>

#include "config.h"
#include "faults.h"
#include "fmt.h"
#include "profiles.h"
#include "string.h"

enum { WORD = 64 };

static bool is_space(char c)
{
	return c == ' ' || c == '\t' || c == '\r';
}

static bool ends_line(char c)
{
	return c == '\0' || c == '\n' || c == '#';
}

static const char *skip_space(const char *at)
{
	while (is_space(*at))
		at++;
	return at;
}

static const char *skip_line(const char *at)
{
	while (*at && *at != '\n')
		at++;
	return *at ? at + 1 : at;
}

/* The next word, cut where word is full: nothing that long has a meaning. */
static const char *take_word(const char *at, char word[WORD])
{
	size_t length = 0;

	for (; !ends_line(*at) && !is_space(*at); at++)
		if (length < WORD - 1)
			word[length++] = *at;
	word[length] = '\0';
	return at;
}

static bool starts_with(const char *text, const char *prefix)
{
	return strlen(text) >= strlen(prefix) && !memcmp(text, prefix, strlen(prefix));
}

/* ---- what may stand there ---- */

static void add_word(char *error, const char *word)
{
	size_t length = strlen(error);

	fmt_print(error + length, CONFIG_ERROR_SIZE - length, " %s", word);
}

static enum config_result fail_model(char *error, const char *name)
{
	fmt_print(error, CONFIG_ERROR_SIZE, "model=%s: unknown; allowed are", name);
	for (unsigned i = 0; i < profiles_count; i++)
		add_word(error, profiles[i].name);
	return CONFIG_ERROR;
}

static enum config_result fail_fault(char *error, const char *name, const struct profile *profile)
{
	const struct fault *fault;

	fmt_print(error, CONFIG_ERROR_SIZE, "fault=%s: %s; allowed with model=%s are none", name,
		  fault_find(name) ? "not for this model" : "unknown", profile->name);
	for (unsigned i = 0; (fault = fault_at(i)); i++)
		if (fault_applies(fault, profile))
			add_word(error, fault->name);
	return CONFIG_ERROR;
}

static enum config_result fail_word(char *error, const char *word)
{
	fmt_print(error, CONFIG_ERROR_SIZE,
		  "\"%s\": allowed are model=NAME fault=NAME -- and then options", word);
	return CONFIG_ERROR;
}

/* ---- one line ---- */

static enum config_result set_model(struct config_run *run, const char *name, char *error)
{
	run->profile = profile_find(name);
	return run->profile ? CONFIG_RUN : fail_model(error, name);
}

/* After the model, whatever the order of the words: the model decides what may be broken. */
static enum config_result set_fault(struct config_run *run, const char *name, char *error)
{
	run->fault_name = "none";
	run->fault = NULL;
	if (!*name || (strlen(name) == 4 && !memcmp(name, "none", 4)))
		return CONFIG_RUN;
	run->fault = fault_find(name);
	if (!run->fault || !fault_applies(run->fault, run->profile))
		return fail_fault(error, name, run->profile);
	run->fault_name = run->fault->name;
	return CONFIG_RUN;
}

/* at: behind the "--". */
static enum config_result set_options(struct config_run *run, const char *at, char *error)
{
	size_t length = 0;

	for (at = skip_space(at); !ends_line(*at) && *at != '\r'; at++) {
		if (length == CONFIG_OPTIONS - 1) {
			fmt_print(error, CONFIG_ERROR_SIZE,
				  "the options are too long: allowed are %u", CONFIG_OPTIONS - 1);
			return CONFIG_ERROR;
		}
		run->options[length++] = *at;
	}
	run->options[length] = '\0';
	return CONFIG_RUN;
}

static enum config_result read_line(const char *at, struct config_run *run, char *error)
{
	char word[WORD], model[WORD] = "", fault[WORD] = "";
	enum config_result result;

	run->options[0] = '\0';
	while (!ends_line(*(at = skip_space(at)))) {
		at = take_word(at, word);
		if (starts_with(word, "model=")) {
			memcpy(model, word + 6, WORD - 6);
		} else if (starts_with(word, "fault=")) {
			memcpy(fault, word + 6, WORD - 6);
		} else if (starts_with(word, "--") && !word[2]) {
			if (set_options(run, at, error) == CONFIG_ERROR)
				return CONFIG_ERROR;
			break;
		} else {
			return fail_word(error, word);
		}
	}
	result = set_model(run, model, error);
	return result == CONFIG_RUN ? set_fault(run, fault, error) : result;
}

enum config_result config_next(const char **text, struct config_run *run, char *error)
{
	const char *line;

	do {
		line = skip_space(*text);
		if (!*line)
			return CONFIG_END;
		*text = skip_line(line);
	} while (ends_line(*line));
	return read_line(line, run, error);
}
