/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Formatting against the C library's own, into rooms of every size.  The input is a list of
 * conversions: room (1 byte), letter, flags and length modifier (1), width (1), value (8), and for
 * %s as many characters behind it as the value's low byte says.
 */
#include "fuzz.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "kernel/lib/fmt.h"

#define FLAG_ZERO    0x01u
#define FLAG_LEFT    0x02u
#define FLAG_LONGS   0x0cu /* how many: 0 to 2 */
#define FLAG_LITERAL 0x10u /* text around the conversion */
#define FLAG_WIDTH   0x20u

enum { CONVERSIONS = 8 };

static const char letters[] = "udxsc";

static struct conversion {
	char format[40];
	char letter;
	unsigned longs;
	unsigned long long value;
	const char *text;
} conversion;

/* A conversion that glibc and this project mean alike: no 0 where it is undefined, no %c of NUL. */
static void take_conversion(struct input *in, struct conversion *c)
{
	unsigned flags, width;
	bool number;
	size_t length;

	c->letter = letters[input_number(in, 1) % (sizeof(letters) - 1)];
	number = c->letter != 's' && c->letter != 'c';
	flags = (unsigned)input_number(in, 1);
	width = (unsigned)input_number(in, 1);
	c->value = input_number(in, 8);
	c->longs = number ? (flags & FLAG_LONGS) >> 2 : 0;
	if (c->longs > 2)
		c->longs = 2;
	if (c->letter == 'c' && !(char)c->value)
		c->value = 'x';
	length = (uint8_t)c->value < in->left ? (uint8_t)c->value : in->left;
	if (c->letter == 's')
		c->text = fuzz_text(&(struct input){in->at, length});
	snprintf(c->format, sizeof(c->format), "%s%%%s%s", flags & FLAG_LITERAL ? "100%% of " : "",
		 flags & FLAG_ZERO && number ? "0" : "", flags & FLAG_LEFT ? "-" : "");
	length = strlen(c->format);
	if (flags & FLAG_WIDTH && width)
		length += (size_t)sprintf(c->format + length, "%u", width);
	sprintf(c->format + length, "%.*s%c%s", (int)c->longs, "ll", c->letter,
		flags & FLAG_LITERAL ? "%%." : "");
}

static size_t ours(char *out, size_t size, const char *format, ...)
{
	va_list args;
	size_t length;

	va_start(args, format);
	length = fmt_vprint(out, size, format, args);
	va_end(args);
	return length;
}

/* The types that the format asks for. */
#define PRINT(print, out, size, c)                                                                 \
	((c)->letter == 's'   ? print(out, size, (c)->format, (c)->text)                           \
	 : (c)->letter == 'c' ? print(out, size, (c)->format, (int)(char)(c)->value)               \
	 : (c)->longs == 2    ? print(out, size, (c)->format, (c)->value)                          \
	 : (c)->longs == 1    ? print(out, size, (c)->format, (unsigned long)(c)->value)           \
			      : print(out, size, (c)->format, (unsigned)(c)->value))

#pragma clang diagnostic ignored "-Wformat-nonliteral"

static void check_conversion(const struct conversion *c, size_t room)
{
	char *out = fuzz_block(room), *want = fuzz_block(room);
	size_t length = PRINT(ours, out, room, c);

	MUST(length == (size_t)PRINT(snprintf, want, room, c));
	if (room)
		MUST(!strcmp(out, want));
}

/* A letter that is none: the text before it, and a mark instead of what cannot be read. */
static void check_bad_letter(char letter, size_t room)
{
	char format[] = {'a', '%', letter, 'b', '\0'};
	char *out = fuzz_block(room + 1);

	if (!letter || strchr("udxsclL%-0123456789", letter))
		return;
	MUST(ours(out, room + 1, format) == strlen("a(bad format)"));
	MUST(!strncmp(out, "a(bad format)", room) && strlen(out) <= room);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct input in = {data, size};

	for (unsigned i = 0; i < CONVERSIONS && in.left; i++) {
		size_t room = input_number(&in, 1);

		check_bad_letter((char)room, room);
		take_conversion(&in, &conversion);
		check_conversion(&conversion, room);
	}
	fuzz_free_all();
	return 0;
}
