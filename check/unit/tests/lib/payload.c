/* SPDX-License-Identifier: BSD-2-Clause */
/* The payloads' constants against this machine: each payload is single-stepped by ptrace. */
#include "tests/lib/payload.h"

#include <signal.h>
#include <stdlib.h>
#include <sys/ptrace.h>
#include <sys/user.h>
#include <sys/wait.h>
#include <unistd.h>

#include "check/unit/tap.h"

static uint64_t buffer[512] __attribute__((aligned(64)));

struct seen {
	int64_t instructions, branches, taken, near_returns;
	unsigned fusible; /* compare or test right before a conditional branch */
};

static void child(const struct payload *payload, uint64_t iterations)
{
	ptrace(PTRACE_TRACEME, 0, NULL, NULL);
	raise(SIGSTOP);
	payload->entry(iterations, buffer);
	_exit(0);
}

static bool is_short(const uint8_t *code)
{
	return (code[0] & 0xf0) == 0x70;
}

static bool is_near(const uint8_t *code)
{
	return code[0] == 0x0f && (code[1] & 0xf0) == 0x80;
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

/* Code is the same in parent and child, so that the parent can look at its own. */
static void note(struct seen *seen, uint64_t from, uint64_t to)
{
	const uint8_t *code = (const uint8_t *)from;
	bool always = code[0] == 0xc3 || code[0] == 0xe8 || code[0] == 0xe9 || code[0] == 0xeb ||
		      (code[0] == 0xff && ((code[1] & 0x38) == 0x10 || (code[1] & 0x38) == 0x20));

	seen->instructions++;
	seen->branches += is_short(code) || is_near(code) || always;
	seen->taken +=
		always || (is_short(code) && to != from + 2) || (is_near(code) && to != from + 6);
	seen->near_returns += code[0] == 0xc3;
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
	while (depth) {
		const uint8_t *code = (const uint8_t *)rip;

		next = step(pid);
		note(&seen, rip, next);
		seen.fusible +=
			(is_short(code) || is_near(code)) && is_compare((const uint8_t *)before);
		depth += code[0] == 0xe8 || (code[0] == 0xff && (code[1] & 0x38) == 0x10);
		depth -= code[0] == 0xc3;
		before = rip;
		rip = next;
	}
	kill(pid, SIGKILL);
	waitpid(pid, NULL, 0);
	return seen;
}

static void test_payload(const struct payload *p, int64_t n)
{
	struct seen s = step_payload(p, (uint64_t)n);

	printf("# %s, %lld iterations: %lld instructions\n", p->name, (long long)n,
	       (long long)s.instructions);
	OK(s.instructions == p->fixed.instructions + n * p->per_iteration.instructions);
	OK(s.branches == p->fixed.branches + n * p->per_iteration.branches);
	OK(s.taken == p->fixed.taken + n * p->per_iteration.taken);
	OK(s.near_returns == p->fixed.near_returns + n * p->per_iteration.near_returns);
	/* The bound on Zen 2's instructions per clock holds for code without fused pairs. */
	OK(s.fusible == 0);
}

int main(void)
{
	OK(payload_sub.per_iteration.loads == 0);
	OK(payload_memory.per_iteration.loads == 4 && payload_memory.per_iteration.stores == 3);
	for (const struct payload *const *p = payloads; *p; p++) {
		for (int64_t n = 1; n <= 5; n++)
			test_payload(*p, n);
	}
	return tap_end();
}
