/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The fault campaign: each seeded fault of the silicon model must be reported as failed by the test
 * that claims to see it, and a model without a fault must have no failed test.  Run it at the root
 * of the tree:
 *
 *     campaign [--full] [--model NAME] [--fault GLOBS] [--tests FILTER] [--results FILE]
 *              [--once] [--alone FILTER]
 *              [--generated [--class CLASS] [--strict] [--only visible|invisible]]
 *              [--every N]
 *              [--varied] [--bits 32|64]
 *              [--plan | --resume]
 *     campaign --seeds N|--lawful [--full] [--model NAME] [--tests FILTER] [--bits 32|64]
 *              [--plan | --resume]
 *
 * To save time, a fault meets only the test that claims to see it, until it first fails; the whole
 * battery with --full.  FILTER replaces either.  A fault whose test is "-" is left out: no test
 * fails by it. FILE receives one line "ok fault.NAME" or "not ok fault.NAME - why" each.
 *
 * --once: each fault on one of the models that can have it, which take turns.
 *
 * --alone: how many of the faults would these tests see, if there were no others?  By the groups of
 * the tests that claim to see them.  A survey, too.
 *
 * --every: every Nth fault only, or of --lawful every Nth run.  --varied: on models with all their
 * lawful variations, which may take away what some tests look at.
 *
 * --generated: instead of the faults seeded by hand those that the model generates, every Nth of
 * each class.  A fault that its own tests do not see meets the whole battery after that.  An
 * invisible one is seen by no test, for a reason.  Models whose circuits others have get none,
 * unless --model names one.
 *
 * --class: of the generated faults the simple ones, as without it; those that are rare; pairs, of
 * what a counter does wrong and what it is in use with meanwhile, or what is wrong in a record and
 * the number of that; or triples, with two of the
 * latter.  Pairs and triples are a survey: what it misses is printed, and there is work to do, but
 * it does not fail without --strict.  Pairs repeat themselves from counter to counter, so that of
 * every Nth one N had better be a prime.  build/campaign/endings has the ending of each.
 *
 * --seeds: instead of faults N seeds of each healthy model, each a lawful processor of another
 * width, with other stalls, latencies and skids.  No test may fail on any.
 *
 * --lawful: instead of faults the lawful variations of healthy models: all of a model at once, if
 * it has one that no model before it has; with --full those of every model, and each by itself,
 * too.  No test may fail with any.
 *
 * --bits: of the program; without it, models of processors without 64-bit mode run that of 32 bits.
 *
 * --plan only prints the runs: "BOOT MODEL FAULT SEED CLAIMS TESTS", and why the fault is not to be
 * seen.  --resume goes on with an interrupted campaign of the same tree with the same other words.
 */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "campaign.h"

/* value NULL: 0. */
static unsigned number(const char *option, const char *value)
{
	if (value &&
	    (!*value || value[strspn(value, "0123456789")] || *value == '0' || strlen(value) > 9))
		die("%s: '%s' is no number; allowed is a whole number from 1", option, value);
	return value ? (unsigned)atoi(value) : 0;
}

/* NULL: so it is. */
static bool is_one_of(const char *word, const char *const *words)
{
	while (word && *words && strcmp(word, *words) != 0)
		words++;
	return !word || *words;
}

static void check(const struct options *o)
{
	if (!is_one_of(o->only, (const char *const[]){"visible", "invisible", NULL}))
		die("--only: '%s'; allowed are visible and invisible", o->only);
	if (!is_one_of(o->group, (const char *const[]){"simple", "rare", "pairs", "triples", NULL}))
		die("--class: '%s'; allowed are simple, rare, pairs and triples", o->group);
	if (!is_one_of(o->bits, (const char *const[]){"32", "64", NULL}))
		die("--bits: '%s'; allowed are 32 and 64", o->bits);
	if (!o->generated && (o->only || o->group || o->strict))
		die("--only, --class and --strict are of --generated faults");
	if (o->alone && (o->generated || o->seeds || o->lawful || o->full || o->tests))
		die("--alone is of faults that are seeded by hand, and of no other tests");
	if (o->once && o->generated)
		die("--once is of faults that are seeded by hand");
	if (o->seeds && o->lawful)
		die("--seeds and --lawful exclude each other");
	if ((o->seeds || o->lawful) && (((o->full || o->every) && !o->lawful) || o->generated ||
					o->varied || o->once || o->fault || o->results))
		die("--seeds and --lawful go with --model, --tests, --bits, --plan and --resume "
		    "only, "
		    "--lawful with --full and --every besides");
}

static struct options parse(char **word)
{
	struct options o = {0};
	const char *every = NULL, *seeds = NULL;
	const struct {
		const char *name;
		bool *flag;
		const char **value;
	} words[] = {{"--full", &o.full, NULL},     {"--generated", &o.generated, NULL},
		     {"--plan", &o.plan, NULL},     {"--resume", &o.resume, NULL},
		     {"--lawful", &o.lawful, NULL}, {"--varied", &o.varied, NULL},
		     {"--strict", &o.strict, NULL}, {"--once", &o.once, NULL},
		     {"--model", NULL, &o.model},   {"--fault", NULL, &o.fault},
		     {"--tests", NULL, &o.tests},   {"--only", NULL, &o.only},
		     {"--alone", NULL, &o.alone},   {"--results", NULL, &o.results},
		     {"--every", NULL, &every},     {"--seeds", NULL, &seeds},
		     {"--class", NULL, &o.group},   {"--bits", NULL, &o.bits}};
	const size_t count = sizeof(words) / sizeof(*words);

	for (; *word; word++) {
		size_t k = 0;

		while (k < count && strcmp(*word, words[k].name) != 0)
			k++;
		if (k == count || (words[k].value && !word[1]))
			die("unknown or incomplete '%s'; allowed are --full, --generated, --plan, "
			    "--resume, --lawful, --varied, --strict, --once, "
			    "and --model, --fault, --tests, --alone, --results, --only, --every, "
			    "--seeds, "
			    "--class, --bits with a value",
			    *word);
		if (words[k].value)
			*words[k].value = *++word;
		else
			*words[k].flag = true;
	}
	o.every = number("--every", every);
	o.seeds = number("--seeds", seeds);
	check(&o);
	if (o.alone)
		o.tests = o.alone;
	if (!o.every)
		o.every = 1;
	return o;
}

static void write_ending(FILE *file, const struct program_run *run)
{
	fprintf(file, "%s ", run->model);
	if (strcmp(run->fault, NO_FAULT) != 0)
		fputs(run->fault, file);
	else if (run->lawful)
		fprintf(file, "lawful=%s", run->lawful);
	else
		fprintf(file, "seed=%u", run->seed);
	fprintf(file, " %s%s", run_ending(run), run->begun ? run->failed : "");
	if (run->by_hand)
		fprintf(file, " by-hand=%s", run->by_hand);
	fputc('\n', file);
}

static void write_endings(const char *path, const struct plan *first, const struct plan *again)
{
	FILE *file = open_file(path, "w");

	for (size_t i = 0; i < first->count; i++)
		write_ending(file, first->run[i]);
	for (size_t i = 0; i < again->count; i++) /* the others are those of the first */
		if (!strcmp(again->run[i]->fault, NO_FAULT))
			write_ending(file, again->run[i]);
	fclose(file);
}

int main(int argc, char **argv)
{
	const struct options o = parse(argv + (argc > 0));
	const char *endings = DIRECTORY "/endings";
	struct plan plan = o.seeds ? plan_seeds(&o) : o.lawful ? plan_lawful(&o) : plan_faults(&o);
	struct plan again = {0};
	const char *const surveys[] = {"pairs", "triples", NULL};
	bool is_survey = o.group && is_one_of(o.group, surveys) && !o.strict;

	if (!plan.count)
		die("no such model and fault; run-qemu.sh --list names them, and a smaller --every "
		    "leaves more");
	if (o.plan) {
		plan_print(stdout, &plan);
		return 0;
	}
	if (access("build/gcc/silicon.efi", R_OK))
		die("build/gcc/silicon.efi is not there; run make first, and this at the root of "
		    "the tree");
	if (!o.resume && system("rm -rf " DIRECTORY " && mkdir -p " DIRECTORY))
		die(DIRECTORY ": cannot be emptied");
	machine_run(&plan, &o);
	if (o.generated && !o.tests)
		again = plan_again(&plan, &o);
	machine_run(&again, &o);
	write_endings(endings, &plan, &again);
	setenv("results", o.results ? o.results : "", 1);
	execlp("awk", "awk", "-v",
	       o.seeds       ? "seeds=1"
	       : o.lawful    ? "lawful=1"
	       : is_survey   ? "survey=1"
	       : o.alone     ? "alone=1"
	       : o.generated ? "generated=1"
			     : "by_hand=1",
	       "-f", "check/campaign/tables.awk", endings, NULL);
	die("awk cannot be started");
}
