/* SPDX-License-Identifier: BSD-2-Clause */
/* Which Intel processor this is and what counters CPUID promises.  Pure: leaves in, facts out. */
#include "intel.h"

#define CORE_TYPE_ATOM 0x20u

/* From a legacy write's width to more than any documented one. */
#define WIDTH_MIN LEGACY_WRITE_BITS
#define WIDTH_MAX 56u

/* SDM vol. 4 table 2-1: family 6 by model.  On a hybrid part: what its P-cores are. */
static const struct {
	enum intel_part part;
	uint8_t models[13]; /* 0 ends them */
} parts[] = {
	{INTEL_PENTIUM_PRO, {0x01}},
	{INTEL_P6, {0x03, 0x05, 0x06, 0x07, 0x08, 0x09, 0x0a, 0x0b, 0x0d, 0x15}},
	{INTEL_YONAH, {0x0e}},
	{INTEL_CORE2, {0x0f, 0x16, 0x17, 0x1d}},
	{INTEL_BONNELL, {0x1c, 0x26, 0x27, 0x35, 0x36}},
	{INTEL_NEHALEM, {0x1a, 0x1e, 0x1f, 0x2e, 0x25, 0x2c, 0x2f}},
	{INTEL_SANDY_BRIDGE, {0x2a, 0x2d}},
	{INTEL_IVY_BRIDGE, {0x3a, 0x3e}},
	{INTEL_HASWELL, {0x3c, 0x3f, 0x45, 0x46}},
	{INTEL_BROADWELL, {0x3d, 0x47, 0x4f, 0x56}},
	{INTEL_SILVERMONT, {0x37, 0x4a, 0x4d, 0x5a, 0x5d, 0x4c, 0x75}},
	{INTEL_KNIGHTS, {0x57, 0x85}},
	{INTEL_SKYLAKE, {0x4e, 0x5e, 0x55, 0x8e, 0x9e, 0xa5, 0xa6, 0x66}},
	{INTEL_GOLDMONT, {0x5c, 0x5f}},
	{INTEL_GOLDMONT_PLUS, {0x7a}},
	{INTEL_TREMONT, {0x86, 0x96, 0x9c}},
	{INTEL_ICELAKE, {0x7d, 0x7e, 0x6a, 0x6c, 0x8c, 0x8d, 0xa7}},
	{INTEL_GOLDEN_COVE,
	 {0x8f, 0xcf, 0xad, 0xae, 0x97, 0x9a, 0xb7, 0xba, 0xbf, 0xaa, 0xac, 0xb5}},
	{INTEL_GRACEMONT, {0xbe, 0xaf, 0xb6}},
	{INTEL_LION_COVE, {0xbd, 0xc5, 0xc6}},
	{INTEL_COUGAR_COVE, {0xcc, 0xd5, 0xe5}},
	{INTEL_DARKMONT, {0xdd}},
};

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

/* The E-core of a hybrid part, by its P-core.  Arrow Lake has low-power cores of an older kind. */
static enum intel_part atom_beside(enum intel_part part, uint64_t native_model)
{
	switch (part) {
	case INTEL_GOLDEN_COVE:
		return INTEL_GRACEMONT;
	case INTEL_LION_COVE:
		return native_model == 2 ? INTEL_GRACEMONT : INTEL_SKYMONT;
	case INTEL_COUGAR_COVE:
		return INTEL_DARKMONT;
	default:
		return part;
	}
}

static bool lists(const uint8_t *models, unsigned model)
{
	while (*models && *models != model)
		models++;
	return *models;
}

static enum intel_part part_of(const struct intel_cpu *cpu)
{
	for (size_t i = 0; cpu->family == 6 && i < ARRAY_SIZE(parts); i++)
		if (lists(parts[i].models, cpu->model))
			return parts[i].part;
	return INTEL_UNKNOWN;
}

static enum intel_part find_part(const struct intel_leaves *leaves, const struct intel_cpu *cpu)
{
	uint32_t core = leaves->leaf_1a.eax;

	if (cpu->hybrid && field_get(CPUID_1A_EAX_CORE_TYPE, core) == CORE_TYPE_ATOM)
		return atom_beside(part_of(cpu), field_get(CPUID_1A_EAX_NATIVE_MODEL, core));
	return part_of(cpu);
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
	cpu->fixed = cpu->fixed_promised & (uint32_t)(BIT(INTEL_FIXED_MAX) - 1);
	if (cpu->fixed && listed && width != cpu->width) {
		cpu->fixed = 0;
		cpu->note = "CPUID 0AH says that fixed counters differ in width: left alone";
	} else if (cpu->fixed != cpu->fixed_promised) {
		cpu->note = "fixed counters above 3 are left alone";
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
	if (cpu->version > 5)
		cpu->note = "a version above 5 is driven as version 5";
	decode_fixed(leaves, cpu);
	if (cpu->general > INTEL_GENERAL_MAX) {
		cpu->general = INTEL_GENERAL_MAX;
		cpu->note =
			"CPUID 0AH says more than 8 general counters: those above are left alone";
	}
	cpu->single_enable = cpu->version == 1 && cpu->general == P6_COUNTERS &&
			     (cpu->model == 0x0e || (cpu->model == 0x0f && cpu->stepping == 4));
	/* Silvermont and Goldmont ignore the bit. */
	cpu->any_thread = (cpu->version == 3 || cpu->version == 4 ||
			   (cpu->version >= 5 && !(a->edx & CPUID_A_EDX_ANY_DEPRECATED))) &&
			  !(cpu->part >= INTEL_SILVERMONT && cpu->part <= INTEL_TREMONT);
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

/* Linux, nhm_limit_period() (Nehalem, not Westmere) and hsw_limit_period(): a counter that is to
 * overflow after fewer events interrupts again and again.  Haswell's 128 and Broadwell's are for
 * C0h/01h alone, which no test counts with interrupts. */
static unsigned shortest_period(const struct intel_cpu *cpu)
{
	static const uint8_t nehalem[] = {0x1a, 0x1e, 0x1f, 0x2e, 0};

	if (cpu->part == INTEL_HASWELL ||
	    (cpu->part == INTEL_NEHALEM && lists(nehalem, cpu->model)))
		return 32;
	return 0;
}

bool intel_decode(const struct intel_leaves *leaves, struct intel_cpu *cpu)
{
	*cpu = (struct intel_cpu){0};
	if (!vendor_is_intel(&leaves->leaf_0) || !(leaves->leaf_1.edx & CPUID_1_EDX_MSR))
		return false;
	decode_signature(cpu, leaves->leaf_1.eax);
	cpu->version = (unsigned)field_get(CPUID_A_EAX_VERSION, leaves->leaf_a.eax);
	cpu->pdcm = leaves->leaf_1.ecx & CPUID_1_ECX_PDCM;
	cpu->ds = leaves->leaf_1.edx & CPUID_1_EDX_DS;
	cpu->tsx = leaves->leaf_7.ebx & (CPUID_7_EBX_HLE | CPUID_7_EBX_RTM);
	cpu->force_abort = leaves->leaf_7.ebx & CPUID_7_EBX_RTM &&
			   leaves->leaf_7.edx & CPUID_7_EDX_FORCE_ABORT;
	cpu->hybrid = leaves->leaf_7.edx & CPUID_7_EDX_HYBRID;
	cpu->arch_lbr = leaves->leaf_7.edx & CPUID_7_EDX_ARCH_LBR;
	cpu->perfmon_ext = leaves->leaf_7_1.eax & CPUID_7_1_EAX_PERFMON_EXT;
	cpu->part = find_part(leaves, cpu);
	cpu->shortest_period = shortest_period(cpu);
	/* NetBurst has another driver; processors older than P6 have counters of another kind. */
	if (cpu->family < 6 || cpu->family == 0xf)
		return false;
	if (cpu->version) {
		decode_architectural(leaves, cpu);
		cpu->silent = absurd(cpu);
	} else if (cpu->part == INTEL_P6 || cpu->part == INTEL_PENTIUM_PRO) {
		decode_p6(cpu);
	} else {
		cpu->silent = "CPUID 0AH tells of no performance monitoring";
	}
	return !cpu->silent;
}

/* SDM vol. 3B, 17.4 and 17.12: rings of last-branch records. */
static const struct {
	enum intel_part first, last;
	struct intel_lbr lbr;
} rings[] = {
	{INTEL_CORE2, INTEL_CORE2, {0x40, 0x60, 4, false}},
	{INTEL_BONNELL, INTEL_BONNELL, {0x40, 0x60, 8, false}},
	{INTEL_SILVERMONT, INTEL_SILVERMONT, {0x40, 0x60, 8, true}},
	{INTEL_KNIGHTS, INTEL_KNIGHTS, {0x680, 0x6c0, 8, true}},
	{INTEL_NEHALEM, INTEL_BROADWELL, {0x680, 0x6c0, 16, true}},
	{INTEL_SKYLAKE, INTEL_ICELAKE, {0x680, 0x6c0, 32, true}},
	{INTEL_GOLDMONT, INTEL_TREMONT, {0x680, 0x6c0, 32, true}},
};

struct intel_lbr intel_lbr(const struct intel_cpu *cpu)
{
	for (size_t i = 0; !cpu->arch_lbr && i < ARRAY_SIZE(rings); i++)
		if (cpu->part >= rings[i].first && cpu->part <= rings[i].last)
			return rings[i].lbr;
	return (struct intel_lbr){0};
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
	{INTEL_GOLDEN_COVE,
	 INTEL_COUGAR_COVE,
	 {.select = 0x00c0, .ctr = 1, .counters = FIELD(7, 1)}},
	{INTEL_BONNELL, INTEL_DARKMONT, {.select = 0x00c0, .counters = BIT(0)}},
};

const struct intel_precise *intel_precise_event(const struct intel_cpu *cpu)
{
	static const struct intel_precise none = {0};

	for (size_t i = 0; i < ARRAY_SIZE(precise); i++)
		if (cpu->part >= precise[i].first && cpu->part <= precise[i].last)
			return &precise[i].event;
	return &none;
}
