/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The driver interface.  A driver is one const struct pmu_ops.  Each PMU that its probe() finds is
 * one struct pmu, which holds what the runner and the tests must know; whatever else the driver
 * needs is behind pmu->state.
 *
 * Room: what all PMUs have in common; each family of PMUs has a folder below
 * Uses: kernel, kernel/lib
 */
#pragma once

#include "counter.h"
#include "errata.h"
#include "facets.h"
#include "features.h"
#include "kernel/kernel.h"
#include "records.h"

struct pmu_ops;
struct pmu_counting;
struct pmu_box;

struct pmu {
	const struct pmu_ops *ops;
	/* First part of every test id: ops->name, except that a box has its own; the runner puts
	 * another processor's name in front. */
	char name[32];
	const char *kind_name; /* of a box: its name without its number and its socket; NULL */
	unsigned instance; /* which of the boxes of ops this is to be, from 0 */
	bool of_all_packages; /* processors of all packages reach it, not those of its own alone */
	enum cpu_common common; /* MSRs of a box are those of all processors that have this one */
	uint64_t kinds; /* which of the kinds of box that ops tells apart, as bits */
	unsigned features; /* enum pmu_feature, without facets */
	const struct pmu_event *events; /* from EV_OWN on, one without a name ends them */

	const struct pmu_counter *counter; /* [counters] */
	unsigned counters;
	unsigned max_threshold; /* largest documented threshold */
	unsigned shortest_period; /* an interrupt after fewer events may come twice; 0: none does */
	unsigned interrupt_after; /* so many events after an overflow the interrupt is raised */
	uint64_t ctl_writable; /* bits of the select register that must read back as written */
	uint64_t ctl_enable; /* of these: what makes the counter run */
	uint64_t ctl_reserved; /* bits of the select register that we always write 0 */

	uint64_t running_at_entry; /* bit n: firmware left counter n enabled */

	/* Facets: NULL where the PMU lacks them. */
	const struct pmu_counting *counting;
	const struct pmu_sampler *sampler;
	const struct pmu_branches *branches;
	const struct pmu_metrics *metrics;
	const struct pmu_meters *meters;
	const struct pmu_box *box;

	/* The kind of a box of pmu/box: what all of its kind have, and no others.  NULL: it is
	 * another driver's, and .kinds tells kinds apart. */
	const void *kind;
	/* The runner's: the box before it that it is equal to, and that is reported in full; NULL:
	 * this one is. */
	const struct pmu *like;

	const char *silent; /* why a PMU that should be there does not respond, or NULL */
	const char *idle; /* why nothing drives the clocks of a box now, or NULL */
	const char *notes[2]; /* more that a reader of the report should know, or NULL */
	const struct pmu_event *smis; /* for pmu_watch(); NULL: no event is known */
	const uint32_t *told_by; /* MSRs that tell what there is, only to be read; 0 ends them;
				    NULL: none */
	uint32_t revision; /* errata go by it: CPUID 1 EAX, or the driver's own number */

	struct pmu_bank *bank; /* for registers.c; a part of the state */
	void *state; /* the driver's own: ops->state_size bytes, zeroed before probe() */
};

/* One PMU generation.  Called on the CPU measured, interrupts off.  Only probe() may run before
 * probe() has returned true.  NULL: this PMU needs none. */
struct pmu_ops {
	const char *name; /* "amd" */
	const char *title; /* "AMD legacy event-select counters" */
	const char *manual; /* document, section, revision */
	const char *processors; /* which ones have it, as the list of PMUs says */
	const struct pmu_erratum *errata; /* an entry without .id ends it */
	/* May a part that no table knows have it, as some part that it may be?  NULL: all are
	 * known. */
	bool (*may_have)(const struct pmu *pmu, const struct pmu_erratum *erratum);
	const struct pmu_overcount *overcounts; /* of these; one without .erratum ends it */
	size_t state_size;
	/* NULL, or the driver whose state this one has, too: that one's tests are of its PMUs as
	 * well. */
	const struct pmu_ops *kin;

	/* Boxes outside of the cores, many of a kind: probe() is called with each pmu->instance
	 * until one is false, and gives each a name; only tests that name this driver apply.  A box
	 * that should be there and is not is found with .silent set: nothing of it is touched, and
	 * its tests are skipped for that reason. */
	bool uncore;

	/* Where there are MSRs.  By CPUID first, then a harmless write-and-read-back of counter 0's
	 * select register (put back): that RDMSR does not fault proves nothing.  True: fills *pmu.
	 * False with pmu->silent set: promised but does not respond; of boxes, that not one does.
	 */
	bool (*probe)(struct pmu *pmu, const struct cpu_identity *cpu);

	/* Brings every register to the known state: all counters disabled and zero; NULL:
	 * pmu_reset_registers() does that. */
	void (*reset)(const struct pmu *pmu);
};

/* The counters of a PMU, called as struct pmu_ops is. */
struct pmu_counting {
	/* Programs counter ctr, disabled.  NULL, or a message why the combination is impossible.
	 * pmu_program() has refused before what no driver could do. */
	const char *(*program)(const struct pmu *pmu, unsigned ctr, const struct pmu_config *cfg);

	/* The value of a select register that counts the event, which need not be in pmu->events,
	 * in all rings, without its enable bit.  NULL instead of a function: see pmu_watch(). */
	uint64_t (*select_all)(const struct pmu_event *event);

	/* NULL, or why counters ctr_a and ctr_b cannot hold these configurations at the same time.
	 * NULL instead of a function: any two counters can. */
	const char *(*conflict)(const struct pmu *pmu, unsigned ctr_a, const struct pmu_config *a,
				unsigned ctr_b, const struct pmu_config *b);

	/* Enables / disables the counters of the mask (bit n: counter n), keeping their values. */
	void (*start)(const struct pmu *pmu, uint64_t ctrs);
	void (*stop)(const struct pmu *pmu, uint64_t ctrs);

	/* Which of the counters that were armed, with the top bit set, have overflowed since.  NULL
	 * instead of a function: those whose top bit is clear. */
	uint64_t (*overflowed)(const struct pmu *pmu, uint64_t armed);

	/* Which of these counters have a flag that says so.  NULL: there are no flags. */
	uint64_t (*flagged)(const struct pmu *pmu, uint64_t ctrs);

	/* Clears the status of these counters.  NULL: there is no status register. */
	void (*acknowledge)(const struct pmu *pmu, uint64_t ctrs);

	/* Reports, for diagnostics, what concerns a counter beside its own two registers, or NULL.
	 */
	void (*describe)(const struct pmu *pmu, unsigned ctr);
};

/* ---- drivers.c: what there is ---- */

/* A driver's file says PMU_DRIVER(ops) once: there is no list to keep. */
#define PMU_DRIVER(name) static PMU_DRIVER_ENTRY(name) = &name
/* Whoever links keeps the order of files; clang, which has no word for it, does so anyway. */
#if __has_attribute(no_reorder)
#define PMU_DRIVER_ENTRY(name)                                                                     \
	const struct pmu_ops *const entry_##name                                                   \
		__attribute__((used, section("pmu_drivers"), no_reorder))
#else
#define PMU_DRIVER_ENTRY(name)                                                                     \
	const struct pmu_ops *const entry_##name __attribute__((used, section("pmu_drivers")))
#endif

/* Driver i, in the order of their files; NULL behind the last. */
const struct pmu_ops *pmu_driver(unsigned i);

/* Room for the uncore boxes of two sockets of today, which have 200 each, and for the PMUs in a
 * core; for each 80 words of state, as a box of pmu/box takes, and a large PMU besides. */
#define PMUS_MAX            448u
#define PMU_STATE_WORDS     40000u
#define PMU_STATE_MOST      4000u /* words of one PMU; a driver with more is a bug, and panics */
#define PMU_STATE_ALIGNMENT 64u

/* A processor that should have boxes of this driver, and shows none. */
struct pmu_boxless {
	const struct pmu_ops *ops; /* NULL: there is no such driver */
	const char *why;
};

/* All PMUs that one processor reaches, with the state of their drivers. */
struct pmu_set {
	unsigned count;
	const char *why; /* when none is in the cores: why not, as exactly as a driver could tell */
	struct pmu_boxless boxless;
	const struct pmu_ops *crowded; /* NULL, or the driver that has found more than have room */
	char undriven[64]; /* where no driver could: its words */
	struct pmu pmu[PMUS_MAX + 1]; /* the last one is probed, but never there */
	size_t state_used; /* words */
	uint64_t state[PMU_STATE_WORDS + PMU_STATE_MOST]
		__attribute__((aligned(PMU_STATE_ALIGNMENT)));
};

/* Probes all drivers, those of uncore boxes only if asked for, and last.  Where a PMU has no room
 * in set, neither that one nor any behind it of its driver is there, and set->crowded says so. */
void pmu_find_all(struct pmu_set *set, bool uncore);
/* The first one of the cores that has counters; state: PMU_STATE_MOST words, aligned. */
bool pmu_find_first(struct pmu *pmu, uint64_t *state);

/* ---- registers.c: what all PMUs do with their registers ---- */

static inline struct pmu_reg pmu_msr(uint32_t number)
{
	return (struct pmu_reg){.space = REG_MSR, .address = number, .bytes = 8};
}

/* The number of an MSR. */
static inline uint32_t pmu_number(struct pmu_reg msr)
{
	return (uint32_t)msr.address;
}

/* An access that faults reads 0, or writes nothing. */
uint64_t pmu_get(struct pmu_reg reg);
void pmu_put(const struct pmu *pmu, struct pmu_reg reg, uint64_t value);

/* NULL, or why there is no PMU behind CPUID: the control register keeps no bit of the pattern.  It
 * is put back. */
const char *pmu_try(struct pmu_reg msr, uint64_t pattern);

/* Does this MSR have, or keep, the bits of some counters?  It is left as it was found, and starts
 * no counter meanwhile: of those alone that are off by their own control it gets the bits. */
bool pmu_has_gate(const struct pmu *pmu, struct pmu_reg gate);

/* Does MSR area, of Intel's debug store, keep an address?  It is left as it was found, and alone
 * while MSR enable says that something is recorded there. */
bool pmu_has_store(struct pmu_reg area, struct pmu_reg enable);

/* Saves every register (once, after probe), and puts the saved state back.  These and
 * pmu_reset_registers() live with registers that fault: to report those is for the tests. */
#define PMU_SAVED(counters, shared) (1 + 2 * (counters) + (shared))
void pmu_save(struct pmu *pmu);
void pmu_restore(const struct pmu *pmu);
uint64_t pmu_saved_ctl(const struct pmu *pmu, unsigned ctr);
/* Calls use() with each register, once, and what it was saved as; shared: it is no counter's, nor
 * the gate. */
void pmu_each_register(const struct pmu *pmu, void (*use)(const struct pmu *pmu, struct pmu_reg reg,
							  uint64_t saved, bool shared));

/* Brings the PMU to the known state. */
void pmu_reset(const struct pmu *pmu);

/* For drivers.  Shuts the gate, then sets controls, shared registers and counters to 0 (.rests)
 * in this order: a counter that has no event keeps the value that is written to it. */
void pmu_reset_registers(const struct pmu *pmu);
/* The same, but of controls and shared registers those alone that have been touched, and of
 * counters those that have been or whose control has: each access takes a microsecond, and a trap
 * under a hypervisor.  A register written without pmu_put() is for the driver to touch, or to
 * reset. */
void pmu_reset_touched(const struct pmu *pmu);

static inline uint64_t pmu_touch_bit(struct pmu_reg reg)
{
	return BIT(reg.address % 64);
}

static inline void pmu_touch(const struct pmu *pmu, struct pmu_reg reg)
{
	pmu->bank->touched |= pmu_touch_bit(reg);
}

/* Somebody else has had the machine. */
void pmu_touch_all(const struct pmu *pmu);
/* Writes a counter, which may sleep: it is then woken for that, and its control is as it was. */
void pmu_put_counter(const struct pmu *pmu, const struct pmu_counter *c, uint64_t value);

/* Value of a counter, in its width.  In a core an access that faults ends the test. */
uint64_t pmu_read(const struct pmu *pmu, unsigned ctr);
void pmu_write(const struct pmu *pmu, unsigned ctr, uint64_t value);

/* start() and stop() by the enable bit of each counter: all reads, then all writes, so that the
 * counters start as close together as separate registers allow. */
void pmu_set_enables(const struct pmu *pmu, uint64_t ctrs);
void pmu_clear_enables(const struct pmu *pmu, uint64_t ctrs);

/* See struct pmu_counting. */
uint64_t pmu_overflowed(const struct pmu *pmu, uint64_t armed);
uint64_t pmu_flagged(const struct pmu *pmu, uint64_t ctrs);
void pmu_acknowledge(const struct pmu *pmu, uint64_t ctrs);

static inline void pmu_start(const struct pmu *pmu, uint64_t ctrs)
{
	pmu->counting->start(pmu, ctrs);
}

static inline void pmu_stop(const struct pmu *pmu, uint64_t ctrs)
{
	pmu->counting->stop(pmu, ctrs);
}

/* Counter ctr counts the event in all rings from 0 on, at once; returns its select register as it
 * then reads.  For PMUs with counting->select_all(); lives with registers that fault. */
uint64_t pmu_watch(const struct pmu *pmu, unsigned ctr, const struct pmu_event *event);

/* Reports the registers of one counter, for diagnostics. */
void pmu_describe(const struct pmu *pmu, unsigned ctr);

/* A running counter of two dwords, the low one at offset, as it was at one moment.  get(arg,
 * offset) reads a dword.  Pure. */
uint64_t pmu_read_split(uint32_t (*get)(const void *arg, uint32_t offset), const void *arg,
			uint32_t offset);

/* ---- counters.c: what holds for the counters of all PMUs ---- */

/* counting->program(), and before it refuses what no driver could do. */
const char *pmu_program(const struct pmu *pmu, unsigned ctr, const struct pmu_config *cfg);

static inline uint64_t pmu_mask(const struct pmu *pmu, unsigned ctr)
{
	return ~UINT64_C(0) >> (64 - pmu->counter[ctr].width);
}

/* Can a write to counter ctr load this value?  A strict counter loads all its bits. */
bool pmu_can_write(const struct pmu *pmu, unsigned ctr, uint64_t value);

/* The counters' bits in the PMU's global registers. */
uint64_t pmu_global_bits(const struct pmu *pmu, uint64_t ctrs);

static inline uint64_t pmu_global_bit(const struct pmu *pmu, unsigned ctr)
{
	return UINT64_C(1) << pmu->counter[ctr].global_bit;
}

/* Features and facets: of the PMU, and those that counter ctr has a part in. */
unsigned pmu_abilities(const struct pmu *pmu);
unsigned pmu_features(const struct pmu *pmu, unsigned ctr);

/* Can counter ctr count the event? */
static inline bool pmu_can_count(const struct pmu *pmu, unsigned ctr, unsigned event)
{
	uint32_t counters = pmu->events[event].counters;

	return pmu->events[event].name && (!counters || counters >> ctr & 1);
}

/* Is the event, which the PMU has, counted to the last one? */
static inline bool pmu_is_exact(const struct pmu *pmu, unsigned event)
{
	return pmu->events[event].why->accuracy == PMU_EXACT;
}

/* Is it for ring 3 alone, where by an erratum this counter counts nothing? */
static inline bool pmu_is_deaf(const struct pmu *pmu, unsigned ctr, const struct pmu_config *cfg)
{
	return cfg->user && !cfg->kernel && pmu_effect_on(pmu, DEAF_TO_USER_ALONE, ctr);
}

/* Every place in pmu->events, even if it is for a generic event that the PMU does not have. */
#define FOR_EACH_EVENT(pmu, event)                                                                 \
	for (unsigned event = EV_CYCLES; event < EV_OWN || (pmu)->events[event].name; event++)

/* Takes a row of a driver's table to events[PMU_EVENTS_MAX], which was all zero at first: a generic
 * event to its place, any other behind those that are there. */
#define PMU_EVENTS_MAX 64u
void pmu_take_event(struct pmu_event *events, enum pmu_event_id id, const struct pmu_event *event);

/* ---- equal.c ---- */

/* Both are there: is box of the kind of first, with the same counters and modes?  Then every test
 * of box is one of first, too, and box is reported as like it. */
bool pmu_is_equal(const struct pmu *box, const struct pmu *first);

/* ---- plan.c ---- */

/* A counter for each of the n configurations, such that all can be programmed at once.  ctr[0] is
 * given; ctr[1] and so on are chosen, each the next free one after its predecessor that will do.
 * None is deaf to its configuration, unless ctr[0] is.
 * NULL, or why there is no such choice. */
const char *pmu_plan(const struct pmu *pmu, unsigned n, const struct pmu_config *const *cfg,
		     unsigned *ctr);
