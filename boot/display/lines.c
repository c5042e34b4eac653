/* SPDX-License-Identifier: BSD-2-Clause */
/* The report, line by line: what each says of the run. */
#include "board.h"

/* The text behind the prefix; NULL: the line begins otherwise. */
static const char *behind(const char *line, const char *prefix)
{
	size_t length = strlen(prefix);

	return strlen(line) >= length && !memcmp(line, prefix, length) ? line + length : NULL;
}

static const char *find(const char *text, const char *part)
{
	while (*text && !behind(text, part))
		text++;
	return *text ? text : NULL;
}

static unsigned number(const char *text)
{
	unsigned n = 0;

	for (; *text >= '0' && *text <= '9'; text++)
		n = n * 10 + (unsigned)(*text - '0');
	return n;
}

static void cut(char *text, const char *from)
{
	char *at = (char *)find(text, from);

	if (at)
		*at = '\0';
}

/* ---- header lines ---- */

static void read_pmu(struct board *board, const char *text)
{
	char *pmu = board->pmu[board->pmus];

	/* Others than the first of a PMU say more of it. */
	if (board->pmus == ARRAY_SIZE(board->pmu) || !find(text, " bits"))
		return;
	board_copy(pmu, sizeof(board->pmu[0]), text);
	cut(pmu, ";");
	board->pmus++;
}

static void read_tsc(struct board *board, const char *text)
{
	fmt_print(board->tsc, sizeof(board->tsc), "TSC %u.%03u GHz", number(text) / 1000000,
		  number(text) / 1000 % 1000);
}

static void read_processors(struct board *board, const char *text)
{
	const char *own = find(text, "is cpu");

	board->processors = number(text);
	board->own = own ? number(own + 6) : 0;
}

static void read_cpu(struct board *board, const char *text)
{
	board_copy(board->cpu, sizeof(board->cpu), text);
	cut(board->cpu, " (CPUID");
}

static void read_hypervisor(struct board *board, const char *text)
{
	bool none = !strcmp(text, "none");

	fmt_print(board->hypervisor, sizeof(board->hypervisor), "%s%s",
		  none ? "silicon, no hypervisor" : "hypervisor ", none ? "" : text);
	cut(board->hypervisor, ": what is tested");
}

/* A panic's lines look like those below a result, but belong to none. */
static void panic_begins(struct board *board)
{
	board->panicked = true;
	board->last = NULL;
}

static void read_header(struct board *board, const char *line)
{
	const char *text;

	if ((text = behind(line, "# pmutest86 ")))
		board_copy(board->title, sizeof(board->title), text);
	else if ((text = behind(line, "# cpu: ")))
		read_cpu(board, text);
	else if ((text = behind(line, "# cpu name: ")))
		board_copy(board->name, sizeof(board->name), text);
	else if ((text = behind(line, "# microcode: ")))
		board_copy(board->microcode, sizeof(board->microcode), text);
	else if ((text = behind(line, "# hypervisor: ")))
		read_hypervisor(board, text);
	else if ((text = behind(line, "# TSC: ")))
		read_tsc(board, text);
	else if ((text = behind(line, "# pmu ")))
		read_pmu(board, text);
	else if ((text = behind(line, "# processors: ")) && *text >= '0' && *text <= '9')
		read_processors(board, text);
	else if (behind(line, "# panic, "))
		panic_begins(board);
	else if ((text = behind(line, "# round ")))
		board_copy(board->note, sizeof(board->note), line + 2);
}

/* ---- results, and what stands below them ---- */

/* "# SKIP" and "# TODO" end a name. */
static const char *take_id(char *id, size_t size, const char *text)
{
	while (*text >= '0' && *text <= '9')
		text++;
	if (*text == ' ')
		text++;
	board_copy(id, size, text);
	cut(id, " #");
	return text + strlen(id);
}

static void add_detail(struct told *told, const char *text)
{
	size_t room = sizeof(told->details) - told->length, length = strlen(text) + 1;

	if (length >= room)
		return;
	fmt_print(told->details + told->length, room, "%s\n", text);
	told->length += length;
}

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

/* Are they of one test, on another counter or box perhaps? */
static bool is_same_test(const char *a, const char *b)
{
	unsigned dots = 0;

	for (;; a++, b++) {
		while (dots < 2 && is_digit(*a))
			a++;
		while (dots < 2 && is_digit(*b))
			b++;
		if (*a != *b || !*a)
			return *a == *b;
		dots += *a == '.';
	}
}

/* Adds a counter by its number, if it is the same PMU's. */
static void add_also(struct told *told, const char *id)
{
	size_t used = strlen(told->also), at = 0;
	const char *dot = find(id, ".");
	bool same = dot && !memcmp(told->id, id, (size_t)(dot + 1 - id));

	if (same)
		id = dot + 1;
	while (id[at] && id[at] != '.')
		at++;
	if (used + at + 2 < sizeof(told->also))
		fmt_print(told->also + used, at + 2, " %s", id);
}

static bool is_repeated(struct board *board, const char *id)
{
	for (unsigned i = 0; i < board->kept; i++)
		if (is_same_test(board->failure[i].id, id)) {
			add_also(&board->failure[i], id);
			return true;
		}
	return false;
}

static struct told *place_for(struct board *board, const char *id, enum mark mark)
{
	if (mark != MARK_FAIL)
		return &board->other;
	board->failures++;
	if (is_repeated(board, id) || board->kept == BOARD_FAILURES)
		return &board->other;
	return &board->failure[board->kept++];
}

static void note_result(struct board *board, const char *id, enum mark mark)
{
	board->last = place_for(board, id, mark);
	memset(board->last, 0, sizeof(*board->last));
	board_copy(board->last->id, sizeof(board->last->id), id);
	board->last->mark = mark;
}

static void read_result(struct board *board, const char *text, bool ok)
{
	char id[80];
	const char *why = take_id(id, sizeof(id), text);
	enum mark mark = ok ? MARK_PASS : MARK_FAIL;

	if (*why)
		mark = ok ? MARK_SKIP : MARK_KNOWN;
	board_result(board, id, mark);
	note_result(board, id, mark);
	if (behind(why, " # "))
		add_detail(board->last, why + 3);
}

/* "edge.c:12: x == 5", and below it what x was. */
static void read_check(struct told *f, const char *text)
{
	const char *check = find(text, ": ");

	if (behind(text, "got ") && !f->got[0])
		board_copy(f->got, sizeof(f->got), text);
	else if (behind(text, "claim: "))
		board_copy(f->claim, sizeof(f->claim), text + 7);
	else if (find(text, ".c:") && check && !f->got[0])
		board_copy(f->check, sizeof(f->check), check + 2);
	else if (!f->check[0])
		board_copy(f->check, sizeof(f->check), text);
}

static void read_below(struct board *board, const char *text)
{
	struct told *told = board->last;

	if (told->mark == MARK_FAIL && !told->length && behind(text, "error: ")) {
		told->mark = MARK_ERROR;
		board_worsen(board);
	}
	read_check(told, text);
	add_detail(told, text);
}

/* ---- the report as a whole ---- */

static void read_plan(struct board *board, const char *text)
{
	const char *why = find(text, "# SKIP ");

	board->plan = number(text);
	if (why)
		board_copy(board->note, sizeof(board->note), why + 7);
}

static void bail_out(struct board *board, const char *why)
{
	board->bailed_out = true;
	board_copy(board->note, sizeof(board->note), why);
}

static void read_line(struct board *board, const char *line)
{
	const char *text;

	if (behind(line, "KTAP version"))
		board_forget_results(board);
	else if ((text = behind(line, "1..")))
		read_plan(board, text);
	else if ((text = behind(line, "ok ")))
		read_result(board, text, true);
	else if ((text = behind(line, "not ok ")))
		read_result(board, text, false);
	else if ((text = behind(line, "Bail out! ")))
		bail_out(board, text);
	else if ((text = behind(line, "#   ")) && board->last)
		read_below(board, text);
	else
		read_header(board, line);
}

void board_write(struct board *board, const char *text, size_t length)
{
	for (; length; length--, text++) {
		if (*text != '\n') {
			if (board->length + 1 < sizeof(board->line))
				board->line[board->length++] = *text;
			continue;
		}
		board->line[board->length] = '\0';
		board->length = 0;
		read_line(board, board->line);
	}
}
