/* SPDX-License-Identifier: BSD-2-Clause */
/* The program's options: text to struct, nothing else. */
#include "options.h"

#define WORD_MAX  (OPTIONS_TESTS_MAX + 16)
#define NAMED_MAX 40u /* characters of a word that a sentence about it repeats */

/* One word being read; value is the part after "=", or NULL. */
struct word {
	char text[WORD_MAX];
	const char *value;
	char *error;
};

/* What an option's value is. */
enum kind {
	FLAG, /* none: "key" alone sets a bool */
	CHOICE, /* one of some words, whose index a byte becomes */
	NUMBER, /* a decimal number, which a uint32_t becomes */
	TEXT, /* what a function reads */
};

struct number {
	const char *unit; /* what it is a number of, as sentences name it */
	uint32_t min, max;
	const char *zero; /* the value that stands for 0 besides; NULL: there is none */
};

struct text {
	bool (*read)(struct options *options, const char *value); /* false: refused */
	const char *allowed; /* what it accepts, in words */
};

struct option {
	const char *key;
	enum kind kind;
	uint32_t offset; /* in struct options, of what is set; TEXT: read() knows */
	union {
		const char *choices[4]; /* up to NULL */
		struct number number;
		struct text text;
	};
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

static bool read_cpus(struct options *options, const char *value)
{
	size_t length = strlen(value);

	if (length >= sizeof(options->cpus) || !cpus_is_valid(value))
		return false;
	memcpy(options->cpus, value, length + 1);
	return true;
}

_Static_assert(sizeof(bool) == 1, "a byte is set");

#define AT(field) .offset = offsetof(struct options, field)

static const struct option option_table[] = {
	{"tests", TEXT,
	 .text = {read_tests, "tests=GLOB[,GLOB]..., such as tests=*.count.*,!amd.0.*"}},
	{"list", FLAG, AT(list)},
	{"serial", TEXT,
	 .text = {read_serial,
		  "serial=auto, none, PORT[,BAUD], mmio:ADDRESS, mmio32:ADDRESS or "
		  "pci:BUS:DEVICE.FUNCTION, in hexadecimal, and BAUD a divisor of 115200"}},
	{"takeover", CHOICE, AT(exit_boot_services), .choices = {"return", "exit"}},
	/* enum ending */
	{"end", CHOICE, AT(ending), .choices = {"return", "poweroff", "reset", "halt"}},
	/* enum screen_mode */
	{"screen", CHOICE, AT(screen), .choices = {"matrix", "scroll", "none"}},
	{"repeat", NUMBER, AT(repeat),
	 .number = {.unit = "TIMES", .min = 1, .max = 1000000, .zero = "forever"}},
	{"on-fail", CHOICE, AT(stop_on_fail), .choices = {"continue", "stop"}},
	{"resume", CHOICE, AT(resume), .choices = {"none", "auto"}},
	{"report", CHOICE, AT(report_file), .choices = {"none", "auto"}},
	{"timeout", NUMBER, AT(timeout), .number = {.unit = "SECONDS", .min = 1, .max = 3600}},
	/* A window of fewer events would hide no less than the short ones of other tests do. */
	{"rare", NUMBER, AT(rare),
	 .number = {.unit = "EVENTS", .min = 10000, .max = 100000000, .zero = "0"}},
	{"random", NUMBER, AT(random),
	 .number = {.unit = "PROGRAMS", .min = 1, .max = 1000000, .zero = "0"}},
	{"seed", NUMBER, AT(seed), .number = {.unit = "N", .min = 1, .max = 999999999}},
	{"cpus", TEXT,
	 .text = {read_cpus,
		  "cpus=boot, cpus=kinds, cpus=cores, cpus=all, or a list as cpus=0,2-5"}},
	{"cpu-timeout", NUMBER, AT(cpu_timeout),
	 .number = {.unit = "SECONDS", .min = 1, .max = 86400}},
	{"other-thread", CHOICE, AT(other_thread), .choices = {"no", "yes"}},
	{"facts", CHOICE, AT(all_facts), .choices = {"few", "all"}},
	{"apic", CHOICE, AT(enable_apic), .choices = {"leave", "enable"}},
	{"verbose", FLAG, AT(verbose)},
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

static bool refuse_word(struct word *word)
{
	char keys[OPTIONS_ERROR_MAX];
	size_t length = 0;

	for (size_t i = 0; i < ARRAY_SIZE(option_table); i++)
		length += fmt_print(keys + length, sizeof(keys) - length, "%s%s%s", i ? " " : "",
				    option_table[i].key, option_table[i].kind == FLAG ? "" : "=");
	return refuse(word, keys);
}

static bool refuse_choice(struct word *word, const struct option *option)
{
	const char *const *choices = option->choices;
	char allowed[OPTIONS_ERROR_MAX];
	size_t length = 0;

	for (size_t i = 0; i < ARRAY_SIZE(option->choices) && choices[i]; i++) {
		bool last = i + 1 == ARRAY_SIZE(option->choices) || !choices[i + 1];

		length += fmt_print(allowed + length, sizeof(allowed) - length, "%s%s=%s",
				    !i     ? ""
				    : last ? " or "
					   : ", ",
				    option->key, choices[i]);
	}
	return refuse(word, allowed);
}

static bool refuse_number(struct word *word, const struct option *option)
{
	const struct number *n = &option->number;
	char allowed[OPTIONS_ERROR_MAX];
	size_t length = 0;

	if (n->zero)
		length = fmt_print(allowed, sizeof(allowed), "%s=%s, or ", option->key, n->zero);
	fmt_print(allowed + length, sizeof(allowed) - length, "%s=%s with %s from %u to %u",
		  option->key, n->unit, n->unit, n->min, n->max);
	return refuse(word, allowed);
}

static bool read_choice(uint8_t *byte, const struct option *option, struct word *word)
{
	const char *const *choices = option->choices;

	for (unsigned i = 0; i < ARRAY_SIZE(option->choices) && choices[i]; i++)
		if (!strcmp(choices[i], word->value)) {
			*byte = (uint8_t)i;
			return true;
		}
	return refuse_choice(word, option);
}

static bool read_number(uint32_t *number, const struct option *option, struct word *word)
{
	const struct number *n = &option->number;

	*number = 0;
	return (n->zero && !strcmp(word->value, n->zero)) ||
	       options_range(word->value, n->min, n->max, number) || refuse_number(word, option);
}

static bool read_value(struct options *options, const struct option *option, struct word *word)
{
	void *field = (char *)options + option->offset;

	switch (option->kind) {
	case FLAG:
		*(bool *)field = true;
		return true;
	case CHOICE:
		return read_choice(field, option, word);
	case NUMBER:
		return read_number(field, option, word);
	case TEXT:
	default:
		return option->text.read(options, word->value) ||
		       refuse(word, option->text.allowed);
	}
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
		    (o->kind != FLAG) == (word->value != NULL))
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
