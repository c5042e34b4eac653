/* SPDX-License-Identifier: BSD-2-Clause */
/* Calls into rings 1 to 3. */
#include "x86_64.h"

/* What IRETQ pops, in this order. */
struct user_entry {
	uint64_t rip, cs, rflags, rsp, ss;
};

/* user.asm; rsp0 lies in the TSS. */
uint64_t user_enter(uint64_t rdi, void *rsi, const struct user_entry *entry, void *rsp0);

static const struct {
	uint16_t code, data;
} selectors[] = {
	[1] = {RING_1_CODE, RING_1_DATA},
	[2] = {RING_2_CODE, RING_2_DATA},
	[3] = {USER_CODE, USER_DATA},
};

uint64_t ring_call(unsigned ring, uint64_t (*entry)(uint64_t rdi, void *rsi), uint64_t rdi,
		   void *rsi, uint64_t extra_rflags)
{
	struct processor *processor = this_processor();
	/* With a return address, as if the return stub had made the call. */
	uint64_t *stack = (uint64_t *)(void *)processor->user_stack - 1;
	struct user_entry user = {
		.rip = (uintptr_t)entry,
		.cs = selectors[ring].code,
		.rflags = BIT(1) | (read_rflags() & RFLAGS_IF) | extra_rflags,
		.rsp = (uintptr_t)stack,
		.ss = selectors[ring].data,
	};

	*stack = (uintptr_t)user_return;
	return user_enter(rdi, rsi, &user,
			  (uint8_t *)&processor->context->tss + offsetof(struct tss, rsp));
}

uint64_t user_call(uint64_t (*entry)(uint64_t rdi, void *rsi), uint64_t rdi, void *rsi,
		   uint64_t extra_rflags)
{
	return ring_call(3, entry, rdi, rsi, extra_rflags);
}
