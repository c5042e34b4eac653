/* SPDX-License-Identifier: BSD-2-Clause */
/* Plans of a campaign: its runs, and which of them share a boot. */
#include <stdlib.h>
#include <string.h>

#include "campaign.h"
#include "kernel/lib/glob.h"
#include "model/cpu/cpu.h"
#include "model/faults/faults.h"
#include "model/profiles/profiles.h"

enum { RUNS_PER_BOOT = 200, SEEDS_PER_BOOT = 20, CLASSES = 64 };

/* Plans live as long as the program: what the sanitizer would call a leak is none. */
const char *__asan_default_options(void);
const char *__asan_default_options(void)
{
	return "detect_leaks=0";
}

bool matches(const char *globs, const char *name)
{
	for (;; globs++) {
		size_t length = strcspn(globs, ",");

		if (glob_match(globs, length, name))
			return true;
		globs += length;
		if (!*globs)
			return false;
	}
}

/* ---- boots ---- */

static struct program_run *new_run(struct program_run run)
{
	return memcpy(malloc(sizeof(run)), &run, sizeof(run));
}

static void add(struct plan *plan, struct program_run *run)
{
	if (!(plan->count & (plan->count - 1)))
		plan->run =
			realloc(plan->run, (2 * plan->count + 1) * sizeof(struct program_run *));
	plan->run[plan->count++] = run;
	run->boot = plan->boots;
}

static void add_healthy(struct plan *plan, const char *model, unsigned seed, const char *tests)
{
	add(plan, new_run((struct program_run){.model = model,
					       .fault = NO_FAULT,
					       .seed = seed,
					       .claims = "-",
					       .tests = tests}));
}

/* The last run of each boot repeats the tests of its first one without a fault, to show that resets
 * are whole. */
void plan_close(struct plan *plan)
{
	size_t first = 0;

	while (first < plan->count && plan->run[first]->boot != plan->boots)
		first++;
	if (first == plan->count)
		return;
	add_healthy(plan, plan->run[first]->model, 0, plan->run[first]->tests);
	plan->run[plan->count - 1]->cpus = plan->run[first]->cpus;
}

/* With --full the whole battery without a fault is the first run of a model.  Else the healthy
 * models are left to the checks of their own. */
void plan_pair(struct plan *plan, struct program_run *pair, const struct options *o)
{
	bool next_model =
		!plan->count || strcmp(plan->run[plan->count - 1]->model, pair->model) != 0;

	if (next_model || plan->in_boot == RUNS_PER_BOOT) {
		plan_close(plan);
		plan->boots++;
		plan->in_boot = 0;
	}
	if (next_model && o->full)
		add_healthy(plan, pair->model, 0, o->tests ? o->tests : "*");
	add(plan, pair);
	plan->in_boot++;
}

struct plan plan_again(const struct plan *first, const struct options *o)
{
	struct plan plan = {.boots = first->boots};

	for (size_t i = 0; i < first->count; i++) {
		struct program_run *run = first->run[i];

		if (strcmp(run_ending(run), "missed") != 0 || !strcmp(run->tests, "*"))
			continue;
		run->claims = run->tests = "*";
		run->begun = run->ended = false;
		plan_pair(&plan, run, o);
	}
	plan_close(&plan);
	return plan;
}

/* ---- faults ---- */

struct class
{
	char name[48];
	unsigned met;
};

/* How many of the class of a generated fault, whose name ends at the first "-", were met before. */
static unsigned met_before(struct class *class, const char *fault)
{
	char name[sizeof(class->name)];

	snprintf(name, sizeof(name), "%.*s", (int)strcspn(fault, "-"), fault);
	while (class->met && strcmp(class->name, name) != 0)
		class ++;
	strcpy(class->name, name);
	return class->met++;
}

/* The i-th, asked for one after the other. */
static const struct fault *fault_number(const struct profile *profile, unsigned i,
					const struct options *o, struct generated_walk *walk)
{
	if (!o->generated)
		return fault_at(i);
	if (!o->model && profile->bit & (MODEL_FOR_ERRATA | (MODEL_SISTERS & ~MODEL_OWN_BOXES)))
		return NULL;
	if (i == 0)
		generated_begin(walk, profile);
	while (generated_next(walk))
		if ((walk->part || !(profile->bit & MODEL_OWN_BOXES)) &&
		    !strcmp(generated_group(walk), o->group ? o->group : "simple"))
			return &walk->fault;
	return NULL;
}

/* A fault that no test is said to see, for why, may be seen by any. */
static void add_fault(struct plan *plan, const struct profile *profile, const struct fault *fault,
		      const char *why, const struct options *o)
{
	const char *claims = why ? "*" : o->alone ? o->alone : strdup(fault->test);

	if (o->varied && fault->core && fault->core->as_lawful)
		why = fault->core->as_lawful;
	if ((o->model && strcmp(o->model, profile->name) != 0) ||
	    (o->bits && !strcmp(o->bits, "32") && fault->core && fault->core->of_64_bits) ||
	    (o->only && strcmp(o->only, why ? "invisible" : "visible") != 0) ||
	    (o->varied && !lawful_together(profile)))
		return;
	plan_pair(plan,
		  new_run((struct program_run){.model = profile->name,
					       .lawful = o->varied ? "all" : NULL,
					       .fault = strdup(fault->name),
					       .claims = claims,
					       .by_hand = o->generated ? NULL : strdup(fault->test),
					       .tests = o->tests  ? o->tests
							: o->full ? "*"
								  : claims,
					       .rare = fault->rare,
					       .cpus = fault->cpus,
					       .why = why}),
		  o);
}

static bool may_run(const struct fault *fault, const struct profile *profile)
{
	return fault_applies(fault, profile) && strcmp(fault->test, "-") != 0;
}

/* Is it the turn of this model for the i-th fault, of the models that can have it, one after the
 * other and then from the first on again? */
static bool is_its_turn(const struct fault *fault, const struct profile *profile, unsigned i)
{
	unsigned before = 0, all = 0;
	const struct profile *p;

	for (unsigned k = 0; (p = profile_at(k)); k++) {
		before += p->bit < profile->bit && may_run(fault, p);
		all += may_run(fault, p);
	}
	return i % all == before;
}

/* Every so many, or so many of each class, are through all models, whichever of them are run. */
struct plan plan_faults(const struct options *o)
{
	struct class classes[CLASSES] = {0};
	struct plan plan = {0};
	const struct profile *p;
	const struct fault *fault;
	struct generated_walk walk;
	unsigned met = 0;

	for (unsigned k = 0; (p = profile_at(k)); k++)
		for (unsigned i = 0; (fault = fault_number(p, i, o, &walk)); i++)
			if (may_run(fault, p) && (!o->once || is_its_turn(fault, p, i)) &&
			    (!o->fault || matches(o->fault, fault->name)) &&
			    (o->generated ? met_before(classes, fault->name) : met++) % o->every ==
				    0)
				add_fault(&plan, p, fault,
					  o->generated ? generated_unseen(&walk) : NULL, o);
	plan_close(&plan);
	return plan;
}

static void add_lawful(struct plan *plan, const char *model, const char *lawful,
		       const struct options *o)
{
	if (o->every && plan->met++ % o->every)
		return;
	add_healthy(plan, model, 0, o->tests ? o->tests : "*");
	plan->run[plan->count - 1]->lawful = lawful;
}

/* Has no model before number k this variation? */
static bool is_first_with(const struct fault *lawful, unsigned k)
{
	while (k-- > 0)
		if (fault_applies(lawful, profile_at(k)))
			return false;
	return true;
}

/* Has model number k a variation that none before it has? */
static bool brings_another(unsigned k)
{
	const struct fault *lawful;

	for (unsigned i = 0; (lawful = lawful_at(i)); i++)
		if (!lawful->alone && fault_applies(lawful, profile_at(k)) &&
		    is_first_with(lawful, k))
			return true;
	return false;
}

static void add_lawful_of(struct plan *plan, unsigned k, const struct options *o)
{
	const struct profile *p = profile_at(k);
	const struct fault *lawful;
	size_t before = plan->count;

	plan->boots++;
	for (unsigned i = 0; (lawful = lawful_at(i)); i++)
		if (fault_applies(lawful, p) && (o->full || lawful->alone))
			add_lawful(plan, p->name, lawful->name, o);
	if (lawful_together(p) && (o->full || o->model || brings_another(k)))
		add_lawful(plan, p->name, "all", o);
	if (plan->count == before)
		plan->boots--;
}

/* Lawful variations: all at once of each model that has one which none before it has, and those
 * that stand alone; with --full of every model, and each by itself.  One boot for each model. */
struct plan plan_lawful(const struct options *o)
{
	struct plan plan = {0};
	const struct profile *p;

	for (unsigned k = 0; (p = profile_at(k)); k++)
		if (!o->model || !strcmp(o->model, p->name))
			add_lawful_of(&plan, k, o);
	return plan;
}

/* There are four boots at least, so that neither machine waits long for the other in the end. */
struct plan plan_seeds(const struct options *o)
{
	struct plan plan = {0};
	const struct profile *p;

	for (unsigned k = 0; (p = profile_at(k)); k++)
		for (unsigned seed = 1; seed <= o->seeds; seed++)
			if (!o->model || !strcmp(o->model, p->name))
				add_healthy(&plan, p->name, seed, o->tests ? o->tests : "*");
	for (size_t i = 0; i < plan.count; i++) {
		size_t per_boot = (plan.count + 3) / 4;

		plan.run[i]->boot =
			1 + (unsigned)(i / (per_boot < SEEDS_PER_BOOT ? per_boot : SEEDS_PER_BOOT));
	}
	return plan;
}

void plan_print(FILE *out, const struct plan *plan)
{
	for (struct program_run **run = plan->run; run < plan->run + plan->count; run++)
		fprintf(out, "%u %s %s%s%s %u %s %s %s\n", (*run)->boot, (*run)->model,
			(*run)->fault, (*run)->lawful ? "+" : "",
			(*run)->lawful ? (*run)->lawful : "", (*run)->seed, (*run)->claims,
			(*run)->tests, (*run)->why ? (*run)->why : "");
}
