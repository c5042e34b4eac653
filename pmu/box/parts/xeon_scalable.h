/* SPDX-License-Identifier: BSD-2-Clause */
/* Rows that Skylake-SP and Ice Lake-SP have in common, whose boxes a mesh joins. */
#pragma once

#include "xeon_e5_v3.h"

/* No frz_en: frz alone freezes, as Linux writes it. */
extern const struct box_gating xeon_scalable_freeze, xeon_scalable_gate;

#define BEHIND_MSRS(counters_, ctl_)                                                               \
	.space = REG_MSR, .counters = (counters_), .width = 48, .gate = &xeon_scalable_gate,       \
	.at = {.gate = 0, .ctl = (ctl_), .ctl_step = 1, .ctr = 1, .ctr_step = 1, E5_NOT_FIXED}
/* From a function on, or a place in memory: box control, controls, and counters of two dwords. */
#define LIES_AT(gate_, ctl_, ctl_step_, ctr_, ...)                                                 \
	.counters = 4, .width = 48,                                                                \
	.at = {.gate = (gate_),                                                                    \
	       .ctl = (ctl_),                                                                      \
	       .ctl_step = (ctl_step_),                                                            \
	       .ctr = (ctr_),                                                                      \
	       .ctr_step = 8,                                                                      \
	       __VA_ARGS__}

/* A function that not every machine has, on the first bus that shows it. */
#define ON_MESH(kind_, number_, device_, function_, id_)                                           \
	E5_FUNCTION(kind_, number_, device_, function_, id_, .behind = true, OPTIONAL)

extern const uint32_t xeon_scalable_power_hz[];
extern const struct box_event xeon_scalable_stop_events[], xeon_scalable_link_events[];
