/* SPDX-License-Identifier: BSD-2-Clause */
/* The smallest program that shows what has been found. */
#include "random.h"

enum { SHRINKS = 300, LINE = 100 };

/* Parts of the program that make no difference are left out, halves first. */
struct program program_shrink(struct run *t, struct program program, program_fails *fails,
			      const void *trial)
{
	unsigned left = SHRINKS;
	struct program once = program;

	once.turns = 1;
	if (fails(t, &once, trial))
		program = once;
	for (unsigned n = program.ops / 2; n; n /= 2)
		for (unsigned first = 0; first < program.ops && left; left--) {
			struct program less = program_without(&program, first, n);

			if (fails(t, &less, trial))
				program = less;
			else
				first += n;
		}
	return program;
}

void program_report(const struct program *program)
{
	char line[LINE], text[OP_TEXT];
	unsigned length = 0;

	for (unsigned i = 0; i < program->ops; i++) {
		const struct op *op = &program->op[i];
		bool begins = i && op->section != program->op[i - 1].section;

		op_text(text, op);
		if (length && (begins || length + strlen(text) + 2 >= LINE)) {
			report_diag("  %s", line);
			length = 0;
		}
		if (!length && op->section && (begins || !i))
			length = (unsigned)fmt_print(line, LINE, "sub%u: ", op->section);
		length += (unsigned)fmt_print(line + length, LINE - length, "%s; ", text);
	}
	if (length)
		report_diag("  %s", line);
}
