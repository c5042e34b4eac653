/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A processor made of an input, in place of the one that the program would run on: what CPUID
 * answers, which MSRs there are and what they do.  Included before all else wherever a fuzz target
 * is compiled, so that what kernel/cpu.h makes of these instructions gives way.
 */
#pragma once

#define cpuid      cpuid_of_the_host
#define rdmsr_safe rdmsr_of_the_host
#define wrmsr_safe wrmsr_of_the_host
#include "kernel/cpu.h"
#undef cpuid
#undef rdmsr_safe
#undef wrmsr_safe

#include <stdbool.h>

#include "fuzz.h"

struct cpuid_regs cpuid(uint32_t leaf, uint32_t subleaf);
int rdmsr_safe(uint32_t msr, uint64_t *val);
int wrmsr_safe(uint32_t msr, uint64_t val);

/* Bits of the input's first byte, and of the byte that a register has in its record. */
#define FAKE_APIC           1u /* there is a local APIC */
#define FAKE_ALL_MSRS       2u /* MSRs without a record are plain memory; else they fault, */
#define FAKE_ECAM           4u /* PCI configuration space can be mapped */
#define FAKE_FORGETFUL_MSRS 8u /* or, with this bit, read 0 and forget what is written */
#define FAKE_READ_FAULT     1u
#define FAKE_WRITE_FAULT    2u
#define FAKE_COUNTS         4u /* goes on with time */

/* A machine of FAKE_APIC and so on, whose leaves are 0 but for those that follow; so are its MSRs.
 */
void fake_begin(uint8_t flags);
void fake_leaf(uint32_t leaf, uint32_t subleaf, struct cpuid_regs regs);
/* flags: FAKE_READ_FAULT and so on; writable: what a write changes. */
void fake_msr(uint32_t msr, uint8_t flags, uint64_t value, uint64_t writable);

/* A dword of PCI configuration space; a function is there if its dword 0 is. */
void fake_pci(uint16_t function, unsigned offset, uint32_t value);
/* The page in memory that a device has, or a function by ECAM; of the first, at its own address. */
void fake_device(volatile void *page);
void fake_space(uint16_t function, volatile void *page);

/*
 * A machine of an input: a byte of FAKE_APIC and so on, then records of 22 bytes each, up to a byte
 * that begins none:
 * - 'C', leaf (4 bytes), subleaf (1), EAX, EBX, ECX, EDX; leaves without a record are 0;
 * - 'M', MSR (4), FAKE_READ_FAULT and so on (1), value (8), mask of what a write changes (8);
 * - 'P', as 'M', but for a dword of PCI configuration space: its offset (2) and function (2).  A
 *   function is there if its offset 0 has a record; its dwords without one are plain memory.
 */
void fake_build(struct input *in);

/* Can some MSR fault? */
bool fake_faults(void);

/* Does some register keep less than what is written? */
bool fake_forgets(void);

/* Was anything written since the machine was built? */
bool fake_written(void);

/* Notes the state of all registers; are these bits of it as noted, but for registers that go on
 * with time or are no memory on any real part? */
void fake_note(void);
bool fake_as_noted(uint64_t bits);

/* Called before each write of an MSR, when not NULL; now: what the MSR holds.  And when so many
 * microseconds have passed. */
extern void (*fake_on_write)(uint32_t msr, uint64_t now, uint64_t value);
extern void (*fake_on_delay)(unsigned us);
