/* SPDX-License-Identifier: BSD-2-Clause */
/* Stages: states of the machine that the model brings about before the program is started, such as
 * firmware may leave behind, and disturbances from outside. */
#pragma once

#include "silicon.h"

#define STAGE_COUNTERS_RUNNING   1u
#define STAGE_PMI_PENDING        2u
#define STAGE_INTERRUPTS_PENDING 4u
#define STAGE_APIC_DISABLED      8u
#define STAGE_APIC_SOFT_DISABLED 16u
#define STAGE_NMI                32u
#define STAGE_SMI                64u
#define STAGE_X2APIC             128u
/* Stages of the MP services, and of the last processor. */
#define STAGE_MP_MISSING    256u
#define STAGE_MP_FAILS      512u
#define STAGE_MP_BUSY       1024u
#define STAGE_CPU_DISABLED  2048u
#define STAGE_CPU_UNHEALTHY 4096u
/* A guest that calls itself so, without the boxes outside of its cores. */
#define STAGE_NO_BOXES 8192u
/* The last processor halts for good when it waits for others that run together with it. */
#define STAGE_CPU_LOST 16384u

/* The name of stage 1 << index; NULL: there is none. */
const char *stage_name(unsigned index);

/* Enables every counter of the core, in all rings, by its ordinary registers.  With interrupt,
 * counter 0 will overflow soon and asks for one. */
void stage_counters(struct silicon *s, const struct profile *profile, bool interrupt);
