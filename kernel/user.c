/* SPDX-License-Identifier: BSD-2-Clause */
/* Ring 3: its buffer, and calls into it. */
#include "state.h"

/* What IRETQ loads, in its order. */
struct user_entry {
	uint64_t rip, cs, rflags, rsp, ss;
};
_Static_assert(offsetof(struct user_entry, rip) == 0 && offsetof(struct user_entry, cs) == 8 &&
		       offsetof(struct user_entry, rflags) == 16 &&
		       offsetof(struct user_entry, rsp) == 24 &&
		       offsetof(struct user_entry, ss) == 32,
	       "known to user.asm");

uint64_t user_enter(uint64_t rdi, void *rsi, const struct user_entry *entry, void *rsp0);

bool user_build(void)
{
	/* The operand of the INT there. */
	if ((uint8_t)user_return[1] != VECTOR_USER)
		panic("user.asm returns by vector %x", (unsigned)(uint8_t)user_return[1]);
	machine->user_buffer = machine_pages(USER_BUFFER_SIZE / PAGE_SIZE);
	return machine->user_buffer != NULL;
}

void *user_buffer(void)
{
	return machine->user_buffer;
}

uint64_t user_call_on(struct processor *processor, uint64_t (*entry)(uint64_t rdi, void *rsi),
		      uint64_t rdi, void *rsi, uint64_t extra_rflags)
{
	/* As after a CALL from the return stub. */
	uint64_t *stack = (uint64_t *)(uintptr_t)processor->user_stack - 1;
	struct user_entry user = {
		.rip = (uint64_t)(uintptr_t)entry,
		.cs = USER_CODE,
		.rflags = BIT(1) | (read_rflags() & RFLAGS_IF) | extra_rflags,
		.rsp = (uint64_t)(uintptr_t)stack,
		.ss = USER_DATA,
	};

	*stack = (uint64_t)(uintptr_t)user_return;
	return user_enter(rdi, rsi, &user, (uint8_t *)&processor->tss + offsetof(struct tss, rsp));
}

uint64_t user_call(uint64_t (*entry)(uint64_t rdi, void *rsi), uint64_t rdi, void *rsi,
		   uint64_t extra_rflags)
{
	return user_call_on(&machine->processor, entry, rdi, rsi, extra_rflags);
}
