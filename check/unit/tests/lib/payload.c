/* SPDX-License-Identifier: BSD-2-Clause */
/* The payloads' constants against this machine: each payload is single-stepped by ptrace. */
#include "tests/lib/payload.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/user.h>
#include <sys/wait.h>
#include <unistd.h>

#include "check/unit/host.h"
#include "check/unit/tap.h"

static uint64_t buffer[10000] __attribute__((aligned(64)));

struct seen {
	struct payload_counts counts;
	unsigned fusible; /* compare or test right before a conditional branch */
};

static void child(const struct payload *payload, uint64_t iterations)
{
	ptrace(PTRACE_TRACEME, 0, NULL, NULL);
	raise(SIGSTOP);
	payload->entry(iterations, buffer);
	_exit(0);
}

static bool is_conditional(const uint8_t *code)
{
	return (code[0] & 0xf0) == 0x70 || (code[0] == 0x0f && (code[1] & 0xf0) == 0x80);
}

static bool is_compare(const uint8_t *code)
{
	unsigned extension;

	if ((code[0] & 0xf0) == 0x40) /* REX */
		code++;
	extension = code[1] >> 3 & 7;
	return (code[0] >= 0x38 && code[0] <= 0x3d) || code[0] == 0x84 || code[0] == 0x85 ||
	       code[0] == 0xa8 || code[0] == 0xa9 ||
	       (code[0] >= 0x80 && code[0] <= 0x83 && extension == 7) ||
	       ((code[0] == 0xf6 || code[0] == 0xf7) && extension == 0);
}

static uint64_t step(pid_t pid)
{
	struct user_regs_struct regs;
	int status;

	if (ptrace(PTRACE_SINGLESTEP, pid, NULL, NULL) || waitpid(pid, &status, 0) != pid ||
	    !WIFSTOPPED(status) || WSTOPSIG(status) != SIGTRAP ||
	    ptrace(PTRACE_GETREGS, pid, NULL, &regs)) {
		printf("Bail out! the payload cannot be stepped\n");
		exit(2);
	}
	return regs.rip;
}

static struct seen step_payload(const struct payload *payload, uint64_t iterations)
{
	uint64_t entry = (uintptr_t)payload->entry, before, rip, next, depth = 1;
	struct seen seen = {0};
	pid_t pid;

	fflush(stdout);
	pid = fork();
	if (!pid)
		child(payload, iterations);
	waitpid(pid, NULL, 0);
	do
		rip = step(pid);
	while (rip != entry);
	before = rip;
	/* Code is the same in parent and child, so that the parent can look at its own. */
	while (depth) {
		const uint8_t *code = (const uint8_t *)rip;

		next = step(pid);
		payload_step(&seen.counts, rip, next);
		seen.fusible += is_conditional(code) && is_compare((const uint8_t *)before);
		depth += code[0] == 0xe8 || (code[0] == 0xff && (code[1] & 0x38) == 0x10);
		depth -= code[0] == 0xc3;
		before = rip;
		rip = next;
	}
	kill(pid, SIGKILL);
	waitpid(pid, NULL, 0);
	return seen;
}

static void test_payload(const struct payload *p, uint64_t n)
{
	const struct payload_counts want = payload_total(p, n);
	struct seen s = step_payload(p, n);

	printf("# %s, %llu iterations: %lld instructions\n", p->name, (unsigned long long)n,
	       (long long)s.counts.instructions);
	OK(s.counts.instructions == want.instructions);
	OK(s.counts.branches == want.branches);
	OK(s.counts.taken >= want.taken);
	OK(s.counts.taken <= want.taken + (int64_t)(n * payload_does(p, "either_way")));
	OK(s.counts.near_returns == want.near_returns);
	OK(s.counts.twice == want.twice);
	/* The bound on Zen 2's instructions per clock holds for code without fused pairs. */
	OK(s.fusible == 0);
}

/* ---- names ---- */

static void ask_for(void *name)
{
	payload_occasion(name);
}

static void test_names(void)
{
	struct occasion o = payload_occasion("mmx.shift");

	OK(!strcmp(o.payload->name, "mmx") && o.each == 2);
	o = payload_occasion("misses");
	OK(o.payload == &payload_misses && o.each == 0);
	OK(host_panics(ask_for, "mis"));
	OK(host_panics(ask_for, "misses.shift"));
	OK(host_panics(ask_for, "misses."));
}

int main(void)
{
	OK(payload_does(&payload_sub, "loads") == 0 && payload_does(&payload_sub, "es") == 2);
	OK(payload_does(&payload_memory, "loads") == 4);
	OK(payload_does(&payload_memory, "stores") == 3);
	test_names();
	FOR_EACH_PAYLOAD (p)
		for (uint64_t n = 1; n <= 5; n++)
			test_payload(p, n);
	return tap_end();
}
