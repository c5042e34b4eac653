/* SPDX-License-Identifier: BSD-2-Clause */
/* Interrupts that come twice. */
#include "lawful.h"

enum { SHORT = 32, LATER = 10 };
#define IS_SHORT BIT(8)

static void notes_period(struct point *at)
{
	at->memory[at->ctr] = ((0 - at->value) & at->mask) < SHORT ? IS_SHORT : 0;
}

/* memory: in so many events the overflow comes again. */
static void repeats(struct point *at)
{
	uint64_t *memory = &at->memory[at->ctr];

	if (!at->counter[at->ctr].set.interrupt)
		return;
	if (at->carry)
		*memory = *memory & IS_SHORT ? LATER : 0;
	else if (*memory && !(*memory & IS_SHORT))
		at->carry = --*memory == 0;
}

/* Linux, nhm_limit_period(): seen for all events. */
LAWFUL(MODEL_NEHALEM, repeats_short_period, NULL,
       "a counter preset to overflow in less than 32 events interrupts twice",
       .registers = BIT(INTEL_PMC) | BIT(INTEL_A_PMC) | BIT(INTEL_FIXED_CTR),
       .written = notes_period, .overflow = repeats);
