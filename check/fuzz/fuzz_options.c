/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Options, from the bytes of a file or of load options to the values.  The first byte says which:
 * f: a file; u, s: the text of load options, from a boot manager or a shell; U, S: their bytes;
 * all else: a text given to options_parse() itself, however long.
 */
#include "fuzz.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "boot/options.h"

/* ---- from bytes to text ---- */

/* In UCS-2. */
static void widen(struct input *in)
{
	uint8_t *wide = fuzz_block(2 * in->left);

	for (size_t i = 0; i < in->left; i++) {
		wide[2 * i] = in->at[i];
		wide[2 * i + 1] = 0;
	}
	*in = (struct input){wide, 2 * in->left};
}

/* NULL: there is none.  Only a text too long for OPTIONS_TEXT_MAX may be refused. */
static const char *take_text(struct input *in)
{
	char *text = fuzz_block(OPTIONS_TEXT_MAX), kind = (char)input_number(in, 1);
	struct options_caller caller = {.is_shell = kind == 's' || kind == 'S',
					.image = "pmutest86.efi"};
	bool binary = false;
	const char *error;

	if (!strchr("fusUS", kind) || !kind)
		return fuzz_text(in);
	if (kind == 'u' || kind == 's')
		widen(in);
	in->at = fuzz_copy(in->at, in->left);
	caller.options = in->at;
	caller.size = in->left;
	error = kind == 'f' ? options_of_file(text, in->at, in->left)
			    : options_of_caller(text, &caller, &binary);
	if (error) {
		must_be_sentence(error);
		MUST(in->left >= OPTIONS_TEXT_MAX);
		/* Only text may be refused for being too long. */
		MUST(kind == 'f' || caller.is_shell || options_is_text(text));
		return NULL;
	}
	MUST(strlen(text) < OPTIONS_TEXT_MAX && strlen(text) <= in->left);
	MUST(!binary || !*text);
	MUST(kind == 'f' || caller.is_shell || options_is_text(text));
	return text;
}

/* ---- what is accepted ---- */

static void check_tests(const char *tests)
{
	size_t length = strlen(tests);

	MUST(memchr(tests, '\0', OPTIONS_TESTS_MAX));
	if (!length)
		return;
	must_be_sentence(tests);
	MUST(!strpbrk(tests, " #"));
	MUST(*tests != ',' && tests[length - 1] != ',' && !strstr(tests, ",,"));
}

static void check_serial(const struct serial_config *serial)
{
	const struct serial_uart *uart = &serial->uart;

	MUST(serial->mode <= SERIAL_PCI);
	if (serial->mode != SERIAL_UART)
		return;
	MUST(uart->address && uart->address % uart->width == 0);
	if (uart->memory) {
		MUST(uart->address <= SERIAL_ADDRESS_MAX);
		return;
	}
	MUST(uart->address <= UINT16_MAX - 7);
	MUST(uart->baud && SERIAL_BAUD_CLOCK % uart->baud == 0);
	MUST(SERIAL_BAUD_CLOCK / uart->baud <= UINT16_MAX);
}

static void spell_serial(char *text, size_t size, const struct serial_config *s)
{
	unsigned long long address = s->uart.address;

	switch (s->mode) {
	case SERIAL_AUTO:
		snprintf(text, size, "auto");
		break;
	case SERIAL_NONE:
		snprintf(text, size, "none");
		break;
	case SERIAL_PCI:
		snprintf(text, size, "pci:%x:%x.%x", s->function >> 8, s->function >> 3 & 31u,
			 s->function & 7u);
		break;
	case SERIAL_UART:
		if (s->uart.memory)
			snprintf(text, size, "mmio%s:%llx", s->uart.width == 4 ? "32" : "",
				 address);
		else
			snprintf(text, size, "%llx,%u", address, s->uart.baud);
		break;
	}
}

static void spell(char *text, size_t size, const struct options *o)
{
	static const char *const endings[] = {"return", "poweroff", "reset", "halt"};
	static const char *const screens[] = {"matrix", "scroll", "none"};
	char serial[40], repeat[12] = "forever";

	spell_serial(serial, sizeof(serial), &o->serial);
	if (o->repeat)
		snprintf(repeat, sizeof(repeat), "%u", o->repeat);
	snprintf(text, size,
		 "%s%s serial=%s takeover=%s end=%s screen=%s repeat=%s on-fail=%s resume=%s "
		 "report=%s facts=%s "
		 "timeout=%u rare=%u random=%u seed=%u%s%s",
		 o->tests[0] ? "tests=" : "", o->tests, serial,
		 o->exit_boot_services ? "exit" : "return", endings[o->ending], screens[o->screen],
		 repeat, o->stop_on_fail ? "stop" : "continue", o->resume ? "auto" : "none",
		 o->report_file ? "auto" : "none", o->all_facts ? "all" : "few", o->timeout,
		 o->rare, o->random, o->seed, o->list ? " list" : "", o->verbose ? " verbose" : "");
}

/* Options that were understood can be written out, and are then understood alike. */
static void check_round_trip(const struct options *options)
{
	char text[OPTIONS_TESTS_MAX + 256], again[sizeof(text)], error[OPTIONS_ERROR_MAX];
	struct options second;

	spell(text, sizeof(text), options);
	options_default(&second);
	MUST(options_parse(&second, text, error));
	spell(again, sizeof(again), &second);
	MUST(!strcmp(text, again));
}

static void check_accepted(const struct options *options)
{
	char error[OPTIONS_ERROR_MAX];

	check_tests(options->tests);
	check_serial(&options->serial);
	MUST(options->ending >= ENDING_RETURN && options->ending <= ENDING_HALT);
	MUST(options->screen <= SCREEN_NONE);
	MUST(options->repeat <= 1000000);
	MUST(options->timeout >= 1 && options->timeout <= 3600);
	MUST(options->random <= 1000000 && options->seed && options->seed <= 999999999);
	MUST(!options->rare || (options->rare >= 10000 && options->rare <= 100000000));
	check_round_trip(options);
	if (options_check(options, error))
		MUST(!options->exit_boot_services ||
		     (options->ending != ENDING_RETURN && !options->resume));
	else
		must_be_sentence(error);
}

/* ---- what is refused ---- */

/* For those in a text stand for nothing. */
static char *without_quotes(const char *text)
{
	char *out = fuzz_block(strlen(text) + 1), *p = out;

	do
		if (*text != '"')
			*p++ = *text;
	while (*text++);
	return out;
}

/* The word in quotes is one of the text, or its beginning and three dots; the sentence is whole. */
static void check_error(const char *error, const char *text)
{
	const char *word = error + strlen("option \""), *end;
	char named[OPTIONS_ERROR_MAX] = "";
	size_t length;

	must_be_sentence(error);
	MUST(strlen(error) < OPTIONS_ERROR_MAX - 1);
	MUST(strstr(error, "allowed"));
	if (!options_is_text(text))
		return;
	text = without_quotes(text);
	MUST(!strncmp(error, "option \"", 8));
	end = strstr(word, "\" is ");
	MUST(end);
	length = (size_t)(end - word);
	memcpy(named, word, length);
	if (!strstr(text, named)) {
		MUST(length > 3 && !strcmp(named + length - 3, "..."));
		named[length - 3] = '\0';
		MUST(strstr(text, named));
	}
	MUST(named[0]);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct input in = {data, size};
	const char *text = take_text(&in);
	struct options *options = fuzz_block(sizeof(*options));
	char *error = fuzz_block(OPTIONS_ERROR_MAX);

	if (text) {
		options_default(options);
		if (options_parse(options, text, error))
			check_accepted(options);
		else
			check_error(error, text);
	}
	fuzz_free_all();
	return 0;
}
