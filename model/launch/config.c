/* SPDX-License-Identifier: BSD-2-Clause */
/* Lines "KEY=VALUE... [cpuN=[MODEL][:[FAULT][:SEED]]]... [-- options for the program]", with the
 * keys of the table below, of which model= must be there; # starts a comment. */

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

/* Allowed are yes and no; the field, a bool, becomes whether the value is the one given here. */
#define YES_OR_NO(flagged_, field)                                                                 \
	"yes|no", .flagged = flagged_, .flag = offsetof(struct config_run, field)

/* In the order in which they are set: the model decides what may be broken, and both what the rest
 * may be; other processors are like the first one as cpus= finds it. */
static const struct key {
	const char *name, *initial;
	const char *allowed; /* values, as the sentence about a wrong key names them */
	const char *flagged; /* of YES_OR_NO(): the value that sets the flag; NULL: of others */
	size_t flag; /* in struct config_run */
	config_set *set; /* of YES_OR_NO(): judges it; NULL: it is right in any case */
} keys[] = {
	{"model=", "", "NAME", .set = config_model},
	{"fault=", "", "NAME", .set = config_fault},
	{"seed=", "0", "N", .set = config_seed},
	{"lawful=", "", "NAME[,NAME...]", .set = config_lawful},
	{"native=", "yes", YES_OR_NO("no", setup.single_step)},
	{"hypervisor=", "yes", YES_OR_NO("no", setup.hides_hypervisor)},
	{"memo=", "yes", YES_OR_NO("no", setup.forgets)},
	{"stage=", "", "NAME[,NAME...]", .set = config_stages},
	{"sockets=", "", "1|2", .set = config_sockets},
	{"hide=", "", "D.F[,D.F...]", .set = config_hidden},
	{"cpus=", "1", "N", .set = config_cpus},
	{"bits=", "", "32|64", .set = config_bits},
	{"guest=", "", "FILE", .set = config_guest},
	{"nested=", "no", YES_OR_NO("yes", setup.lends_svm), .set = config_nested},
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

static enum config_result refuse_word(const char *word, char *error)
{
	config_refuse(error, "\"%s\": allowed are", word);
	for (unsigned i = 0; i < KEYS; i++)
		config_add(error, " %s%s", keys[i].name, keys[i].allowed);
	config_add(error, " cpuN=[MODEL][:[FAULT][:SEED]] -- and then options");
	return CONFIG_ERROR;
}

static enum config_result set_flag(struct config_run *run, const struct key *key, const char *value,
				   char *error)
{
	bool *flag = (bool *)((char *)run + key->flag);

	*flag = !strcmp(value, key->flagged);
	if (*flag || !strcmp(value, "yes") || !strcmp(value, "no"))
		return CONFIG_RUN;
	return config_refuse(error, "%s%s: allowed are %syes, %sno", key->name, value, key->name,
			     key->name);
}

static enum config_result set_key(struct config_run *run, const struct key *key, const char *value,
				  char *error)
{
	enum config_result result = CONFIG_RUN;

	if (key->flagged)
		result = set_flag(run, key, value, error);
	return result == CONFIG_RUN && key->set ? key->set(run, value, error) : result;
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
			return refuse_word(word, error);
	}
	for (unsigned i = 0; i < KEYS && result == CONFIG_RUN; i++)
		result = set_key(run, &keys[i], values[i], error);
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
