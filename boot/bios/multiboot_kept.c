/* SPDX-License-Identifier: BSD-2-Clause */
/* The loader's information, from either version of Multiboot: only the useful part is kept. */
#include "bios.h"

#define MEMORY_AVAILABLE 1u
#define MEMORY_ACPI      3u
#define MEMORY_NVS       4u

#define SCREEN_RGB       1u
#define SCREEN_TEXT      2u

#define LIMIT            UINT64_C(0x100000000) /* an address has 32 bits */

void loader_command_line(struct firmware *fw, const char *line)
{
	fw->cut = !options_of_loader(fw->command_line, line);
}

static bool is_config(const char *line)
{
	static const char name[] = "pmutest86.cfg";
	size_t length = 0;

	while (line[length] && !options_is_space(line[length]))
		length++;
	return length >= sizeof(name) - 1 &&
	       !memcmp(line + length - (sizeof(name) - 1), name, sizeof(name) - 1);
}

/* One that is too long is kept as too long, for a message that says so. */
void loader_module(struct firmware *fw, const char *line, uint32_t from, uint32_t to)
{
	if (fw->has_config || !is_config(line) || to < from)
		return;
	fw->has_config = true;
	fw->config_size = to - from < sizeof(fw->config) ? to - from : sizeof(fw->config);
	memcpy(fw->config, (const void *)(uintptr_t)from, fw->config_size);
}

/* One that came from the network or from a file has no number, or all ones. */
void loader_drive(struct firmware *fw, uint32_t number)
{
	fw->has_drive = number <= UINT8_MAX;
	fw->drive = (uint8_t)number;
}

static void add(struct memory_range *ranges, unsigned *n, bool *cut, struct memory_range range)
{
	if (*n < MAP_RANGES_MAX)
		ranges[(*n)++] = range;
	else
		*cut = true;
}

/* RAM is what can be read as memory: with the tables of ACPI, without what is reserved. */
void loader_memory(struct firmware *fw, uint64_t from, uint64_t length, uint32_t type)
{
	struct memory_range range = {from, length < LIMIT - from ? from + length : LIMIT};

	if (from >= LIMIT || !length)
		return;
	if (type == MEMORY_AVAILABLE)
		add(fw->free, &fw->free_ranges, &fw->map_cut, range);
	if (type == MEMORY_AVAILABLE || type == MEMORY_ACPI || type == MEMORY_NVS)
		add(fw->map, &fw->map_ranges, &fw->map_cut, range);
}

void loader_screen(struct firmware *fw, const struct loader_screen *s)
{
	bool text = s->type == SCREEN_TEXT, pixels = s->type == SCREEN_RGB && s->bits == 32;
	uint32_t cell = text ? sizeof(uint16_t) : sizeof(uint32_t);

	fw->screen_told = true;
	if ((!text && !pixels) || !s->address || s->pitch % cell || s->pitch / cell < s->width ||
	    s->address >= LIMIT || (uint64_t)s->pitch * s->height > LIMIT - s->address)
		return;
	fw->framebuffer = (struct framebuffer){.base = (uint32_t *)(uintptr_t)s->address,
					       .width = s->width,
					       .height = s->height,
					       .stride = s->pitch / cell,
					       .text = text,
					       .red_first = pixels && !s->red};
}
