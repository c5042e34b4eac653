/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Room: silicon.efi as a UEFI application: it reads \silicon.cfg, prepares the machine, and starts
 * the program under the model.
 * Uses: kernel/lib
 * Uses: model/cpu, model/profiles
 * Uses: model/vmm, model/vmm/apic, model/vmm/machine, model/vmm/step
 */
#pragma once

#include <efi.h>

#include "model/cpu/cpu.h"

struct launch {
	EFI_HANDLE image;
	EFI_SYSTEM_TABLE *table;
	EFI_HANDLE volume; /* where the image came from */
	uint64_t tsc_hz; /* TSC per second */
	uint16_t pm_timer; /* port of the ACPI power management timer, 0: none */
};

/* ---- madt.c ---- */

/* Makes the machine's tables list the second logical processor that the core of profile has. */
void launch_list_threads(EFI_SYSTEM_TABLE *table, const struct profile *profile);

/* ---- file.c ---- */

/* Opens the volume that the image came from; false: it has no file system. */
bool launch_find_volume(struct launch *l);
/* Reads a file and ends it with a NUL.  false: not there, or longer than *size - 1; else *size is
 * its length. */
bool launch_read_file(const struct launch *l, const CHAR16 *path, char *text, size_t *size);
/* Loads an image from the volume with options as its load options. */
EFI_STATUS launch_load(const struct launch *l, const CHAR16 *path, const char *options,
		       EFI_HANDLE *program);

/* ---- tsc.c ---- */

/* The ACPI root pointer; 0: none. */
uint64_t launch_find_rsdp(const EFI_SYSTEM_TABLE *table);
/* TSC per second; 0: there is no power management timer (ACPI 6.4, 4.8.3.3) to tell. */
uint64_t launch_tsc_hz(EFI_SYSTEM_TABLE *table, uint16_t pm_timer);
/* The port of that timer, 0: there is none. */
uint16_t launch_pm_timer(const EFI_SYSTEM_TABLE *table);

/* ---- leave.c: before and after the program ---- */

/* Brings about setup->stages; all interrupts that the firmware itself needs still come.  Until
 * launch_leave_stage() nothing but the program should run. */
void launch_enter_stage(const struct silicon_setup *setup);
/* Behind the program of run number: prints "silicon: run N left NAME changed: OLD -> NEW" for each
 * register that is not as launch_enter_stage() left it, then ends the stage. */
void launch_leave_stage(const struct silicon_setup *setup, unsigned run);

/* ---- processors.c ---- */

/* Puts MP services of the model in the place of the firmware's, with these processors; number 0 is
 * the one that runs.  False: the firmware does not let it. */
bool launch_add_processors(EFI_SYSTEM_TABLE *table, const struct silicon_setup *cpu,
			   unsigned count);
/* Puts the firmware's back. */
void launch_remove_processors(EFI_SYSTEM_TABLE *table);

/* ---- state.c: what a program must leave as it was, besides the PMU ---- */

/* Registers of the local APIC.  QEMU's is in memory and enabled, even where the model makes it look
 * otherwise. */
uint32_t apic_read(uint32_t reg);
void apic_write(uint32_t reg, uint32_t value);

/* All of it that software sets. */
enum { APIC_REGISTERS = 10 };
struct apic_state {
	uint32_t value[APIC_REGISTERS];
};
void apic_take(struct apic_state *state);
void apic_put(const struct apic_state *state);

enum { STATE_MAX = 192, STATE_NAME = 24 };

struct machine_state {
	unsigned count;
	struct {
		char name[STATE_NAME];
		uint64_t value;
	} entry[STATE_MAX];
};

/* Ring 0, at the firmware's task priority level. */
void state_take(struct machine_state *state);
