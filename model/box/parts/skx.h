/* SPDX-License-Identifier: BSD-2-Clause */
/* Events of Skylake-SP, by kind of box, what occurs in them without traffic, and registers that
 * Ice Lake-SP has, too. */
#pragma once

#include "e5.h"

extern const struct uncore_event skx_slice_events[], skx_power_events[], skx_stack_events[],
	skx_io_events[], skx_channel_events[], skx_memory_stop_events[], skx_port_events[],
	skx_stop_events[];
extern const struct uncore_pattern skx_power_idle, skx_stack_idle, skx_io_idle, skx_port_idle;
extern const struct uncore_place skx_ubox[], skx_stack[];

/* Of the global control; where its cores are no source says. */
#define SKX_FREEZE   BIT(63)
#define SKX_UNFREEZE BIT(61)
#define SKX_GLOBAL(control, status, statuses)                                                      \
	.global = (control), .global_status = (status), .global_statuses = (statuses),             \
	.global_freeze = SKX_FREEZE, .global_unfreeze = SKX_UNFREEZE
