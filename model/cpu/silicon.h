/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The modelled processor as pure computation: no instruction of this file's code touches hardware,
 * so that the same objects are unit-tested on the host.  The hypervisor feeds it.
 */
#pragma once

#include "model/faults/faults.h"
#include "model/signals/signals.h"

struct silicon; /* state of one modelled logical CPU */
struct decoder;

/* ---- life ---- */
/* The processor that runs.  The state of others of its machine is kept elsewhere while they wait:
 * silicon_park(), silicon_set_aside(). */
extern struct silicon silicon_cpu;
/* Power-on state of profile with fault (NULL: none). */
void silicon_reset(struct silicon *s, const struct profile *profile, const struct fault *fault);

/* After silicon_reset(): another lawful processor of the same kind, by seed: see pipeline.c.  Seed
 * 0 changes nothing. */
void silicon_vary(struct silicon *s, uint32_t seed);
/* After silicon_reset(): with this lawful variation, too; at most LAWFUL_MAX of them. */
void silicon_deviate(struct silicon *s, const struct fault *lawful);

/* Where the processor is in its machine. */
struct seat {
	unsigned package, core;
	unsigned cores; /* of a package; 0: one */
	bool hybrid; /* of several kinds */
};
/* After silicon_reset(). */
void silicon_seat(struct silicon *s, const struct seat *seat);
/* Before there was a leaf that tells of several, a package of Intel's had one core. */
bool silicon_has_one_core(const struct profile *profile);
/* The APIC ID of the thread, as CPUID and the firmware tell it. */
uint32_t silicon_apic_id(const struct profile *profile, const struct seat *seat, unsigned thread);

/* The set-up of the processor that one run of the program is to find. */
struct silicon_setup {
	const struct profile *profile;
	const struct fault *fault; /* NULL: none */
	uint64_t lawful; /* bit n: with lawful_number(profile, n) */
	uint32_t seed;
	bool single_step; /* nothing is executed natively (native.c) while a counter runs */
	bool forgets; /* what instructions do is found out each time: silicon_remember() */
	bool system; /* an operating system, whose clocks never go by the machine while a counter
			runs */
	bool hides_hypervisor; /* CPUID tells of none */
	bool lends_svm; /* silicon_lend_svm(); to no system: wherever the part has it */
	uint32_t stages; /* STAGE_* */
	uint16_t pm_timer; /* port of the ACPI power management timer, 0: none */
	struct seat seat;
	struct boxes_config boxes;
};

/* Keeps the state of s; a later silicon_unpark() brings it back, but for what others have done to
 * boxes that it has in common with them.  One can be kept at a time. */
void silicon_park(const struct silicon *s);
/* Another processor of that machine: after silicon_configure_boxes(), it has boxes in common. */
void silicon_join(struct silicon *s);
void silicon_unpark(struct silicon *s);

/* ---- aside.c: processors that run together, by numbers below PROCESSORS_MAX ---- */

enum { PROCESSORS_MAX = 64 };
/* From now on there is company, by which a defect may show; or there is none any more. */
void silicon_meet(bool on);
/* Keeps all of s but its boxes, as that number; and s becomes what was kept.  The boxes stay, and
 * are those of the first one that was kept: others of its profile reach them. */
void silicon_set_aside(struct silicon *s, unsigned number);
void silicon_bring_back(struct silicon *s, unsigned number);

/* After silicon_reset(). */
void silicon_configure_boxes(struct silicon *s, const struct boxes_config *config);
bool silicon_has_boxes(const struct silicon *s);

/* ---- what the guest sees ---- */
/* Whose data answers where the processor has no such leaf: that leaf of the processor underneath is
 * what silicon_cpuid() wants. */
uint32_t silicon_cpuid_leaf(const struct silicon *s, uint32_t leaf);
/* r: EAX, EBX, ECX, EDX of the processor underneath on entry, of the modelled one on return.
 * Presents vendor/family/model, hides SVM, sets the hypervisor bit and leaf 4000_0000h. */
void silicon_cpuid(struct silicon *s, uint32_t leaf, uint32_t subleaf, uint32_t r[4]);

/* To a 32-bit program a processor without 64-bit mode is what it is; else it also has what is
 * underneath. */
void silicon_show_32(struct silicon *s, bool on);
/* Is it shown so?  Then whether it has EFER, in which it has no bit that the VMM supports. */
bool silicon_shows_32(const struct silicon *s);
bool silicon_has_efer(const struct silicon *s);
/* Or does it raise #UD? */
bool silicon_executes(const struct silicon *s, const struct decoder *d);

/* Has the part AMD-V?  Then the guest has it, without nested paging, until silicon_reset(). */
bool silicon_may_lend_svm(const struct profile *profile);
void silicon_lend_svm(struct silicon *s);
bool silicon_lends_svm(const struct silicon *s);
/* The guest is now in this world: the next instruction to retire is of it. */
void silicon_enter_world(struct silicon *s, enum world world);
/* Is a guest's guest counted, and by counters for guests alone? */
bool silicon_counts_guests(struct silicon *s);

/* Has the local APIC AMD's extended registers? */
bool silicon_has_extended_apic(const struct silicon *s);

enum access silicon_rdmsr(struct silicon *s, uint32_t msr, uint64_t *value);
enum access silicon_wrmsr(struct silicon *s, uint32_t msr, uint64_t value);
enum access silicon_rdpmc(struct silicon *s, uint32_t index, unsigned cpl, bool cr4_pce,
			  uint64_t *value);
/* Must the MSR be intercepted?  All MSRs of PMUs are, of every vendor, and those of the part. */
bool silicon_intercepts_msr(uint32_t msr);
/* Is it the part's, whether or not this one has it, and of no PMU?  Then all threads may read it.
 */
bool silicon_is_part_msr(uint32_t msr);
/* The index-th range of those of PMUs; NULL: past the end. */
const struct msr_range *silicon_msr_range(unsigned index);
/* Does msr read differently a moment later, by itself?  A counter that runs, a clock,
 * a record of branches. */
bool silicon_advances(struct silicon *s, uint32_t msr);
/* A system management interrupt has come and gone: where there is a count of them, it goes on. */
void silicon_smi(struct silicon *s);

/* ---- boxes outside of the core; where the profile has none, all of this does nothing ---- */
/* Tells what the TSC shows; called before any access below or to an MSR. */
void silicon_set_tsc(struct silicon *s, uint64_t tsc);
/* What MPERF, APERF, or the second names of these, show of what they hold. */
uint64_t silicon_shown_clocks(const struct silicon *s, uint64_t clocks, bool second);
/* False: the bus is not modelled. */
bool silicon_pci_read(struct silicon *s, const struct pci_access *access, uint32_t *value);
bool silicon_pci_write(struct silicon *s, const struct pci_access *access, uint32_t value);
/* Where registers of boxes are in memory; false: there are none, or not at this address. */
bool silicon_window(const struct silicon *s, uint64_t *first, uint64_t *size);
bool silicon_window_read(struct silicon *s, uint64_t physical, uint32_t *value);
bool silicon_window_write(struct silicon *s, uint64_t physical, uint32_t value);
/* As silicon_advances(). */
bool silicon_pci_advances(struct silicon *s, const struct pci_access *access);
/* False: no box has a register at this address, which is a dword's; advances: as above. */
bool silicon_window_register(struct silicon *s, uint64_t physical, bool *advances);
/* Enables all counters, as firmware may leave them. */
void silicon_leave_boxes_running(struct silicon *s);
/* A register that boxes of another profile have, and this profile has not. */
bool silicon_is_foreign_msr(const struct silicon *s, uint32_t msr);
bool silicon_is_foreign_bus(const struct silicon *s, uint8_t bus);
/* Buses of configuration space, and functions there, that boxes of some profile have. */
bool silicon_is_boxes_bus(uint8_t bus);
bool silicon_is_boxes_function(uint8_t df);
/* The boxes of this profile have that function. */
bool profile_has_function(const struct profile *profile, uint8_t df);

/* True while silicon_memory() drives some event that is selected. */
bool silicon_watches_memory(const struct silicon *s);
/* Does a counter count ticks of the TSC?  Then how many there have been. */
bool silicon_counts_tsc(struct silicon *s);
uint64_t silicon_tsc_ticks(struct silicon *s);
/* While it is steady, passes clocks until there have been so many more of these ticks, as
 * silicon_pass(). */
void silicon_pass_ticks(struct silicon *s, uint64_t ticks, unsigned cpl);
/* While it watches memory: says whether the code that retires next is uncacheable. */
void silicon_fetches(struct silicon *s, bool uncacheable);
/* An instruction has accessed memory.  Returns the TSC before which nothing may follow. */
uint64_t silicon_memory(struct silicon *s, const struct memory_access *access);
/* It need not be called: the access changes nothing for anyone who watches. */
bool silicon_is_settled(const struct silicon *s, const struct memory_access *access);

/* ---- execution ---- */
/* True while some counter is enabled or a request held: then every instruction must be reported. */
bool silicon_counting(struct silicon *s);

/* Do all enabled counters go on alike in each clock, whatever happens in it?  Of a healthy
 * processor alone: a fault may depend on what it likes. */
bool silicon_is_steady(struct silicon *s);
/* While it is steady, clocks may pass in the place of what would be reported of them: so many, at
 * that level.  Returns how many were left when, after an overflow, it was steady no more. */
uint64_t silicon_pass(struct silicon *s, uint64_t clocks, unsigned cpl);

/* From now on.  After a reset number 0 executes, and the other one waits to be started. */
void silicon_switch(struct silicon *s, const struct threads *threads);
/* Does the thread that executes have the modelled counters?  If not, it must not access its own. */
bool silicon_is_own_pmu(struct silicon *s);

/* insn retired: cpl is the level it went TO, taken whether the next RIP was not the fall-through
 * (meaningful for branches), iflag the IF in force while it executed.  False: neither an interrupt
 * request nor a record is or was under way, silicon_take_pmi() may wait. */
bool silicon_retire(struct silicon *s, const struct insn *insn, unsigned cpl, bool taken,
		    bool iflag);
/* Asked after silicon_retire(); true: that was a mispredicted branch, and what lies on the path
 * that it did not take counts. */
bool silicon_mispredicted(struct silicon *s);
/* The next instruction of that path.  False: the path ends before it. */
bool silicon_discard(struct silicon *s, const struct insn *insn);
/* An interrupt or exception (hardware true: external or NMI) was delivered; cpl is the new one.
 * Called for INT n too (software). */
void silicon_delivered(struct silicon *s, enum delivery what, unsigned cpl);

/* Called before silicon_retire() or silicon_delivered() for what branched, or did not. */
void silicon_branched(struct silicon *s, const struct branch *branch);

/* Asked before each instruction; true: its registers must be noted. */
bool silicon_precise(const struct silicon *s);
/* Asked after each silicon_retire(); true: silicon_assist() must follow. */
bool silicon_wants_assist(const struct silicon *s);
void silicon_assist(struct silicon *s, const struct machine *machine);

/* Does WRMSR take effect before it retires, so that it counts itself when it enables a counter? */
bool silicon_writes_first(const struct silicon *s);

/* A performance-monitoring interrupt, as the PMU asks a thread's LVT entry for it. */
struct pmi {
	unsigned due; /* requests that became due since the last call: 0, or more with a fault */
	bool held; /* a request stands until the guest withdraws it */
	bool masks_lvt; /* delivery sets the mask bit of the LVT entry */
	/* Of samples, through this one of AMD's extended entries, and the same two of it. */
	unsigned announced, entry;
	bool masks_entry;
};
/* Is a request under way, or held? */
bool silicon_requests(const struct silicon *s);
struct pmi silicon_take_pmi(struct silicon *s, unsigned thread);
/* How the local APIC takes the entry: as it is, but for a fault. */
uint32_t silicon_lvt(const struct silicon *s, uint32_t entry);
uint32_t silicon_extended_lvt(const struct silicon *s, uint32_t entry);
/* Does a fault see the entry?  Then it is to be shown behind each write to a register. */
bool silicon_sees_entry(const struct silicon *s);
void silicon_show_entry(struct silicon *s, uint8_t vector, bool nmi);
/* An interrupt of the PMU was raised. */
void silicon_raised(struct silicon *s);
/* Ends all pending latency: called when counting stops, so a late request still arrives. */
void silicon_flush(struct silicon *s);

/* ---- blocks: instructions in a row, which retire at once, as what they do is remembered ---- */

enum { BLOCK_MOST = 24 };
struct block {
	unsigned count;
	const struct insn *insn[BLOCK_MOST]; /* only the last may be a branch */
	/* silicon_block() finds the rest out: */
	uint32_t number; /* no other block ever had it */
	unsigned most; /* no counter goes on by more */
	unsigned loads, stores;
	bool strings; /* some are string instructions */
	bool conditional; /* the last one is a conditional branch, */
	unsigned predictor; /* which has this place among those predicted */
};
/* To be called when its instructions are known, each with its address. */
void silicon_block(struct block *b);
/* False: all must go instruction by instruction.  From now on; after silicon_reset() they need
 * not. */
void silicon_remember(struct silicon *s, bool on);
/* May the block be executed at once, as neither a request nor a record comes before its end?  Then
 * silicon_retire_block() must follow, or silicon_retire_part() if not all of it was executed. */
bool silicon_takes_block(struct silicon *s, const struct block *b, unsigned cpl);
/* While silicon_watches_memory(): so many instructions of the block were executed, from number
 * first on, and all ahead of them. */
void silicon_fetch_block(struct silicon *s, const struct block *b, unsigned first, unsigned count);
/* As silicon_retire() of each of its instructions; taken is of the last one. */
void silicon_retire_block(struct silicon *s, const struct block *b, bool taken, bool iflag);
/* The same of the first ones, none of which branches. */
void silicon_retire_part(struct silicon *s, const struct block *b, unsigned count, bool iflag);
/* Behind silicon_takes_block(): it may be executed so many times in a row, at least once. */
unsigned silicon_block_times(const struct silicon *s, const struct block *b);
/* Then, in place of silicon_retire_block(): it was, and branched to its begin behind each but the
 * last time, of which taken tells. */
void silicon_retire_loop(struct silicon *s, const struct block *b, unsigned times, bool taken,
			 bool iflag);

/* ---- the tally ---- */

struct silicon_tally {
	/* Instructions and clocks since silicon_reset(), while a counter ran; where those of boxes
	 * alone do, a clock for each instruction. */
	uint64_t retired, clocks;
	uint64_t of_boxes; /* accesses to registers of boxes */
	/* FNV-1a, 64 bits, over each register of the core PMU that was read, with its value, and
	 * over how many instructions after an access to a register each interrupt was raised. */
	uint64_t digest;
};
struct silicon_tally silicon_tally(struct silicon *s);

/* ---- cpuid.c, topology.c ---- */

/* Has it no 64-bit mode? */
bool cpuid_is_32(const struct profile *profile);
/* Hyper-Threading: has the core a second logical processor? */
bool cpuid_has_two_threads(const struct profile *profile);
