/* SPDX-License-Identifier: BSD-2-Clause */
/* What a processor that goes along remembered paths (paths.h) has still to do to its core. */
#pragma once

#include "paths.h"

struct memo {
	bool off; /* it goes along none */
	bool ahead; /* some are gone whose clocks the PMU has not counted */
	/* While it is ahead: */
	unsigned state, loads, stores; /* as in struct path_from */
	unsigned mode; /* PATH_CPL, which is that of all clocks, and PATH_CLOSES */
	uint64_t room; /* as of the PMU, for what may follow */
	const struct path *last;
	struct mets mets; /* of the block that is being executed */
};
