/* SPDX-License-Identifier: BSD-2-Clause */
/* The rate of the time-stamp counter, by the power management timer of ACPI. */
#include "boot.h"

static uint32_t probe_inl(uint16_t port)
{
	return inl(port);
}

static uint64_t probe_rdtsc(void)
{
	return rdtsc();
}

uint64_t clock_by_pm_timer(const void *rsdp)
{
	static const struct pm_timer_probe probe = {.inl = probe_inl, .rdtsc = probe_rdtsc};
	uint16_t port = acpi_pm_timer(acpi_find(acpi_identity, (uintptr_t)rsdp, "FACP"));

	return port ? pm_timer_tsc_per_ms(&probe, port) : 0;
}
