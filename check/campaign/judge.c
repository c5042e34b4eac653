/* SPDX-License-Identifier: BSD-2-Clause */
/* The judge: reads the serial line of each run, and says what it means. */
#include <stdlib.h>
#include <string.h>

#include "campaign.h"

static bool begin(struct reader *reader, const char *line)
{
	struct program_run *run = reader->next < reader->end ? *reader->next : NULL;
	char model[32], fault[128];
	unsigned seed;

	if (!run ||
	    sscanf(line, "silicon: run %*u model=%31s fault=%127s seed=%u", model, fault, &seed) !=
		    3 ||
	    strcmp(model, run->model) != 0 || strcmp(fault, run->fault) != 0 || seed != run->seed)
		return false;
	run->begun = reader->under_way = true;
	reader->gathered = false;
	run->seen = run->judged = false;
	run->planned = run->reported = 0;
	run->verdict[0] = '\0';
	run->failed = strdup("");
	reader->steps++;
	return true;
}

/* A run that QEMU did not survive is over, too: it is not booted again. */
static void finish(struct reader *reader, bool ended)
{
	if (!reader->under_way)
		return;
	(*reader->next++)->ended = ended;
	reader->under_way = false;
	reader->steps++;
}

static void add_failed(struct program_run *run, const char *id)
{
	bool claimed = matches(run->claims, id);

	run->failed = realloc(run->failed, strlen(run->failed) + strlen(id) + 3);
	strcat(strcat(run->failed, claimed ? " !" : " "), id);
	run->seen |= claimed;
}

/* The one result of a box, or a processor, that is like another: below it stand those of its tests
 * that failed. */
#define GATHERED ".same_battery"

static bool is_gathered(const char *id)
{
	size_t length = strlen(id);

	return length > strlen(GATHERED) && !strcmp(id + length - strlen(GATHERED), GATHERED);
}

static void read_result(struct reader *reader, struct program_run *run, const char *line)
{
	char id[256];

	run->reported++;
	reader->gathered = false;
	if (strstr(line, "# TODO ") || sscanf(line, "not ok %*u %255s", id) != 1)
		return;
	reader->gathered = is_gathered(id);
	add_failed(run, id);
}

static void report_line(struct reader *reader, struct program_run *run, const char *line)
{
	char id[256];

	sscanf(line, "1..%u", &run->planned);
	sscanf(line, "# verdict: %7s", run->verdict);
	if (!strncmp(line, "ok ", 3) || !strncmp(line, "not ok ", 7))
		read_result(reader, run, line);
	if (reader->gathered && (sscanf(line, "#   failed: %255[^: \r\n]", id) == 1 ||
				 sscanf(line, "#   error: %255[^: \r\n]", id) == 1))
		add_failed(run, id);
	if (!strstr(line, "# SKIP") && sscanf(line, "ok %*u %255s", id) == 1)
		run->judged |= matches(run->claims, id);
}

bool judge_line(struct reader *reader, const char *line)
{
	const char *silicon = strstr(line, "silicon: run "); /* behind what controls a screen */
	char word[16] = "";

	if (silicon)
		sscanf(silicon, "silicon: run %*u %15s", word);
	if (!strncmp(word, "model=", 6))
		return begin(reader, silicon);
	if (!strcmp(word, "status"))
		finish(reader, true);
	else if (!strncmp(line, BOOT_ENDED, strlen(BOOT_ENDED)))
		finish(reader, false);
	else if (reader->under_way)
		report_line(reader, *reader->next, line);
	return true;
}

const char *run_ending(const struct program_run *run)
{
	bool skipped = !strcmp(run->verdict, "skip");

	if (!run->begun)
		return "not-run";
	if (!run->ended || !*run->verdict || run->planned != run->reported ||
	    (!run->planned && !skipped && !run->lawful))
		return "no-verdict";
	if (!strcmp(run->fault, NO_FAULT))
		return skipped                                             ? "skipped"
		       : *run->failed || strcmp(run->verdict, "pass") != 0 ? "failed"
									   : "passed";
	if (run->seen)
		return run->why ? "seen-but-listed" : "caught";
	if (run->lawful && !run->judged)
		return "not-judged";
	return run->why ? "invisible" : "missed";
}
