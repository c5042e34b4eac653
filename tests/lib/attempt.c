/* SPDX-License-Identifier: BSD-2-Clause */
/* One test, run under guard and reported. */
#include "attempt.h"

/* A test that fails while something from outside is counted is run again, but only a few times. */
#define RERUNS 3u

static void call_body(void *arg)
{
	struct run *t = arg;

	t->test->body(t);
}

/* Guarded, and in the known state after it. */
static const char *run_guarded(struct run *t, unsigned timeout_ms,
			       void (*settle)(const struct pmu *pmu))
{
	uint64_t cr4 = read_cr4();
	const char *ended;

	ended = guard_run(call_body, t, timeout_ms);
	sibling_stop();
	write_cr4(cr4);
	user_memory_use(USER_WRITE_BACK);
	settle(t->pmu);
	pmi_clean_up(t);
	return ended == test_ended ? NULL : ended;
}

/* KVM on AMD enters its guest, after each interrupt of the host, by a VMRUN that the counters of
 * the guest count as an instruction and a branch: kvm-unit-tests 89126fa4.  Nothing tells how many
 * there were. */
static bool counts_entries(const struct cpu_identity *cpu)
{
	return identify_is_kvm(cpu) && strcmp(cpu->vendor, "GenuineIntel") != 0;
}

/* True: it failed while SMIs or NMIs from outside came, or entries of a hypervisor may have. */
static bool run_disturbed(struct run *t, const struct battery *battery,
			  void (*settle)(const struct pmu *pmu), const char **ended)
{
	unsigned nmis = trap_stray_nmis();
	uint32_t before, after;

	identify_smi_count(battery->cpu, &before);
	*ended = run_guarded(t, battery->timeout_ms, settle);
	identify_smi_count(battery->cpu, &after);
	return (t->failed || *ended) && !t->refused &&
	       (after != before || trap_stray_nmis() != nmis || counts_entries(battery->cpu));
}

/* A test ended early failed: its machine trapped, hung or stormed.  Only a configuration that the
 * driver refuses is our own error. */
static void report_run(const char *id, const struct run *t, const char *ended)
{
	if (ended && !t->refused)
		report_result(id, OUTCOME_FAIL, ended);
	else if (ended)
		report_result(id, OUTCOME_ERROR, ended);
	else if (t->failed)
		report_result(id, OUTCOME_FAIL, NULL);
	else if (t->known)
		report_result(id, OUTCOME_KNOWN, t->known);
	else if (t->skip)
		report_result(id, OUTCOME_SKIP, t->skip);
	else
		report_result(id, OUTCOME_PASS, NULL);
}

void attempt_report_claim(const struct test *test)
{
	report_diag("claim: %s", test->claim);
	report_diag("clause: %s", test->clause ? test->clause : "-");
}

void attempt(const struct run *fresh, const char *id, const struct battery *battery,
	     void (*settle)(const struct pmu *pmu))
{
	const char *ended;
	unsigned again = 0;
	bool disturbed;
	struct run t = *fresh;

	while ((disturbed = run_disturbed(&t, battery, settle, &ended)) && again < RERUNS) {
		report_drop_diag();
		again++;
		t = *fresh;
	}
	if (again)
		report_diag("run again %u times: %s while it failed%s", again,
			    counts_entries(battery->cpu) ? "KVM may have counted its own VMRUN"
							 : "SMIs or NMIs came",
			    disturbed ? ", and did so each time: it may be them" : "");
	if (battery->verbose || t.failed || ended)
		attempt_report_claim(t.test);
	report_run(id, &t, ended);
}
