/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Room: the NetBurst PMU at register level: 18 counters, their CCCRs, and the ESCRs they share.
 * Uses: model/pmu, kernel/lib
 */
#pragma once

#include "kernel/lib/bits.h"
#include "model/pmu/pmu.h"

enum {
	NETBURST_COUNTERS = 18,
	NETBURST_PEBS_COUNTER = 16,
	NETBURST_ESCRS = 0x42, /* addresses, not all of which exist */
	NETBURST_SIGNALS = 8, /* the most that one ESCR can select */
};

#define NETBURST_BITS 40
#define NETBURST_MASK (BIT(NETBURST_BITS) - 1)

/* MSR_BPU_COUNTER0, MSR_BPU_CCCR0, MSR_BSU_ESCR0: the first of each kind. */
#define MSR_NETBURST_COUNTER 0x300u
#define MSR_NETBURST_CCCR    0x360u
#define MSR_NETBURST_ESCR    0x3a0u

/* CCCR. */
#define CCCR_EXTENDED_CASCADE BIT(11) /* CASCNTxINTOy */
#define CCCR_ENABLE           BIT(12)
#define CCCR_ESCR_SELECT      FIELD(15, 13)
#define CCCR_ACTIVE_THREAD    FIELD(17, 16)
#define CCCR_COMPARE          BIT(18)
#define CCCR_COMPLEMENT       BIT(19)
#define CCCR_THRESHOLD        FIELD(23, 20)
#define CCCR_EDGE             BIT(24)
#define CCCR_FORCE_OVF        BIT(25)
#define CCCR_OVF_PMI_T0       BIT(26)
#define CCCR_OVF_PMI_T1       BIT(27)
#define CCCR_CASCADE          BIT(30)
#define CCCR_OVF              BIT(31)

/* ESCR. */
#define ESCR_T1_USR       BIT(0)
#define ESCR_T1_OS        BIT(1)
#define ESCR_T0_USR       BIT(2)
#define ESCR_T0_OS        BIT(3)
#define ESCR_TAG_ENABLE   BIT(4)
#define ESCR_TAG_VALUE    FIELD(8, 5)
#define ESCR_EVENT_MASK   FIELD(24, 9)
#define ESCR_EVENT_SELECT FIELD(30, 25)

/* MSR_PEBS_ENABLE. */
#define PEBS_ENABLE_LOAD_MISS BIT(0) /* 1stL_cache_load_miss_retired */
#define PEBS_ENABLE_UOP_TAG   BIT(24)
#define PEBS_ENABLE_MY_THR    BIT(25)

/* Traits: the models differ in these. */
struct netburst_traits {
	bool hyper_threading; /* two logical processors */
	bool extended_cascade; /* CCCR bit 11 */
	bool iq_escrs;
	bool instr_completed;
	bool ioq_on_both; /* ESCRs: from signature F27h on */
	bool ioq_needs_all; /* direction and type: from model 2 on */
	bool write_carries; /* erratum N15/O8 */
	bool stop_loses_carry; /* erratum O9 */
	bool forced_ovf_starts_none; /* a forced overflow starts no cascade */
	bool dtes64; /* the debug store has its 64-bit form in every mode */
};

/* A CCCR, taken apart; the setting of its counter has the rest. */
struct cccr {
	int escr; /* number of the selected ESCR, -1: none answers */
	unsigned active_thread;
	bool force_ovf, ovf_pmi_t0, ovf_pmi_t1, cascade, extended_cascade;
	/* The one signal of struct clock that the ESCR delivers, of something that retires;
	 * SIGNAL_COUNT: it does not deliver a single one. */
	unsigned alone;
	unsigned amount; /* that the last clock added */
	bool carried; /* into bit 32, in the last clock */
};

/* An ESCR, taken apart. */
struct escr {
	unsigned number; /* of its address */
	uint32_t power; /* bit n: counter n, while it runs, powers the ESCR; 0: there is no ESCR */
	unsigned event, mask, tag_value;
	uint64_t modes; /* as in the ESCR */
	bool tag_enable;
	bool thread_independent; /* the event is */
	/* The event mask selects these: signals of struct clock or enum derived, and OF_BOGUS. */
	uint8_t signals[NETBURST_SIGNALS];
	unsigned signal_count;
	/* Does it count, by its modes?  [thread][0: in ring 0, 1: elsewhere] */
	bool passes[THREADS][2];
};

/* Numbers that no signal of struct clock says alone. */
enum derived {
	DERIVED_UNTAGGED = SIGNAL_COUNT, /* instructions without and with a front-end tag */
	DERIVED_TAGGED,
	DERIVED_FRONT_END, /* micro-ops with a tag of this mechanism */
	DERIVED_EXECUTION,
	DERIVED_REPLAY,
	DERIVED_TRACE_CACHE_UOPS, /* not out of the microcode ROM */
	/* From here on by what the hierarchy met: */
	DERIVED_BUILT_UOPS, /* of code that has no trace yet */
	DERIVED_MODE, /* clocks by who builds and who delivers */
};

/* Together with a signal: counts micro-ops that are thrown away, not those that retire. */
#define OF_BOGUS 0x80u
_Static_assert(DERIVED_MODE < OF_BOGUS, "a signal of its own");

/* An event as one number, the same for both ESCRs of a pair. */
#define NETBURST_EVENT(escr, event) (((escr) & ~1u) << 8 | (event))

/* Kinds of registers. */
enum netburst_register {
	NETBURST_CCCR = CORE_SELECT,
	NETBURST_COUNTER = CORE_COUNTER,
	NETBURST_ESCR = CORE_OTHERS,
	NETBURST_MISC_ENABLE,
	NETBURST_TC_PRECISE_EVENT,
	NETBURST_PEBS_ENABLE,
	NETBURST_PEBS_MATRIX_VERT,
	NETBURST_DS_AREA,
};

/* Clocks of one kind, by who executes and whether that is thrown away, as a number: so many are
 * there. */
enum { NETBURST_KINDS = 32 };

/* Facts that hold in all clocks of a kind, as long as nothing is written and no OVF flag changes.
 * Bit n: counter n ... */
struct clock_kind {
	uint32_t moves; /* healthy: may change */
	uint32_t hears; /* its ESCR may deliver something */
	uint32_t alone; /* which is one signal */
	uint32_t plain; /* adds that up, unless it is armed or makes a record */
};

struct pmu_netburst {
	struct core_pmu core; /* running: in this clock */
	const struct netburst_traits *traits;
	struct cccr cccr[NETBURST_COUNTERS];
	uint64_t escr_value[NETBURST_ESCRS];
	struct escr escr[NETBURST_ESCRS];
	unsigned of_hierarchy, of_bogus; /* so many ESCRs select such a signal */
	uint64_t misc_enable, tc_precise_event, pebs_enable, pebs_matrix_vert, ds_area;
	/* Bit n: counter n ... */
	uint32_t ovf; /* has OVF set */
	uint32_t armed; /* interrupts at its next event */
	uint32_t requested; /* holds its interrupt request */
	/* Bit n: counter n counts while the other logical processor is inactive, or active. */
	uint32_t live[2];
	struct clock_kind clock_kind[NETBURST_KINDS];
	uint32_t known; /* bit m: clock_kind[m] is */
	const struct clock_kind *passing; /* that of many clocks at once */
	uint32_t moved; /* bit n: counter n might change in the last clock */
	bool stale; /* live and known are not up to date */
	unsigned pulses; /* requests that the next clock makes at once; only defects set it */
};

extern const struct kind_ops pmu_netburst_ops;

/* ---- escr.c ---- */

/* The ESCR that counter ctr reaches with that select value, -1: none. */
int netburst_route(unsigned ctr, unsigned select);
/* Is there an ESCR of that number? */
bool netburst_escr_exists(const struct netburst_traits *traits, unsigned escr);
/* The counters that keep an existing ESCR powered, as bits. */
uint32_t netburst_power(unsigned escr);
/* Fills in what value selects. */
void netburst_take_apart_escr(const struct pmu_netburst *p, struct escr *escr, uint32_t value);

/* uop_type: an event that only tags. */
enum { NETBURST_UOP_TYPE = 0x02, NETBURST_TAGLOADS = BIT(1), NETBURST_TAGSTORES = BIT(2) };

/* As the member of struct kind_ops. */
const char *netburst_unseen(const void *traits, const struct pmu_register *reg, uint64_t bit,
			    bool inverted);

/* ---- events.c ---- */

/* The number that the ESCR delivers in this clock: 0 to NETBURST_INPUT_MAX. */
enum { NETBURST_INPUT_MAX = 15 };
unsigned netburst_input(const struct pmu_netburst *p, const struct escr *escr,
			const struct clock *clock);

/* Is it powered, and does it count in the modes of this clock? */
bool netburst_works(const struct pmu_netburst *p, const struct escr *escr,
		    const struct clock *clock);

/* The member alone of struct cccr, for such an ESCR. */
unsigned netburst_alone(const struct pmu_netburst *p, const struct escr *escr);

/* Has the ESCR select what value says. */
void netburst_select(struct pmu_netburst *p, struct escr *escr, uint32_t value);
/* Does an ESCR select what the hierarchy meets? */
bool netburst_watches_hierarchy(const void *pmu);
/* Does one select what lay on a mispredicted path? */
bool netburst_watches_bogus(const void *pmu);

/* ---- clock.c ---- */

unsigned netburst_clock(void *pmu, const struct clock *clock);
void netburst_pass(void *pmu, const struct passed *passed, unsigned kinds);
uint64_t netburst_room(const void *pmu);
/* As the member of struct core_kind. */
bool netburst_runs(const void *pmu, unsigned ctr);
/* Has the counter a bit for the extended cascade? */
bool netburst_has_extended_cascade(unsigned ctr);
/* Are requests not held, but passed on once?  So it is if, by a defect, delivery does not mask the
 * LVT entry. */
bool netburst_pulses(const struct pmu_netburst *p);

/* ---- pebs.c ---- */

/* Does an overflow of this counter make a record? */
bool netburst_takes_records(const struct pmu_netburst *p, unsigned ctr);
unsigned netburst_assist(void *pmu, const struct machine *machine);
