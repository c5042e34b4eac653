/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Room: the modelled processor as pure computation: what instructions are, how they retire and
 * reach memory, and the way of an interrupt request to the local APIC.
 * Uses: model/faults, model/pmu/amd, model/pmu/intel, model/pmu/netburst
 * Uses: model/signals, kernel/lib
 */
#pragma once

#include "decode.h"
#include "silicon.h"
#include "snapshot.h"
#include "stage.h"
