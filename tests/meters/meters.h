/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Tests of meters: registers that count by themselves.
 *
 * Room: what is claimed of what counts by itself and is only read.
 * Uses: tests/lib
 */
#pragma once

#include "tests/lib/test.h"

#define METERS                                                                                     \
	"SDM vol. 3B, 15.2 and 15.10.3; AMD PPR for family 17h model 31h, MSR0000_00E7, "          \
	"MSRC001_029B"
