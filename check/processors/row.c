/* SPDX-License-Identifier: BSD-2-Clause */
/* Reads the tables of recorded processors. */
#include "processors.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LINE_MAX_BYTES = 2048 };

void row_malformed(const char *file, unsigned line, const char *why)
{
	fprintf(stderr, "%s:%u: %s\n", file, line, why);
	exit(2);
}

/* Hexadecimal numbers with ':' between; one that is left out is 0. */
static bool read_values(const char *text, uint64_t value[4])
{
	char *end;

	for (unsigned i = 0; i < 4; i++) {
		value[i] = strtoull(text, &end, 16);
		if (!*end)
			return true;
		if (*end != ':')
			return false;
		text = end + 1;
	}
	return false;
}

/* LEAF=..., LEAF.SUBLEAF=... or mMSR=... */
static bool read_fact(const char *word, struct fact *fact)
{
	char *end;

	*fact = (struct fact){.msr = *word == 'm'};
	fact->number = (uint32_t)strtoul(word + fact->msr, &end, 16);
	if (*end == '.')
		fact->subleaf = (uint32_t)strtoul(end + 1, &end, 16);
	return *end == '=' && read_values(end + 1, fact->value);
}

static void read_row(struct row *row, char *text)
{
	char *rest, *word = strtok_r(text, " \n", &rest);

	snprintf(row->name, sizeof(row->name), "%s", word);
	row->facts = 0;
	while ((word = strtok_r(NULL, " \n", &rest)) != NULL && strcmp(word, ">") != 0) {
		if (row->facts == ROW_FACTS)
			row_malformed(row->file, row->line, "more facts than there is room for");
		if (!read_fact(word, &row->fact[row->facts++]))
			row_malformed(row->file, row->line, "no LEAF[.SUBLEAF]=... nor mMSR=...");
	}
	if (!word)
		row_malformed(row->file, row->line, "nothing is expected: no > in it");
	snprintf(row->expected, sizeof(row->expected), " %.*s", (int)strcspn(rest, "\n"), rest);
}

void rows_read(const char *file, void (*use)(const struct row *))
{
	static struct row row;
	char text[LINE_MAX_BYTES];
	FILE *from = fopen(file, "r");

	if (!from)
		row_malformed(file, 0, "cannot be read");
	row = (struct row){.file = file};
	while (fgets(text, sizeof(text), from)) {
		row.line++;
		if (!strchr(text, '\n'))
			row_malformed(file, row.line, "too long a line");
		if (*text == '#' || *text == '\n')
			continue;
		read_row(&row, text);
		use(&row);
	}
	fclose(from);
}

void row_expects(const struct row *row, const char *key, char *value, size_t size)
{
	char word[32];
	const char *at;

	snprintf(word, sizeof(word), " %s=", key);
	at = strstr(row->expected, word);
	at = at ? at + strlen(word) : "";
	snprintf(value, size, "%.*s", (int)strcspn(at, " "), at);
}

long row_expects_number(const struct row *row, const char *key, int base)
{
	char value[32];

	row_expects(row, key, value, sizeof(value));
	return *value ? strtol(value, NULL, base) : -1;
}
