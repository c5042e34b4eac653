/* SPDX-License-Identifier: BSD-2-Clause */
/* Lines "model=NAME [fault=NAME] [seed=N] [sockets=N] [hide=D.F,...] [native=yes|no]
 * [stage=NAME,...]
 * [-- options for the program]"; # starts a comment. */
#include <stdbool.h>

#include "config.h"
#include "kernel/lib/fmt.h"
#include "kernel/lib/string.h"
#include "model/cpu/cpu.h"
#include "model/profiles/profiles.h"
#include "model/uncore/snbep/hooks.h"

enum { WORD = 96, SEEDS = 1000000 };

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

static bool is_word(const char *word, const char *wanted)
{
	return strlen(word) == strlen(wanted) && !memcmp(word, wanted, strlen(wanted));
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
	const struct profile *profile;

	fmt_print(error, CONFIG_ERROR_SIZE, "model=%s: unknown; allowed are", name);
	for (unsigned i = 0; (profile = profile_at(i)); i++)
		add_word(error, profile->name);
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
		  "\"%s\": allowed are model=NAME fault=NAME seed=N sockets=1|2 hide=D.F[,D.F...] "
		  "native=yes|no stage=NAME[,NAME...] "
		  "-- and then options",
		  word);
	return CONFIG_ERROR;
}

static enum config_result fail_uncore(char *error, const char *key, const char *value,
				      const char *why, const char *allowed)
{
	fmt_print(error, CONFIG_ERROR_SIZE, "%s=%s: %s; allowed are %s", key, value, why, allowed);
	return CONFIG_ERROR;
}

/* ---- one line ---- */

static enum config_result set_model(struct config_run *run, const char *name, char *error)
{
	run->setup.profile = profile_find(name);
	return run->setup.profile ? CONFIG_RUN : fail_model(error, name);
}

/* After the model, whatever the order of the words: the model decides what may be broken. */
static enum config_result set_fault(struct config_run *run, const char *name, char *error)
{
	run->fault_name = "none";
	run->setup.fault = NULL;
	if (!*name || (is_word(name, "none")))
		return CONFIG_RUN;
	run->setup.fault = fault_find(name);
	if (!run->setup.fault)
		run->setup.fault = generated_find(run->setup.profile, name);
	if (!run->setup.fault || !fault_applies(run->setup.fault, run->setup.profile))
		return fail_fault(error, name, run->setup.profile);
	run->fault_name = run->setup.fault->name;
	return CONFIG_RUN;
}

/* value: behind the "=". */
static enum config_result set_sockets(struct config_run *run, const char *value, char *error)
{
	if (!run->setup.profile->pmus[1].ops)
		return fail_uncore(error, "sockets", value, "this model has no uncore",
				   "those of model=sandybridge-ep");
	if (!is_word(value, "1") && !is_word(value, "2"))
		return fail_uncore(error, "sockets", value, "no number of sockets",
				   "sockets=1, sockets=2");
	run->setup.boxes.sockets = (unsigned)(*value - '0');
	return CONFIG_RUN;
}

/* A decimal number below limit; NULL: there is none. */
static const char *take_number(const char *at, unsigned limit, unsigned *number)
{
	const char *first = at;

	for (*number = 0; *at >= '0' && *at <= '9'; at++)
		if ((*number = 10 * *number + (unsigned)(*at - '0')) >= limit)
			return NULL;
	return at == first ? NULL : at;
}

/* "D.F"; NULL: no function of the uncore. */
static const char *take_function(const char *at, uint8_t *df)
{
	unsigned device, function;

	at = take_number(at, 32, &device);
	if (!at || *at++ != '.' || !(at = take_number(at, 8, &function)))
		return NULL;
	*df = (uint8_t)(device << 3 | function);
	return silicon_is_boxes_function(*df) ? at : NULL;
}

/* value: behind the "=". */
static enum config_result set_hidden(struct config_run *run, const char *value, char *error)
{
	static const char allowed[] = "functions of the uncore, such as hide=8.2,9.2,8.6,9.6";
	const char *at = value;

	if (!run->setup.profile->pmus[1].ops)
		return fail_uncore(error, "hide", value, "this model has no uncore",
				   "those of model=sandybridge-ep");
	for (;; at++) {
		if (run->setup.boxes.hidden_count == BOXES_HIDDEN)
			return fail_uncore(error, "hide", value, "too many functions", "16");
		at = take_function(at, &run->setup.boxes.hidden[run->setup.boxes.hidden_count++]);
		if (!at || (*at && *at != ','))
			return fail_uncore(error, "hide", value, "no list of functions", allowed);
		if (!*at)
			return CONFIG_RUN;
	}
}

/* value: behind the "=". */
static enum config_result set_seed(struct config_run *run, const char *value, char *error)
{
	unsigned seed;
	const char *end = take_number(value, SEEDS, &seed);

	if (!end || *end) {
		fmt_print(error, CONFIG_ERROR_SIZE, "seed=%s: allowed are 0 to %u", value,
			  SEEDS - 1);
		return CONFIG_ERROR;
	}
	run->setup.seed = seed;
	return CONFIG_RUN;
}

/* After model and fault. */
static enum config_result set_uncore(struct config_run *run, const char *sockets, const char *hide,
				     char *error)
{
	const struct fault *fault = run->setup.fault;

	run->setup.boxes = (struct boxes_config){.sockets = 1};
	if (fault && fault->uncore && fault->uncore->sockets)
		run->setup.boxes.sockets = fault->uncore->sockets;
	if (*sockets && set_sockets(run, sockets, error) == CONFIG_ERROR)
		return CONFIG_ERROR;
	return *hide ? set_hidden(run, hide, error) : CONFIG_RUN;
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

/* value: behind the "=". */
static enum config_result set_native(struct config_run *run, const char *value, char *error)
{
	run->setup.single_step = is_word(value, "no");
	if (run->setup.single_step || is_word(value, "yes"))
		return CONFIG_RUN;
	fmt_print(error, CONFIG_ERROR_SIZE, "native=%s: allowed are native=yes, native=no", value);
	return CONFIG_ERROR;
}

static enum config_result fail_stage(char *error, const char *value)
{
	fmt_print(error, CONFIG_ERROR_SIZE, "stage=%s: no list of stages; allowed are", value);
	for (unsigned i = 0; stage_name(i); i++)
		add_word(error, stage_name(i));
	return CONFIG_ERROR;
}

/* The stage whose name stands at at, up to a comma or the end; 0: none. */
static uint32_t take_stage(const char *at, size_t length)
{
	const char *name;

	for (unsigned i = 0; (name = stage_name(i)); i++)
		if (strlen(name) == length && !memcmp(name, at, length))
			return 1u << i;
	return 0;
}

/* value: behind the "="; empty: none. */
static enum config_result set_stages(struct config_run *run, const char *value, char *error)
{
	const char *at = value;

	run->setup.stages = 0;
	while (*at) {
		size_t length = 0;
		uint32_t stage;

		while (at[length] && at[length] != ',')
			length++;
		stage = take_stage(at, length);
		at += length;
		if (!stage || (*at && !*++at))
			return fail_stage(error, value);
		run->setup.stages |= stage;
	}
	return CONFIG_RUN;
}

/* The values of one line, by their keys. */
enum key { KEY_MODEL, KEY_FAULT, KEY_SEED, KEY_SOCKETS, KEY_HIDE, KEY_NATIVE, KEY_STAGE, KEYS };
static const char *const keys[KEYS] = {
	"model=", "fault=", "seed=", "sockets=", "hide=", "native=", "stage="};

/* False: the word has none of the keys. */
static bool take_value(const char *word, char values[KEYS][WORD])
{
	for (unsigned key = 0; key < KEYS; key++)
		if (starts_with(word, keys[key])) {
			size_t length = strlen(keys[key]);

			memcpy(values[key], word + length, WORD - length);
			return true;
		}
	return false;
}

static enum config_result set_all(struct config_run *run, char values[KEYS][WORD], char *error)
{
	enum config_result result = set_model(run, values[KEY_MODEL], error);

	if (result == CONFIG_RUN)
		result = set_fault(run, values[KEY_FAULT], error);
	if (result == CONFIG_RUN)
		result = set_seed(run, values[KEY_SEED], error);
	if (result == CONFIG_RUN)
		result = set_native(run, values[KEY_NATIVE], error);
	if (result == CONFIG_RUN)
		result = set_stages(run, values[KEY_STAGE], error);
	if (result == CONFIG_RUN)
		result = set_uncore(run, values[KEY_SOCKETS], values[KEY_HIDE], error);
	return result;
}

static enum config_result read_line(const char *at, struct config_run *run, char *error)
{
	char word[WORD], values[KEYS][WORD] = {[KEY_SEED] = "0", [KEY_NATIVE] = "yes"};

	run->options[0] = '\0';
	while (!ends_line(*(at = skip_space(at)))) {
		at = take_word(at, word);
		if (is_word(word, "--")) {
			if (set_options(run, at, error) == CONFIG_ERROR)
				return CONFIG_ERROR;
			break;
		}
		if (!take_value(word, values))
			return fail_word(error, word);
	}
	return set_all(run, values, error);
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
