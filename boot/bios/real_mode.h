/* SPDX-License-Identifier: BSD-2-Clause */
/* Interrupts of the BIOS, called in real mode. */
#pragma once

#include <stdint.h>

/*
 * One segment of real mode, which is both what the BIOS may read and write for us and where its
 * code runs: CS, DS, ES and SS are this segment.  It lies above all that a BIOS keeps at the bottom
 * (vectors and data up to 600h) or loads (the boot sector at 7C00h), and well below what it and
 * network cards keep at the top (EBDA); within 64 KiB as DMA wants it.  Nothing that a loader had
 * there is needed any longer.
 */
#define REAL_MODE_SEGMENT 0x2000u
#define REAL_MODE_FROM    (REAL_MODE_SEGMENT * 16u)
#define REAL_MODE_TO      (REAL_MODE_FROM + 0x10000u)
/* From its beginning on it is the caller's; behind that there are code, and 24 KiB of stack. */
#define REAL_MODE_ROOM 0x9000u

/* As PUSHAD lays them out, and the flags. */
struct real_mode_registers {
	uint32_t edi, esi, ebp, unused, ebx, edx, ecx, eax;
	uint32_t flags; /* only of the interrupt's end */
};

#define FLAGS_CARRY 1u

/* From protected mode as a boot loader leaves it: paging off, flat segments, interrupts off, and
 * PIC, local APIC and timer as the BIOS had them.  Interrupts are on while the BIOS's code runs,
 * and off again afterwards; then the GDT is one of this function's own, with flat segments. */
void real_mode_interrupt(uint8_t vector, struct real_mode_registers *registers);
