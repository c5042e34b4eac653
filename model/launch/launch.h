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

/* NULL: the handle has no such protocol. */
void *launch_protocol(const struct launch *l, EFI_HANDLE handle, EFI_GUID guid);
EFI_LOADED_IMAGE *launch_loaded_image(const struct launch *l, EFI_HANDLE image);
/* Opens the volume that the image came from; false: it has no file system. */
bool launch_find_volume(struct launch *l);
/* Reads a file and ends it with a NUL.  false: not there, or longer than *size - 1; else *size is
 * its length. */
bool launch_read_file(const struct launch *l, const CHAR16 *path, char *text, size_t *size);
bool launch_has_file(const struct launch *l, const char *name);
/* Reads one at the root of the volume to memory that the next one overwrites.  NULL: as above. */
const char *launch_read_program(const struct launch *l, const char *name, size_t *size);
/* Loads an image from the volume with options as its load options. */
EFI_STATUS launch_load(const struct launch *l, const char *name, const char *options,
		       EFI_HANDLE *program);

/* ---- lasting.c ---- */

/* Is the image in memory that an operating system leaves alone? */
bool launch_is_lasting(const struct launch *l);
/* Starts another one that is, from the same file.  Returns only if that fails. */
EFI_STATUS launch_start_lasting(const struct launch *l);

/* ---- program.c: a 32-bit program ---- */

/* Loads it with options as its command line.  When that fails, the serial line says why. */
EFI_STATUS launch_load_32(const struct launch *l, const char *name, const char *options);
/* Starts what was loaded, and unloads it.  Interrupts are off; devices stay as the program has left
 * them. */
EFI_STATUS launch_start_32(const struct launch *l);

/* ---- tsc.c ---- */

/* The ACPI root pointer; 0: none. */
uint64_t launch_find_rsdp(const EFI_SYSTEM_TABLE *table);
/* TSC per second; 0: there is no power management timer (ACPI 6.4, 4.8.3.3) to tell. */
uint64_t launch_tsc_hz(EFI_SYSTEM_TABLE *table, uint16_t pm_timer);
/* The port of the PM1a control register, in which the power is turned off; 0: there is none. */
uint16_t launch_power_port(const EFI_SYSTEM_TABLE *table);
/* The port of that timer, 0: there is none. */
uint16_t launch_pm_timer(const EFI_SYSTEM_TABLE *table);

/* ---- leave.c: before and after the program ---- */

/* RFLAGS as they were. */
uint64_t launch_interrupts_off(void);
void launch_interrupts_restore(uint64_t flags);

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

uint32_t io_apic_read(unsigned reg);
void io_apic_write(unsigned reg, uint32_t value);

/* All of it that software sets. */
enum { APIC_REGISTERS = 10 };
struct apic_state {
	uint32_t value[APIC_REGISTERS];
};
void apic_take(struct apic_state *state);
void apic_put(const struct apic_state *state);

/* All interrupt controllers. */
enum { IO_APIC_ENTRIES = 0x10, IO_APIC_PINS = 24, PIC_MASK_1 = 0x21, PIC_MASK_2 = 0xa1 };
struct controllers {
	struct apic_state apic;
	uint32_t io_apic_index;
	uint64_t io_apic[IO_APIC_PINS];
	uint8_t pic_mask[2];
};
void controllers_take(struct controllers *c);

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

/* ---- controllers.c ---- */

/* Drops what waits or is in service.  Interrupts are off. */
void controllers_put(const struct controllers *c);
