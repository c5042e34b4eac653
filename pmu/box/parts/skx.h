/* SPDX-License-Identifier: BSD-2-Clause */
/* Events of Skylake-SP, by kind of box. */
#pragma once

#include "xeon_scalable.h"

extern const struct box_event skx_slice_events[], skx_stack_events[], skx_io_events[],
	skx_memory_stop_events[], skx_power_events[];
extern const struct box_meter skx_stack_meters[];
