/* SPDX-License-Identifier: BSD-2-Clause */
/* Which processor this is, and what stands between it and us. */
#include "identify.h"

#include "bits.h"
#include "cpu.h"
#include "fault.h"
#include "report.h"
#include "string.h"

#define CPUID_EXT_MODEL   FIELD(19, 16)
#define CPUID_EXT_FAMILY  FIELD(27, 20)
#define CPUID_BASE_FAMILY FIELD(11, 8)
#define CPUID_BASE_MODEL  FIELD(7, 4)
#define CPUID_STEPPING    FIELD(3, 0)

#define CPUID_HYPERVISOR  UINT32_C(0x40000000)
#define CPUID_EXTENDED    UINT32_C(0x80000000)
#define CPUID_BRAND       UINT32_C(0x80000002)

/* SDM vol. 4 table 2-2 (IA32_BIOS_SIGN_ID); PPR, MSR0000_008B [Patch Level]. */
#define MSR_BIOS_SIGN_ID 0x8bu
/* SDM vol. 4 table 2-6 ff.: MSR_SMI_COUNT, bits 31:0. */
#define MSR_SMI_COUNT 0x34u

static bool is_intel(const struct cpu_identity *identity)
{
	return !memcmp(identity->vendor, "GenuineIntel", sizeof(identity->vendor));
}

static void put_text(char *to, uint32_t value)
{
	memcpy(to, &value, sizeof(value));
}

void identify_signature(struct cpu_identity *identity, uint32_t signature)
{
	unsigned family = (unsigned)field_get(CPUID_BASE_FAMILY, signature);
	unsigned model = (unsigned)field_get(CPUID_BASE_MODEL, signature);

	if (family == 0xf || (family == 6 && is_intel(identity)))
		model |= (unsigned)field_get(CPUID_EXT_MODEL, signature) << 4;
	if (family == 0xf)
		family += (unsigned)field_get(CPUID_EXT_FAMILY, signature);
	identity->family = family;
	identity->model = model;
	identity->stepping = (unsigned)field_get(CPUID_STEPPING, signature);
	identity->signature = signature;
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
}

void identify_cpu(struct cpu_identity *identity)
{
	struct cpuid_regs r = cpuid(0, 0);

	*identity = (struct cpu_identity){0};
	put_text(identity->vendor, r.ebx);
	put_text(identity->vendor + 4, r.edx);
	put_text(identity->vendor + 8, r.ecx);
	r = cpuid(1, 0);
	identify_signature(identity, r.eax);
	identify_brand(identity);
	identity->virtual = r.ecx >> 31;
	if (!identity->virtual)
		return;
	r = cpuid(CPUID_HYPERVISOR, 0);
	put_text(identity->hypervisor, r.ebx);
	put_text(identity->hypervisor + 4, r.ecx);
	put_text(identity->hypervisor + 8, r.edx);
}

bool identify_smi_count(const struct cpu_identity *identity, uint64_t *count)
{
	if (!is_intel(identity) || identity->family != 6)
		return false;
	return rdmsr_safe(MSR_SMI_COUNT, count) == FAULT_NONE;
}

/* Intel fills the register when CPUID 1 executes after a write of 0 to it; AMD just has it. */
static bool microcode(const struct cpu_identity *identity, uint64_t *revision)
{
	bool intel = is_intel(identity);

	if (intel) {
		if (wrmsr_safe(MSR_BIOS_SIGN_ID, 0) != FAULT_NONE)
			return false;
		cpuid(1, 0);
	}
	if (rdmsr_safe(MSR_BIOS_SIGN_ID, revision) != FAULT_NONE)
		return false;
	*revision = intel ? *revision >> 32 : *revision & UINT32_MAX;
	return true;
}

void identify_report(const struct cpu_identity *identity)
{
	const char *brand = identity->brand;
	uint64_t value;

	while (*brand == ' ')
		brand++;
	report_header("cpu: %s family %02xh model %02xh stepping %xh (CPUID 1 EAX %08x)",
		      identity->vendor, identity->family, identity->model, identity->stepping,
		      identity->signature);
	report_header("cpu name: %s", *brand ? brand : "none");
	if (microcode(identity, &value))
		report_header("microcode: %llxh", (unsigned long long)value);
	else
		report_header("microcode: not readable");
	if (identity->virtual)
		report_header("hypervisor: \"%s\": what is tested is its PMU, not the silicon's",
			      identity->hypervisor);
	else
		report_header("hypervisor: none");
	if (identify_smi_count(identity, &value))
		report_header("SMI count: %llu", (unsigned long long)value);
	else
		report_header("SMI count: not readable");
}
