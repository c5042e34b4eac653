/* SPDX-License-Identifier: BSD-2-Clause */
/* The entry into drawn code, and the way out of it: by its end or after too many signals. */
#define _GNU_SOURCE
#include "unharmed.h"

#include <signal.h>
#include <string.h>
#include <ucontext.h>

enum { SIGNALS_MOST = 200, FETCH = 0x10 /* of the error code */, TF = 0x100 };

struct state enter_state;
static const struct code *running;
static enum next_page running_next;

/* For the code below. */
void enter_code(uint64_t entry, const uint64_t gpr[GPRS]);
uint64_t enter_stack, enter_entry;
/* As after FNINIT, with the FPU's pointers and registers 0 and all exceptions masked. */
const struct {
	uint16_t control, status, tag, opcode;
	uint64_t pointers[2];
	uint32_t mxcsr, mask;
	uint8_t registers[480];
} enter_fpu __attribute__((aligned(16))) = {.control = 0x37f, .mxcsr = 0x1f80};

_Static_assert(sizeof(enter_fpu) == 512, "FXRSTOR");
_Static_assert(offsetof(struct state, flags) == 128 && offsetof(struct state, fpu) == 160,
	       "as the code below has them");

__asm__(".text\n"
	".globl enter_code, enter_exit\n"
	"enter_code:\n"
	"	push %rbx\n	push %rbp\n	push %r12\n"
	"	push %r13\n	push %r14\n	push %r15\n"
	"	mov %rsp, enter_stack(%rip)\n"
	"	mov %rdi, enter_entry(%rip)\n"
	"	fxrstor64 enter_fpu(%rip)\n"
	"	fninit\n" /* QEMU's FXRSTOR leaves the pointers as they are */
	"	mov (%rsi), %rax\n	mov 8(%rsi), %rcx\n	mov 16(%rsi), %rdx\n"
	"	mov 24(%rsi), %rbx\n	mov 32(%rsi), %rsp\n	mov 40(%rsi), %rbp\n"
	"	mov 56(%rsi), %rdi\n	mov 64(%rsi), %r8\n	mov 72(%rsi), %r9\n"
	"	mov 80(%rsi), %r10\n	mov 88(%rsi), %r11\n	mov 96(%rsi), %r12\n"
	"	mov 104(%rsi), %r13\n	mov 112(%rsi), %r14\n	mov 120(%rsi), %r15\n"
	"	mov 48(%rsi), %rsi\n"
	"	jmp *enter_entry(%rip)\n"
	"enter_exit:\n"
	"	mov %rax, enter_state(%rip)\n	mov %rcx, enter_state+8(%rip)\n"
	"	mov %rdx, enter_state+16(%rip)\n	mov %rbx, enter_state+24(%rip)\n"
	"	mov %rsp, enter_state+32(%rip)\n	mov %rbp, enter_state+40(%rip)\n"
	"	mov %rsi, enter_state+48(%rip)\n	mov %rdi, enter_state+56(%rip)\n"
	"	mov %r8, enter_state+64(%rip)\n	mov %r9, enter_state+72(%rip)\n"
	"	mov %r10, enter_state+80(%rip)\n	mov %r11, enter_state+88(%rip)\n"
	"	mov %r12, enter_state+96(%rip)\n	mov %r13, enter_state+104(%rip)\n"
	"	mov %r14, enter_state+112(%rip)\n	mov %r15, enter_state+120(%rip)\n"
	"	mov enter_stack(%rip), %rsp\n"
	"	pushfq\n"
	"	pop enter_state+128(%rip)\n"
	"	push $2\n"
	"	popfq\n"
	"	fxsave64 enter_state+160(%rip)\n"
	"	emms\n"
	"	pop %r15\n	pop %r14\n	pop %r13\n"
	"	pop %r12\n	pop %rbp\n	pop %rbx\n"
	"	ret\n");

/* ---- signals ---- */

static void note(uint64_t value)
{
	enter_state.digest = (enter_state.digest ^ value) * UINT64_C(0x100000001b3); /* FNV-1a */
}

static void note_signal(int number, const siginfo_t *info, const greg_t *registers)
{
	enter_state.signals++;
	note((uint64_t)number << 32 | (uint32_t)info->si_code);
	if (number == SIGSEGV || number == SIGBUS)
		note((uint64_t)info->si_addr);
	for (unsigned i = 0; i <= REG_EFL; i++)
		note((uint64_t)registers[i]);
}

/* Behind the instruction, as it was drawn. */
static void skip(greg_t *registers)
{
	uint64_t at = (uint64_t)registers[REG_RIP] - page_address(PAGE_CODE);
	unsigned length = at < CODE_ROOM ? code_length(running, (unsigned)at) : 0;

	if (length && enter_state.signals < SIGNALS_MOST)
		registers[REG_RIP] += length;
	else
		registers[REG_RIP] = (greg_t)(uintptr_t)enter_exit;
}

/* Code may set the trap flag: it traps once. */
static void handle(int number, siginfo_t *info, void *context)
{
	greg_t *registers = ((ucontext_t *)context)->uc_mcontext.gregs;

	note_signal(number, info, registers);
	if (number == SIGTRAP)
		registers[REG_EFL] &= ~TF;
	else if (number != SIGSEGV ||
		 !pages_mend((uint64_t)info->si_addr, registers[REG_ERR] & FETCH, running_next))
		skip(registers);
}

bool enter_prepare(void)
{
	static uint8_t stack[65536];
	static const int numbers[] = {SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGTRAP};
	const stack_t alternate = {.ss_sp = stack, .ss_size = sizeof(stack)};
	const struct sigaction action = {.sa_sigaction = handle,
					 .sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER};

	if (sigaltstack(&alternate, NULL))
		return false;
	for (unsigned i = 0; i < sizeof(numbers) / sizeof(*numbers); i++)
		if (sigaction(numbers[i], &action, NULL))
			return false;
	return true;
}

void enter(const struct code *code, enum next_page next, const uint64_t gpr[GPRS])
{
	running = code;
	running_next = next;
	memset(&enter_state, 0, sizeof(enter_state));
	enter_code(page_address(PAGE_CODE) + code->entry, gpr);
}
