/* SPDX-License-Identifier: BSD-2-Clause */
/* The program's options: text to struct, nothing else. */
#include "options.h"

#define WORD_MAX        (OPTIONS_TESTS_MAX + 16)
#define NAMED_MAX       40u /* characters of a word that a sentence about it repeats */

#define REPEAT_MAX      1000000u
#define TIMEOUT_MAX     3600u
#define CPU_TIMEOUT_MAX 86400u
#define RARE_MIN        10000u
#define RARE_MAX        100000000u
#define RANDOM_MAX      1000000u
#define SEED_MAX        999999999u

/* One word being read; value is the part after "=", or NULL. */
struct word {
	char text[WORD_MAX];
	const char *value;
	char *error;
};

/* "key=value", or "key" alone, which sets a bool. */
struct option {
	const char *key;
	size_t offset; /* in struct options, of the byte that is set */
	const char *values[4]; /* the byte becomes the index of the value */
	bool (*read)(struct options *options, const char *value); /* instead; false: refused */
	const char *allowed; /* values that read accepts, in words */
};

/* A list of globs, none of them empty: an empty glob would silently match nothing. */
static bool read_tests(struct options *options, const char *value)
{
	size_t length = strlen(value), i;

	if (!length || length >= sizeof(options->tests))
		return false;
	for (i = 0; i <= length; i++)
		if ((value[i] == ',' || !value[i]) &&
		    (!i || value[i - 1] == ',' || value[i - 1] == '!'))
			return false;
	memcpy(options->tests, value, length + 1);
	return true;
}

static bool read_serial(struct options *options, const char *value)
{
	return serial_is_read(&options->serial, value);
}

static bool read_repeat(struct options *options, const char *value)
{
	options->repeat = 0;
	return !strcmp(value, "forever") || options_range(value, REPEAT_MAX, &options->repeat);
}

static bool read_timeout(struct options *options, const char *value)
{
	return options_range(value, TIMEOUT_MAX, &options->timeout);
}

/* A window of fewer events would hide no less than the short ones of other tests do. */
static bool read_rare(struct options *options, const char *value)
{
	options->rare = 0;
	return !strcmp(value, "0") ||
	       (options_range(value, RARE_MAX, &options->rare) && options->rare >= RARE_MIN);
}

static bool read_random(struct options *options, const char *value)
{
	options->random = 0;
	return !strcmp(value, "0") || options_range(value, RANDOM_MAX, &options->random);
}

static bool read_seed(struct options *options, const char *value)
{
	return options_range(value, SEED_MAX, &options->seed);
}

static bool read_cpus(struct options *options, const char *value)
{
	size_t length = strlen(value);

	if (length >= sizeof(options->cpus) || !cpus_is_valid(value))
		return false;
	memcpy(options->cpus, value, length + 1);
	return true;
}

static bool read_cpu_timeout(struct options *options, const char *value)
{
	return options_range(value, CPU_TIMEOUT_MAX, &options->cpu_timeout);
}

_Static_assert(CPU_TIMEOUT_MAX == 86400, "as the sentences say");
_Static_assert(REPEAT_MAX == 1000000 && TIMEOUT_MAX == 3600, "as the sentences say");
_Static_assert(RARE_MIN == 10000 && RARE_MAX == 100000000, "as the sentences say");
_Static_assert(RANDOM_MAX == 1000000 && SEED_MAX == 999999999, "as the sentences say");
_Static_assert(sizeof(bool) == 1, "a byte is set");

#define BYTE(field) .offset = offsetof(struct options, field)

static const struct option option_table[] = {
	{"tests", .read = read_tests,
	 .allowed = "tests=GLOB[,GLOB]..., such as tests=*.count.*,!amd.0.*"},
	{"list", BYTE(list)},
	{"serial", .read = read_serial,
	 .allowed = "serial=auto, none, PORT[,BAUD], mmio:ADDRESS, mmio32:ADDRESS or "
		    "pci:BUS:DEVICE.FUNCTION, in hexadecimal, and BAUD a divisor of 115200"},
	{"takeover", BYTE(exit_boot_services), {"return", "exit"}},
	{"end", BYTE(ending), {"return", "poweroff", "reset", "halt"}}, /* enum ending */
	{"screen", BYTE(screen), {"matrix", "scroll", "none"}}, /* enum screen_mode */
	{"repeat", .read = read_repeat,
	 .allowed = "repeat=forever, or repeat=N with N from 1 to 1000000"},
	{"on-fail", BYTE(stop_on_fail), {"continue", "stop"}},
	{"resume", BYTE(resume), {"none", "auto"}},
	{"report", BYTE(report_file), {"none", "auto"}},
	{"timeout", .read = read_timeout, .allowed = "timeout=SECONDS with SECONDS from 1 to 3600"},
	{"rare", .read = read_rare,
	 .allowed = "rare=0, or rare=EVENTS with EVENTS from 10000 to 100000000"},
	{"random", .read = read_random,
	 .allowed = "random=N with N, of programs, from 0 to 1000000"},
	{"seed", .read = read_seed, .allowed = "seed=N with N from 1 to 999999999"},
	{"cpus", .read = read_cpus,
	 .allowed = "cpus=boot, cpus=kinds, cpus=cores, cpus=all, or a list as cpus=0,2-5"},
	{"cpu-timeout", .read = read_cpu_timeout,
	 .allowed = "cpu-timeout=SECONDS with SECONDS from 1 to 86400"},
	{"other-thread", BYTE(other_thread), {"no", "yes"}},
	{"facts", BYTE(all_facts), {"few", "all"}},
	{"apic", BYTE(enable_apic), {"leave", "enable"}},
	{"verbose", BYTE(verbose)},
};

/* ---- words ---- */

/* Cuts a long word, to leave room for what is allowed; returns a mark for what was cut. */
static const char *shorten(struct word *word)
{
	if (strlen(word->text) <= NAMED_MAX)
		return "";
	word->text[NAMED_MAX] = '\0';
	return "...";
}

static bool refuse(struct word *word, const char *allowed)
{
	const char *more = shorten(word);

	fmt_print(word->error, OPTIONS_ERROR_MAX,
		  "option \"%s%s\" is not understood: allowed is %s", word->text, more, allowed);
	return false;
}

static bool has_value(const struct option *option)
{
	return option->read || option->values[0];
}

static bool refuse_word(struct word *word)
{
	char keys[OPTIONS_ERROR_MAX];
	size_t length = 0;

	for (size_t i = 0; i < ARRAY_SIZE(option_table); i++)
		length += fmt_print(keys + length, sizeof(keys) - length, "%s%s%s", i ? " " : "",
				    option_table[i].key, has_value(&option_table[i]) ? "=" : "");
	return refuse(word, keys);
}

static bool refuse_choice(struct word *word, const struct option *option)
{
	char choices[OPTIONS_ERROR_MAX];
	size_t length = 0;

	for (size_t i = 0; i < ARRAY_SIZE(option->values) && option->values[i]; i++) {
		bool last = i + 1 == ARRAY_SIZE(option->values) || !option->values[i + 1];

		length += fmt_print(choices + length, sizeof(choices) - length, "%s%s=%s",
				    !i     ? ""
				    : last ? " or "
					   : ", ",
				    option->key, option->values[i]);
	}
	return refuse(word, choices);
}

static bool read_value(struct options *options, const struct option *option, struct word *word)
{
	uint8_t *byte = (uint8_t *)options + option->offset;

	if (option->read)
		return option->read(options, word->value) || refuse(word, option->allowed);
	if (!word->value) {
		*byte = true;
		return true;
	}
	for (unsigned i = 0; i < ARRAY_SIZE(option->values) && option->values[i]; i++)
		if (!strcmp(option->values[i], word->value)) {
			*byte = (uint8_t)i;
			return true;
		}
	return refuse_choice(word, option);
}

static bool read_word(struct options *options, struct word *word)
{
	size_t key = 0;

	while (word->text[key] && word->text[key] != '=')
		key++;
	word->value = word->text[key] ? word->text + key + 1 : NULL;
	for (const struct option *o = option_table; o < option_table + ARRAY_SIZE(option_table);
	     o++)
		if (strlen(o->key) == key && !memcmp(o->key, word->text, key) &&
		    has_value(o) == (word->value != NULL))
			return read_value(options, o, word);
	return refuse_word(word);
}

/* Copies the word at text, without quotes, and returns what follows it; NULL: the word is too long.
 */
static const char *take_word(struct word *word, const char *text)
{
	const char *more;
	size_t n = 0;

	for (; *text && *text != '#' && !options_is_space(*text); text++) {
		if (*text == '"')
			continue;
		if (n == sizeof(word->text) - 1) {
			word->text[n] = '\0';
			more = shorten(word);
			fmt_print(word->error, OPTIONS_ERROR_MAX,
				  "option \"%s%s\" is too long: allowed are %u characters",
				  word->text, more, WORD_MAX - 1);
			return NULL;
		}
		word->text[n++] = *text;
	}
	word->text[n] = '\0';
	return text;
}

void options_default(struct options *options)
{
	*options = (struct options){.repeat = 1,
				    .timeout = 10,
				    .rare = 3000000,
				    .random = 300,
				    .seed = 86,
				    .cpus = "boot",
				    .cpu_timeout = 600,
				    .report_file = true};
}

bool options_parse(struct options *options, const char *text, char *error)
{
	struct word word = {.error = error};

	if (!options_is_text(text)) {
		fmt_print(
			error, OPTIONS_ERROR_MAX,
			"the options hold a control or non-ASCII character: allowed is ASCII text");
		return false;
	}
	while (*text) {
		if (options_is_space(*text)) {
			text++;
		} else if (*text == '#') {
			while (*text && *text != '\n')
				text++;
		} else {
			text = take_word(&word, text);
			if (!text || (word.text[0] && !read_word(options, &word)))
				return false;
		}
	}
	return true;
}

/* The option that other processors need, and that is set otherwise, with the reason; NULL: there is
 * none. */
static const char *cpus_need(const struct options *options)
{
	if (options->exit_boot_services)
		return "takeover=return, for the firmware starts the other processors";
	if (options->other_thread)
		return "other-thread=no, for the firmware does not get back a thread that tests "
		       "have started";
	return NULL;
}

bool options_check(const struct options *options, char *error)
{
	if (options->resume && (options->exit_boot_services || !options->repeat)) {
		fmt_print(error, OPTIONS_ERROR_MAX,
			  "option \"resume=auto\" needs takeover=return, for the firmware records "
			  "how far the run has come, and a number of repetitions");
		return false;
	}
	if (strcmp(options->cpus, "boot") && cpus_need(options)) {
		fmt_print(error, OPTIONS_ERROR_MAX, "option \"cpus=%s\" needs %s", options->cpus,
			  cpus_need(options));
		return false;
	}
	if (options->exit_boot_services && options->ending == ENDING_RETURN) {
		fmt_print(error, OPTIONS_ERROR_MAX,
			  "option \"takeover=exit\" leaves no firmware to return to: it needs "
			  "end=poweroff, end=reset or end=halt");
		return false;
	}
	return true;
}
