/* SPDX-License-Identifier: BSD-2-Clause */
/* Facts for the take-over that only the firmware knows. */
#include "uefi.h"

/* ACPI 2.0 and later; ACPI 1.0 (UEFI specification 2.10, 4.6.1). */
static const EFI_GUID acpi_guids[] = {
	{0x8868e871, 0xe4f1, 0x11d3, {0xbc, 0x22, 0x00, 0x80, 0xc7, 0x3c, 0x88, 0x81}},
	{0xeb9d2d30, 0x2d88, 0x11d3, {0x9a, 0x16, 0x00, 0x90, 0x27, 0x3f, 0xc1, 0x4d}},
};

/* The call itself is then no more than 0.1 % of it. */
#define STALL_US     3000u
#define STALL_ROUNDS 3u

static const void *find_rsdp(const EFI_SYSTEM_TABLE *table)
{
	for (unsigned g = 0; g < ARRAY_SIZE(acpi_guids); g++)
		for (unsigned i = 0; i < table->NumberOfTableEntries; i++)
			if (!memcmp(&table->ConfigurationTable[i].VendorGuid, &acpi_guids[g],
				    sizeof(acpi_guids[g])))
				return table->ConfigurationTable[i].VendorTable;
	return NULL;
}

/* Reserved ranges are not RAM: some may not even be mapped. */
static bool is_ram(uint32_t type)
{
	return type == EfiConventionalMemory || type == EfiLoaderCode || type == EfiLoaderData ||
	       type == EfiBootServicesCode || type == EfiBootServicesData ||
	       type == EfiRuntimeServicesCode || type == EfiRuntimeServicesData ||
	       type == EfiACPIReclaimMemory || type == EfiACPIMemoryNVS;
}

/* All ranges of RAM as the map has them, into an array of as many as it has entries. */
static unsigned list_ram(const struct memory_map *map, struct memory_range *ranges)
{
	const EFI_MEMORY_DESCRIPTOR *entry;
	unsigned n = 0;

	for (size_t i = 0; (entry = memory_map_entry(map, i)); i++)
		if (is_ram(entry->Type))
			ranges[n++] = range_of_pages(entry->PhysicalStart, entry->NumberOfPages);
	return n;
}

static const char *find_ram(const struct firmware *fw, struct machine_facts *facts)
{
	EFI_BOOT_SERVICES *services = fw->table->BootServices;
	struct memory_map map;
	void *ranges;
	const char *error;

	if (!memory_map_open(fw, &map))
		return "the firmware does not give its memory map";
	error = "the firmware has no memory for a copy of its memory map";
	/* An entry is larger than a range. */
	if (!services->AllocatePool(EfiLoaderData, map.size, &ranges)) {
		error = machine_set_ram(facts, ranges, list_ram(&map, ranges));
		services->FreePool(ranges);
	}
	memory_map_close(fw, &map);
	return error;
}

/* A mode with PixelBltOnly, as virtio-gpu has it, has an address and a size that are not to be
 * used: UEFI specification 2.10, 12.9.2. */
static bool is_linear(const EFI_GRAPHICS_OUTPUT_PROTOCOL_MODE *mode)
{
	const EFI_GRAPHICS_OUTPUT_MODE_INFORMATION *info = mode->Info;

	if (info->PixelFormat != PixelBlueGreenRedReserved8BitPerColor &&
	    info->PixelFormat != PixelRedGreenBlueReserved8BitPerColor)
		return false;
	return mode->FrameBufferBase && info->PixelsPerScanLine >= info->HorizontalResolution &&
	       mode->FrameBufferSize >=
		       (uint64_t)info->PixelsPerScanLine * info->VerticalResolution * 4;
}

static void find_framebuffer(const struct firmware *fw, struct machine_facts *facts)
{
	EFI_GUID guid = EFI_GRAPHICS_OUTPUT_PROTOCOL_GUID;
	EFI_GRAPHICS_OUTPUT_MODE_INFORMATION *info;
	EFI_GRAPHICS_OUTPUT_PROTOCOL *gop = NULL;

	if (fw->table->BootServices->LocateProtocol(&guid, NULL, (void **)&gop) || !gop ||
	    !gop->Mode || !gop->Mode->Info)
		return;
	if (!is_linear(gop->Mode)) {
		facts->no_framebuffer = "the firmware's graphics have no linear framebuffer";
		return;
	}
	info = gop->Mode->Info;
	facts->framebuffer = (struct framebuffer){
		.base = (uint32_t *)gop->Mode->FrameBufferBase,
		.width = info->HorizontalResolution,
		.height = info->VerticalResolution,
		.stride = info->PixelsPerScanLine,
		.red_first = info->PixelFormat == PixelRedGreenBlueReserved8BitPerColor,
	};
}

/* The shortest of some rounds: whatever disturbs a round can only lengthen it.  Where others use
 * the processor, too, that can be all rounds. */
static uint64_t measure_by_stall(const struct firmware *fw)
{
	uint64_t shortest = UINT64_MAX, start, ticks;

	for (unsigned round = 0; round < STALL_ROUNDS; round++) {
		start = rdtsc();
		fw->table->BootServices->Stall(STALL_US);
		ticks = rdtsc() - start;
		if (ticks < shortest)
			shortest = ticks;
	}
	return shortest / (STALL_US / 1000);
}

const char *firmware_facts(const struct firmware *fw, struct machine_facts *facts)
{
	const char *error;

	*facts = (struct machine_facts){
		.rsdp = find_rsdp(fw->table),
	};
	find_framebuffer(fw, facts);
	error = find_ram(fw, facts);
	facts->tables_limit = machine_memory_top(facts);
	acpi_set_memory_limit(facts->tables_limit);
	facts->tsc_per_ms = clock_by_pm_timer(facts->rsdp);
	if (!facts->tsc_per_ms)
		facts->tsc_per_ms = measure_by_stall(fw);
	if (!error && !facts->tsc_per_ms)
		error = "the time-stamp counter stands still";
	return error;
}
