/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Room: what every kind of PMU is to the modelled processor: profile, ops, faults.
 * Uses: model/signals, kernel/lib
 */
#pragma once

#include "core.h"
#include "datapath.h"
#include "fault.h"
#include "model/signals/signals.h"
#include "pebs.h"
#include "profile.h"
#include "select.h"

/* Room for the state of a PMU of the core, and of boxes outside of it; each kind asserts that it
 * fits. */
enum { CORE_PMU_STATE = 16384, BOXES_STATE = 848 * 1024 };

/* A register that software programs, of a PMU of any kind. */
struct pmu_register {
	struct reg_id reg;
	unsigned place; /* its box */
	uint32_t address; /* its MSR; 0 in boxes */
	unsigned next; /* the number of the next of its kind, after the last the first */
	int counter; /* whose, -1: not of one counter */
	bool cells; /* the counter itself, else what controls it */
	bool fixed; /* a counter of one event: no select register is its own */
	bool upright; /* its comparison cannot be inverted */
	bool shares; /* it controls nothing: bytes that tell what has become of what is counted */
	uint64_t bits; /* that a write changes */
	/* Written to each register, this makes all counters count in all rings, and interrupt. */
	uint64_t runs, interrupts;
	/* -- for faults that are generated -- */
	bool simple; /* none is rare, or depends on another thing */
	char name[20], box[8]; /* where it is of boxes: "cbo3_ctl0", "cbo3" */
	/* Globs of tests: of those that ask for all of a control register, NULL: any may; and of
	 * others, each with a comma behind it, that see what it does, or what a counter loses. */
	const char *tests, *more_tests;
	unsigned scarce; /* of so many instructions of a test one makes it count; 0: each does */
	uint64_t remote; /* bits of which there is little to see without another socket */
};

/* The boxes of a profile that the machine is to have. */
enum { BOXES_HIDDEN = 16 };
struct boxes_config {
	unsigned sockets; /* 0: one */
	unsigned home, core; /* the processor's own, and its number there */
	uint8_t hidden[BOXES_HIDDEN]; /* functions: device << 3 | function */
	unsigned hidden_count;
	bool missing; /* to a guest, whose hypervisor has none of them */
	uint64_t tsc_hz, tsc; /* its rate, and what it shows now */
	uint32_t seed; /* of another lawful machine; 0: the usual one */
};

/*
 * One kind of PMU: what all of them have, and its facets.  In all of these, pmu is the room for its
 * state, and traits are what the profile says.
 */
struct kind_ops {
	/* Power-on state; fault is NULL where healthy. */
	void (*reset)(void *pmu, const void *traits, const struct fault *fault);
	/* After reset(): a lawful variation acts as well. */
	void (*deviate)(void *pmu, const struct defect *defect);
	/* ACCESS_NOT_MINE: no register of this kind. */
	enum access (*rdmsr)(void *pmu, uint32_t msr, uint64_t *value);
	enum access (*wrmsr)(void *pmu, uint32_t msr, uint64_t value);
	/* ACCESS_GP: no counter of this kind has the index, or the level may not read it. */
	enum access (*rdpmc)(void *pmu, uint32_t index, unsigned cpl, bool cr4_pce,
			     uint64_t *value);
	/* The index-th register that software programs; false: past the end.  For boxes pmu is the
	 * traits. */
	bool (*register_at)(const void *pmu, unsigned index, struct pmu_register *reg);
	/* Why no test can see that a bit of a control register acts as 0, or with inverted as its
	 * opposite, by what is documented of it; NULL: one can. */
	const char *(*unseen)(const void *traits, const struct pmu_register *reg, uint64_t bit,
			      bool inverted);

	/* One of these is there: it is of a core, or of boxes outside of it. */
	const struct core_ops *core;
	const struct boxes_ops *boxes;
};

/* The PMU of a core.  All members from held_by() on may be NULL. */
struct core_ops {
	/* The threads of a core share it; else it belongs to number 0, and number 1 must not touch
	 * its own. */
	bool of_core;
	/* True while a counter may increment in some mode. */
	bool (*counting)(const void *pmu);
	/* One clock passes; returns the number of interrupt requests that it makes, each of which
	 * reaches the LVT entry once. */
	unsigned (*clock)(void *pmu, const struct clock *clock);
	/* As things stand, clocks may be counted in any order, and alike ones behind such as are
	 * alike at once, as long as the last of all comes last, until a counter has gone on by more
	 * than this; 0: they may not.  In a clock none is taken to go on by more than all signals
	 * of it together. */
	uint64_t (*room)(const void *pmu);
	/* So many kinds of clocks of one privilege level pass, for which there is room, and behind
	 * which the last one comes. */
	void (*pass)(void *pmu, const struct passed *passed, unsigned kinds);
	/* Does delivery set the mask bit of the LVT entry? */
	bool (*masks_lvt)(const void *pmu);
	/* Where a counter keeps its value; may it count as things stand? */
	uint64_t *(*cell)(void *pmu, unsigned counter);
	bool (*enabled)(const void *pmu, unsigned counter);

	/* Counters, as bits, that hold a request for a thread, which reaches its LVT entry whenever
	 * that is not masked.  Asked while holding of struct core_pmu is true.  NULL: none does. */
	uint32_t (*held_by)(const void *pmu, unsigned thread);
	/* A branch was taken or not, or an interrupt or exception delivered, by what retires next.
	 * NULL: it keeps no record of branches. */
	void (*branched)(void *pmu, const struct branch *branch);
	/* Does what wants_assist of struct core_pmu asks for; returns the number of interrupt
	 * requests.  NULL: it never asks. */
	unsigned (*assist)(void *pmu, const struct machine *machine);
	/* So many interrupt requests have samples made since it was asked last, and each reaches
	 * this extended entry of the local APIC once.  NULL: there are none. */
	unsigned (*announces)(void *pmu, unsigned *entry);
	/* Does it count what enum met names, what of it a northbridge knows, and what lay on a
	 * mispredicted path?  NULL: it does not. */
	bool (*watches_hierarchy)(const void *pmu);
	bool (*watches_northbridge)(const void *pmu);
	bool (*watches_bogus)(const void *pmu);
	/* Does a counter count ticks of the TSC?  NULL: none does.  Then how many there have been,
	 * and the most clocks in which there are surely no more than that many others. */
	bool (*counts_tsc)(const void *pmu);
	uint64_t (*tsc_ticks)(const void *pmu);
	uint64_t (*tsc_clocks)(uint64_t ticks);
	/* Counters that count time, whatever happens in it, go on alike each so many clocks; 1, or
	 * NULL: in each clock, or none of them runs. */
	unsigned (*period)(const void *pmu);
	/* So many clocks have passed, a multiple of the period, which the counters have got by
	 * themselves.  NULL: nothing else knows of clocks. */
	void (*skipped)(void *pmu, uint64_t clocks);
	/* A system management interrupt is to be counted; returns how many instructions of its
	 * handler are counted in ring 0, each in a clock of its own.  NULL: none. */
	unsigned (*smi)(void *pmu);
	/* Software is now the host of a guest, or the guest, or neither; and does some counter that
	 * runs wait for guests alone?  NULL: no counter tells them apart. */
	void (*enter_world)(void *pmu, enum world world);
	bool (*counts_guests)(const void *pmu);
	/* Does it let interrupts of boxes outside of the core in?  NULL: it does. */
	bool (*hears_boxes)(const void *pmu);
};

struct msr_range {
	uint32_t first, last;
};

/* Boxes outside of a core.  No member is NULL. */
struct boxes_ops {
	/* -- by the profile, before there is a pmu -- */

	/* Is there a box that may have the defect? */
	bool (*may_have)(const void *traits, const struct defect *defect);
	/* Sockets that the fault needs to be seen. */
	unsigned (*sockets)(const struct fault *fault);
	/* MSRs that boxes may answer, ended by 0; and is that one documented? */
	const struct msr_range *(*msrs)(const void *traits);
	bool (*is_msr)(const void *traits, uint32_t msr);
	/* Buses of configuration space, with any number of sockets, and functions there. */
	bool (*is_bus)(const void *traits, unsigned bus);
	bool (*is_function)(const void *traits, uint8_t df);
	/* Where their registers in memory are; false: they have none. */
	bool (*window)(const void *traits, uint64_t *first, uint64_t *size);

	/* -- life -- */

	/* After reset(). */
	void (*configure)(void *pmu, const struct boxes_config *config);
	/* Boxes that the processors of pmu and of other have in common are as the other's, which is
	 * of the same package; bit n of levels: they have a cache of level n in common. */
	void (*share)(void *pmu, const void *other, unsigned levels);
	/* Tells what the TSC shows, and how many instructions were executed while somebody counted;
	 * called before any access. */
	void (*set_time)(void *pmu, uint64_t tsc, uint64_t executed);
	/* How many interrupts of this core they have asked for since the last call. */
	unsigned (*requests)(void *pmu);

	/* -- registers -- */

	/* Writes to what register_at() tells of, on all sockets. */
	void (*write)(void *pmu, const struct pmu_register *reg, uint64_t value);
	/* False: the bus is none of theirs. */
	bool (*pci_read)(void *pmu, const struct pci_access *access, uint32_t *value);
	bool (*pci_write)(void *pmu, const struct pci_access *access, uint32_t value);
	/* Dwords in memory; false: the address is none of theirs. */
	bool (*window_read)(void *pmu, uint64_t physical, uint32_t *value);
	bool (*window_write)(void *pmu, uint64_t physical, uint32_t value);
	/* Does a register read differently a moment later, by itself? */
	bool (*msr_advances)(void *pmu, uint32_t msr);
	bool (*pci_advances)(void *pmu, const struct pci_access *access);
	/* The same; false: there is no register in memory at this address. */
	bool (*window_register)(void *pmu, uint64_t physical, bool *advances);

	/* -- the program's accesses to memory -- */

	/* Does a counter wait for them? */
	bool (*watches_memory)(const void *pmu);
	/* One of them, then; returns the TSC before which nothing may follow. */
	uint64_t (*memory)(void *pmu, const struct memory_access *access);
	/* Does this one surely change nothing?  Then it need not be told. */
	bool (*is_settled)(const void *pmu, const struct memory_access *access);
};

/* The boxes of one part: what a profile may list behind the PMU of its core. */
struct boxes_part {
	const struct kind_ops *ops;
	const void *traits;
};

/* A part says BOXES() once: there is no list to keep. */
#define BOXES(ops_, traits_)                                                                       \
	static const struct boxes_part boxes_##traits_ = {&ops_, &traits_};                        \
	static const struct boxes_part *const entry_##traits_                                      \
		__attribute__((used, section("boxes"))) = &boxes_##traits_
