/* SPDX-License-Identifier: BSD-2-Clause */
/* Facts for the take-over: what the loader told, and what the hardware of a PC tells. */
#include "bios.h"

/* ---- the ACPI root pointer: ACPI specification 6.4, 5.2.5.1 ---- */

#define EBDA_SEGMENT 0x40eu /* a word of the BIOS's data */
#define EBDA_SEARCH  1024u
#define ROM_FROM     0xe0000u
#define ROM_TO       0x100000u
#define RSDP_OLD     20u /* bytes that the checksum covers */

/* The address is made up: for the compiler it is no object of any size. */
static const uint8_t *physical(uintptr_t address)
{
	__asm__("" : "+r"(address));
	return (const uint8_t *)address;
}

static bool is_rsdp(const uint8_t *at)
{
	uint8_t sum = 0;

	if (memcmp(at, "RSD PTR ", 8))
		return false;
	for (unsigned i = 0; i < RSDP_OLD; i++)
		sum = (uint8_t)(sum + at[i]);
	return !sum;
}

static const void *search(uintptr_t from, uintptr_t to)
{
	for (; from < to; from += 16)
		if (is_rsdp(physical(from)))
			return physical(from);
	return NULL;
}

static const void *find_rsdp(const struct firmware *fw)
{
	uintptr_t ebda = *(const uint16_t *)(const void *)physical(EBDA_SEGMENT) * 16u;
	const void *rsdp = NULL;

	if (fw->rsdp[0])
		return fw->rsdp;
	if (ebda)
		rsdp = search(ebda, ebda + EBDA_SEARCH);
	return rsdp ? rsdp : search(ROM_FROM, ROM_TO);
}

/* ---- the screen ---- */

#define VIDEO_MODE    0x449u /* a byte of the BIOS's data */
#define VIDEO_COLUMNS 0x44au /* a word */
#define COLOR_TEXT    3u
#define VGA_TEXT      0xb8000u
#define COLUMNS       80u
#define ROWS          25u

struct framebuffer vga_text(void)
{
	uint16_t columns = *(const uint16_t *)(const void *)physical(VIDEO_COLUMNS);

	if (*physical(VIDEO_MODE) != COLOR_TEXT || columns != COLUMNS)
		return (struct framebuffer){0};
	return (struct framebuffer){.base = (uint32_t *)VGA_TEXT,
				    .width = COLUMNS,
				    .height = ROWS,
				    .stride = COLUMNS,
				    .text = true};
}

/* ---- the processor ---- */

/* All code but boot, kernel/console and kernel/lib is compiled for a Pentium Pro. */
static const char *refuse_processor(void)
{
	const uint32_t needed = CPUID_1_EDX_TSC | CPUID_1_EDX_CMOV;

	if (has_cpuid() && cpuid(0, 0).eax >= 1 && (cpuid(1, 0).edx & needed) == needed)
		return NULL;
	return "a Pentium Pro, an Athlon or what came after them is needed: this processor has no "
	       "CMOV or no time-stamp counter";
}

/* ---- all of it ---- */

static const char *find_ram(const struct firmware *fw, struct machine_facts *facts)
{
	struct memory_range ranges[MAP_RANGES_MAX];

	if (fw->map_cut)
		return "the loader's memory map has more ranges than this program can keep";
	memcpy(ranges, fw->map, sizeof(ranges));
	return machine_set_ram(facts, ranges, fw->map_ranges);
}

/* Where memory ends ACPI tables may begin, in what is reserved: below 4 GiB all can be read. */
const char *firmware_facts(const struct firmware *fw, struct machine_facts *facts)
{
	const char *error = refuse_processor();

	*facts = (struct machine_facts){
		.framebuffer = fw->framebuffer,
		.rsdp = find_rsdp(fw),
		.tables_limit = UINT64_C(1) << 32,
	};
	if (error)
		return error;
	acpi_set_memory_limit(facts->tables_limit);
	facts->tsc_per_ms = clock_tsc_per_ms(facts->rsdp);
	error = find_ram(fw, facts);
	if (!error && !facts->tsc_per_ms)
		error = "the rate of the time-stamp counter cannot be measured: neither timer 2 "
			"(ports 42h and 61h) nor the power management timer of ACPI can be "
			"believed";
	return error;
}
