/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Room: the guest: its memory, and what the VMM does by hand that its processor would do.
 * Uses: kernel/lib
 * Uses: model/cpu, model/vmm/machine
 */
#pragma once

#include "model/cpu/cpu.h"
#include "model/vmm/machine/machine.h"

/* An event that an inner guest is to get by hand, and does not, as its host sees it first: it has
 * asked for that, or has to provide a page; or there is no handler, for a double fault either. */
struct refused {
	enum {
		REFUSED_NOTHING,
		REFUSED_FOR_HOST,
		REFUSED_FOR_PAGE,
		REFUSED_FOR_GOOD,
	} why;
	unsigned vector;
	uint32_t error;
	enum delivery cause;
};

/* What the guest is as the host of an inner guest: model/vmm/nest. */
struct inner {
	bool inside; /* the inner guest runs, and vmcb is its */
	bool deaf; /* GIF is clear: no interrupt comes */
	bool nmi; /* one has come, and is kept for the host */
	bool due; /* nest_settle() has something to do */
	/* While the inner guest runs: */
	bool by_step; /* the VMM executes none of its instructions */
	uint32_t exceptions; /* that are its host's */
	uint64_t ahead; /* its TSC, of its host's */
	struct refused refused;
};

/* The only guest: the firmware and everything that it starts, on one CPU.  Where a core has two
 * logical processors, this is the state of the executing one. */
struct guest {
	struct vmcb *vmcb;
	struct vmcb *extra; /* VMSAVE area: TR, FS and what else VMRUN does not exchange */
	/* The size of the code that is stepped through; other code is only waited for. */
	enum code_size size;
	bool stepping; /* a counter is enabled: each instruction is reported */
	bool coasting; /* counters are enabled that need to be told of clocks alone */
	bool single_step; /* and none is executed by the VMM */
	bool hides_hypervisor; /* CPUID tells of none */
	bool system; /* while stepping, its clocks go by the model alone */
	/* An interrupt that waited may have become deliverable: the guest must be entered. */
	bool look;
	bool shadow; /* STI or MOV SS went before: none comes */
	struct inner nest;
	/* It is the second logical processor: the machine's local APIC and its interrupts are the
	 * first one's. */
	bool second;
};

/* A general register by its number in ModRM. */
static inline uint64_t guest_gpr(const struct guest *g, unsigned number)
{
	return number == RAX ? g->vmcb->rax : number == RSP ? g->vmcb->rsp : vmm_gpr[number];
}

static inline void guest_set_gpr(struct guest *g, unsigned number, uint64_t value)
{
	if (number == RAX)
		g->vmcb->rax = value;
	else if (number == RSP)
		g->vmcb->rsp = value;
	else
		vmm_gpr[number] = value;
}

/* A word: the bytes of a push, and of the longest operand that the VMM accesses itself, 8 or 4. */
static inline unsigned guest_word(const struct guest *g)
{
	return g->size == CODE_64 ? 8 : 4;
}

/* An address as the guest computes it. */
static inline uint64_t guest_address(const struct guest *g, uint64_t sum)
{
	return g->size == CODE_64 ? sum : (uint32_t)sum;
}

/* The size of the code at RIP; and the linear address of code at rip. */
static inline enum code_size guest_code_size(const struct guest *g)
{
	uint16_t attributes = g->vmcb->cs.attributes;

	if (attributes & SEGMENT_LONG && g->vmcb->efer & EFER_LMA)
		return CODE_64;
	return attributes & SEGMENT_BIG ? CODE_32 : CODE_16;
}

static inline uint64_t guest_code_address(const struct guest *g, uint64_t rip)
{
	return g->size == CODE_64 ? rip : rip + g->vmcb->cs.base;
}

/* Is it in code of its size, of which the VMM can execute some? */
static inline bool guest_has_size(const struct guest *g)
{
	uint16_t size = g->vmcb->cs.attributes & (uint16_t)(SEGMENT_LONG | SEGMENT_BIG);

	if (g->size == CODE_64)
		return size == (uint16_t)SEGMENT_LONG;
	return size == (uint16_t)SEGMENT_BIG && !g->vmcb->cs.base;
}

/* ---- memory.c ---- */

/* Physical address of linear in the guest, for an access to it, with the type of memory; false: not
 * mapped. */
bool guest_locate(const struct guest *g, uint64_t linear, struct memory_access *access);
bool guest_read(const struct guest *g, uint64_t linear, void *to, size_t size);
bool guest_write(const struct guest *g, uint64_t linear, const void *from, size_t size);
/* What made the last of these two fail, as the processor would tell in CR2 and by an error code. */
struct page_fault {
	uint64_t linear;
	uint32_t error;
	bool found;
};
extern struct page_fault guest_fault;
/* By physical address, where memory may be: below the devices. */
void guest_write_physical(uint64_t physical, const void *from, size_t size);
/* Up to 15 bytes at linear: pointer to them, their number in *available; 16 can be read. */
const uint8_t *guest_code(const struct guest *g, uint64_t linear, unsigned *available);
/* The same where linear is in the page that was found last; NULL: it is in another one.  What may
 * be asked of the code that was found last may be asked of it as well. */
const uint8_t *guest_code_here(const struct guest *g, uint64_t linear);
/* From now on the VMM has linear memory of the guest at the same address, where pml4, the top table
 * that it runs with, has room: all but the first 512 GiB, in which it has physical memory. */
void guest_share(uint64_t *pml4);
/* Is the operand at linear, of a word at most, in RAM that the VMM has at the same address, and may
 * the guest access it? */
bool guest_same_address(const struct guest *g, uint64_t linear, bool write);
/* The same, for the page of a device. */
bool guest_same_device(const struct guest *g, uint64_t linear, uint64_t device, bool write);
/* May the guest execute what guest_code() found? */
bool guest_code_allowed(const struct guest *g);
/* The same; the fetch is noted in the tables, as the processor does. */
bool guest_code_fetched(const struct guest *g);
/* Is it uncacheable? */
bool guest_code_uncacheable(void);
/* Forgets the translations that are kept. */
void guest_forget_pages(void);

/* ---- deliver.c ---- */

/* Enters the guest's handler as the processor would.  cause as silicon_delivered() wants it. */
void deliver(struct guest *g, unsigned vector, uint32_t error, enum delivery cause);
/* Does the model know all that it takes, in the mode that the guest is in? */
bool deliver_is_possible(const struct guest *g);
/* INT n, whose successor is at next_rip. */
void deliver_int(struct guest *g, unsigned vector, uint64_t next_rip);

/* ---- nested.c: tables of nested paging, AMD64 APM volume 2, 15.25 ---- */

enum { NESTED_ENTRIES = 512, NESTED_GIGAS = 2, NESTED_HOLES = 8 };

/* Aligned to a page. */
struct nested {
	uint64_t pml4[NESTED_ENTRIES], pdpt[NESTED_ENTRIES];
	uint64_t pd[NESTED_GIGAS][NESTED_ENTRIES], pt[NESTED_HOLES][NESTED_ENTRIES];
	unsigned gigas, holes; /* so many of pd and of pt are in use */
} __attribute__((aligned(4096)));

/* One to one. */
void nested_build(struct nested *n);
/* A hole, at most NESTED_HOLES, each in 2 MiB of its own, in NESTED_GIGAS GiB. */
void nested_leave_out(struct nested *n, uint64_t address, uint64_t size);
