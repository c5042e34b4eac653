/* SPDX-License-Identifier: BSD-2-Clause */
/* Faults in what qualifies fetches and loads. */
#include "intel.h"

#define P_CORES (MODEL_GOLDENCOVE | MODEL_LIONCOVE | MODEL_COUGARCOVE)
#define FETCHES (MODEL_V4 | P_CORES)
#define LOADS   (MODEL_SANDY_ON | P_CORES)

FAULT_ON(FETCHES, frontend_all_l1i_misses, "*.qualified.fetches",
	 "MSR_PEBS_FRONTEND has no effect: all misses of the L1I count",
	 ACTS(INTEL_FRONTEND, .clear = FIELD(22, 0), .set = 0x12));
FAULT_ON(FETCHES, frontend_code_bit_4_dead, "*.qualified.fetches",
	 "bit 4 of MSR_PEBS_FRONTEND has no effect", ACTS(INTEL_FRONTEND, .clear = BIT(4)));
FAULT_ON(FETCHES, frontend_bubbles_ignored, "*.qualified.fetches",
	 "the length of MSR_PEBS_FRONTEND has no effect",
	 ACTS(INTEL_FRONTEND, .clear = FIELD(19, 8)));
FAULT_ON(FETCHES, frontend_upper_bubbles_ignored, "*.qualified.fetches",
	 "the length of MSR_PEBS_FRONTEND is compared in five bits only",
	 ACTS(INTEL_FRONTEND, .clear = FIELD(19, 13)));
FAULT_ON(LOADS, ld_lat_ignored, "*.qualified.loads",
	 "MSR_PEBS_LD_LAT_THRESHOLD has no effect: all loads count",
	 ACTS(INTEL_LD_LAT_THRESHOLD, .clear = FIELD(15, 0)));
FAULT_ON(LOADS, ld_lat_of_8_bits, "*.qualified.loads",
	 "the latency of loads is compared in 8 bits only",
	 ACTS(INTEL_LD_LAT_THRESHOLD, .clear = FIELD(15, 8)));
FAULT_ON(LOADS, ld_lat_dead, "*.qualified.loads",
	 "no load takes as long as MSR_PEBS_LD_LAT_THRESHOLD says",
	 ACTS(INTEL_LD_LAT_THRESHOLD, .set = FIELD(15, 0)), .as_lawful = "by HSD171 none counts");
