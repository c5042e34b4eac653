/* SPDX-License-Identifier: BSD-2-Clause */
/* What boot/ asks of the UEFI firmware.  Sentences returned say what failed; NULL: nothing did. */
#ifndef FIRMWARE_H
#define FIRMWARE_H

#include <efi.h>

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "boot/options.h"
#include "kernel/console/report.h"
#include "kernel/machine.h"

struct firmware {
	EFI_HANDLE image;
	EFI_SYSTEM_TABLE *table;
	EFI_LOADED_IMAGE *loaded;
};

/* The protocol of this GUID on handle, or NULL. */
void *firmware_protocol(const struct firmware *fw, EFI_HANDLE handle, EFI_GUID guid);

/* A console sink for the firmware's console, from firmware_console_open() on and as long as the
 * firmware lives. */
void firmware_console_open(const struct firmware *fw);
void firmware_console_write(const char *text, size_t length);

/* Does the firmware's console go to a serial line, perhaps beside a screen? */
bool firmware_console_is_serial(const struct firmware *fw);

/* The root directory of the volume that the image came from, to be closed by the caller; or NULL:
 * it came from elsewhere (network, memory). */
EFI_FILE_HANDLE volume_open(const struct firmware *fw);

/* The text of \pmutest86.cfg; empty when there is none. */
const char *config_read(const struct firmware *fw, char text[OPTIONS_TEXT_MAX]);

/* The options handed over by shell or boot manager.  *binary: there is something, but no text;
 * some firmware hands its own data to whatever it boots. */
const char *load_options_read(const struct firmware *fw, char text[OPTIONS_TEXT_MAX], bool *binary);

/* ACPI root pointer, or NULL. */
const void *facts_rsdp(const struct firmware *fw);

/* End of the highest RAM address; 0: the memory map cannot be had. */
uint64_t facts_memory_top(const struct firmware *fw);

struct memory_map {
	UINTN size, entry_size;
	void *entries;
};

/* The map as it is now, to be closed; false: the firmware does not give it. */
bool memory_map_open(const struct firmware *fw, struct memory_map *map);
/* NULL behind the last. */
const EFI_MEMORY_DESCRIPTOR *memory_map_entry(const struct memory_map *map, size_t i);
void memory_map_close(const struct firmware *fw, const struct memory_map *map);

/* Memory of the run, in one piece but for page and places: all of it is given back at the end. */
struct memory {
	size_t size;
	void *arena; /* of machine_take_over() */
	size_t arena_size;
	char *report; /* REPORT_BUFFER_SIZE */
	char *cells; /* SCREEN_CELLS_MAX */
	void *map; /* MEMORY_MAP_SIZE, for firmware_exit() */
	void *startup_page; /* these two as in struct machine_facts */
	uint64_t places[MACHINE_PLACES];
};

/* Nobody knows the size of a memory map beforehand; big servers need some 30 KiB. */
#define MEMORY_MAP_SIZE (128u * 1024u)

/* Zeroed pages that outlive the boot services; NULL in memory->arena: there are none. */
void memory_allocate(const struct firmware *fw, struct memory *memory, uint64_t memory_top);
void memory_free(const struct firmware *fw, const struct memory *memory);

/* Places spread evenly over the free memory, as many as can be had; 0: none. */
void places_allocate(const struct firmware *fw, uint64_t places[MACHINE_PLACES]);
void places_free(const struct firmware *fw, const uint64_t places[MACHINE_PLACES]);

/* All that machine_take_over() wants, in memory that the caller has. */
const char *facts_gather(const struct firmware *fw, const struct memory *memory,
			 struct machine_facts *facts);

/* Leaves the boot services.  Nothing of fw->table but its runtime services is usable then. */
const char *firmware_exit(const struct firmware *fw, void *map);

/* Writes head and text to \pmutest86-N.tap.  *number: N; 0: becomes the smallest not taken; else
 * that file, which must not be longer, is overwritten. */
const char *report_file_write(const struct firmware *fw, const char *head, const char *text,
			      size_t length, unsigned *number);

/* Ends as the options say: returns only for ENDING_RETURN, with the image's exit status. */
EFI_STATUS ending_take(const struct firmware *fw, enum ending ending, enum verdict verdict);

#endif
