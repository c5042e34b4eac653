/* SPDX-License-Identifier: BSD-2-Clause */
/* Lines "model=NAME [fault=NAME] [seed=N] [lawful=NAME,...] [sockets=N] [hide=D.F,...]
 * [native=yes|no] [stage=NAME,...] [cpus=N] [cpuN=[MODEL][:FAULT]]...
 * [-- options for the program]"; # starts a comment. */

#include "config.h"
#include "kernel/lib/fmt.h"
#include "kernel/lib/string.h"
#include "model/cpu/cpu.h"
#include "model/profiles/profiles.h"

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

/* Says in error what is wrong. */
static enum config_result refuse(char *error, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	fmt_vprint(error, CONFIG_ERROR_SIZE, format, args);
	va_end(args);
	return CONFIG_ERROR;
}

static void add_word(char *error, const char *word)
{
	size_t length = strlen(error);

	fmt_print(error + length, CONFIG_ERROR_SIZE - length, " %s", word);
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

/* ---- the values of keys; what stands behind the "=" ---- */

static enum config_result set_model(struct config_run *run, const char *name, char *error)
{
	const struct profile *profile;

	run->setup.profile = profile_find(name);
	if (run->setup.profile)
		return CONFIG_RUN;
	refuse(error, "model=%s: unknown; allowed are", name);
	for (unsigned i = 0; (profile = profile_at(i)); i++)
		add_word(error, profile->name);
	return CONFIG_ERROR;
}

static enum config_result refuse_fault(char *error, const char *name, const struct profile *profile)
{
	const struct fault *fault;

	refuse(error, "fault=%s: %s; allowed with model=%s are none", name,
	       fault_find(name) ? "not for this model" : "unknown", profile->name);
	for (unsigned i = 0; (fault = fault_at(i)); i++)
		if (fault_applies(fault, profile))
			add_word(error, fault->name);
	return CONFIG_ERROR;
}

static enum config_result set_fault(struct config_run *run, const char *name, char *error)
{
	const struct pmu_ops *boxes = run->setup.profile->pmus[1].ops;
	const struct fault *fault;

	run->fault_name = "none";
	run->setup.fault = NULL;
	run->setup.boxes = (struct boxes_config){.sockets = 1};
	if (!*name || !strcmp(name, "none"))
		return CONFIG_RUN;
	fault = fault_find(name);
	if (!fault)
		fault = generated_find(run->setup.profile, name);
	if (!fault || !fault_applies(fault, run->setup.profile))
		return refuse_fault(error, name, run->setup.profile);
	run->setup.fault = fault;
	run->fault_name = fault->name;
	if (boxes)
		run->setup.boxes.sockets = boxes->sockets(fault);
	return CONFIG_RUN;
}

static enum config_result set_seed(struct config_run *run, const char *value, char *error)
{
	unsigned seed;
	const char *end = take_number(value, SEEDS, &seed);

	run->setup.seed = seed;
	return end && !*end ? CONFIG_RUN
			    : refuse(error, "seed=%s: allowed are 0 to %u", value, SEEDS - 1);
}

static enum config_result set_native(struct config_run *run, const char *value, char *error)
{
	run->setup.single_step = !strcmp(value, "no");
	if (run->setup.single_step || !strcmp(value, "yes"))
		return CONFIG_RUN;
	return refuse(error, "native=%s: allowed are native=yes, native=no", value);
}

/* ---- lists ---- */

/* Sets a bit of set for each name in the list; false: a name that find() does not know.
 * find: 0, or the bit of the name that has this length and stands at at. */
static bool take_list(const char *at, const struct config_run *run,
		      uint64_t (*find)(const struct config_run *run, const char *at, size_t length),
		      uint64_t *set)
{
	while (*at) {
		size_t length = 0;
		uint64_t bits;

		while (at[length] && at[length] != ',')
			length++;
		bits = find(run, at, length);
		at += length;
		if (!bits || (*at && !*++at))
			return false;
		*set |= bits;
	}
	return true;
}

static bool is_name(const char *name, const char *at, size_t length)
{
	return strlen(name) == length && !memcmp(name, at, length);
}

static uint64_t find_stage(const struct config_run *run, const char *at, size_t length)
{
	const char *name;

	(void)run;
	for (unsigned i = 0; (name = stage_name(i)); i++)
		if (is_name(name, at, length))
			return UINT64_C(1) << i;
	return 0;
}

static enum config_result refuse_stage(char *error, const char *value)
{
	refuse(error, "stage=%s: no list of stages; allowed are", value);
	for (unsigned i = 0; stage_name(i); i++)
		add_word(error, stage_name(i));
	return CONFIG_ERROR;
}

static enum config_result set_stages(struct config_run *run, const char *value, char *error)
{
	uint64_t stages = 0;

	if (!take_list(value, run, find_stage, &stages))
		return refuse_stage(error, value);
	run->setup.stages = (uint32_t)stages;
	return CONFIG_RUN;
}

static uint64_t find_lawful(const struct config_run *run, const char *at, size_t length)
{
	uint64_t apply = lawful_of(run->setup.profile);
	const struct fault *lawful;

	for (unsigned i = 0; (lawful = lawful_at(i)); i++)
		if (apply >> i & 1 && is_name(lawful->name, at, length))
			return UINT64_C(1) << i;
	return is_name("all", at, length) ? apply : 0;
}

static enum config_result refuse_lawful(char *error, const char *value,
					const struct profile *profile)
{
	uint64_t apply = lawful_of(profile);

	refuse(error, "lawful=%s: no list of lawful variations; allowed with model=%s are", value,
	       profile->name);
	for (unsigned i = 0; lawful_at(i); i++)
		if (apply >> i & 1)
			add_word(error, lawful_at(i)->name);
	if (apply)
		add_word(error, "all");
	return CONFIG_ERROR;
}

/* With those that the seed has drawn. */
static enum config_result set_lawful(struct config_run *run, const char *value, char *error)
{
	run->setup.lawful = lawful_of_seed(run->setup.profile, run->setup.seed);
	if (take_list(value, run, find_lawful, &run->setup.lawful))
		return CONFIG_RUN;
	return refuse_lawful(error, value, run->setup.profile);
}

/* ---- boxes outside of the core ---- */

static enum config_result refuse_boxes(char *error, const char *key, const char *value)
{
	const struct profile *profile;

	refuse(error, "%s=%s: this model has no uncore; allowed are the models", key, value);
	for (unsigned i = 0; (profile = profile_at(i)); i++)
		if (profile->pmus[1].ops)
			add_word(error, profile->name);
	return CONFIG_ERROR;
}

static enum config_result set_sockets(struct config_run *run, const char *value, char *error)
{
	if (!*value)
		return CONFIG_RUN;
	if (!run->setup.profile->pmus[1].ops)
		return refuse_boxes(error, "sockets", value);
	if (strcmp(value, "1") && strcmp(value, "2"))
		return refuse(error,
			      "sockets=%s: no number of sockets; allowed are sockets=1, sockets=2",
			      value);
	run->setup.boxes.sockets = (unsigned)(*value - '0');
	return CONFIG_RUN;
}

/* "D.F"; NULL: no function of boxes. */
static const char *take_function(const char *at, uint8_t *df)
{
	unsigned device, function;

	at = take_number(at, 32, &device);
	if (!at || *at++ != '.' || !(at = take_number(at, 8, &function)))
		return NULL;
	*df = (uint8_t)(device << 3 | function);
	return silicon_is_boxes_function(*df) ? at : NULL;
}

static enum config_result set_hidden(struct config_run *run, const char *value, char *error)
{
	struct boxes_config *boxes = &run->setup.boxes;
	const char *at = value;

	if (!*value)
		return CONFIG_RUN;
	if (!run->setup.profile->pmus[1].ops)
		return refuse_boxes(error, "hide", value);
	for (;; at++) {
		if (boxes->hidden_count == BOXES_HIDDEN)
			return refuse(error, "hide=%s: too many functions; allowed are %u", value,
				      (unsigned)BOXES_HIDDEN);
		at = take_function(at, &boxes->hidden[boxes->hidden_count++]);
		if (!at || (*at && *at != ','))
			return refuse(error,
				      "hide=%s: no list of functions; allowed are functions of the "
				      "uncore, such as hide=8.2,9.2,8.6,9.6",
				      value);
		if (!*at)
			return CONFIG_RUN;
	}
}

/* ---- other processors ---- */

/* Those without a word of their own are like the first, but have no fault. */
static enum config_result set_cpus(struct config_run *run, const char *value, char *error)
{
	const char *end = take_number(value, CONFIG_CPUS + 1, &run->cpus);

	if (!end || *end || !run->cpus)
		return refuse(error, "cpus=%s: allowed are 1 to %u", value, (unsigned)CONFIG_CPUS);
	for (unsigned n = 1; n < run->cpus; n++) {
		run->cpu[n] = run->setup;
		run->cpu[n].fault = NULL;
	}
	return CONFIG_RUN;
}

/* Cuts "MODEL:FAULT" in two. */
static const char *cut_fault(char *value)
{
	while (*value && *value != ':')
		value++;
	if (!*value)
		return "";
	*value = '\0';
	return value + 1;
}

/* at: behind "cpu". */
static enum config_result set_cpu(struct config_run *run, char *at, char *error)
{
	struct config_run other = *run;
	unsigned number;
	char *value = (char *)(uintptr_t)take_number(at, run->cpus, &number);
	const char *fault;
	enum config_result result = CONFIG_RUN;

	if (!value || *value++ != '=' || !number)
		return refuse(error, "cpu%s: allowed are processors from 1, below cpus=%u", at,
			      run->cpus);
	fault = cut_fault(value);
	if (*value) {
		result = set_model(&other, value, error);
		/* What is drawn for the first one is of its own model. */
		other.setup.lawful = 0;
	}
	if (result == CONFIG_RUN)
		result = set_fault(&other, fault, error);
	run->cpu[number] = other.setup;
	return result;
}

/* ---- one line ---- */

/* In the order in which they are set: the model decides what may be broken, and both what the rest
 * may be. */
static const struct key {
	const char *name, *initial;
	enum config_result (*set)(struct config_run *run, const char *value, char *error);
} keys[] = {
	{"model=", "", set_model},     {"fault=", "", set_fault},      {"seed=", "0", set_seed},
	{"lawful=", "", set_lawful},   {"native=", "yes", set_native}, {"stage=", "", set_stages},
	{"sockets=", "", set_sockets}, {"hide=", "", set_hidden},      {"cpus=", "1", set_cpus},
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
			return refuse(error, "the options are too long: allowed are %u",
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
			result = set_cpu(run, word + 3, error);
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
			return refuse(
				error,
				"\"%s\": allowed are model=NAME fault=NAME seed=N "
				"lawful=NAME[,NAME...] sockets=1|2 hide=D.F[,D.F...] native=yes|no "
				"stage=NAME[,NAME...] cpus=N cpuN=[MODEL][:FAULT] -- and then "
				"options",
				word);
	}
	for (unsigned i = 0; i < KEYS && result == CONFIG_RUN; i++)
		result = keys[i].set(run, values[i], error);
	return result == CONFIG_RUN ? set_each_cpu(run, line, error) : result;
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
