/* SPDX-License-Identifier: BSD-2-Clause */
/* Events of Skylake-SP, by kind of box. */
#pragma once

#include "xeon_scalable.h"

extern const struct box_event xeon_scalable_slice_events[], xeon_scalable_stack_events[],
	xeon_scalable_io_events[], xeon_scalable_memory_stop_events[], xeon_scalable_power_events[];
extern const struct box_meter xeon_scalable_stack_meters[];
