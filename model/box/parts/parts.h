/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Room: the boxes of each modelled part, as rows; and rows that parts of one family share.
 * Uses: model/box
 */
#pragma once

#include "model/box/box.h"

extern const struct uncore_part uncore_nhm, uncore_snbep, uncore_ivt, uncore_hsx, uncore_skx,
	uncore_icx, uncore_spr, uncore_skl, uncore_adl, uncore_mtl, uncore_zen2, uncore_zen3,
	uncore_zen4, uncore_zen5, uncore_piledriver, uncore_jaguar;
