/* SPDX-License-Identifier: BSD-2-Clause */
/* How a fault campaign chooses its runs and judges them: a mistake there could let a missed fault
 * pass. */
#include "check/campaign/campaign.h"

#include <stdlib.h>

#include "check/unit/tap.h"

/* ---- plans: the runs of k7 and k8, as plan_print() writes them ---- */

static char text[8192];

static const char *text_of(struct plan plan)
{
	FILE *out = fmemopen(memset(text, 0, sizeof(text)), sizeof(text), "w");

	plan_print(out, &plan);
	fclose(out);
	return text;
}

static const char *plan_text(struct options o)
{
	o.every = o.every ? o.every : 1;
	return text_of(plan_faults(&o));
}

/* A run without a fault repeats the first tests at the end; with --full the whole battery comes
 * first, too. */
static void test_by_hand(void)
{
	struct options o = {.fault = "os_dead,x*", .model = "k8"};

	SAME(plan_text(o), "1 k8 os_dead 0 *.privilege.kernel_only *.privilege.kernel_only \n"
			   "1 k8 none 0 - *.privilege.kernel_only \n");
	o.full = true;
	SAME(plan_text(o),
	     "1 k8 none 0 - * \n1 k8 os_dead 0 *.privilege.kernel_only * \n1 k8 none 0 - * \n");
	o.tests = "x";
	SAME(plan_text(o),
	     "1 k8 none 0 - x \n1 k8 os_dead 0 *.privilege.kernel_only x \n1 k8 none 0 - x \n");
	o.fault = "os_dea";
	SAME(plan_text(o), "");
	o = (struct options){.fault = "smm_dead,os_dead", .tests = "x", .full = true};
	OK(strstr(plan_text(o), "\n1 k7 none 0 - x \n2 k8 none 0 - x \n2 k8 os_dead"));
}

/* Each fault once, and neighbours of the same kind on one model after the other. */
static void test_once(void)
{
	struct options o = {.fault = "pmi_*", .every = 1}, once = o;
	struct plan all = plan_faults(&o), turns;
	size_t faults = 0;

	once.once = true;
	turns = plan_faults(&once);
	for (size_t i = 0; i < all.count; i++) {
		size_t met = 0;

		for (size_t k = 0; k < turns.count; k++)
			met += !strcmp(turns.run[k]->fault, all.run[i]->fault);
		OK(met == 1 || !strcmp(all.run[i]->fault, NO_FAULT));
	}
	for (size_t k = 0; k < turns.count; k++)
		faults += strcmp(turns.run[k]->fault, NO_FAULT) != 0;
	OK(faults > 2 && turns.boots > 2 && turns.count < all.count);
}

/* A fault that no test is said to see may be seen by any. */
static void test_generated(void)
{
	struct options o = {
		.generated = true, .model = "k8", .fault = "pmi_delayed-10,aliased-c001000?"};
	const char *delayed =
		"k8 pmi_delayed-10 0 * * no manual bounds how late an interrupt may come; "
		"overflow.skid tells how late\n";

	OK(strstr(plan_text(o), delayed));
	OK(strstr(text, "k8 aliased-c0010000 0 *.access.* *.access.* \n"));
	o.only = "visible";
	OK(!strstr(plan_text(o), delayed) && strstr(text, "aliased"));
	o.only = "invisible";
	OK(strstr(plan_text(o), delayed) && !strstr(text, "aliased"));
	/* Every fifth of each class: of k7 the first and the sixth of eight. */
	o = (struct options){
		.generated = true, .model = "k8", .fault = "aliased-c001000?", .every = 5};
	SAME(plan_text(o),
	     "1 k8 aliased-c0010002 0 *.access.* *.access.* \n"
	     "1 k8 aliased-c0010007 0 *.access.* *.access.* \n1 k8 none 0 - *.access.* \n");
}

/* Without a class all are simple. */
static void test_classes(void)
{
#define MODES                                                                                      \
	"*.2.modes.*,*.interrupt.*handler*,*.2.count.absolute,*.2.select.*,*.2.filter.*,*.pebs.*," \
	"*.fixed.interrupt"
	struct options o = {.generated = true, .model = "k8", .fault = "pair_dead-c0010006-edge"};

	SAME(plan_text(o), "");
	o.group = "pairs";
	SAME(plan_text(o), "1 k8 pair_dead-c0010006-edge 0 " MODES " " MODES " \n"
			   "1 k8 none 0 - " MODES " \n");
	o.group = "rare";
	SAME(plan_text(o), "");
}

/* A list that is too long for one boot. */
static void test_long(void)
{
	struct options o = {.generated = true};
	struct program_run a = {.model = "a", .fault = "f", .tests = "x"};
	struct plan plan = {0};

	for (unsigned i = 0; i < 201; i++)
		plan_pair(&plan, &a, &o);
	plan_close(&plan);
	OK(plan.boots == 2);
	OK(plan.count == 203);
	OK(plan.run[200]->boot == 1 && !strcmp(plan.run[200]->fault, NO_FAULT));
	OK(!strcmp(plan.run[201]->fault, "f"));
	OK(plan.run[202]->boot == 2 && !strcmp(plan.run[202]->fault, NO_FAULT));
}

static void test_seeds(void)
{
	struct options o = {.model = "k7", .seeds = 5};

	SAME(text_of(plan_seeds(&o)),
	     "1 k7 none 1 - * \n1 k7 none 2 - * \n2 k7 none 3 - * \n2 k7 none 4 - * \n"
	     "3 k7 none 5 - * \n");
}

/* One variation after the other, then all of the model. */
static void test_lawful(void)
{
	struct options o = {.model = "zen4", .tests = "x", .full = true};
	const char *plan = text_of(plan_lawful(&o));

	OK(!strncmp(plan, "1 zen4 none+", 12) && strstr(plan, "+kvm_drops_host_guest 0 - x "));
	OK(strstr(plan, "\n1 zen4 none+all 0 - x \n") && !strstr(plan, "\n2 "));
	o.full = false;
	/* One that stands alone, and all others. */
	SAME(text_of(plan_lawful(&o)), "1 zen4 none+ibs_no_entry 0 - x \n1 zen4 none+all 0 - x \n");
	o.every = 2;
	SAME(text_of(plan_lawful(&o)), "1 zen4 none+ibs_no_entry 0 - x \n");
	/* A model whose variations another has had is for --full. */
	o = (struct options){.tests = "x"};
	plan = text_of(plan_lawful(&o));
	OK(strstr(plan, " willamette none+all ") && !strstr(plan, " northwood "));
	OK(strstr(plan, " skylake none+kvm_mediates ") && strstr(plan, " skylake none+all "));
	o = (struct options){.model = "zen4", .fault = "os_dead", .varied = true};
	OK(strstr(plan_text(o), "1 zen4 os_dead+all 0 *.privilege.kernel_only"));
}

/* ---- endings ---- */

#define END "silicon: run 1 status 0x0"

/* A run that says these lines, the last of which is NULL. */
static struct program_run *run_of(const char *fault, const char *why, const char *const *lines)
{
	struct program_run *run = calloc(1, sizeof(*run));
	struct reader reader = {.next = &run, .end = &run + 1};
	char first[64];

	*run = (struct program_run){
		.model = "k7", .fault = fault, .claims = "*.a.one,*.b.*", .tests = "*", .why = why};
	snprintf(first, sizeof(first), "\033[2Jsilicon: run 1 model=k7 fault=%s seed=0", fault);
	judge_line(&reader, first);
	for (; *lines; lines++)
		judge_line(&reader, *lines);
	return run;
}

#define LINES(...)         ((const char *const[]){__VA_ARGS__, NULL})
#define ENDS(want, ...)    SAME(run_ending(run_of("f", NULL, LINES(__VA_ARGS__))), want)
#define UNSEEN(want, ...)  SAME(run_ending(run_of("f", "why", LINES(__VA_ARGS__))), want)
#define HEALTHY(want, ...) SAME(run_ending(run_of(NO_FAULT, NULL, LINES(__VA_ARGS__))), want)

static void test_endings(void)
{
	struct program_run *run = run_of("f", NULL,
					 LINES("1..3", "ok 1 x.a.two", "not ok 2 x.c",
					       "not ok 3 x.b.one", "# verdict: fail", END));

	SAME(run_ending(run), "caught");
	SAME(run->failed, " x.c !x.b.one");
	/* The failed tests of a box that is like another stand below its one result. */
	run = run_of("f", NULL,
		     LINES("1..2", "not ok 1 x1.-.box.same_battery", "#   failed: x1.0.a.two",
			   "#   failed: x1.2.a.one: time is up in ring 0", "#   got 1, expected 2",
			   "#   error: x1.2.c.d", "ok 2 x.c", "#   failed: x1.2.b.one",
			   "# verdict: fail", END));
	SAME(run_ending(run), "caught");
	SAME(run->failed, " x1.-.box.same_battery x1.0.a.two !x1.2.a.one x1.2.c.d");
	ENDS("missed", "1..1", "not ok 1 x1.-.box.same_battery", "#   failed: x1.0.a.two",
	     "#   got x.a.one", "# verdict: fail", END);
	ENDS("missed", "1..1", "not ok 1 x.a.two", "#   failed: x.a.one", "# verdict: fail", END);
	/* Not by a test that claims it, by a known erratum, by none. */
	ENDS("missed", "1..1", "not ok 1 x.a.two", "# verdict: fail", END);
	ENDS("missed", "1..1", "not ok 1 x.a.one # TODO known: e", "# verdict: pass", END);
	ENDS("missed", "1..1", "ok 1 x.a.one", "# verdict: pass", END);
	UNSEEN("invisible", "1..1", "ok 1 x.a.one", "# verdict: pass", END);
	UNSEEN("seen-but-listed", "1..1", "not ok 1 x.a.one", "# verdict: fail", END);
	/* No plan, or not met; no verdict; no end, in either way. */
	ENDS("no-verdict", "not ok 1 x.a.one", "# verdict: fail", END);
	ENDS("no-verdict", "1..2", "not ok 1 x.a.one", "# verdict: fail", END);
	ENDS("no-verdict", "1..1", "not ok 1 x.a.one", END);
	ENDS("no-verdict", "1..1", "not ok 1 x.a.one", "# verdict: fail");
	ENDS("no-verdict", "1..1", "not ok 1 x.a.one", "# verdict: fail", BOOT_ENDED);
}

/* With a variation that takes away what the fault's tests look at. */
static void test_not_judged(void)
{
	struct program_run *run =
		run_of("f", NULL, LINES("1..1", "ok 1 x.a.one # SKIP", "# verdict: pass", END));

	SAME(run_ending(run), "missed");
	run->lawful = "all";
	SAME(run_ending(run), "not-judged");
	run = run_of("f", NULL, LINES("1..1", "ok 1 x.a.one", "# verdict: pass", END));
	run->lawful = "all";
	SAME(run_ending(run), "missed");
}

static void test_healthy(void)
{
	HEALTHY("passed", "1..1", "ok 1 x.a.one", "# verdict: pass", END);
	HEALTHY("passed", "1..1", "not ok 1 x.a.one # TODO known: e", "# verdict: pass", END);
	HEALTHY("skipped", "1..0 # SKIP no PMU", "# verdict: skip", END);
	HEALTHY("failed", "1..1", "not ok 1 x.a.one", "# verdict: fail", END);
	HEALTHY("failed", "1..1", "ok 1 x.a.one", "# verdict: error", END);
	HEALTHY("no-verdict", "1..1", "ok 1 x.a.one", "# verdict: pass");
}

/* QEMU does not survive the first run; the second is interrupted, and booted again. */
static void test_reader(void)
{
	struct program_run a = {.model = "m", .fault = "a", .claims = ""},
			   b = {.model = "m", .fault = "b", .seed = 3, .claims = ""};
	struct program_run *runs[] = {&a, &b};
	struct reader reader = {.next = runs, .end = runs + 2};

	OK(judge_line(&reader, "BdsDxe: starting"));
	OK(judge_line(&reader, "silicon: run 1 model=m fault=a seed=0"));
	OK(judge_line(&reader, BOOT_ENDED));
	OK(reader.next == &runs[1] && !a.ended);
	OK(!judge_line(&reader, "silicon: run 1 model=m fault=b seed=0"));
	OK(!judge_line(&reader, "silicon: run 1 model=m fault=a seed=3"));
	OK(judge_line(&reader, "silicon: run 1 model=m fault=b seed=3"));
	OK(judge_line(&reader, "not ok 1 x.a.one"));
	SAME(b.failed, " x.a.one");
	OK(judge_line(&reader, "silicon: run 1 model=m fault=b seed=3"));
	OK(!*b.failed && !b.reported);
	OK(judge_line(&reader, END));
	OK(reader.next == reader.end && b.ended);
	OK(!judge_line(&reader, "silicon: run 2 model=m fault=b seed=3"));
}

/* Only what its own tests have missed meets the whole battery. */
static void test_again(void)
{
	struct options o = {.generated = true};
	struct program_run *caught =
		run_of("f", NULL, LINES("1..1", "not ok 1 x.a.one", "# verdict: fail", END));
	struct program_run *missed =
		run_of("g", NULL, LINES("1..1", "ok 1 x.a.one", "# verdict: pass", END));
	struct program_run *whole =
		run_of("h", NULL, LINES("1..1", "ok 1 x.a.one", "# verdict: pass", END));
	struct program_run *hung = run_of("i", NULL, LINES("1..1"));
	struct plan first = {.run = (struct program_run *[]){caught, missed, whole, hung},
			     .count = 4,
			     .boots = 7};

	caught->tests = missed->tests = hung->tests = "*.a.one";
	SAME(text_of(plan_again(&first, &o)), "8 k7 g 0 * * \n8 k7 none 0 - * \n");
	SAME(run_ending(missed), "not-run");
}

/* ---- tables ---- */

#define ENDINGS                                                                                    \
	"k7 seed=0 passed\nk7 f-1 caught !x.0.b.one x.0.c.d\nk7 g-1 caught !x.1.b.one\n"           \
	"k8 f-1 missed x.1.c.d\n"

/* The output of tables.awk for lines of endings, and its exit status. */
static const char *tables(const char *variables, const char *lines)
{
	char command[1024];
	FILE *pipe;
	size_t length;

	snprintf(command, sizeof(command),
		 "printf '%s' | results=/dev/stdout awk %s -f check/campaign/tables.awk; echo $?",
		 lines, variables);
	pipe = popen(command, "r");
	length = fread(text, 1, sizeof(text) - 1, pipe);
	text[length] = '\0';
	pclose(pipe);
	return text;
}

static void test_tables(void)
{
	SAME(tables("-v generated=0", ENDINGS),
	     "fault x test (# failed as claimed, x failed too):\n"
	     "                                               +-- b.one\n"
	     "                                               |+-- c.d\n"
	     "k7         f-1                                 #x caught\n"
	     "k7         g-1                                 #. caught\n"
	     "k8         f-1                                 .x missed\n"
	     "  missed: k8 f-1\n"
	     "| class | k7 | k8 | invisible |\n|---|---|---|---|\n"
	     "| by hand | 2/2 | 0/1 | 0 |\n"
	     "not ok fault.f-1 - missed on k8\nok fault.g-1\n"
	     "2 faults, 1 caught, 1 missed, 0 false alarms\n1\n");
	SAME(tables("-v generated=1", ENDINGS "k8 g-1 invisible\n"),
	     "  missed: k8 f-1\n"
	     "| class | k7 | k8 | invisible |\n|---|---|---|---|\n"
	     "| f | 1/1 | 0/1 | 0 |\n| g | 1/1 | - | 1 |\n"
	     "ok fault.k7.f-1\nok fault.k7.g-1\nnot ok fault.k8.f-1 - missed on k8\nok "
	     "fault.k8.g-1\n"
	     "4 faults, 2 caught, 1 missed, 0 false alarms, 1 invisible\n1\n");
}

static void test_alarms(void)
{
	SAME(tables("", "k7 seed=1 passed\nk7 seed=2 skipped\n"),
	     "2 runs, 2 without a failed test, 0 false alarms, 1 skipped\n0\n");
	SAME(tables("", "k7 seed=1 passed\nk7 seed=2 failed x.a\n"),
	     "false alarm: k7 seed=2 failed x.a\n2 runs, 1 without a failed test, 1 false alarms, "
	     "0 skipped\n1\n");
	SAME(tables("", "k7 seed=1 skipped\n"),
	     "1 runs, 1 without a failed test, 0 false alarms, 1 skipped\n1\n");
	OK(strstr(tables("", "k7 f caught !x.a\nk7 seed=0 passed\n"),
		  "1 caught, 0 missed, 0 false alarms\n0\n"));
	OK(strstr(tables("", "k7 f caught !x.a\nk7 seed=0 no-verdict\n"),
		  "0 missed, 1 false alarms\n1\n"));
}

int main(void)
{
	test_by_hand();
	test_once();
	test_generated();
	test_classes();
	test_long();
	test_seeds();
	test_lawful();
	test_endings();
	test_healthy();
	test_not_judged();
	test_reader();
	test_again();
	test_tables();
	test_alarms();
	return tap_end();
}
