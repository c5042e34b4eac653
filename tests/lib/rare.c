/* SPDX-License-Identifier: BSD-2-Clause */
/* The length of windows that look for rare defects. */
#include "rare.h"

static unsigned length;

unsigned rare_events(void)
{
	return length;
}

void rare_set(unsigned events)
{
	length = events;
}
