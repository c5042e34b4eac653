/* SPDX-License-Identifier: BSD-2-Clause */
/* Identifies an Intel processor, and the counters that CPUID promises.  Pure: leaves in, facts out.
 */
#include "intel.h"

/* From a legacy write's width to more than any documented one. */
#define WIDTH_MIN LEGACY_WRITE_BITS
#define WIDTH_MAX 56u

static bool vendor_is_intel(const struct cpuid_regs *r)
{
	return r->ebx == 0x756e6547 && r->edx == 0x49656e69 && r->ecx == 0x6c65746e;
}

static void decode_signature(struct intel_cpu *cpu, uint32_t signature)
{
	cpu->family = signature >> 8 & 0xf;
	cpu->model = (signature >> 4 & 0xf) | (signature >> 12 & 0xf0);
	cpu->stepping = signature & 0xf;
	if (cpu->family == 0xf)
		cpu->family += signature >> 20 & 0xff;
}

/* Linux: CPUID of the first Core 2 shows fewer than the three that there are; inside a virtual
 * machine it is right. */
static uint32_t fixed_counters(const struct intel_leaves *leaves, const struct intel_cpu *cpu)
{
	uint32_t edx = leaves->leaf_a.edx;
	unsigned n = (unsigned)field_get(CPUID_A_EDX_FIXED, edx);

	if (cpu->version < 2)
		return 0;
	if (cpu->version >= 5)
		return (uint32_t)(BIT(n) - 1) | leaves->leaf_a.ecx;
	if (n < 3 && !(leaves->leaf_1.ecx & CPUID_1_ECX_HYPERVISOR))
		n = 3;
	return (uint32_t)(BIT(n) - 1);
}

/* No manual documents fixed counters that differ in width from general ones. */
static void decode_fixed(const struct intel_leaves *leaves, struct intel_cpu *cpu)
{
	unsigned width = (unsigned)field_get(CPUID_A_EDX_FIXED_WIDTH, leaves->leaf_a.edx);
	bool listed = field_get(CPUID_A_EDX_FIXED, leaves->leaf_a.edx) || cpu->version >= 5;

	cpu->fixed_promised = fixed_counters(leaves, cpu);
	cpu->fixed = cpu->fixed_promised & intel_fixed_known(cpu->part);
	if (cpu->fixed && listed && width != cpu->width) {
		cpu->fixed = 0;
		cpu->note = "CPUID 0AH says that fixed counters differ in width: left alone";
	} else if (cpu->fixed != cpu->fixed_promised) {
		cpu->note = "fixed counters whose event no list has are left alone";
	}
}

static uint32_t unavailable_events(const struct cpuid_regs *leaf_a)
{
	uint64_t length = field_get(CPUID_A_EAX_EVENTS, leaf_a->eax);

	return length < 32 ? leaf_a->ebx | (uint32_t)(~UINT64_C(0) << length) : leaf_a->ebx;
}

static void decode_architectural(const struct intel_leaves *leaves, struct intel_cpu *cpu)
{
	const struct cpuid_regs *a = &leaves->leaf_a;

	cpu->general_promised = (unsigned)field_get(CPUID_A_EAX_COUNTERS, a->eax);
	cpu->general = cpu->general_promised;
	cpu->width = (unsigned)field_get(CPUID_A_EAX_WIDTH, a->eax);
	cpu->unavailable = unavailable_events(a);
	if (cpu->version > 6)
		cpu->note = "a version above 6 is driven as version 6";
	decode_fixed(leaves, cpu);
	if (cpu->general > INTEL_OLD_NAMES) {
		cpu->general = INTEL_OLD_NAMES;
		cpu->note =
			"CPUID 0AH says more than 8 general counters: those above are left alone";
	}
	cpu->single_enable = cpu->version == 1 && cpu->general == P6_COUNTERS &&
			     (cpu->model == 0x0e || (cpu->model == 0x0f && cpu->stepping == 4));
	/* Silvermont and Goldmont ignore the bit. */
	cpu->any_thread = (cpu->version == 3 || cpu->version == 4 ||
			   (cpu->version >= 5 && !(a->edx & CPUID_A_EDX_ANY_DEPRECATED))) &&
			  !intel_may_be(cpu, INTEL_SILVERMONT, INTEL_TREMONT);
}

static const char *absurd(const struct intel_cpu *cpu)
{
	if (!cpu->general)
		return "CPUID 0AH promises performance monitoring and no general counter";
	if (cpu->width < WIDTH_MIN || cpu->width > WIDTH_MAX)
		return "CPUID 0AH promises counters of a width that is documented nowhere";
	if ((cpu->unavailable & 3) == 3)
		return "CPUID 0AH says that neither cycles nor instructions can be counted";
	return NULL;
}

static void decode_p6(struct intel_cpu *cpu)
{
	cpu->general = cpu->general_promised = P6_COUNTERS;
	cpu->width = P6_COUNTER_WIDTH;
	cpu->single_enable = true;
}

bool intel_decode(const struct intel_leaves *leaves, struct intel_cpu *cpu)
{
	*cpu = (struct intel_cpu){0};
	if (!vendor_is_intel(&leaves->leaf_0))
		return false;
	decode_signature(cpu, leaves->leaf_1.eax);
	cpu->version = (unsigned)field_get(CPUID_A_EAX_VERSION, leaves->leaf_a.eax);
	cpu->pdcm = leaves->leaf_1.ecx & CPUID_1_ECX_PDCM;
	cpu->ds = leaves->leaf_1.edx & CPUID_1_EDX_DS;
	cpu->tsx = leaves->leaf_7.ebx & (CPUID_7_EBX_HLE | CPUID_7_EBX_RTM);
	cpu->logs_trace = leaves->leaf_14.ebx & CPUID_14_EBX_LOGS;
	cpu->force_abort = leaves->leaf_7.ebx & CPUID_7_EBX_RTM &&
			   leaves->leaf_7.edx & CPUID_7_EDX_FORCE_ABORT;
	cpu->hybrid = leaves->leaf_7.edx & CPUID_7_EDX_HYBRID;
	cpu->arch_lbr = leaves->leaf_7.edx & CPUID_7_EDX_ARCH_LBR;
	cpu->leaf_1c = leaves->leaf_1c;
	cpu->perfmon_ext = leaves->leaf_7_1.eax & CPUID_7_1_EAX_PERFMON_EXT;
	cpu->part = intel_part(leaves, cpu);
	cpu->shortest_period = intel_shortest_period(cpu);
	/* NetBurst has another driver; processors older than P6 have counters of another kind. */
	if (cpu->family < 6 || cpu->family == 0xf)
		return false;
	if (cpu->version) {
		decode_architectural(leaves, cpu);
		cpu->silent = absurd(cpu);
	} else if (intel_is(cpu, INTEL_PENTIUM_PRO, INTEL_P6)) {
		decode_p6(cpu);
	} else {
		cpu->silent = "CPUID 0AH tells of no performance monitoring";
	}
	cpu->numbers = (uint32_t)(BIT(cpu->general) - 1);
	intel_decode_leaf_23(leaves, cpu);
	cpu->absent = intel_absent(leaves, cpu);
	return !cpu->silent;
}

/* SDM vol. 3B, 17.4 and 17.12: rings of last-branch records. */
#define EARLY .from = 0x40, .to = 0x60
#define LATER .from = 0x680, .to = 0x6c0, .select = true
static const struct {
	enum intel_part first, last;
	struct intel_lbr lbr;
} rings[] = {
	{INTEL_CORE2, INTEL_CORE2, {EARLY, .entries = 4}},
	{INTEL_BONNELL, INTEL_BONNELL, {EARLY, .entries = 8}},
	{INTEL_SILVERMONT,
	 INTEL_SILVERMONT,
	 {EARLY, .entries = 8, .select = true, .jumps_drop = true}},
	{INTEL_KNIGHTS, INTEL_KNIGHTS, {LATER, .entries = 8}},
	{INTEL_NEHALEM, INTEL_NEHALEM, {LATER, .entries = 16, .jumps_drop = true}},
	{INTEL_SANDY_BRIDGE, INTEL_IVY_BRIDGE, {LATER, .entries = 16}},
	{INTEL_HASWELL, INTEL_BROADWELL, {LATER, .entries = 16, .call_stack = true}},
	{INTEL_SKYLAKE, INTEL_ICELAKE, {LATER, .entries = 32, .call_stack = true}},
	{INTEL_GOLDMONT, INTEL_TREMONT, {LATER, .entries = 32}},
};

struct intel_lbr intel_lbr(const struct intel_cpu *cpu)
{
	for (size_t i = 0; !cpu->arch_lbr && i < ARRAY_SIZE(rings); i++)
		if (intel_is(cpu, rings[i].first, rings[i].last))
			return rings[i].lbr;
	return (struct intel_lbr){0};
}

unsigned intel_arch_lbr_entries(const struct intel_cpu *cpu)
{
	uint64_t depths = field_get(CPUID_1C_EAX_DEPTHS, cpu->leaf_1c.eax);
	unsigned entries = 0;

	for (; cpu->arch_lbr && depths; depths &= depths - 1)
		entries = 8 * (lowest_bit(depths) + 1);
	return entries;
}

uint64_t intel_arch_lbr_control(const struct intel_cpu *cpu)
{
	const uint32_t has = cpu->leaf_1c.ebx;

	return LBR_CTL_EN | (has & CPUID_1C_EBX_CPL ? LBR_CTL_OS | LBR_CTL_USR : 0) |
	       (has & CPUID_1C_EBX_KINDS ? LBR_CTL_KINDS : 0) |
	       (has & CPUID_1C_EBX_CALL_STACK ? LBR_CTL_CALL_STACK : 0);
}

const char *intel_lbr_refuses(const struct intel_lbr *lbr, const struct pmu_branching *what)
{
	const uint32_t jumps = BIT(BRANCH_INDIRECT_JMP) | BIT(BRANCH_RELATIVE_JMP);
	const uint32_t near = FIELD(BRANCH_RELATIVE_JMP, BRANCH_RELATIVE_CALL);
	const uint32_t left_out = ~what->kinds & FIELD(BRANCH_KINDS - 1, 0);

	if (!lbr->select && (left_out || !what->user || !what->kernel))
		return "this ring of records has no MSR_LBR_SELECT";
	if (what->call_stack && !lbr->call_stack)
		return "this ring of records is no call stack";
	if (lbr->jumps_drop && left_out & jumps && what->kinds & near)
		return "here the filters of jumps also drop calls and returns";
	return NULL;
}

/*
 * SDM vol. 3B, 20.3 to 20.9: the tables of precise events; Linux, arch/x86/events/intel/ds.c:
 * intel_core2_pebs_event_constraints[] and those of later parts.  From Sandy Bridge to Skylake
 * instructions are precise on counter 1 alone, and there in a way of their own.  From Golden Cove
 * on they are precise on all general counters but 0 (mask FEh there).
 */
static const struct {
	enum intel_part first, last;
	struct intel_precise event;
} precise[] = {
	{INTEL_CORE2, INTEL_CORE2, {.select = 0x00c0, .counters = BIT(0)}},
	{INTEL_NEHALEM, INTEL_NEHALEM, {.select = 0x01c0, .counters = FIELD(3, 0)}},
	{INTEL_SANDY_BRIDGE,
	 INTEL_SKYLAKE,
	 {.select = 0x04c4, .counters = FIELD(3, 0), .branches = true}},
	{INTEL_ICELAKE, INTEL_ICELAKE, {.select = 0x00c0, .counters = FIELD(7, 0)}},
	{INTEL_GOLDEN_COVE, INTEL_COUGAR_COVE, {.select = 0x00c0, .counters = FIELD(7, 1)}},
	{INTEL_BONNELL, INTEL_DARKMONT, {.select = 0x00c0, .counters = BIT(0)}},
};

const struct intel_precise *intel_precise_event(const struct intel_cpu *cpu)
{
	static const struct intel_precise none = {0};

	for (size_t i = 0; i < ARRAY_SIZE(precise); i++)
		if (intel_is(cpu, precise[i].first, precise[i].last))
			return &precise[i].event;
	return &none;
}
