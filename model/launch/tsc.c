/* SPDX-License-Identifier: BSD-2-Clause */
/* The rate of the TSC, against the ACPI power management timer: Stall() can be any amount too long
 * on a host that is busy, and every clock of the uncore goes by this. */
#include "kernel/lib/acpi.h"
#include "kernel/lib/string.h"
#include "launch.h"
#include "model/vmm/machine/machine.h"

/* ACPI specification 6.4, 4.8.3.3; the upper 8 bits may not be there. */
#define PM_TIMER_HZ   UINT64_C(3579545)
#define PM_TIMER_MASK UINT32_C(0xffffff)

enum { STALL = 20000 /* microseconds */, TRIES = 20 };

static const EFI_GUID acpi_20 = {
	0x8868e871, 0xe4f1, 0x11d3, {0xbc, 0x22, 0x00, 0x80, 0xc7, 0x3c, 0x88, 0x81}};

struct moment {
	uint64_t tsc;
	uint32_t timer;
};

uint64_t launch_find_rsdp(const EFI_SYSTEM_TABLE *table)
{
	uint64_t rsdp = 0;

	for (UINTN i = 0; i < table->NumberOfTableEntries; i++)
		if (!memcmp(&table->ConfigurationTable[i].VendorGuid, &acpi_20, sizeof(acpi_20)))
			rsdp = (uint64_t)(uintptr_t)table->ConfigurationTable[i].VendorTable;
	/* QEMU's firmware keeps its tables below 4 GiB. */
	acpi_set_memory_limit(UINT64_C(1) << 32);
	return rsdp;
}

/* Both at the same time, as nearly as possible: the try with the least time in between counts. */
static struct moment read_both(uint16_t timer)
{
	struct moment best = {0};
	uint64_t least = UINT64_MAX;

	for (unsigned i = 0; i < TRIES; i++) {
		uint64_t before = read_tsc();
		uint32_t value = inl(timer);
		uint64_t took = read_tsc() - before;

		if (took >= least)
			continue;
		least = took;
		best = (struct moment){before + took / 2, value & PM_TIMER_MASK};
	}
	return best;
}

uint16_t launch_pm_timer(const EFI_SYSTEM_TABLE *table)
{
	return acpi_pm_timer(acpi_find(acpi_identity, launch_find_rsdp(table), "FACP"));
}

uint16_t launch_power_port(const EFI_SYSTEM_TABLE *table)
{
	enum { PM1A_CONTROL = 64, PORT_BYTES = 2 };
	struct acpi_table fadt = acpi_find(acpi_identity, launch_find_rsdp(table), "FACP");
	uint16_t port = 0;

	if (fadt.length >= PM1A_CONTROL + PORT_BYTES)
		memcpy(&port, fadt.bytes + PM1A_CONTROL, PORT_BYTES);
	return port;
}

uint64_t launch_tsc_hz(EFI_SYSTEM_TABLE *table, uint16_t timer)
{
	struct moment began, ended;

	if (!timer)
		return 0;
	began = read_both(timer);
	table->BootServices->Stall(STALL);
	ended = read_both(timer);
	return (ended.tsc - began.tsc) * PM_TIMER_HZ /
	       ((ended.timer - began.timer) & PM_TIMER_MASK);
}
