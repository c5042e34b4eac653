/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The interrupt controllers while the machine is ours; what others of the kernel need of them is in
 * kernel/state.h, and what all need in kernel/kernel.h.
 *
 * Room: the local APIC, its extended entries, the PIC and the I/O APICs
 * Uses: kernel
 */
#pragma once

#include "kernel/state.h"

#define MSR_APIC_BASE    0x1Bu
#define APIC_BASE_ENABLE BIT(11)

/* ---- apic.c ---- */

/* Any register, by where it is in memory. */
#define APIC_VERSION 0x30u
uint32_t apic_read(uint32_t reg);
void apic_write(uint32_t reg, uint32_t value);
/* NMI and SMI entries are the platform's: they report broken hardware. */
bool apic_lvt_is_ours(uint32_t lvt);

/* ---- extended.c: a part of taking over and giving back ---- */

void apic_extended_take_over(void);
void apic_extended_give_back(void);
