/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Tests of the AMD drivers alone.
 *
 * Room: what is claimed of AMD counters and of no others.
 * Uses: kernel/svm, pmu/amd, tests/branches, tests/lib
 */
#pragma once

#include "pmu/amd/amd.h"
#include "pmu/amd/regs.h"
#include "tests/lib/test.h"
