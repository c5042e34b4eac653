/* SPDX-License-Identifier: BSD-2-Clause */
/* Events of Haswell-EP, by kind of box. */
#pragma once

#include "e5.h"

extern const struct uncore_event hsx_slice_events[], hsx_system_events[], hsx_home_events[],
	hsx_channel_events[], hsx_link_events[], hsx_power_events[], hsx_switch_events[],
	hsx_io_fabric_events[], hsx_io_events[];
/* Where registers of slices and of power control lie. */
extern const struct uncore_place hsx_slice[], hsx_power[];
