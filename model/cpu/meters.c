/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Meters.  Those of energy (RAPL) take as many watts all the time, and are brought up to date every
 * millisecond: Intel SDM vol. 3B, 15.10; AMD PPR for family 17h model 31h, MSRC001_0299.  Those of
 * clocks are the machine's (frequency.c): here is how a defect shows them.
 */
#include "kernel/lib/bits.h"
#include "state.h"

#define MSR_UNIT_INTEL   0x606u
#define MSR_UNIT_AMD     0xc0010299u

#define LEAF_POWER_AMD   0x80000007u
#define RAPL             BIT(14) /* of its EDX */

#define MODEL_FIRST_RAPL (MODEL_SANDY | MODEL_SANDY_EP | MODEL_IVY_EP)
#define MODEL_RAPL                                                                                 \
	(MODEL_FIRST_RAPL | MODEL_HASWELL | MODEL_BROADWELL | MODEL_SKYLAKE | MODEL_ICELAKE |      \
	 MODEL_GRACEMONT | MODEL_GOLDENCOVE | MODEL_ALDERLAKE | MODEL_LIONCOVE | MODEL_SKYMONT |   \
	 MODEL_COUGARCOVE)
#define MODEL_CLIENTS (MODEL_RAPL & ~(MODEL_SANDY_EP | MODEL_IVY_EP))

/* Joules are counted in units of 2 to the minus .power. */
#define UNITS(power) (UINT64_C(0xa0003) | (power) << 8)

static const struct domain {
	uint32_t msr, watts;
	uint64_t models; /* 0: of AMD */
} domains[] = {
	{0x611, 20, MODEL_RAPL}, /* the package, */
	{0x619, 3, MODEL_RAPL & ~MODEL_SANDY}, /* memory, */
	{0x639, 12, MODEL_CLIENTS}, /* its cores, */
	{0x641, 1, MODEL_CLIENTS}, /* its graphics */
	{0xc001029a, 4, 0}, /* a core, */
	{0xc001029b, 20, 0}, /* the package */
};

static bool has(const struct silicon *s, uint64_t models)
{
	const struct cpuid_leaf *leaf = cpuid_find(s->profile, LEAF_POWER_AMD, 0);

	if (models)
		return s->profile->bit & models;
	return cpuid_is_amd(s->profile) && leaf && leaf->r[3] & RAPL;
}

static unsigned power(const struct silicon *s)
{
	return cpuid_is_amd(s->profile) || s->profile->bit & MODEL_FIRST_RAPL ? 16 : 14;
}

/* A meter of 32 bits, unless a defect has it otherwise. */
static uint64_t show(const struct silicon *s, uint64_t units)
{
	const struct meter_defect *defect = s->fault ? s->fault->energy : NULL;

	if (!defect)
		return (uint32_t)units;
	return twist(&defect->shown, (uint32_t)(units << defect->times));
}

uint64_t silicon_shown_clocks(const struct silicon *s, uint64_t clocks, bool second)
{
	const struct meter_defect *defect = s->fault ? s->fault->clocks : NULL;

	if (!defect || (defect->second && !second))
		return clocks;
	return twist(&defect->shown, clocks << defect->times);
}

static uint64_t read(const struct silicon *s, const struct domain *domain)
{
	const uint64_t ms = s->tsc / (s->tsc_hz / 1000);

	return show(s, (ms * domain->watts << power(s)) / 1000);
}

bool energy_rdmsr(const struct silicon *s, uint32_t msr, uint64_t *value)
{
	if (msr == MSR_UNIT_INTEL || msr == MSR_UNIT_AMD) {
		*value = UNITS(power(s));
		return has(s, msr == MSR_UNIT_INTEL ? MODEL_RAPL : 0);
	}
	for (size_t i = 0; i < ARRAY_SIZE(domains); i++)
		if (domains[i].msr == msr && has(s, domains[i].models)) {
			*value = read(s, &domains[i]);
			return true;
		}
	return false;
}
