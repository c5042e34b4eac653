/* SPDX-License-Identifier: BSD-2-Clause */
/* The second logical processor of a core in the machine's tables.  ACPI specification 6.4, 5.2.12.
 */
#include "kernel/lib/acpi.h"
#include "kernel/lib/bits.h"
#include "kernel/lib/string.h"
#include "launch.h"

enum { CHECKSUM = 9, ENTRIES = 44, LOCAL_APIC = 0, LENGTH = 8, APIC_ID = 3, FLAGS = 4 };
#define ENABLED (uint8_t) BIT(0)

enum { SECOND = 1 };

/* The entry of the second processor, or NULL. */
static uint8_t *find_entry(struct acpi_table madt)
{
	uint8_t *entry = (uint8_t *)(uintptr_t)madt.bytes + ENTRIES;
	uint8_t *end = (uint8_t *)(uintptr_t)madt.bytes + madt.length;

	for (; entry + LENGTH <= end && entry[1]; entry += entry[1])
		if (entry[0] == LOCAL_APIC && entry[APIC_ID] == SECOND)
			return entry;
	return NULL;
}

/* QEMU lists a processor that could be added (-smp 1,maxcpus=2) as disabled: it becomes the second
 * thread.  A second processor that QEMU itself has would be taken for that thread, so a model with
 * two threads hides it. */
void launch_list_threads(EFI_SYSTEM_TABLE *table, const struct profile *profile)
{
	static bool looked, absent;
	struct acpi_table madt = acpi_find(acpi_identity, launch_find_rsdp(table), "APIC");
	uint8_t *bytes = (uint8_t *)(uintptr_t)madt.bytes, *entry, old;

	entry = madt.bytes ? find_entry(madt) : NULL;
	if (!entry)
		return;
	old = entry[FLAGS];
	if (!looked)
		absent = !(old & ENABLED);
	looked = true;
	entry[FLAGS] = old & (uint8_t)~ENABLED;
	if (cpuid_has_two_threads(profile) == absent)
		entry[FLAGS] |= ENABLED;
	bytes[CHECKSUM] = (uint8_t)(bytes[CHECKSUM] + old - entry[FLAGS]);
}
