/* SPDX-License-Identifier: BSD-2-Clause */
/* The table of published errata. */
#include "processors.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ERRATA_MAX = 64 };

static struct {
	char ids[64], parts[128], signatures[64];
} errata[ERRATA_MAX];
static size_t count;

/* The text up to the next "|", without blanks around it. */
static const char *take_column(const char *from, char *column, size_t size)
{
	size_t length = strcspn(from, "|\n");
	const char *next = from + length + (from[length] == '|');

	while (length && from[length - 1] == ' ')
		length--;
	for (; length && *from == ' '; length--)
		from++;
	snprintf(column, size, "%.*s", (int)length, from);
	return next;
}

void errata_read(const char *file)
{
	char text[256];
	FILE *from = fopen(file, "r");
	unsigned line = 0;

	if (!from)
		row_malformed(file, 0, "cannot be read");
	while (fgets(text, sizeof(text), from)) {
		const char *at = text;

		line++;
		if (*text == '#' || *text == '\n')
			continue;
		if (count == ERRATA_MAX || !strchr(text, '|'))
			row_malformed(file, line, "too many errata, or no | in one");
		at = take_column(at, errata[count].ids, sizeof(errata[count].ids));
		at = take_column(at, errata[count].parts, sizeof(errata[count].parts));
		take_column(at, errata[count].signatures, sizeof(errata[count].signatures));
		count++;
	}
	fclose(from);
}

static bool has_word(const char *list, const char *word)
{
	size_t length = strlen(word);

	for (; *list; list += strcspn(list, " "), list += strspn(list, " "))
		if (strcspn(list, " ") == length && !strncmp(list, word, length))
			return true;
	return false;
}

static bool in_ranges(const char *ranges, uint32_t signature)
{
	while (*ranges) {
		char *end;
		unsigned long first = strtoul(ranges, &end, 16), last = strtoul(end + 1, &end, 16);

		if (signature >= first && signature <= last)
			return true;
		ranges = end + strspn(end, " ");
	}
	return false;
}

void errata_of(const char *part, uint32_t signature, void (*use)(const char *ids))
{
	for (size_t i = 0; i < count; i++)
		if (has_word(errata[i].parts, part) &&
		    (!*errata[i].signatures || in_ranges(errata[i].signatures, signature)))
			use(errata[i].ids);
}
