/* SPDX-License-Identifier: BSD-2-Clause */
/* The text of the options, made of what firmware hands over: pure computation. */
#include "options.h"

bool options_is_text(const char *text)
{
	for (; *text; text++)
		if (!options_is_space(*text) && (*text < ' ' || *text > '~'))
			return false;
	return true;
}

static char ascii(unsigned c)
{
	return c < 0x80 ? (char)c : 0x7f;
}

bool options_decode(char out[OPTIONS_TEXT_MAX], const void *data, size_t size, bool ucs2)
{
	const uint8_t *p = data, *end = p + size;
	size_t n;
	unsigned c;

	if (size >= 2 && p[0] == 0xff && p[1] == 0xfe) {
		ucs2 = true;
		p += 2;
	} else if (!ucs2 && size >= 3 && p[0] == 0xef && p[1] == 0xbb && p[2] == 0xbf) {
		p += 3;
	}
	for (n = 0; (size_t)(end - p) >= 1u + ucs2; n++) {
		c = ucs2 ? p[0] | (unsigned)p[1] << 8 : p[0];
		p += 1 + ucs2;
		if (!c)
			break;
		if (n == OPTIONS_TEXT_MAX - 1) {
			out[n] = '\0';
			return false;
		}
		out[n] = ascii(c);
	}
	out[n] = '\0';
	return true;
}

/* A word of the options: from text up to, but not including, end. */
struct word {
	const char *text, *end;
};

/* The first one, without its quotes; *behind: what follows it. */
static struct word first_word(const char *text, const char **behind)
{
	bool quoted = *text == '"';
	struct word word = {text + quoted, text + quoted};

	while (*word.end && (quoted ? *word.end != '"' : !options_is_space(*word.end)))
		word.end++;
	*behind = word.end + (quoted && *word.end);
	return word;
}

static char lower(char c)
{
	return c >= 'A' && c <= 'Z' ? (char)(c | 0x20) : c;
}

/* Is it the first length characters of name, in whatever case? */
static bool is_same(struct word word, const char *name, size_t length)
{
	if ((size_t)(word.end - word.text) != length)
		return false;
	for (size_t i = 0; i < length; i++)
		if (lower(word.text[i]) != lower(name[i]))
			return false;
	return true;
}

static bool ends_in_efi(struct word word)
{
	return word.end - word.text >= 4 &&
	       is_same((struct word){word.end - 4, word.end}, ".efi", 4);
}

static bool has(struct word word, char c)
{
	while (word.text < word.end)
		if (*word.text++ == c)
			return true;
	return false;
}

static bool looks_like_file(struct word word)
{
	return ends_in_efi(word) || has(word, '\\');
}

/* A path to the image, or its name; the ending may be missing. */
static bool names_image(struct word word, const char *image)
{
	size_t length = strlen(image), stem = length;

	while (stem && image[stem] != '.')
		stem--;
	for (const char *p = word.text; p < word.end; p++)
		if (*p == '\\' || *p == '/' || *p == ':')
			word.text = p + 1;
	return length && (is_same(word, image, length) || (stem && is_same(word, image, stem)));
}

const char *options_skip_image(const char *text, bool from_shell, const char *image)
{
	struct word word;
	const char *behind;

	while (options_is_space(*text))
		text++;
	word = first_word(text, &behind);
	return from_shell || looks_like_file(word) || names_image(word, image) ? behind : text;
}

_Static_assert(OPTIONS_TEXT_MAX - 1 == 4095, "as the sentences say");

const char *options_of_file(char text[OPTIONS_TEXT_MAX], const void *data, size_t size)
{
	if (!options_decode(text, data, size, false))
		return "the file is too long: allowed are 4095 characters";
	return NULL;
}

static void move_to_front(char *text, const char *from)
{
	do
		*text++ = *from;
	while (*from++);
}

/* Does the first word have a slash, or ".elf"? */
static bool is_loaded(const char *text, const char *end)
{
	for (; text < end; text++)
		if (*text == '/' || (end - text >= 4 && !memcmp(text, ".elf", 4)))
			return true;
	return false;
}

bool options_of_loader(char text[OPTIONS_TEXT_MAX], const char *line)
{
	const char *end;

	while (options_is_space(*line))
		line++;
	for (end = line; *end && !options_is_space(*end); end++)
		;
	if (is_loaded(line, end))
		line = end;
	return options_decode(text, line, strlen(line), false);
}

const char *options_of_caller(char text[OPTIONS_TEXT_MAX], const struct options_caller *caller,
			      bool *binary)
{
	bool whole = options_decode(text, caller->options, caller->size, true);

	*binary = false;
	move_to_front(text, options_skip_image(text, caller->is_shell, caller->image));
	if (!caller->is_shell && !options_is_text(text)) {
		*binary = true;
		text[0] = '\0';
		return NULL;
	}
	return whole ? NULL : "they are too long: allowed are 4095 characters";
}

#define BEGINNING_MAX 40u

void options_from(char from[OPTIONS_FROM_MAX], const char *text)
{
	char beginning[BEGINNING_MAX + 1];
	size_t length, shown;

	while (options_is_space(*text))
		text++;
	for (length = strlen(text); length && options_is_space(text[length - 1]); length--)
		;
	if (!length || !options_is_text(text)) {
		fmt_print(from, OPTIONS_FROM_MAX, "load options");
		return;
	}
	for (shown = 0; shown < length && shown < BEGINNING_MAX; shown++)
		beginning[shown] = options_is_space(text[shown]) ? ' ' : text[shown];
	beginning[shown] = '\0';
	fmt_print(from, OPTIONS_FROM_MAX, "load options \"%s%s\"", beginning,
		  shown < length ? "..." : "");
}

/* ---- numbers ---- */

static int digit(char c)
{
	if (c >= '0' && c <= '9')
		return c - '0';
	c |= 0x20;
	return c >= 'a' && c <= 'f' ? c - 'a' + 10 : 99;
}

const char *options_number(const char *text, unsigned base, uint64_t max, uint64_t *value)
{
	uint64_t sum = 0;
	const char *p;

	for (p = text; digit(*p) < (int)base; p++) {
		sum = sum * base + (unsigned)digit(*p);
		if (sum > max)
			return NULL;
	}
	*value = sum;
	return p == text ? NULL : p;
}

bool options_range(const char *text, uint32_t min, uint32_t max, uint32_t *value)
{
	uint64_t number;
	const char *end = options_number(text, 10, max, &number);

	if (!end || *end || number < min)
		return false;
	*value = (uint32_t)number;
	return true;
}
