/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Machines on which no firmware stays alive beside us: those with a BIOS, or whatever a Multiboot
 * loader runs on.
 *
 * Room: the entry by Multiboot, and boot/firmware.h by what the loader tells and a PC has
 * Uses: boot, boot/bios/disk
 * Serves: boot
 */
#pragma once

#include "boot/boot.h"

#define CONFIG_SIZE    (2 * OPTIONS_TEXT_MAX + 2)
#define RSDP_SIZE      36u
#define MAP_RANGES_MAX 256u

/* All that is used of what the loader tells, copied: what it tells it in may lie anywhere. */
struct firmware {
	char command_line[OPTIONS_TEXT_MAX];
	bool cut; /* it was longer */
	struct memory_range map[MAP_RANGES_MAX]; /* RAM, with the ACPI tables' */
	struct memory_range free[MAP_RANGES_MAX]; /* that nobody uses any more */
	unsigned map_ranges, free_ranges;
	bool map_cut; /* it has more ranges */
	bool on_efi; /* the loader runs on UEFI: there is no BIOS */
	bool has_drive; /* the loader tells from which drive it came, by the BIOS's number */
	uint8_t drive;
	bool screen_told; /* the loader says what is on the screen */
	struct framebuffer framebuffer; /* if it is something that we can write to */
	uint8_t rsdp[RSDP_SIZE]; /* all zero: none */
	char config[CONFIG_SIZE]; /* the module pmutest86.cfg */
	size_t config_size;
	bool has_config;
};

/* Takes what the loader tells at this address; which loader it is, it says by magic.  NULL, or why
 * that is of no use. */
const char *multiboot_read(struct firmware *fw, uint32_t magic, uintptr_t address);

/* ---- multiboot_kept.c, for both versions ---- */

void loader_command_line(struct firmware *fw, const char *line);
/* A module of this command line. */
void loader_module(struct firmware *fw, const char *line, uint32_t from, uint32_t to);
/* The drive that it came from, by the number that the BIOS has for it. */
void loader_drive(struct firmware *fw, uint32_t number);
/* A range of the memory map. */
void loader_memory(struct firmware *fw, uint64_t from, uint64_t length, uint32_t type);
struct loader_screen {
	uint64_t address;
	uint32_t pitch, width, height; /* bytes, pixels or characters */
	uint8_t bits, type;
	uint8_t red; /* in pixels alone: the lowest bit of it */
};
void loader_screen(struct firmware *fw, const struct loader_screen *screen);

const char *multiboot1_read(struct firmware *fw, uintptr_t address);
const char *multiboot2_read(struct firmware *fw, uintptr_t address);

/* ---- memory.c ---- */

/* Is all of this memory that nobody uses any more? */
bool memory_is_free(const struct firmware *fw, uint64_t from, uint64_t to);

/* ---- clock.c ---- */

/* Ticks of the time-stamp counter per millisecond, which there is; by timer 2, or by the power
 * management timer where that one cannot be believed.  Below the limit of acpi_identity().  0:
 * there is neither. */
uint64_t clock_tsc_per_ms(const void *rsdp);

/* ---- facts.c ---- */

/* VGA text mode, if the machine is in it and nobody has told what is on the screen. */
struct framebuffer vga_text(void);
