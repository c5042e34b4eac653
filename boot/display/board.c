/* SPDX-License-Identifier: BSD-2-Clause */
/* The state of a run: rows, columns, cells and figures. */
#include "board.h"

void board_copy(char *to, size_t size, const char *text)
{
	fmt_print(to, size, "%s", text);
}

void board_begin(struct board *board)
{
	memset(board, 0, sizeof(*board));
	board->running_group = BOARD_GROUPS;
}

/* ---- the names of tests: pmu.counter.group.test ---- */

struct name {
	char pmu[16], counter[16], group[16];
};

/* Up to a dot, cut to what fits. */
static const char *take_word(char *word, size_t size, const char *text)
{
	size_t n = 0;

	for (; *text && *text != '.'; text++)
		if (n + 1 < size)
			word[n++] = *text;
	word[n] = '\0';
	return *text ? text + 1 : text;
}

/* "cpu12", but not "cpu12-intel". */
static bool is_processor(const char *pmu)
{
	size_t n = 3;

	if (memcmp(pmu, "cpu", 3))
		return false;
	while (pmu[n] >= '0' && pmu[n] <= '9')
		n++;
	return n > 3 && !pmu[n];
}

/* Processors with a single result share a cell: there is a strip of them. */
static struct name split(const char *id)
{
	struct name name = {.pmu = ""};

	id = take_word(name.pmu, sizeof(name.pmu), id);
	if (is_processor(name.pmu))
		board_copy(name.pmu, sizeof(name.pmu), "cpus");
	id = take_word(name.counter, sizeof(name.counter), id);
	take_word(name.group, sizeof(name.group), id);
	return name;
}

static unsigned find_group(struct board *board, const char *name)
{
	unsigned g = 0;

	while (g < board->groups && strcmp(board->group[g].name, name))
		g++;
	if (g < board->groups)
		return g;
	/* The last row is of all that have none of their own. */
	if (g == BOARD_GROUPS)
		return g - 1;
	board_copy(board->group[g].name, sizeof(board->group[g].name), name);
	board->groups++;
	return g;
}

static bool is_column(const struct column *column, const struct name *name)
{
	return !strcmp(column->pmu, name->pmu) &&
	       (!column->counter[0] || !strcmp(column->counter, name->counter));
}

static unsigned find_column(struct board *board, const struct name *name, bool box)
{
	unsigned c = 0;

	while (c < board->columns && !is_column(&board->column[c], name))
		c++;
	if (c < board->columns)
		return c;
	/* The last column is of all that have none of their own. */
	if (c == BOARD_COLUMNS) {
		board->column[--c] = (struct column){.pmu = "others"};
		return c;
	}
	board_copy(board->column[c].pmu, sizeof(board->column[c].pmu), name->pmu);
	if (!box)
		board_copy(board->column[c].counter, sizeof(board->column[c].counter),
			   name->counter);
	board->columns++;
	return c;
}

/* ---- processors ---- */

/* "cpu12" and "cpu12-intel" are of number 12; what has no number, of the firmware's. */
static unsigned processor_of(const struct board *board, const char *id)
{
	unsigned n = 0;

	if (memcmp(id, "cpu", 3) || id[3] < '0' || id[3] > '9')
		return board->own;
	for (id += 3; *id >= '0' && *id <= '9' && n < BOARD_PROCESSORS; id++)
		n = n * 10 + (unsigned)(*id - '0');
	return n;
}

static void mark_processor(struct board *board, const char *id, enum mark mark)
{
	unsigned n = processor_of(board, id);

	if (n < BOARD_PROCESSORS && board->processor[n] < mark)
		board->processor[n] = (uint8_t)mark;
}

/* ---- what happens ---- */

void board_plan(struct board *board, const char *id, bool box, unsigned times)
{
	struct name name = split(id);
	struct group *group = &board->group[find_group(board, name.group)];

	group->cell[find_column(board, &name, box)].planned += times;
}

void board_run(struct board *board, const char *on, const char *id, const char *claim)
{
	struct name name = split(id);

	board_copy(board->running, sizeof(board->running), id);
	board_copy(board->claim, sizeof(board->claim), claim);
	board_copy(board->running_on, sizeof(board->running_on), on ? on : "");
	board->bars_before = board->bars;
	/* Tests on a processor with a single result have the names of the firmware's, and no cell.
	 */
	board->running_group = BOARD_GROUPS;
	if (on && memcmp(id, "cpu", 3))
		return;
	board->running_group = find_group(board, name.group);
	board->running_column = find_column(board, &name, false);
}

void board_result(struct board *board, const char *id, enum mark mark)
{
	struct name name = split(id);
	struct cell *cell;

	board_copy(board->last_id, sizeof(board->last_id), id);
	board->last_group = find_group(board, name.group);
	board->last_column = find_column(board, &name, false);
	cell = &board->group[board->last_group].cell[board->last_column];
	cell->done++;
	if (cell->worst < mark)
		cell->worst = (uint8_t)mark;
	mark_processor(board, id, mark);
	board->results++;
	board->count[mark]++;
	board->running_group = BOARD_GROUPS;
	board->running[0] = '\0';
}

void board_worsen(struct board *board)
{
	board->group[board->last_group].cell[board->last_column].worst = MARK_ERROR;
	mark_processor(board, board->last_id, MARK_ERROR);
	board->count[MARK_FAIL]--;
	board->count[MARK_ERROR]++;
}

void board_forget_results(struct board *board)
{
	for (unsigned g = 0; g < board->groups; g++)
		for (unsigned c = 0; c < board->columns; c++)
			board->group[g].cell[c].done = board->group[g].cell[c].worst = 0;
	memset(board->count, 0, sizeof(board->count));
	memset(board->processor, 0, sizeof(board->processor));
	board->results = board->failures = board->kept = board->pmus = 0;
	board->last = NULL;
	board->note[0] = '\0';
}

/* ---- what cells show ---- */

unsigned board_running_processor(const struct board *board)
{
	return processor_of(board, board->running_on[0] ? board->running_on : board->running);
}

enum mark board_processor(const struct board *board, unsigned n)
{
	enum mark mark = board->processor[n];

	if (mark < MARK_FAIL && board->running[0] && board_running_processor(board) == n)
		return MARK_RUNNING;
	return mark ? mark : MARK_WAITING;
}

enum mark board_mark(const struct board *board, unsigned group, unsigned column)
{
	const struct cell *cell = &board->group[group].cell[column];

	if (cell->worst >= MARK_FAIL)
		return cell->worst;
	if (board->running_group == group && board->running_column == column)
		return MARK_RUNNING;
	if (cell->done < cell->planned)
		return MARK_WAITING;
	return cell->worst;
}

enum mark board_group_mark(const struct board *board, unsigned group)
{
	enum mark worst = MARK_NONE;

	for (unsigned c = 0; c < board->columns; c++)
		if (worst < board_mark(board, group, c))
			worst = board_mark(board, group, c);
	return worst;
}
