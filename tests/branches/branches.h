/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Tests of the records of the last branches.
 *
 * Room: what is claimed of records of branches.
 * Uses: tests/intel
 */
#pragma once

#include "tests/intel/intel.h"
