/* SPDX-License-Identifier: BSD-2-Clause */
/* How the local APIC takes its LVT entry when an interrupt is due. */
#include "common.h"

#define LVT_MODE     FIELD(10, 8) /* 0: fixed */
#define LVT_MODE_NMI BIT(10) /* alone */
#define LVT_MASKED   BIT(16)

#define LVT_FAULT(name_, test_, says_, ...)                                                        \
	SEEDED(name_, #name_, MODEL_ALL, test_, says_, .lvt = {__VA_ARGS__})

LVT_FAULT(lvt_mask_ignored, "*.overflow.masked",
	  "an interrupt is delivered though the LVT entry is masked", .clear = LVT_MASKED);
LVT_FAULT(lvt_nmi_lost, "*.overflow.nmi", "an LVT entry in NMI mode delivers nothing",
	  .when = LVT_MODE_NMI, .unless = LVT_MODE & ~LVT_MODE_NMI, .set = LVT_MASKED);
LVT_FAULT(lvt_fixed_lost, "*.overflow.skid", "an LVT entry in fixed mode delivers nothing",
	  .unless = LVT_MODE, .set = LVT_MASKED);
