/* SPDX-License-Identifier: BSD-2-Clause */
/* Published errata of Intel cores that a test may meet. */
#include "intel.h"

#define UPPER_FOUR FIELD(7, 4) /* of eight general counters */

/* By part.  Specification updates, by the prefix: AE Core Duo, AG, AR and W Core 2, AAJ Nehalem, BJ
 * Sandy Bridge, BV Ivy Bridge, HSD Haswell, BDD Broadwell, SKL Skylake,
 * RPL Gracemont, MTL, ARL and SRF Crestmont. */
const struct pmu_erratum intel_errata[] = {
	{"AG69, AR63, AR64", "PEBS interrupts late, ignores USR and OS, tells only when frozen",
	 INTEL_CORE2, INTEL_CORE2, .tests = "pebs.*"},
	{"W145", "reference clocks follow the maximum bus ratio, not that of the TSC", INTEL_CORE2,
	 INTEL_CORE2, .tests = "fixed.reference_rate", .effect = REFERENCE_AT_MAXIMUM_RATIO},
	{"AAJ107, BJ136, BV112, HSD140, BDD058", "retired instructions may be miscounted",
	 INTEL_NEHALEM, INTEL_BROADWELL, .tests = "count.*,privilege.*,overflow.*,fixed.*"},
	{"AAJ143, BJ058, BV038", "a status bit of a counter stopped as it overflows may stick",
	 INTEL_NEHALEM, INTEL_IVY_BRIDGE, .tests = "status.*,overflow.*,random.programs",
	 .effect = FLAG_STAYS},
	{"AAJ125", "fixed counter 0 may interrupt more than once if that freezes", INTEL_NEHALEM,
	 INTEL_NEHALEM, .tests = "freeze.by_each_counter",
	 .effect = INTERRUPTS_TWICE_AS_IT_FREEZES},
	{"BV043, BU043", "fixed counter 0 may interrupt more than once if that freezes",
	 INTEL_IVY_BRIDGE, INTEL_IVY_BRIDGE, .tests = "freeze.by_each_counter",
	 .effect = INTERRUPTS_TWICE_AS_IT_FREEZES},
	{"BDD116, BDM126", "of eight general counters the upper four do not count in ring 3 alone",
	 INTEL_BROADWELL, INTEL_BROADWELL, .tests = "-", .effect = DEAF_TO_USER_ALONE,
	 .counters = UPPER_FOUR},
	{"HSD073, HSM074", "INV counts clocks of the other ring", INTEL_HASWELL, INTEL_HASWELL,
	 .tests = "invert.*,edge.alternation", .effect = INVERSE_COUNTS_OTHER_RING},
	{"HSD091, BDM038", "an interrupt repeats until its status bit is cleared", INTEL_HASWELL,
	 INTEL_BROADWELL, .tests = "lvt.*,pebs.threshold", .effect = INTERRUPTS_TWICE_WHILE_HELD},
	{"HSD143, HSM154", "fixed counter 0 may be 32 too high", INTEL_HASWELL, INTEL_HASWELL,
	 .tests = "fixed.equals_general,global.same_clock", .effect = OPENS_LATE},
	{"HSD167, BDD111, SKL120", "EventingIP may be wrong", INTEL_HASWELL, INTEL_SKYLAKE,
	 .tests = "pebs.*"},
	{"BV080, BV086, BU081, BU088",
	 "of eight event selects the upper four may read otherwise than they were written",
	 INTEL_IVY_BRIDGE, INTEL_IVY_BRIDGE, .tests = "access.*,global.reserved_faults",
	 .effect = SELECT_MISREADS, .counters = UPPER_FOUR},
	{"BV052", "IRET counts twice as an instruction", INTEL_IVY_BRIDGE, INTEL_IVY_BRIDGE,
	 .tests = "privilege.user_gate,overflow.value_after,random.programs",
	 .effect = IRET_COUNTS_TWICE},
	/* Published of Gracemont and Crestmont; older ones: kvm-unit-tests x86/pmu.c. */
	{"RPL055, MTL013, ARL011, SRF7", "far transfers count twice as instructions and branches",
	 INTEL_SILVERMONT, INTEL_GRACEMONT,
	 .tests = "privilege.user_gate,overflow.value_after,random.programs",
	 .effect = FAR_COUNTS_TWICE},
	/* kvm-unit-tests x86/pmu.c, of Clearwater Forest; Panther Lake has the same core. */
	{"(kvm-unit-tests)", "far transfers count twice as instructions", INTEL_DARKMONT,
	 INTEL_DARKMONT, .tests = "privilege.user_gate,overflow.value_after,random.programs",
	 .effect = IRET_COUNTS_TWICE},
	{"BJ094", "the newest branch record may be wrong when frozen", INTEL_SANDY_BRIDGE,
	 INTEL_SANDY_BRIDGE, .tests = "freeze.lbr"},
	{"BDM120, SKL117, KBL063, CML062", "a counter of one ring misses the first clocks in it",
	 INTEL_BROADWELL, INTEL_SKYLAKE,
	 .tests = "count.*,threshold.sum_law,invert.*,edge.*,overflow.beside_another",
	 .effect = HIDES_CLOCKS_AT_RING_CHANGE},
	{"HSD171, KBL115, CML095", "loads by their latency may stop counting", INTEL_HASWELL,
	 INTEL_SKYLAKE, .tests = "qualified.loads", .effect = LATE_LOADS_STOP},
	{"SKL186", "the newest branch record may be wrong when frozen", INTEL_SKYLAKE,
	 INTEL_SKYLAKE, .tests = "freeze.lbr"},
	{0},
};

/* AAJ107 says that they undercount; the others, that they do either; all, that it is no rule when.
 * AAJ107 is of loads and stores, too, which no test counts.  By how much they are off is not said:
 * one event at a time is an assumption. */
static const uint16_t instructions[] = {0xc0, 0};

const struct pmu_overcount intel_overcounts[] = {
	{"AAJ107", instructions, NULL, 1},
	{0},
};

bool intel_may_have(const struct pmu *pmu, const struct pmu_erratum *erratum)
{
	const struct intel *intel = pmu->state;

	return intel->cpu.part == INTEL_UNKNOWN &&
	       intel_may_be(&intel->cpu, (enum intel_part)erratum->first,
			    (enum intel_part)erratum->last);
}
