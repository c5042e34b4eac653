/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Room: the modelled processor as pure computation: how instructions retire and reach memory, and
 * the way of an interrupt request to the local APIC.
 * Uses: model/decode, model/faults, model/pmu/amd, model/pmu/intel, model/pmu/netburst
 * Uses: model/signals, kernel/lib
 */
#pragma once

#include "model/decode/decode.h"
#include "silicon.h"
#include "snapshot.h"
#include "stage.h"
