/* SPDX-License-Identifier: BSD-2-Clause */
/* The program's options: text to struct, nothing else. */
#include "options.h"

#include "kernel/lib/bits.h"
#include "kernel/lib/fmt.h"
#include "kernel/lib/string.h"

#define WORD_MAX    (OPTIONS_TESTS_MAX + 16)
#define NAMED_MAX   40u /* so much of a word is repeated in a sentence about it */

#define REPEAT_MAX  1000000u
#define TIMEOUT_MAX 3600u

/* One word being read; value is the part after "=", or NULL. */
struct word {
	char text[WORD_MAX];
	const char *value;
	char *error;
};

/* Reads word->value; false: word->error says why not. */
typedef bool option_reader(struct options *options, struct word *word);

struct option {
	const char *key;
	bool has_value;
	option_reader *read;
};

/* Cut down where it would leave no room for what is allowed; what then follows it. */
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

static bool same(const char *a, const char *b)
{
	size_t length = strlen(a);

	return length == strlen(b) && !memcmp(a, b, length);
}

/* Index of text in the NULL-terminated list; -1: not there. */
static int find(const char *const *list, const char *text)
{
	int i;

	for (i = 0; list[i]; i++)
		if (same(list[i], text))
			return i;
	return -1;
}

/* The same of the word's value; -1: refused. */
static int choose(struct word *word, const char *const *list, const char *allowed)
{
	int choice = find(list, word->value);

	if (choice < 0)
		refuse(word, allowed);
	return choice;
}

/* Two of them; false: refused. */
static bool read_switch(struct word *word, const char *const *list, const char *allowed, bool *on)
{
	int choice = choose(word, list, allowed);

	*on = choice > 0;
	return choice >= 0;
}

static int digit(char c)
{
	if (c >= '0' && c <= '9')
		return c - '0';
	c |= 0x20;
	return c >= 'a' && c <= 'f' ? c - 'a' + 10 : 99;
}

/* A number of at least one digit up to end (a character, or NUL) and at most max. */
static const char *read_number(const char *text, unsigned base, uint32_t max, uint32_t *value)
{
	uint64_t sum = 0;
	const char *p;

	for (p = text; digit(*p) < (int)base; p++) {
		sum = sum * base + (unsigned)digit(*p);
		if (sum > max)
			return NULL;
	}
	*value = (uint32_t)sum;
	return p == text ? NULL : p;
}

static bool read_range(const char *text, uint32_t max, uint32_t *value)
{
	const char *end = read_number(text, 10, max, value);

	return end && !*end && *value;
}

/* Globs in a list with no empty one among them: an empty glob would silently match nothing. */
static bool read_tests(struct options *options, struct word *word)
{
	const char *allowed = "tests=GLOB[,GLOB]..., such as tests=*.count.*,amd.0.*";
	size_t length = strlen(word->value), i;

	if (!length || length >= sizeof(options->tests))
		return refuse(word, allowed);
	for (i = 0; i < length; i++)
		if (word->value[i] == ',' && (!i || i + 1 == length || word->value[i - 1] == ','))
			return refuse(word, allowed);
	memcpy(options->tests, word->value, length + 1);
	return true;
}

static bool read_list(struct options *options, struct word *word)
{
	(void)word;
	options->list = true;
	return true;
}

static bool read_port(struct serial_config *serial, const char *text)
{
	uint32_t port, baud = SERIAL_BAUD_DEFAULT;

	if (text[0] == '0' && (text[1] | 0x20) == 'x')
		text += 2;
	/* A UART has eight registers. */
	text = read_number(text, 16, 0xfff8, &port);
	if (!text || !port)
		return false;
	if (*text == ',' && (!read_range(text + 1, SERIAL_BAUD_CLOCK, &baud) ||
			     SERIAL_BAUD_CLOCK % baud || SERIAL_BAUD_CLOCK / baud > 0xffff))
		return false;
	if (*text && *text != ',')
		return false;
	*serial = (struct serial_config){SERIAL_PORT, (uint16_t)port, baud};
	return true;
}

static bool read_serial(struct options *options, struct word *word)
{
	static const char *const modes[] = {"auto", "none", NULL};
	int mode = find(modes, word->value);

	if (mode >= 0)
		options->serial = (struct serial_config){.mode = mode ? SERIAL_NONE : SERIAL_AUTO};
	else if (!read_port(&options->serial, word->value))
		return refuse(word, "serial=auto, serial=none or serial=PORT[,BAUD] with PORT in "
				    "hexadecimal and BAUD a divisor of 115200");
	return true;
}

static bool read_takeover(struct options *options, struct word *word)
{
	static const char *const ways[] = {"return", "exit", NULL};

	return read_switch(word, ways, "takeover=return or takeover=exit",
			   &options->exit_boot_services);
}

static bool read_other_thread(struct options *options, struct word *word)
{
	static const char *const ways[] = {"no", "yes", NULL};

	return read_switch(word, ways, "other-thread=no or other-thread=yes",
			   &options->other_thread);
}

static bool read_end(struct options *options, struct word *word)
{
	static const char *const endings[] = {
		[ENDING_RETURN] = "return", [ENDING_POWEROFF] = "poweroff",
		[ENDING_RESET] = "reset",   [ENDING_HALT] = "halt",
		[ENDING_HALT + 1] = NULL,
	};
	int ending = choose(word, endings, "end=return, end=poweroff, end=reset or end=halt");

	options->ending = (enum ending)ending;
	return ending >= 0;
}

static bool read_repeat(struct options *options, struct word *word)
{
	_Static_assert(REPEAT_MAX == 1000000, "as the text says");
	options->repeat = 0;
	return same(word->value, "forever") ||
	       read_range(word->value, REPEAT_MAX, &options->repeat) ||
	       refuse(word, "repeat=forever, or repeat=N with N from 1 to 1000000");
}

static bool read_on_fail(struct options *options, struct word *word)
{
	static const char *const ways[] = {"continue", "stop", NULL};

	return read_switch(word, ways, "on-fail=continue or on-fail=stop", &options->stop_on_fail);
}

static bool read_report(struct options *options, struct word *word)
{
	static const char *const ways[] = {"none", "auto", NULL};

	return read_switch(word, ways, "report=auto or report=none", &options->report_file);
}

static bool read_resume(struct options *options, struct word *word)
{
	static const char *const ways[] = {"none", "auto", NULL};

	return read_switch(word, ways, "resume=none or resume=auto", &options->resume);
}

static bool read_timeout(struct options *options, struct word *word)
{
	_Static_assert(TIMEOUT_MAX == 3600, "as the text says");
	return read_range(word->value, TIMEOUT_MAX, &options->timeout) ||
	       refuse(word, "timeout=SECONDS with SECONDS from 1 to 3600");
}

static bool read_verbose(struct options *options, struct word *word)
{
	(void)word;
	options->verbose = true;
	return true;
}

static const struct option option_table[] = {
	{"tests", true, read_tests},
	{"list", false, read_list},
	{"serial", true, read_serial},
	{"takeover", true, read_takeover},
	{"end", true, read_end},
	{"repeat", true, read_repeat},
	{"report", true, read_report},
	{"timeout", true, read_timeout},
	{"on-fail", true, read_on_fail},
	{"resume", true, read_resume},
	{"other-thread", true, read_other_thread},
	{"verbose", false, read_verbose},
};

static bool read_word(struct options *options, struct word *word)
{
	size_t key = 0, i;

	while (word->text[key] && word->text[key] != '=')
		key++;
	word->value = word->text[key] ? word->text + key + 1 : NULL;
	for (i = 0; i < ARRAY_SIZE(option_table); i++)
		if (strlen(option_table[i].key) == key &&
		    !memcmp(option_table[i].key, word->text, key) &&
		    option_table[i].has_value == (word->value != NULL))
			return option_table[i].read(options, word);
	return refuse(word, "tests= list serial= takeover= end= repeat= on-fail= resume= report= "
			    "timeout= other-thread= verbose");
}

/* Copies the word at text; NULL: it is too long. */
static const char *take_word(struct word *word, const char *text)
{
	const char *more;
	size_t n = 0;

	for (; *text && *text != '#' && !options_is_space(*text); text++) {
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
	*options = (struct options){.repeat = 1, .timeout = 10, .report_file = true};
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
			if (!text || !read_word(options, &word))
				return false;
		}
	}
	return true;
}

bool options_check(const struct options *options, char *error)
{
	if (options->resume && (options->exit_boot_services || !options->repeat)) {
		fmt_print(
			error, OPTIONS_ERROR_MAX,
			"option \"resume=auto\" needs takeover=return, for the firmware writes how "
			"far it has come, and a number of repetitions");
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
