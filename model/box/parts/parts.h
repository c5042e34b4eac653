/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Room: what the boxes of each modelled part are, as rows.
 * Uses: model/box, kernel/lib
 */
#pragma once

#include "kernel/lib/bits.h"
#include "model/box/box.h"
