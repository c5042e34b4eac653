/* SPDX-License-Identifier: BSD-2-Clause */
/* Calls into rings 1 to 3. */
#include "state.h"

/* The words that IRET pops, in this order. */
struct user_entry {
	uintptr_t ip, cs, flags, sp, ss;
};

/* user.asm; sp0 is where the CPU finds the stack of ring 0. */
uint64_t user_enter(uint64_t di, void *si, const struct user_entry *entry, void *sp0);

static const struct {
	uint16_t code, data;
} selectors[] = {
	[1] = {RING_1_CODE, RING_1_DATA},
	[2] = {RING_2_CODE, RING_2_DATA},
	[3] = {USER_CODE, USER_DATA},
};

uint64_t ring_call(unsigned ring, asm_code *entry, uint64_t di, void *si, uintptr_t extra_flags)
{
	struct processor *processor = this_processor();
	/* With a return address, as if the return stub had made the call. */
	uintptr_t *stack = (uintptr_t *)(void *)processor->user_stack - 1;
	struct user_entry user = {
		.ip = (uintptr_t)entry,
		.cs = selectors[ring].code,
		.flags = (uintptr_t)BIT(1) | (read_rflags() & RFLAGS_IF) | extra_flags,
		.sp = (uintptr_t)stack,
		.ss = selectors[ring].data,
	};

	*stack = (uintptr_t)user_return;
	return user_enter(di, si, &user, context_entry_stack(processor->context));
}

uint64_t user_call(asm_code *entry, uint64_t di, void *si, uintptr_t extra_flags)
{
	return ring_call(3, entry, di, si, extra_flags);
}
