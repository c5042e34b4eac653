/* SPDX-License-Identifier: BSD-2-Clause */
/* The lines of the tables of recorded processors: README.md. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { ROW_FACTS = 64 };

/* A fact: what CPUID answers to one leaf, or what an MSR holds. */
struct fact {
	bool msr;
	uint32_t number, subleaf;
	uint64_t value[4]; /* EAX to EDX; of an MSR the first */
};

/* A line of a table: README.md. */
struct row {
	const char *file;
	unsigned line;
	char name[64];
	struct fact fact[ROW_FACTS];
	size_t facts;
	char expected[256]; /* the words behind ">" */
};

/* Calls use() with each row of the file; ends the process with a message where it is malformed. */
void rows_read(const char *file, void (*use)(const struct row *));

/* Copies the word behind "KEY=" in the expected words to value[size]; empty if it is not there. */
void row_expects(const struct row *row, const char *key, char *value, size_t size);

/* The same as a number; -1 if it is not there. */
long row_expects_number(const struct row *row, const char *key, int base);

/* The line, and what is wrong with it. */
_Noreturn void row_malformed(const char *file, unsigned line, const char *why);
