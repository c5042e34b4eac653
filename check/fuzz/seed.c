/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * From a seed that people can read to the bytes that a fuzz target takes.  Standard input holds
 * words: numbers of 2, 4, 8 or 16 hexadecimal digits, written little-endian; "text", without the
 * quotes; NUMBERxWORD, a decimal number of times; # begins a comment.
 */
#include <ctype.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void refuse(const char *word)
{
	fprintf(stderr, "seed: \"%s\" is not understood\n", word);
	exit(1);
}

static void put_number(const char *word)
{
	size_t digits = strlen(word);
	unsigned long long value = strtoull(word, NULL, 16);

	if (strspn(word, "0123456789abcdef") != digits ||
	    (digits != 2 && digits != 4 && digits != 8 && digits != 16))
		refuse(word);
	for (; digits; digits -= 2, value >>= 8)
		putchar((int)(value & 0xff));
}

static void put_word(const char *word)
{
	const char *times = strchr(word, 'x');
	unsigned long count = times ? strtoul(word, NULL, 10) : 1;

	while (count--)
		put_number(times ? times + 1 : word);
}

static void skip_comment(void)
{
	int c;

	while ((c = getchar()) != EOF && c != '\n')
		;
}

static void copy_text(void)
{
	int c;

	while ((c = getchar()) != '"') {
		if (c == EOF)
			refuse("text without an end");
		putchar(c);
	}
}

int main(void)
{
	char word[40];
	int c;

	while ((c = getchar()) != EOF) {
		if (c == '#') {
			skip_comment();
		} else if (c == '"') {
			copy_text();
		} else if (!isspace(c)) {
			ungetc(c, stdin);
			if (scanf("%39s", word) == 1)
				put_word(word);
		}
	}
	return ferror(stdin) || fflush(stdout);
}
