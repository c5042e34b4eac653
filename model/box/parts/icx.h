/* SPDX-License-Identifier: BSD-2-Clause */
/* Events of Ice Lake-SP, by kind of box. */
#pragma once

#include "skx.h"

extern const struct uncore_event icelake_sp_slice_events[], icelake_sp_channel_events[],
	icelake_sp_stack_events[], icelake_sp_io_events[], icelake_sp_memory_stop_events[],
	icelake_sp_power_events[], icelake_sp_no_events[];
