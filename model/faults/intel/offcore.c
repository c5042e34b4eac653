/* SPDX-License-Identifier: BSD-2-Clause */
/* Seeded faults: the filters of offcore responses. */
#include "intel.h"

#define OFFCORE "offcore.filters"

FAULT_ON(MODEL_SANDY_ON, offcore_loads_dead, "*." OFFCORE,
	 "no filter of offcore responses lets demand loads through",
	 ACTS(INTEL_OFFCORE_RSP, .clear = BIT(0)));
FAULT_ON(MODEL_SANDY_ON, offcore_stores_always, "*." OFFCORE,
	 "each filter of offcore responses lets demand stores through",
	 ACTS(INTEL_OFFCORE_RSP, .set = BIT(1)));
FAULT_ON(MODEL_SANDY_ON, offcore_any_stuck, "*." OFFCORE,
	 "filters of offcore responses do not ask for a kind of response",
	 ACTS(INTEL_OFFCORE_RSP, .set = BIT(16)));
FAULT_ON(MODEL_SANDY_ON, offcore_second_loads_dead, "*." OFFCORE,
	 "the second filter of offcore responses lets no demand loads through",
	 ACTS(INTEL_OFFCORE_RSP, .clear = BIT(0)),
	 .only = {.kind = INTEL_OFFCORE_RSP, .number = 1});
FAULT_DO_ON(MODEL_SANDY_ON, offcore_filters_are_one, "*." OFFCORE,
	    "a write of the first filter of offcore responses acts on both", written,
	    intel(at)->offcore_acts[1] = intel(at)->offcore_acts[0],
	    .only = {.kind = INTEL_OFFCORE_RSP, .number = 0});
