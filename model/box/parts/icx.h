/* SPDX-License-Identifier: BSD-2-Clause */
/* Events of Ice Lake-SP, by kind of box. */
#pragma once

#include "skx.h"

extern const struct uncore_event icx_slice_events[], icx_channel_events[], icx_stack_events[],
	icx_io_events[], icx_memory_stop_events[], icx_power_events[], icx_no_events[];
