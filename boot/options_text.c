/* SPDX-License-Identifier: BSD-2-Clause */
/* From what firmware hands over to the text of the options: pure computation. */
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

/* Does the word at text hold a backslash, or ".efi" in whatever case? */
static bool looks_like_file(const char *text, const char *end)
{
	for (; text < end; text++) {
		if (*text == '\\')
			return true;
		if (end - text >= 4 && text[0] == '.' && (text[1] | 0x20) == 'e' &&
		    (text[2] | 0x20) == 'f' && (text[3] | 0x20) == 'i')
			return true;
	}
	return false;
}

const char *options_skip_image(const char *text, bool from_shell)
{
	bool quoted;
	const char *end;

	while (options_is_space(*text))
		text++;
	quoted = *text == '"';
	for (end = text + quoted; *end && (quoted ? *end != '"' : !options_is_space(*end)); end++)
		;
	if (quoted && *end)
		end++;
	return from_shell || quoted || looks_like_file(text, end) ? end : text;
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

const char *options_of_caller(char text[OPTIONS_TEXT_MAX], const void *data, size_t size,
			      bool from_shell, bool *binary)
{
	bool whole = options_decode(text, data, size, true);

	*binary = false;
	move_to_front(text, options_skip_image(text, from_shell));
	if (!from_shell && !options_is_text(text)) {
		*binary = true;
		text[0] = '\0';
		return NULL;
	}
	return whole ? NULL : "they are too long: allowed are 4095 characters";
}
