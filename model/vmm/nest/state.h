/* SPDX-License-Identifier: BSD-2-Clause */
/* The host and its guest at hand, for the files of this room. */
#pragma once

#include "nest.h"

struct nest {
	bool on;
	uint64_t
		save_area; /* VM_HSAVE_PA, in which the processor keeps what no software may read */
	struct vmcb *outer; /* of the host, while the inner guest runs, */
	struct vmcb *theirs; /* and the one that the host has made */
	uint32_t event; /* that the host injects, until it is delivered */
	bool request_waits; /* for this entry alone: a virtual interrupt, for the end of a shadow */
};
extern struct nest nest;

/* ---- run.c ---- */

/* #VMEXIT, as the VMCB of the inner guest tells; and with that exit code and information. */
void nest_leave(struct guest *g);
void nest_leave_with(struct guest *g, uint64_t code, uint64_t info_1, uint64_t info_2);
