/* SPDX-License-Identifier: BSD-2-Clause */
/* Faults in the meters of energy, which are alike in all processors. */
#include "common.h"

#define METERED (MODEL_SKYLAKE | MODEL_ZEN2)

#define ENERGY_FAULT(name_, test_, says_, ...)                                                     \
	SEEDED(name_, #name_, METERED, "energy." test_, says_,                                     \
	       .energy = &(const struct energy_defect){__VA_ARGS__})

ENERGY_FAULT(energy_stands, "*.meters.moves", "meters of energy stand still",
	     .shown.clear = UINT64_MAX, .shown.set = 0x12345);
ENERGY_FAULT(energy_bit_33_set, "*.meters.in_width", "bit 33 of a meter of energy reads 1",
	     .shown.set = BIT(33));
ENERGY_FAULT(energy_goes_back, "*.meters.forward",
	     "bit 16 of a meter of energy is inverted while bit 3 is 1", .shown.when = BIT(3),
	     .shown.flip = BIT(16));
ENERGY_FAULT(energy_fast, "*.meters.bounded", "meters of energy count 4,096 times what is taken",
	     .times = 12);
