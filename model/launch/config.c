/* SPDX-License-Identifier: BSD-2-Clause */
/* Lines "model=NAME [fault=NAME] [seed=N] [lawful=NAME,...] [sockets=N] [hide=D.F,...]
 * [native=yes|no] [memo=yes|no] [stage=NAME,...] [bits=32|64] [guest=FILE] [hypervisor=yes|no]
 * [nested=yes|no] [cpus=N] [cpuN=[MODEL][:[FAULT][:SEED]]]...
 * [-- options for the program]"; # starts a comment. */

#include "config.h"
#include "config_keys.h"
#include "kernel/lib/string.h"

enum { WORD = 96 };

/* ---- words ---- */

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

/* ---- one line ---- */

/* In the order in which they are set: the model decides what may be broken, and both what the rest
 * may be. */
static const struct key {
	const char *name, *initial;
	config_set *set;
} keys[] = {
	{"model=", "", config_model},      {"fault=", "", config_fault},
	{"seed=", "0", config_seed},       {"lawful=", "", config_lawful},
	{"native=", "yes", config_native}, {"stage=", "", config_stages},
	{"sockets=", "", config_sockets},  {"hide=", "", config_hidden},
	{"cpus=", "1", config_cpus},       {"bits=", "", config_bits},
	{"guest=", "", config_guest},      {"hypervisor=", "yes", config_hypervisor},
	{"memo=", "yes", config_memo},     {"nested=", "no", config_nested},
};
enum { KEYS = sizeof(keys) / sizeof(keys[0]) };

/* False: the word has none of the keys. */
static bool take_value(const char *word, char values[KEYS][WORD])
{
	for (unsigned i = 0; i < KEYS; i++) {
		size_t length = strlen(keys[i].name);

		if (strlen(word) < length || memcmp(word, keys[i].name, length))
			continue;
		memcpy(values[i], word + length, WORD - length);
		return true;
	}
	return false;
}

/* at: behind the "--". */
static enum config_result set_options(struct config_run *run, const char *at, char *error)
{
	size_t length = 0;

	for (at = skip_space(at); !ends_line(*at) && *at != '\r'; at++) {
		if (length == CONFIG_OPTIONS - 1)
			return config_refuse(error, "the options are too long: allowed are %u",
					     CONFIG_OPTIONS - 1);
		run->options[length++] = *at;
	}
	run->options[length] = '\0';
	return CONFIG_RUN;
}

static bool is_cpu(const char *word)
{
	return !memcmp(word, "cpu", 3) && word[3] >= '0' && word[3] <= '9';
}

/* Once the first one is known. */
static enum config_result set_each_cpu(struct config_run *run, const char *at, char *error)
{
	enum config_result result = CONFIG_RUN;
	char word[WORD];

	while (!ends_line(*(at = skip_space(at))) && result == CONFIG_RUN) {
		at = take_word(at, word);
		if (!strcmp(word, "--"))
			break;
		if (is_cpu(word))
			result = config_cpu(run, word + 3, error);
	}
	return result;
}

static enum config_result read_line(const char *at, struct config_run *run, char *error)
{
	char word[WORD], values[KEYS][WORD];
	const char *line = at;
	enum config_result result = CONFIG_RUN;

	for (unsigned i = 0; i < KEYS; i++)
		memcpy(values[i], keys[i].initial, strlen(keys[i].initial) + 1);
	run->options[0] = '\0';
	while (!ends_line(*(at = skip_space(at)))) {
		at = take_word(at, word);
		if (!strcmp(word, "--")) {
			result = set_options(run, at, error);
			break;
		}
		if (!is_cpu(word) && !take_value(word, values))
			return config_refuse(
				error,
				"\"%s\": allowed are model=NAME fault=NAME seed=N "
				"lawful=NAME[,NAME...] sockets=1|2 hide=D.F[,D.F...] native=yes|no "
				"memo=yes|no stage=NAME[,NAME...] bits=32|64 guest=FILE "
				"hypervisor=yes|no nested=yes|no cpus=N "
				"cpuN=[MODEL][:[FAULT][:SEED]] -- and "
				"then "
				"options",
				word);
	}
	for (unsigned i = 0; i < KEYS && result == CONFIG_RUN; i++)
		result = keys[i].set(run, values[i], error);
	if (result == CONFIG_RUN)
		result = set_each_cpu(run, line, error);
	if (result == CONFIG_RUN)
		config_seat(run);
	return result;
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
