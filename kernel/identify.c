/* SPDX-License-Identifier: BSD-2-Clause */
/* Identifies the processor, and the hypervisor that runs it. */
#include "kernel.h"

#define CPUID_EXT_MODEL        FIELD(19, 16)
#define CPUID_EXT_FAMILY       FIELD(27, 20)
#define CPUID_BASE_FAMILY      FIELD(11, 8)
#define CPUID_BASE_MODEL       FIELD(7, 4)
#define CPUID_STEPPING         FIELD(3, 0)

#define CPUID_HYPERVISOR       UINT32_C(0x40000000)
#define CPUID_BRAND            UINT32_C(0x80000002)

#define CPUID_FEATURES         UINT32_C(7)
#define FEATURES_EDX_HYBRID    BIT(15)
#define CPUID_PERFMON          UINT32_C(0x0a)
#define CPUID_PERFMON_EXTENDED UINT32_C(0x23)
#define CPUID_AMD_PERFMON      UINT32_C(0x80000022)

/* SDM vol. 4 table 2-2 (IA32_BIOS_SIGN_ID); PPR, MSR0000_008B [Patch Level]. */
#define MSR_BIOS_SIGN_ID 0x8bu
/* Bits 31:0. */
#define MSR_SMI_COUNT 0x34u

static bool is_intel(const struct cpu_identity *identity)
{
	return !strcmp(identity->vendor, "GenuineIntel");
}

#define CENTAUR_ESTHER 0x0au /* models of family 6: VIA C7, */
#define CENTAUR_ISAIAH 0x0fu /* and Nano */

/* One line of processors, of Centaur, VIA and Zhaoxin. */
static bool is_centaur(const struct cpu_identity *identity)
{
	return !strcmp(identity->vendor, "CentaurHauls") ||
	       !strcmp(identity->vendor, "  Shanghai  ");
}

static bool is_older_than(const struct cpu_identity *identity, unsigned model)
{
	return identity->family < 6 || (identity->family == 6 && identity->model < model);
}

static void put_text(char *to, uint32_t value)
{
	memcpy(to, &value, sizeof(value));
}

/* Family and model with their extensions (APM vol. 3 app. E.3.2; SDM vol. 2 CPUID): the extended
 * family counts at base family 15; the extended model there, and at Intel's family 6.  Linux,
 * x86_model(): at families 6 and 7 of every vendor, of which Zhaoxin uses both. */
static void take_signature(struct cpu_identity *identity, uint32_t signature)
{
	unsigned family = (unsigned)field_get(CPUID_BASE_FAMILY, signature);
	unsigned model = (unsigned)field_get(CPUID_BASE_MODEL, signature);

	if (family >= 6)
		model |= (unsigned)field_get(CPUID_EXT_MODEL, signature) << 4;
	if (family == 0xf)
		family += (unsigned)field_get(CPUID_EXT_FAMILY, signature);
	identity->family = family;
	identity->model = model;
	identity->stepping = (unsigned)field_get(CPUID_STEPPING, signature);
	identity->signature = signature;
}

/* Makers fill names up with blanks, some in front and some behind. */
static void trim(char *text)
{
	size_t first = 0, end = strlen(text);

	while (end && text[end - 1] == ' ')
		end--;
	while (first < end && text[first] == ' ')
		first++;
	memmove(text, text + first, end - first);
	text[end - first] = '\0';
}

static void identify_brand(struct cpu_identity *identity)
{
	struct cpuid_regs r;
	unsigned i;

	if (cpuid(CPUID_EXTENDED, 0).eax < CPUID_BRAND + 2)
		return;
	for (i = 0; i < 3; i++) {
		r = cpuid(CPUID_BRAND + i, 0);
		put_text(identity->brand + 16 * i, r.eax);
		put_text(identity->brand + 16 * i + 4, r.ebx);
		put_text(identity->brand + 16 * i + 8, r.ecx);
		put_text(identity->brand + 16 * i + 12, r.edx);
	}
	trim(identity->brand);
}

/* Processors of Centaur that are older than the C7 leave in ECX of leaf 1 what was there: recorded
 * on a C3, C1705F8Ch, and on a WinChip C6. */
static bool is_virtual(const struct cpu_identity *identity, uint32_t leaf_1_ecx)
{
	return !(is_centaur(identity) && is_older_than(identity, CENTAUR_ESTHER)) &&
	       leaf_1_ecx >> 31;
}

void identify_cpu(struct cpu_identity *identity)
{
	struct cpuid_regs r = cpuid(0, 0);

	*identity = (struct cpu_identity){0};
	put_text(identity->vendor, r.ebx);
	put_text(identity->vendor + 4, r.edx);
	put_text(identity->vendor + 8, r.ecx);
	r = cpuid(1, 0);
	take_signature(identity, r.eax);
	identify_brand(identity);
	identity->virtual = is_virtual(identity, r.ecx);
	if (!identity->virtual)
		return;
	r = cpuid(CPUID_HYPERVISOR, 0);
	put_text(identity->hypervisor, r.ebx);
	put_text(identity->hypervisor + 4, r.ecx);
	put_text(identity->hypervisor + 8, r.edx);
}

void identify_kind(struct cpu_kind *kind)
{
	bool hybrid = cpuid_if_there(CPUID_FEATURES, 0).edx & FEATURES_EDX_HYBRID;

	*kind = (struct cpu_kind){
		.signature = cpuid(1, 0).eax,
		.core = hybrid ? cpuid_if_there(CPUID_HYBRID, 0).eax : 0,
		.architectural = cpuid_if_there(CPUID_PERFMON, 0),
		.amd = cpuid_if_there(CPUID_AMD_PERFMON, 0),
	};
	/* Bit n of EAX: subleaf n is there. */
	for (unsigned i = 0; i < CPU_KIND_SUBLEAVES; i++)
		if (!i || kind->extended[0].eax >> i & 1)
			kind->extended[i] = cpuid_if_there(CPUID_PERFMON_EXTENDED, i);
}

const char *identify_core(const struct cpu_kind *kind)
{
	uint64_t type = field_get(CPUID_1A_EAX_CORE_TYPE, kind->core);

	return type == CORE_TYPE_ATOM ? "E-core" : type == CORE_TYPE_CORE ? "P-core" : "";
}

bool identify_is_kvm(const struct cpu_identity *identity)
{
	return !strcmp(identity->hypervisor, "KVMKVMKVM");
}

/*
 * Models of family 6 that have MSR_SMI_COUNT: SDM vol. 4, the tables of Nehalem and later and of
 * Silvermont and later; the models by number as Linux lists them, arch/x86/events/msr.c.
 */
static const uint8_t smi_models[] = {
	0x1a, 0x1e, 0x1f, 0x2e, 0x25, 0x2c, 0x2f, /* Nehalem, Westmere */
	0x2a, 0x2d, 0x3a, 0x3e, /* Sandy Bridge, Ivy Bridge */
	0x3c, 0x3f, 0x45, 0x46, 0x3d, 0x47, 0x4f, 0x56, /* Haswell, Broadwell */
	0x4e, 0x5e, 0x55, 0x8e, 0x9e, 0xa5, 0xa6, /* Skylake to Comet Lake */
	0x7d, 0x7e, 0x6a, 0x6c, 0x8c, 0x8d, 0xa7, /* Ice Lake to Rocket Lake */
	0x97, 0x9a, 0xbe, 0xb7, 0xba, 0xbf, 0xaa, 0xac, /* Alder Lake to Meteor Lake */
	0x8f, 0xcf, /* Sapphire Rapids, Emerald Rapids */
	0x37, 0x4d, 0x4c, 0x5c, 0x5f, 0x7a, /* Silvermont to Goldmont Plus */
	0x86, 0x96, 0x9c, 0x57, 0x85, /* Tremont, Knights Landing and Mill */
};

bool identify_smi_count(const struct cpu_identity *identity, uint32_t *count)
{
	uint64_t value;
	unsigned i = 0;

	*count = 0;
	if (!is_intel(identity) || identity->family != 6)
		return false;
	while (i < ARRAY_SIZE(smi_models) && smi_models[i] != identity->model)
		i++;
	if (i == ARRAY_SIZE(smi_models) || rdmsr_safe(MSR_SMI_COUNT, &value) != FAULT_NONE)
		return false;
	*count = (uint32_t)value;
	return true;
}

/*
 * Intel has the register from P6 on, and CPUID 1 fills its upper half after a write of 0; AMD's
 * always holds the revision, in the lower half.  Centaur and Zhaoxin document none, and Linux reads
 * none: their upper half was never without a revision where it was recorded, from the Nano on, and
 * is not written to.
 */
static bool microcode(const struct cpu_identity *identity, uint64_t *revision)
{
	bool intel = is_intel(identity), centaur = is_centaur(identity);

	if (!(cpuid(1, 0).edx & CPUID_1_EDX_MSR) || (intel && identity->family < 6))
		return false;
	if (centaur && is_older_than(identity, CENTAUR_ISAIAH))
		return false;
	if (intel) {
		if (wrmsr_safe(MSR_BIOS_SIGN_ID, 0) != FAULT_NONE)
			return false;
		cpuid(1, 0);
	}
	if (rdmsr_safe(MSR_BIOS_SIGN_ID, revision) != FAULT_NONE)
		return false;
	*revision = intel || centaur ? *revision >> 32 : *revision & UINT32_MAX;
	return true;
}

static void report_name(const struct cpu_identity *identity)
{
	report_header("cpu: %s family %02xh model %02xh stepping %xh (CPUID 1 EAX %08x)",
		      identity->vendor, identity->family, identity->model, identity->stepping,
		      identity->signature);
	report_header("cpu name: %s", *identity->brand ? identity->brand : "none");
}

static void report_hypervisor(const struct cpu_identity *identity)
{
	if (identity->virtual)
		report_header("hypervisor: \"%s\": what is tested is its PMU, not the silicon's",
			      identity->hypervisor);
	else
		report_header("hypervisor: none");
}

void identify_facts_cpuid(const char *who, const struct cpu_identity *identity)
{
	struct cpu_kind kind;
	const char *core;

	identify_kind(&kind);
	core = identify_core(&kind);
	report_fact(who, "vendor", "%s", identity->vendor);
	report_fact(who, "family", "%u", identity->family);
	report_fact(who, "model", "%u", identity->model);
	report_fact(who, "stepping", "%u", identity->stepping);
	report_fact(who, "signature", "0x%08x", identity->signature);
	if (*identity->brand)
		report_fact(who, "name", "%s", identity->brand);
	if (*core)
		report_fact(who, "core", "%s", core);
	report_fact(who, "hypervisor", "%s", identity->virtual ? identity->hypervisor : "none");
}

void identify_facts(const char *who, const struct cpu_identity *identity)
{
	uint64_t revision;

	identify_facts_cpuid(who, identity);
	if (microcode(identity, &revision))
		report_fact(who, "microcode", "0x%llx", (unsigned long long)revision);
}

void identify_report_cpuid(const struct cpu_identity *identity)
{
	report_name(identity);
	report_hypervisor(identity);
}

void identify_report(const struct cpu_identity *identity)
{
	uint64_t value;
	uint32_t smis;

	report_name(identity);
	if (microcode(identity, &value))
		report_header("microcode: %llxh", (unsigned long long)value);
	else
		report_header("microcode: not readable");
	report_hypervisor(identity);
	if (identify_smi_count(identity, &smis))
		report_header("SMI count: %u", smis);
	else
		report_header("SMI count: not readable");
}
