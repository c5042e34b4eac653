/* SPDX-License-Identifier: BSD-2-Clause */
/* Programs: lists of operations, which can be cut anywhere. */
#include "random.h"

enum { TURNS = 3, OPS_LEAST = 4, LEAF_OPS = 6 };

static void draw_section(struct draw *draw, struct program *program, unsigned section, unsigned ops,
			 uint32_t ways)
{
	for (unsigned i = 0; i < ops && program->ops < OPS_MAX; i++)
		program->op[program->ops++] = op_draw(draw, section, ways);
}

struct program program_draw(struct draw *draw, uint32_t ways)
{
	struct program program = {.turns = 1 + draw_below(draw, TURNS)};
	unsigned most = OPS_MAX - (SECTIONS - 1) * LEAF_OPS;

	draw_section(draw, &program, 0, OPS_LEAST + draw_below(draw, most - OPS_LEAST), ways);
	for (unsigned section = 1; section < SECTIONS; section++)
		draw_section(draw, &program, section, draw_below(draw, LEAF_OPS), ways);
	return program;
}

struct program program_without(const struct program *program, unsigned first, unsigned n)
{
	struct program less = {.turns = program->turns};

	for (unsigned i = 0; i < program->ops; i++)
		if (i < first || i >= first + n)
			less.op[less.ops++] = program->op[i];
	return less;
}
