/* SPDX-License-Identifier: BSD-2-Clause */
/* Faults in meters, which are alike in all processors that have them. */
#include "common.h"

#define METERED (MODEL_SKYLAKE | MODEL_ZEN2)

#define METER_FAULT(models_, what_, name_, test_, says_, ...)                                      \
	SEEDED(name_, #name_, models_, test_, says_,                                               \
	       .what_ = &(const struct meter_defect){__VA_ARGS__})

/* ---- energy ---- */

METER_FAULT(METERED, energy, energy_stands, "energy.*.meters.moves", "meters of energy stand still",
	    .shown.clear = UINT64_MAX, .shown.set = 0x12345);
METER_FAULT(METERED, energy, energy_bit_33_set, "energy.*.meters.in_width",
	    "bit 33 of a meter of energy reads 1", .shown.set = BIT(33));
METER_FAULT(METERED, energy, energy_goes_back, "energy.*.meters.forward",
	    "bit 16 of a meter of energy is inverted while bit 3 is 1", .shown.when = BIT(3),
	    .shown.flip = BIT(16));
METER_FAULT(METERED, energy, energy_fast, "energy.*.meters.bounded",
	    "meters of energy count 4,096 times what is taken", .times = 12);

/* ---- clocks ---- */

METER_FAULT(METERED, clocks, clocks_stand, "clocks.*.meters.moves", "MPERF and APERF stand still",
	    .shown.clear = UINT64_MAX, .shown.set = 0x12345);
METER_FAULT(METERED, clocks, clocks_go_back, "clocks.*.meters.forward",
	    "bit 40 of MPERF and APERF is inverted while bit 14 is 1", .shown.when = BIT(14),
	    .shown.flip = BIT(40));
METER_FAULT(METERED, clocks, clocks_fast, "clocks.*.meters.bounded",
	    "MPERF and APERF count 64 times too fast", .times = 6);
METER_FAULT(MODEL_ZEN2, clocks, clocks_second_low32, "clocks.*.meters.second_names",
	    "the read-only names of MPERF and APERF show bits 31:0 alone",
	    .shown.clear = UINT64_MAX << 32, .second = true);
