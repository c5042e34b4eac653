/* SPDX-License-Identifier: BSD-2-Clause */
/* How long the windows are that look for rare defects. */
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
