/* SPDX-License-Identifier: BSD-2-Clause */
/* The extended entries of AMD's local APICs: AMD64 APM vol. 2, 16.4.1 and 16.7. */
#include "apic.h"

#define CPUID_AMD          UINT32_C(0x80000001)
#define ECX_EXT_APIC_SPACE BIT(3)

#define VERSION_EXTENDED   BIT(31)
#define APIC_FEATURE       0x400u
#define FEATURE_ENTRIES    FIELD(23, 16)
#define APIC_EXTENDED_LVT  0x500u

static uint32_t place(unsigned entry)
{
	return APIC_EXTENDED_LVT + 0x10 * entry;
}

/* Others have something else in that bit of the leaf. */
static bool has_them(void)
{
	struct cpu_identity cpu;

	identify_cpu(&cpu);
	return (!strcmp(cpu.vendor, "AuthenticAMD") || !strcmp(cpu.vendor, "HygonGenuine")) &&
	       (cpuid_if_there(CPUID_AMD, 0).ecx & ECX_EXT_APIC_SPACE) != 0 &&
	       (apic_read(APIC_VERSION) & VERSION_EXTENDED) != 0;
}

static unsigned count_entries(void)
{
	uint64_t entries = has_them() ? field_get(FEATURE_ENTRIES, apic_read(APIC_FEATURE)) : 0;

	return entries > LVT_EXTENDED_MAX ? LVT_EXTENDED_MAX : (unsigned)entries;
}

unsigned apic_extended_entries(void)
{
	return this_processor()->apic.extended_entries;
}

uint32_t apic_read_extended(unsigned entry)
{
	return apic_read(place(entry));
}

void apic_write_extended(unsigned entry, uint32_t value)
{
	apic_write(place(entry), value);
}

void apic_extended_take_over(void)
{
	struct apic_state *s = &this_processor()->apic;

	s->extended_entries = count_entries();
	for (unsigned i = 0; i < s->extended_entries; i++) {
		s->extended[i] = apic_read_extended(i);
		if (apic_lvt_is_ours(s->extended[i]))
			apic_write_extended(i, s->extended[i] | APIC_LVT_MASKED);
	}
}

void apic_extended_give_back(void)
{
	const struct apic_state *s = &this_processor()->apic;

	for (unsigned i = 0; i < s->extended_entries; i++)
		if (apic_read_extended(i) != s->extended[i])
			apic_write_extended(i, s->extended[i]);
}
