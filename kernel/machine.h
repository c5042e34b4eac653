/* SPDX-License-Identifier: BSD-2-Clause */
/* Taking the machine over from firmware, and giving it back as it was. */
#ifndef MACHINE_H
#define MACHINE_H

#include <stdbool.h>
#include <stdint.h>

#include "kernel/console/console.h"

/* Blocks of memory far from each other, for whoever asks which memory controller an address has. */
#define MACHINE_PLACES     8u
#define MACHINE_PLACE_SIZE (512u * 1024u)

/* Facts that boot/ learnt from the firmware.  No pointer into firmware code. */
struct machine_facts {
	void *arena; /* page-aligned, zeroed, for page tables, stacks and the user window */
	uint64_t arena_size; /* at least MACHINE_ARENA_SIZE */
	uint64_t memory_top; /* end of the highest RAM address of the memory map */
	struct framebuffer framebuffer;
	const void *rsdp; /* ACPI root pointer, or NULL */
	bool other_thread; /* may be started: sibling.h */
	void *startup_page; /* below A0000h, where another processor may start; or NULL */
	uint64_t tsc_per_ms; /* calibrated against the firmware's Stall() */
	uint64_t places[MACHINE_PLACES]; /* page-aligned addresses; 0: none */
};

#define MACHINE_ARENA_SIZE (1024u * 1024u)

/*
 * Takes over: own GDT, IDT, TSS with IST stacks, page tables (W^X, guard pages below each stack,
 * user window), CR0/CR4/EFER as needed, PIC and I/O APIC inputs masked, TPR raised, local APIC LVT
 * saved.  Interrupts are disabled on return.  NULL, or a sentence saying why it cannot.
 */
const char *machine_take_over(const struct machine_facts *facts);

/* Undoes machine_take_over() to the bit.  Interrupt flag as it was at take-over. */
void machine_give_back(void);

/* TSC ticks per millisecond, and a busy wait by it. */
uint64_t machine_tsc_per_ms(void);
void machine_delay_us(unsigned us);

/* Address of place i, MACHINE_PLACE_SIZE bytes for the caller, below MACHINE_PLACES; 0: none. */
uint64_t machine_place(unsigned i);

/* Reads a word of the first I/O APIC, without a side effect; false: none is known. */
bool machine_read_io_apic(void);

/* The clock of the ACPI power management timer, and how far it went from one reading to a later
 * one, at most 4.6 s.  Its port: 0 when there is none, which must not be read. */
#define PM_TIMER_HZ 3579545u
uint16_t machine_pm_timer(void);
uint32_t machine_pm_ticks(uint32_t from, uint32_t to);

/* "symbol+0x12" for an address in the image, or its offset in the image when unknown. */
const char *machine_symbol(uint64_t address);

/* While taken over: what could not be done and the reader of the report should know, or NULL. */
const char *machine_note(void);

#endif
