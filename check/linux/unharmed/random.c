/* SPDX-License-Identifier: BSD-2-Clause */
/* xorshift64*, which is the same everywhere. */
#include "unharmed.h"

uint32_t draw(struct random *r, uint32_t end)
{
	r->state ^= r->state >> 12;
	r->state ^= r->state << 25;
	r->state ^= r->state >> 27;
	return (uint32_t)((r->state * UINT64_C(0x2545f4914f6cdd1d)) >> 32) % end;
}
