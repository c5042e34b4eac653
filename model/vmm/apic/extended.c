/* SPDX-License-Identifier: BSD-2-Clause */
/* The extended registers of AMD's local APICs, which the machine's has not: AMD64 APM vol. 2, 16.4.
 */
#include "apic.h"

#define FEATURE_ENTRIES (uint32_t) FIELD(23, 16) /* all other features are those of an EOI */
#define ENTRY_WRITABLE  (LVT_VECTOR | LVT_MODE | LVT_MASKED)

static bool exists;
static uint32_t entries[APIC_EXTENDED_ENTRIES];

void extended_apic_reset(bool there, bool masked)
{
	exists = there;
	for (unsigned i = 0; i < APIC_EXTENDED_ENTRIES; i++)
		entries[i] = masked ? LVT_MASKED : 0;
}

bool extended_apic_exists(void)
{
	return exists;
}

bool extended_apic_has(uint32_t reg)
{
	return exists && (reg == APIC_VERSION || reg >= APIC_EXTENDED_FIRST);
}

/* NULL: the register is none of them. */
static uint32_t *find(uint32_t reg)
{
	uint32_t number = (reg - APIC_EXTENDED_LVT) / 0x10;

	return number < APIC_EXTENDED_ENTRIES && reg % 0x10 == 0 ? &entries[number] : NULL;
}

uint32_t extended_apic_entry(unsigned number)
{
	return number < APIC_EXTENDED_ENTRIES ? entries[number] : LVT_MASKED;
}

void extended_apic_mask(unsigned number)
{
	if (number < APIC_EXTENDED_ENTRIES)
		entries[number] |= LVT_MASKED;
}

uint32_t extended_apic_read(uint32_t reg)
{
	const uint32_t *entry = find(reg);

	if (reg == APIC_EXTENDED_FIRST)
		return (uint32_t)field_put(FEATURE_ENTRIES, APIC_EXTENDED_ENTRIES);
	return entry ? *entry : 0;
}

void extended_apic_write(uint32_t reg, uint32_t value)
{
	uint32_t *entry = find(reg);

	if (entry)
		*entry = value & ENTRY_WRITABLE;
}
