/* SPDX-License-Identifier: BSD-2-Clause */
/* The page of a local APIC with extended registers: so that these are there, nested paging leaves
 * it out, and all accesses come here. */
#include "apic.h"

static bool is_in_page(uint64_t physical)
{
	return extended_apic_exists() && physical - apic_find_base() < APIC_SIZE;
}

uint32_t apic_register(uint32_t reg)
{
	uint32_t version;

	if (!extended_apic_has(reg))
		return mmio_read32(apic_find_base() + reg);
	if (reg != APIC_VERSION)
		return extended_apic_read(reg);
	version = mmio_read32(apic_find_base() + reg);
	return version | APIC_EXTENDED;
}

bool apic_page_read(uint64_t physical, uint32_t *value)
{
	if (!is_in_page(physical))
		return false;
	*value = apic_register((uint32_t)(physical % APIC_SIZE));
	return true;
}

bool apic_page_write(uint64_t physical, uint32_t value)
{
	uint32_t reg = (uint32_t)(physical % APIC_SIZE);

	if (!is_in_page(physical))
		return false;
	apic_touched = true;
	if (extended_apic_has(reg))
		extended_apic_write(reg, value);
	else
		mmio_write32(physical, value);
	return true;
}
