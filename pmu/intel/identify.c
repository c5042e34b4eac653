/* SPDX-License-Identifier: BSD-2-Clause */
/* Which Intel processor this is and what counters CPUID promises.  Pure: leaves in, facts out. */
#include "intel.h"

#define CORE_TYPE_ATOM 0x20u

/* Narrower than a legacy write, wider than any documented one. */
#define WIDTH_MIN LEGACY_WRITE_BITS
#define WIDTH_MAX 56u

/* SDM vol. 4 table 2-1: family 6 by model.  On a hybrid part: what its P-cores are. */
static const struct {
	uint8_t model, part;
} models[] = {
	{0x01, INTEL_PENTIUM_PRO},
	{0x03, INTEL_P6},
	{0x05, INTEL_P6},
	{0x06, INTEL_P6},
	{0x07, INTEL_P6},
	{0x08, INTEL_P6},
	{0x09, INTEL_P6},
	{0x0a, INTEL_P6},
	{0x0b, INTEL_P6},
	{0x0d, INTEL_P6},
	{0x0e, INTEL_YONAH},
	{0x0f, INTEL_CORE2},
	{0x16, INTEL_CORE2},
	{0x17, INTEL_CORE2},
	{0x1d, INTEL_CORE2},
	{0x1c, INTEL_BONNELL},
	{0x26, INTEL_BONNELL},
	{0x27, INTEL_BONNELL},
	{0x35, INTEL_BONNELL},
	{0x36, INTEL_BONNELL},
	{0x1a, INTEL_NEHALEM},
	{0x1e, INTEL_NEHALEM},
	{0x1f, INTEL_NEHALEM},
	{0x2e, INTEL_NEHALEM},
	{0x25, INTEL_NEHALEM},
	{0x2c, INTEL_NEHALEM},
	{0x2f, INTEL_NEHALEM},
	{0x2a, INTEL_SANDY_BRIDGE},
	{0x2d, INTEL_SANDY_BRIDGE},
	{0x3a, INTEL_IVY_BRIDGE},
	{0x3e, INTEL_IVY_BRIDGE},
	{0x3c, INTEL_IVY_BRIDGE},
	{0x3f, INTEL_IVY_BRIDGE},
	{0x45, INTEL_IVY_BRIDGE},
	{0x46, INTEL_IVY_BRIDGE},
	{0x3d, INTEL_IVY_BRIDGE},
	{0x47, INTEL_IVY_BRIDGE},
	{0x4f, INTEL_IVY_BRIDGE},
	{0x56, INTEL_IVY_BRIDGE},
	{0x37, INTEL_SILVERMONT},
	{0x4a, INTEL_SILVERMONT},
	{0x4d, INTEL_SILVERMONT},
	{0x5a, INTEL_SILVERMONT},
	{0x5d, INTEL_SILVERMONT},
	{0x4c, INTEL_SILVERMONT},
	{0x75, INTEL_SILVERMONT},
	{0x57, INTEL_KNIGHTS},
	{0x85, INTEL_KNIGHTS},
	{0x4e, INTEL_SKYLAKE},
	{0x5e, INTEL_SKYLAKE},
	{0x55, INTEL_SKYLAKE},
	{0x8e, INTEL_SKYLAKE},
	{0x9e, INTEL_SKYLAKE},
	{0xa5, INTEL_SKYLAKE},
	{0xa6, INTEL_SKYLAKE},
	{0x66, INTEL_SKYLAKE},
	{0x5c, INTEL_GOLDMONT},
	{0x5f, INTEL_GOLDMONT},
	{0x7a, INTEL_GOLDMONT_PLUS},
	{0x86, INTEL_TREMONT},
	{0x96, INTEL_TREMONT},
	{0x9c, INTEL_TREMONT},
	{0x7d, INTEL_ICELAKE},
	{0x7e, INTEL_ICELAKE},
	{0x6a, INTEL_ICELAKE},
	{0x6c, INTEL_ICELAKE},
	{0x8c, INTEL_ICELAKE},
	{0x8d, INTEL_ICELAKE},
	{0xa7, INTEL_ICELAKE},
	{0x8f, INTEL_GOLDEN_COVE},
	{0xcf, INTEL_GOLDEN_COVE},
	{0xad, INTEL_GOLDEN_COVE},
	{0xae, INTEL_GOLDEN_COVE},
	{0x97, INTEL_GOLDEN_COVE},
	{0x9a, INTEL_GOLDEN_COVE},
	{0xb7, INTEL_GOLDEN_COVE},
	{0xba, INTEL_GOLDEN_COVE},
	{0xbf, INTEL_GOLDEN_COVE},
	{0xaa, INTEL_GOLDEN_COVE},
	{0xac, INTEL_GOLDEN_COVE},
	{0xb5, INTEL_GOLDEN_COVE},
	{0xbe, INTEL_GRACEMONT},
	{0xaf, INTEL_GRACEMONT},
	{0xb6, INTEL_GRACEMONT},
	{0xbd, INTEL_LION_COVE},
	{0xc5, INTEL_LION_COVE},
	{0xc6, INTEL_LION_COVE},
	{0xcc, INTEL_COUGAR_COVE},
	{0xd5, INTEL_COUGAR_COVE},
	{0xe5, INTEL_COUGAR_COVE},
	{0xdd, INTEL_DARKMONT},
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

/* The E-core of a hybrid part, by its P-core.  Arrow Lake has low-power ones of the older kind. */
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

static enum intel_part find_part(const struct intel_leaves *leaves, const struct intel_cpu *cpu)
{
	bool atom = cpu->hybrid &&
		    field_get(CPUID_1A_EAX_CORE_TYPE, leaves->leaf_1a.eax) == CORE_TYPE_ATOM;

	for (size_t i = 0; cpu->family == 6 && i < ARRAY_SIZE(models); i++) {
		enum intel_part part = (enum intel_part)models[i].part;

		if (models[i].model != cpu->model)
			continue;
		return atom ? atom_beside(part,
					  field_get(CPUID_1A_EAX_NATIVE_MODEL, leaves->leaf_1a.eax))
			    : part;
	}
	return INTEL_UNKNOWN;
}

/* Linux: the first Core 2 show fewer than their three; inside a virtual machine CPUID is right. */
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

/* A PMU whose fixed counters differ in width from the others is documented nowhere. */
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
	cpu->hybrid = leaves->leaf_7.edx & CPUID_7_EDX_HYBRID;
	cpu->arch_lbr = leaves->leaf_7.edx & CPUID_7_EDX_ARCH_LBR;
	cpu->perfmon_ext = leaves->leaf_7_1.eax & CPUID_7_1_EAX_PERFMON_EXT;
	cpu->part = find_part(leaves, cpu);
	/* NetBurst is another driver's; what is older than P6 has counters of another kind. */
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

struct intel_lbr intel_lbr(const struct intel_cpu *cpu)
{
	if (cpu->arch_lbr)
		return (struct intel_lbr){0};
	switch (cpu->part) {
	case INTEL_CORE2:
		return (struct intel_lbr){0x40, 0x60, 4, false};
	case INTEL_BONNELL:
		return (struct intel_lbr){0x40, 0x60, 8, false};
	case INTEL_SILVERMONT:
		return (struct intel_lbr){0x40, 0x60, 8, true};
	case INTEL_KNIGHTS:
		return (struct intel_lbr){0x680, 0x6c0, 8, true};
	case INTEL_NEHALEM:
	case INTEL_SANDY_BRIDGE:
	case INTEL_IVY_BRIDGE:
		return (struct intel_lbr){0x680, 0x6c0, 16, true};
	case INTEL_SKYLAKE:
	case INTEL_ICELAKE:
	case INTEL_GOLDMONT:
	case INTEL_GOLDMONT_PLUS:
	case INTEL_TREMONT:
		return (struct intel_lbr){0x680, 0x6c0, 32, true};
	default:
		return (struct intel_lbr){0};
	}
}
