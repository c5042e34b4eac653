/* SPDX-License-Identifier: BSD-2-Clause */
/* Events, registers and counters: a PMU is made of them. */
#pragma once

#include "kernel/lib/lib.h"

/* Generic events, by their places in each table of events.  The driver's own follow from EV_OWN on.
 */
enum pmu_event_id {
	EV_NONE,
	EV_CYCLES,
	EV_INSTRUCTIONS,
	EV_BRANCHES,
	EV_TAKEN_BRANCHES,
	EV_NOT_TAKEN_BRANCHES,
	EV_NEAR_RETURNS,
	EV_FAR_TRANSFERS,
	EV_INTERRUPTS, /* hardware interrupts taken */
	EV_OWN
};

/* How exact a count is, as a test can expect it. */
enum pmu_accuracy {
	PMU_AT_LEAST, /* others are counted, too, or what does not retire */
	PMU_EXACT, /* to the last one on interrupt-free code */
	PMU_UNCERTAIN, /* no manual says whether the occasion makes it occur: but counters agree */
};

/* Why an event's count is what it is. */
struct pmu_reason {
	enum pmu_accuracy accuracy;
	const char *text;
};

struct pmu_event {
	const char *name; /* the manual's name; NULL: this PMU has no such event */
	uint16_t code, unit_mask;
	uint8_t max_per_clock; /* most occurrences in one clock; 0: not known */
	uint8_t edition; /* not 0: not in every edition of the manual.  Either all events of the
			    same number count something, or none does */
	bool twice; /* exact is also: what payloads name so counts twice, in all of a payload */
	const struct pmu_reason *why;
	const char *occasion; /* the payload that makes it occur, or "payload.quantity", which it
				 counts; NULL: none is known well enough */
	uint32_t counters; /* bit n: counter n can count it; 0: every counter can */
};

/* The configuration of a counter.  at_least and below are the threshold and its inversion: clocks
 * with n >= at_least, clocks with n < below; 0: none; never both. */
struct pmu_config {
	unsigned event; /* its place in pmu->events */
	unsigned at_least, below;
	bool edge, user, kernel, interrupt, pin_control;
};

#define PMU_COUNTERS_MAX 32

/* Where a register is.  PCI: function (kernel/kernel.h) in bits 27:12, offset, below 100h, in 11:0;
 * what lies beyond is MMIO, at pci_map() of the function.  MMIO: a mapped physical address. */
enum pmu_space { REG_NONE, REG_MSR, REG_PCI, REG_MMIO };

struct pmu_reg {
	uint64_t address;
	uint32_t acts; /* bits that act when they are written: never given back */
	uint32_t rests; /* its value in the known state, if it belongs to no counter */
	uint8_t space; /* enum pmu_space */
	uint8_t bytes; /* 4 or 8; of PCI two dwords, the low one first */
	bool bit_by_bit; /* an MSR that takes one bit more at a time, else #GP */
	bool by_dwords; /* MMIO of 8 bytes that takes accesses of 4 alone: configuration space */
};

struct pmu_counter {
	struct pmu_reg ctl, ctr; /* event select, which fixed counters may share, and value */
	struct pmu_reg ctl_alias, ctr_alias; /* other names of the same registers */
	uint64_t enable; /* bits of ctl: any of them makes the counter run */
	uint32_t rdpmc; /* index for RDPMC */
	uint8_t width; /* bits */
	uint8_t write_bits; /* of them a write loads; the bits above become copies of the last */
	uint8_t global_bit; /* its number in the PMU's global registers */
	bool strict; /* a value wider than the counter is not cut but raises #GP */
	bool vague; /* it does either: no source says which */
	bool read_only; /* it takes no writes */
	bool fixed; /* for one event only, without a select register of its own */
	bool zero_first; /* by an erratum, only a counter of 0 loads every value rightly */
	/* Not 0: what ignores a write while it is off takes it while ctl is this, which enables it
	 * for what does not occur. */
	uint64_t awake;
};

/* The registers of a PMU other than its counters' own, and the saved values of all registers. */
struct pmu_bank {
	struct pmu_reg gate; /* stops all counters */
	uint32_t gate_stop; /* the value that does so; 0: the gate has a bit for each counter */
	unsigned shared_count;
	const struct pmu_reg *shared; /* all others, in the order in which they may be given back */
	uint64_t *saved; /* [PMU_SAVED(counters, shared_count)] */
	/* Bit n: some register at n modulo 64 may hold something, as pmu_put() has written to it
	 * since the last reset or nobody knows what has. */
	uint64_t touched;
};
