/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Tests of the counters in a core, whichever driver they have, and of the runner itself.
 *
 * Room: what is claimed of every PMU in a core.
 * Uses: tests/lib
 */
#pragma once

#include "tests/lib/test.h"
