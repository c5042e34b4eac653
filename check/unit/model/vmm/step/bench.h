/* SPDX-License-Identifier: BSD-2-Clause */
/* 64-bit code on the bench: a guest with a stack, descriptors and a local APIC, and the VMM that is
 * to execute it. */
#pragma once

#include "model/vmm/apic/apic.h"
#include "model/vmm/step/native.h"
#include "model/vmm/step/step.h"

#include "check/unit/tap.h"

enum { RIP = 0x1000, LONGEST = 15, ROOM = 16 };

#define FLAG_IF  BIT(9)
#define CR4_OSFX BIT(9)

/* A descriptor: attributes A93h (pages, 64 bits, DPL 0, data, accessed) or CF3h (DPL 3). */
#define KERNEL_DATA UINT64_C(0x00af93000000ffff)
#define USER_DATA   UINT64_C(0x00cff3000000ffff)

static struct vmcb vmcb;
static struct guest guest = {.vmcb = &vmcb};
static uint64_t stack, gdt[4];
static unsigned entered;

/* Where the operand of SGDT may be, and the page of the local APIC. */
static uint8_t room[16];
enum { APIC = 0x7000 };

/* The code of a run: without the last of these it is known as another one. */
static uint8_t program[8192] __attribute__((aligned(4096)));
static bool unmapped; /* it is not there */

uint64_t vmm_gpr[GPRS];
bool apic_touched;
const uint8_t native_exit[1];

void native_enter(const uint8_t *slot, struct vmcb *v)
{
	entered += slot[0] || v == &vmcb;
}

bool guest_same_address(const struct guest *g, uint64_t linear, bool write)
{
	return g == &guest &&
	       ((linear == (uintptr_t)&stack && !write) || linear == (uintptr_t)room ||
		linear == (uintptr_t)room + 2 || linear - (uintptr_t)program < sizeof(program));
}

bool guest_same_device(const struct guest *g, uint64_t linear, uint64_t device, bool write)
{
	return g == &guest && linear - device < 0x1000 && (write || linear);
}

static uint64_t forgotten; /* by the processor; what is kept is forgotten at the same time */

void invlpga(uint64_t address, uint32_t asid)
{
	forgotten = asid == vmcb.asid ? address : 0;
}

void guest_forget_pages(void)
{
	forgotten++;
}

uint64_t apic_find_base(void)
{
	return APIC;
}

static bool own_time;

bool time_is_own(void)
{
	return own_time;
}

/* From MSR C0000000h on. */
enum { MSR_STAR = 0x81, MSR_LSTAR, MSR_CSTAR, MSR_SFMASK, MSR_FS_BASE = 0x100, MSR_GS_BASE, MSRS };
static uint64_t msrs[MSRS];

int msr_read(uint32_t msr, uint64_t *value)
{
	*value = msrs[msr - 0xc0000000];
	return -1;
}

const uint8_t *guest_code_here(const struct guest *g, uint64_t linear)
{
	return g == &guest && !unmapped ? program + linear % sizeof(program) : NULL;
}

const uint8_t *guest_code(const struct guest *g, uint64_t linear, unsigned *available)
{
	*available = g == &guest && !unmapped ? 15 : 0;
	return program + linear % sizeof(program);
}

bool guest_read(const struct guest *g, uint64_t linear, void *to, size_t size)
{
	if (g != &guest || linear + size > sizeof(gdt))
		return false;
	memcpy(to, (const uint8_t *)gdt + linear, size);
	return true;
}

/* Ring 0 of a program that counts, interrupts and SSE on. */
static inline void begin(void)
{
	memset(&vmcb, 0, sizeof(vmcb));
	memset(vmm_gpr, 0, sizeof(vmm_gpr));
	vmcb.rip = RIP;
	vmcb.rsp = (uintptr_t)&stack;
	vmcb.cr4 = CR4_OSFX;
	vmcb.rflags = FLAG_IF | RFLAGS_RESERVED_1;
	guest.stepping = true;
	gdt[1] = KERNEL_DATA;
	gdt[2] = USER_DATA;
	vmcb.gdtr.limit = sizeof(gdt) - 1;
	entered = 0;
	guest.look = guest.shadow = false;
}

static inline const struct known *known_at(uint64_t rip, const char *hex, unsigned *length)
{
	uint8_t code[ROOM] = {0};
	unsigned byte;

	for (*length = 0; sscanf(hex + 3 * *length, "%2x", &byte) == 1; ++*length)
		code[*length] = (uint8_t)byte;
	return native_known(rip, code, LONGEST, CODE_64);
}

/* Is the instruction done, and was it that length? */
static inline bool done(const char *hex)
{
	unsigned length;
	const struct known *known = known_at(RIP, hex, &length);

	return known->insn.length == length && native_execute(&guest, &known->plan, length) &&
	       vmcb.rip == RIP + length;
}

static inline bool ran(const char *hex)
{
	begin();
	return done(hex) && entered == 1;
}

static inline bool left(const char *hex)
{
	begin();
	return !done(hex) && !entered && vmcb.rip == RIP;
}
