/* SPDX-License-Identifier: BSD-2-Clause */
/* Instruction-based sampling (IBS): APM vol. 2, 13.3; PPR for family 17h model 01h, 2.1.13. */
#pragma once

#include "kernel/lib/bits.h"
#include "model/pmu/pmu.h"

/* CPUID 8000_001B EAX. */
#define IBS_FETCHES        BIT(1)
#define IBS_OPS            BIT(2)
#define IBS_BRN_TRGT       BIT(5)
#define IBS_FETCH_CTL_EXTD BIT(9)
#define IBS_ZEN4           BIT(11) /* filters by misses of the L3, more data sources */
#define IBS_LDLAT          BIT(12) /* a filter by the latency of loads */
#define IBS_CTL2           FIELD(16, 13) /* of parts after Zen 5: one more control for each engine */

/* IbsControl */
#define CONTROL_ENTRY       FIELD(3, 0) /* extended one of the local APIC, */
#define CONTROL_ENTRY_VALID BIT(8) /* if this says so */

/* IbsFetchCtl */
#define FETCH_MAX_CNT      FIELD(15, 0) /* bits 19:4 of the period, */
#define FETCH_CNT          FIELD(31, 16) /* and of the count */
#define FETCH_EN           BIT(48)
#define FETCH_VAL          BIT(49)
#define FETCH_COMP         BIT(50)
#define FETCH_PHYSICAL     BIT(52) /* IbsFetchPhysAd is valid */
#define FETCH_RAND_EN      BIT(57)
#define FETCH_L3_MISS_ONLY BIT(59)
#define FETCH_CONTROLS     (FETCH_MAX_CNT | FETCH_EN | FETCH_RAND_EN | FETCH_L3_MISS_ONLY)

/* IbsOpCtl */
#define OP_MAX_CNT         FIELD(15, 0) /* bits 19:4 of the period, */
#define OP_MAX_CNT_HIGH    FIELD(26, 20) /* and those above them */
#define OP_L3_MISS_ONLY    BIT(16)
#define OP_EN              BIT(17)
#define OP_VAL             BIT(18)
#define OP_CNT_CTL         BIT(19) /* counts dispatched ops, else clocks */
#define OP_CUR_CNT         FIELD(58, 32)
#define OP_LDLAT_EN        BIT(63) /* loads alone that take long: one unit, and so many more */
#define OP_LDLAT_THRESHOLD FIELD(62, 59)
#define OP_LDLAT           (OP_LDLAT_EN | OP_LDLAT_THRESHOLD)
#define OP_LDLAT_UNIT      128 /* clocks */
#define OP_SHORTEST        144 /* MAX_CNT below 9 is reserved */

/* IbsOpCtl2, IbsFetchCtl2 */
#define CTL2_DIS   BIT(0) /* the engine stands still, whatever En says */
#define OP_CTL2    FIELD(3, 0)
#define FETCH_CTL2 FIELD(6, 0)

/* IbsOpData */
#define DATA_COMP_TO_RET FIELD(15, 0)
#define DATA_TAG_TO_RET  FIELD(31, 16)
#define DATA_RETURN      BIT(34)
#define DATA_TAKEN       BIT(35)
#define DATA_BRANCH      BIT(37) /* the two above are valid */

/* IbsOpData3 */
#define DATA3_LOAD     BIT(0)
#define DATA3_STORE    BIT(1)
#define DATA3_DC_MISS  BIT(7)
#define DATA3_UC       BIT(14)
#define DATA3_LOCKED   BIT(15)
#define DATA3_LINEAR   BIT(17) /* IbsDcLinAd is valid, */
#define DATA3_PHYSICAL BIT(18) /* and IbsDcPhysAd */
#define DATA3_L2_MISS  BIT(20)
#define DATA3_WIDTH    FIELD(25, 22) /* 1: a byte, 2: two, 3: four and so on */
#define DATA3_LATENCY  FIELD(47, 32) /* of a load that missed, in clocks */

/* IbsOpData2 */
#define DATA2_FROM_MEMORY 3

/* A sample, as it goes into registers: of an op and of a fetch. */
enum ibs_op { OP_RIP, OP_DATA, OP_DATA2, OP_DATA3, OP_LINEAR, OP_PHYSICAL, OP_TARGET, OP_WORDS };
enum ibs_fetch { FETCH_STATUS, FETCH_LINEAR, FETCH_ADDRESS, FETCH_EXTD, FETCH_WORDS };

struct ibs_engine {
	uint32_t count;
	bool tagged; /* what comes next is the sample */
};

struct ibs {
	uint64_t op_ctl, op[OP_WORDS]; /* the count is the engine's */
	uint64_t fetch_ctl, fetch[FETCH_WORDS]; /* all status is in fetch_ctl */
	uint64_t op_ctl2, fetch_ctl2; /* where there are such */
	uint64_t control; /* IbsControl */
	struct ibs_engine ops, fetches;
	bool missed; /* what is tagged has loaded a line from memory: known while there are filters
		      */
	uint32_t random;
	uint8_t fates[FATES]; /* of ops, that counters have still to be told of */
	bool told; /* one of these is not 0 */
	unsigned announced, entry; /* interrupts that are still to be requested */
};

/* Bits of a generation's registers that a write changes, and those of IbsOpData3 that samples have.
 */
struct ibs_bits {
	uint64_t fetch_ctl, op_ctl, data, data3, sampled3;
};
extern const struct ibs_bits ibs_10h, ibs_15h, ibs_zen;

struct pmu_amd;

/* Does the part have that register of the engines? */
bool ibs_has(const struct pmu_amd *p, unsigned kind);
/* After a change of what the engines run by. */
void ibs_update(struct pmu_amd *p);
/* IbsOpCtl, as it acts; and does the engine of ops run by it? */
uint64_t ibs_op_ctl(const struct pmu_amd *p);
bool ibs_ops_run(const struct pmu_amd *p);
/* The next random number. */
uint32_t ibs_draw(struct ibs *ibs);
/* How far both engines go on before the next one tags. */
uint64_t ibs_room(const struct pmu_amd *p);
/* So many clocks alike pass. */
void ibs_clock(struct pmu_amd *p, const struct clock *clock, uint64_t times);
/* The fates of ops since the last call, into the clock, if a counter has asked for them. */
void ibs_tell(struct pmu_amd *p, struct clock *clock);
/* As the members of struct core_ops. */
unsigned ibs_assist(void *pmu, const struct machine *machine);
unsigned ibs_announces(void *pmu, unsigned *entry);
/* Registers: as the members of struct core_kind. */
uint64_t ibs_shows(const struct pmu_amd *p, const struct reg_id *reg, uint64_t value);
void ibs_put_op(struct pmu_amd *p, uint64_t value);
void ibs_put_fetch(struct pmu_amd *p, uint64_t value);
/* As the member of struct kind_ops, of registers of no counter. */
const char *ibs_unseen(const struct pmu_register *reg, uint64_t bit, bool inverted);

/* ---- ibs_record.c ---- */

/* Ops from tag to retirement, each in a clock of its own. */
enum { IBS_IN_FLIGHT = 40 };
/* Into OP_WORDS or FETCH_WORDS; what nothing vouches for stays as it is.  Latency: as below. */
void ibs_fill_op(uint64_t *record, const struct machine *machine, uint32_t latency);
void ibs_fill_fetch(uint64_t *record, const struct machine *machine);

/* ---- ibs_filter.c ---- */

/* Is there an engine of ops that needs to know which loads miss? */
bool ibs_filters(const struct pmu_amd *p);
/* Clocks that what is tagged waits for memory, more or less; 0: it does not, as what misses one
 * cache misses all. */
uint32_t ibs_latency(struct ibs *ibs, const struct insn *insn);
/* Then it leaves no sample. */
bool ibs_is_filtered(const struct pmu_amd *p, uint32_t latency);
