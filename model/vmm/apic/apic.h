/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Room: the local APICs of the machine, in memory or as MSRs, of a second thread, and of processors
 * that take turns.
 * Uses: kernel/lib
 * Uses: model/cpu, model/vmm/machine
 */
#pragma once

#include "model/cpu/cpu.h"
#include "model/vmm/machine/machine.h"

/* Registers, in memory: Intel SDM vol. 3A, table 10-1. */
enum {
	APIC_ID = 0x20,
	APIC_VERSION = 0x30,
	APIC_TPR = 0x80,
	APIC_EOI = 0xb0,
	APIC_SVR = 0xf0,
	APIC_ISR = 0x100,
	APIC_IRR = 0x200,
	APIC_ICR = 0x300,
	APIC_ICR_HIGH = 0x310,
	APIC_LVT_TIMER = 0x320,
	APIC_LVT_PC = 0x340,
	APIC_TIMER_INITIAL = 0x380,
	APIC_TIMER_COUNT = 0x390,
	APIC_TIMER_DIVIDE = 0x3e0,
	APIC_EXTENDED_FIRST = 0x400, /* AMD's: what there is of them, */
	APIC_EXTENDED_LVT = 0x500, /* and entries as those above */
	APIC_SIZE = 4096,
};
enum { APIC_EXTENDED_ENTRIES = 4 };

#define APIC_EXTENDED        (uint32_t) BIT(31) /* of the version: AMD's registers are there */
#define APIC_SOFTWARE_ENABLE (uint32_t) BIT(8)
/* An LVT entry; ICR has the same vector and mode. */
#define LVT_VECTOR         (uint32_t) FIELD(7, 0)
#define LVT_MODE           (uint32_t) FIELD(10, 8)
#define LVT_MASKED         (uint32_t) BIT(16)
#define LVT_TIMER_PERIODIC (uint32_t) BIT(17)

enum { MODE_FIXED = 0, MODE_NMI = 4, MODE_INIT = 5, MODE_STARTUP = 6 };

/* ---- apic.c ---- */

/* Where the registers of the machine's local APIC are. */
uint64_t apic_find_base(void);
/* The stages in force: STAGE_APIC_DISABLED, it must look disabled by IA32_APIC_BASE and CPUID, as
 * QEMU could not enable it again; STAGE_X2APIC, it is in x2APIC mode. */
extern uint32_t apic_stages;
/* IA32_APIC_BASE, as an operating system has written it: the machine's stays enabled, is disabled
 * by software alone, and looks as apic_stages then says. */
void apic_write_base(uint64_t value);
/* To be set behind whatever may have written to a register of it. */
extern bool apic_touched;
/* Raises the performance interrupts that are due; was any delivered? */
bool apic_raise_due(void);
/* Shows its entry of counters to the fault that sees it. */
void apic_show_entry(void);
/* Takes in the interrupts that wait, and drops them.  The PIC's must be masked. */
void apic_drain(void);
/* An interrupt through it, by vector and delivery mode. */
void apic_send_message(uint32_t message);

/* ---- aside.c: of processors that take turns.  No NMI may wait when it is set aside. ---- */

enum { APIC_ASIDE_REGISTERS = 9, APIC_ASIDE_WAITING = 8 };
struct apic_aside {
	uint32_t value[APIC_ASIDE_REGISTERS], extended[APIC_EXTENDED_ENTRIES];
	uint32_t timer;
	uint8_t waiting[APIC_ASIDE_WAITING];
	unsigned waiting_count;
};
void apic_set_aside(struct apic_aside *aside);
void apic_bring_back(const struct apic_aside *aside);

/* ---- second.c: the local APIC of the second thread of a core ---- */

/* As INIT leaves it, at this address; before that there is none. */
void second_apic_reset(uint64_t base);
bool second_apic_exists(void);
/* Its register there; false: not at this address. */
bool second_apic_read(uint64_t physical, uint32_t *value);
bool second_apic_write(uint64_t physical, uint32_t value);
/* A message with an interrupt for it. */
void second_apic_accept(uint32_t message);
/* The vector that it would interrupt with now, -1: none.  Then, that it does. */
int second_apic_pending(bool iflag);
void second_apic_take(void);

/* ---- extended.c: AMD's registers beyond those of all local APICs ---- */

/* Power-on state.  What the entries then hold, AMD's documents tell in two ways. */
void extended_apic_reset(bool there, bool masked);
bool extended_apic_exists(void);
/* Is it one of them, or the version, which tells of them?  Then what a read returns, but of the
 * version, and what a write does. */
bool extended_apic_has(uint32_t reg);
uint32_t extended_apic_read(uint32_t reg);
void extended_apic_write(uint32_t reg, uint32_t value);
/* The entry of that number, from 0; and masks it. */
uint32_t extended_apic_entry(unsigned number);
void extended_apic_mask(unsigned number);

/* ---- page.c ---- */

/* Any register of the local APIC, as it reads. */
uint32_t apic_register(uint32_t reg);
/* The one at this address, where it has extended ones; false: none. */
bool apic_page_read(uint64_t physical, uint32_t *value);
bool apic_page_write(uint64_t physical, uint32_t value);

/* ---- x2apic.c: in x2APIC mode the registers of the local APIC are MSRs ---- */

extern unsigned x2apic_accesses; /* to registers that there are */
/* ACCESS_NOT_MINE: not staged, or another MSR. */
enum access x2apic_rdmsr(uint32_t msr, uint64_t *value);
enum access x2apic_wrmsr(uint32_t msr, uint64_t value);
