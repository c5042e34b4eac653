/* SPDX-License-Identifier: BSD-2-Clause */
/* Seeded faults of the local APIC: how it takes its LVT entry when an interrupt is due. */
#include <stddef.h>

#include "faults.h"
#include "kernel/lib/bits.h"

#define LVT_MODE     (uint32_t) FIELD(10, 8)
#define LVT_MODE_NMI UINT32_C(0x400)
#define LVT_MASKED   (uint32_t) BIT(16)

static uint32_t lvt_mask_ignored(uint32_t entry)
{
	return entry & ~LVT_MASKED;
}

static uint32_t lvt_nmi_lost(uint32_t entry)
{
	return (entry & LVT_MODE) == LVT_MODE_NMI ? entry | LVT_MASKED : entry;
}

static uint32_t lvt_fixed_lost(uint32_t entry)
{
	return (entry & LVT_MODE) == 0 ? entry | LVT_MASKED : entry;
}

const struct fault faults_lvt[] = {
	{
		.name = "lvt_mask_ignored",
		.models = MODEL_ALL,
		.test = "*.overflow.masked",
		.says = "an interrupt is delivered though the LVT entry is masked",
		.lvt = lvt_mask_ignored,
	},
	{
		.name = "lvt_nmi_lost",
		.models = MODEL_ALL,
		.test = "*.overflow.nmi",
		.says = "an LVT entry in NMI mode delivers nothing",
		.lvt = lvt_nmi_lost,
	},
	{
		.name = "lvt_fixed_lost",
		.models = MODEL_ALL,
		.test = "*.overflow.skid",
		.says = "an LVT entry in fixed mode delivers nothing",
		.lvt = lvt_fixed_lost,
	},
	{.name = NULL},
};
