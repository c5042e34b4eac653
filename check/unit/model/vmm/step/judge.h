/* SPDX-License-Identifier: BSD-2-Clause */
/* The judge of alike.c: a child with the same memory as the guest, which this debugger has the
 * processor of this machine step through. */
#pragma once

#include <signal.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/uio.h>
#include <sys/user.h>
#include <sys/wait.h>
#include <unistd.h>

#include "model/vmm/guest/guest.h"

enum { PAGE = 4096, CODE = 0x10000000, OPERANDS = 0x10010000, OPERANDS_SIZE = 4 * PAGE };
enum { CODE_32_SELECTOR = 0x23, DATA_SELECTOR = 0x2b, CODE_64_SELECTOR = 0x33 };

/* Flags that instructions compute. */
#define FLAGS (BIT(0) | BIT(2) | BIT(4) | BIT(6) | BIT(7) | BIT(10) | BIT(11))

static struct vmcb vmcb;
static struct guest guest = {.vmcb = &vmcb, .stepping = true, .system = true};
static pid_t judge;

static struct iovec operands = {(void *)(uintptr_t)OPERANDS, OPERANDS_SIZE};
static struct iovec code = {(void *)(uintptr_t)CODE, 2 * PAGE};

/* To where it is not, QEMU's processor goes, and faults there; others fault before. */
static bool is_canonical(uint64_t address)
{
	return address + BIT(47) < BIT(48);
}

/* What the system of this machine cannot step through: code with a stack pointer that is not
 * canonical, as a hypervisor cannot whose kernels run in ring 3; and code of 32 bits. */
static bool needs_stack, lacks_32;
static bool judge_refused; /* the last round is not judged for that reason */

static void judge_fork(void)
{
	judge = fork();
	if (!judge) {
		ptrace(PTRACE_TRACEME, 0, NULL, NULL);
		raise(SIGSTOP);
		_exit(1);
	}
	waitpid(judge, NULL, 0);
}

/* Registers by their numbers in ModRM. */
static unsigned long long *gpr_of(struct user_regs_struct *r, unsigned number)
{
	unsigned long long *const gprs[GPRS] = {
		&r->rax, &r->rcx, &r->rdx, &r->rbx, &r->rsp, &r->rbp, &r->rsi, &r->rdi,
		&r->r8,  &r->r9,  &r->r10, &r->r11, &r->r12, &r->r13, &r->r14, &r->r15,
	};

	return gprs[number];
}

static bool judge_begin(void)
{
	struct user_regs_struct r;

	judge_refused = false;
	ptrace(PTRACE_GETREGS, judge, NULL, &r);
	for (unsigned i = 0; i < GPRS; i++)
		*gpr_of(&r, i) = guest_gpr(&guest, i);
	r.rip = vmcb.rip;
	r.eflags = vmcb.rflags | BIT(9);
	r.orig_rax = UINT64_MAX;
	r.cs = guest.size == CODE_64 ? CODE_64_SELECTOR : CODE_32_SELECTOR;
	r.ds = r.es = DATA_SELECTOR;
	ptrace(PTRACE_SETREGS, judge, NULL, &r);
	return process_vm_writev(judge, &operands, 1, &operands, 1, 0) > 0 &&
	       process_vm_writev(judge, &code, 1, &code, 1, 0) > 0;
}

/* A repeated string instruction traps behind each of its iterations. */
static bool judge_step(bool repeats)
{
	struct user_regs_struct before, r;
	int status;

	ptrace(PTRACE_GETREGS, judge, NULL, &before);
	do {
		ptrace(PTRACE_SINGLESTEP, judge, NULL, NULL);
		waitpid(judge, &status, 0);
		ptrace(PTRACE_GETREGS, judge, NULL, &r);
	} while (repeats && WIFSTOPPED(status) && r.rip == before.rip);
	judge_refused |= WSTOPSIG(status) == SIGSEGV && needs_stack && !is_canonical(r.rsp);
	return WIFSTOPPED(status) && WSTOPSIG(status) == SIGTRAP;
}

/* Steps through a NOP. */
static bool judge_can(enum code_size size, uint64_t rsp)
{
	guest.size = size;
	guest_set_gpr(&guest, RSP, rsp);
	vmcb.rip = CODE;
	*(uint8_t *)(uintptr_t)CODE = 0x90;
	return judge_begin() && judge_step(false);
}

static void judge_start(void)
{
	judge_fork();
	needs_stack = !judge_can(CODE_64, BIT(62));
	lacks_32 = !judge_can(CODE_32, OPERANDS);
}

static bool is_as_judged(void)
{
	static uint8_t theirs[OPERANDS_SIZE];
	struct iovec to = {theirs, sizeof(theirs)};
	struct user_regs_struct r;
	bool same = true;

	ptrace(PTRACE_GETREGS, judge, NULL, &r);
	for (unsigned i = 0; i < GPRS && (i < 8 || guest.size == CODE_64); i++)
		same &= *gpr_of(&r, i) == guest_gpr(&guest, i);
	return same && r.rip == vmcb.rip && !((r.eflags ^ vmcb.rflags) & FLAGS) &&
	       process_vm_readv(judge, &to, 1, &operands, 1, 0) == sizeof(theirs) &&
	       !memcmp(theirs, operands.iov_base, sizeof(theirs));
}
