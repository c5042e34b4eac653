/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Core counters of Zhaoxin, whose processors have Intel's registers of version 2, and events of
 * their own.  No manual is public: what is known is what Linux does, zhaoxin_pmu_init() and the
 * tables around it.  Nothing else is demanded of them: neither thresholds and edges, nor what
 * becomes of reserved bits and of values that are too wide.
 */
#include "intel.h"

/* ---- which ones ---- */

#define FAMILY     7u
#define VERSION    2u
#define EVENTS_MIN 6u /* that CPUID 0AH lists: Linux asks for them */
/* Fixed counter 2 counts clocks of the bus, and how fast these are is said nowhere. */
#define FIXED_DRIVEN FIELD(1, 0)

static bool is_maker(const struct cpu_identity *id)
{
	return !strcmp(id->vendor, "CentaurHauls") || !strcmp(id->vendor, "  Shanghai  ");
}

static enum intel_part part_of(unsigned model)
{
	return model == 0x1b ? INTEL_ZXD : model == 0x3b ? INTEL_ZXE : INTEL_ZHAOXIN;
}

bool zhaoxin_decode(const struct cpu_identity *id, const struct cpuid_regs *leaf_a,
		    struct intel_cpu *cpu)
{
	unsigned fixed = (unsigned)field_get(CPUID_A_EDX_FIXED, leaf_a->edx);

	*cpu = (struct intel_cpu){
		.family = id->family,
		.model = id->model,
		.stepping = id->stepping,
		.part = part_of(id->model),
		.version = (unsigned)field_get(CPUID_A_EAX_VERSION, leaf_a->eax),
		.general = (unsigned)field_get(CPUID_A_EAX_COUNTERS, leaf_a->eax),
		.width = (unsigned)field_get(CPUID_A_EAX_WIDTH, leaf_a->eax),
		.fixed_promised = (uint32_t)(BIT(fixed) - 1),
	};
	if (!is_maker(id) || id->family != FAMILY || cpu->version != VERSION ||
	    field_get(CPUID_A_EAX_EVENTS, leaf_a->eax) < EVENTS_MIN)
		return false;
	cpu->general_promised = cpu->general;
	cpu->numbers = (uint32_t)(BIT(cpu->general) - 1);
	cpu->fixed = cpu->fixed_promised & FIXED_DRIVEN;
	if (cpu->general < 1 || cpu->general > INTEL_OLD_NAMES || cpu->width <= LEGACY_WRITE_BITS ||
	    cpu->width > 48)
		cpu->silent = "CPUID 0AH promises counters that no processor of this maker has";
	return true;
}

/* ---- events ---- */

enum why { CLOCKS, UNPROVEN, AHEAD, PREDICTED };

static const struct pmu_reason reasons[] = {
	[CLOCKS] = {PMU_AT_LEAST, "clocks are whatever the pipeline takes"},
	[UNPROVEN] = {PMU_AT_LEAST, "no manual says what counts beside what retires"},
	[AHEAD] = {PMU_AT_LEAST, "what is fetched ahead may count, too"},
	[PREDICTED] = {PMU_AT_LEAST, "no manual says whether it is of retirement"},
};

#define PART(part) (UINT32_C(1) << (INTEL_##part - INTEL_ZXD))
#define ALL        (PART(ZXD) | PART(ZXE) | PART(ZHAOXIN))
#define EVENT(id_, parts_, code_, mask, text, fixed_, why_)                                        \
	{                                                                                          \
		.id = id_, .parts = parts_, .fixed = fixed_, .event = {                            \
			.name = text,                                                              \
			.code = code_,                                                             \
			.unit_mask = mask,                                                         \
			.why = &reasons[why_],                                                     \
		}                                                                                  \
	}
#define OWN(parts, code, mask, text, why) EVENT(EV_OWN, parts, code, mask, text, 0, why)

/* Linux, zx_pmon_event_map[], zhaoxin_pmu_init() and zxd_event_constraints[]. */
static const struct row {
	uint32_t parts;
	uint8_t id, fixed; /* fixed: bit i, IA32_FIXED_CTRi counts it, too */
	struct pmu_event event;
} rows[] = {
	EVENT(EV_CYCLES, ALL, 0x82, 0, "cycles", BIT(1), CLOCKS),
	EVENT(EV_INSTRUCTIONS, ALL, 0xc0, 0, "instructions", BIT(0), UNPROVEN),
	OWN(PART(ZXD), 0x00, 0x07, "branches", PREDICTED),
	OWN(PART(ZXD), 0x09, 0x07, "branch-misses", PREDICTED),
	OWN(PART(ZXE), 0x28, 0x00, "branches", PREDICTED),
	OWN(PART(ZXE), 0x29, 0x00, "branch-misses", PREDICTED),
	OWN(PART(ZXD) | PART(ZXE), 0x15, 0x05, "cache-references", AHEAD),
	OWN(PART(ZXD) | PART(ZXE), 0x1a, 0x05, "cache-misses", AHEAD),
};

/* Fixed counters follow the general ones, and none is left out. */
static void fill_events(const struct intel_cpu *cpu, struct pmu_event *events)
{
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct pmu_event event = rows[i].event;

		event.counters = (uint32_t)(BIT(cpu->general) - 1) | (rows[i].fixed & cpu->fixed)
									     << cpu->general;
		if (rows[i].parts >> (cpu->part - INTEL_ZXD) & 1)
			pmu_take_event(events, rows[i].id, &event);
	}
	events[EV_CYCLES].max_per_clock = 1;
}

/* ---- counters ---- */

/* Linux writes all bits of a general counter, Intel's version 2 takes 32 of them and copies the
 * last upwards: values that are the same by both are written. */
static struct pmu_counter general_counter(const struct intel_cpu *cpu, unsigned i)
{
	return (struct pmu_counter){
		.ctl = pmu_msr(MSR_IA32_PERFEVTSEL(i)),
		.ctr = pmu_msr(MSR_IA32_PMC(i)),
		.enable = PERFEVTSEL_EN,
		.rdpmc = i,
		.width = (uint8_t)cpu->width,
		.write_bits = LEGACY_WRITE_BITS,
		.global_bit = (uint8_t)i,
		.vague = true,
	};
}

static struct pmu_counter fixed_counter(const struct intel_cpu *cpu, unsigned i)
{
	return (struct pmu_counter){
		.ctl = pmu_msr(MSR_IA32_FIXED_CTR_CTRL),
		.ctr = pmu_msr(MSR_IA32_FIXED_CTR(i)),
		.enable = FIXED_CTRL_EN_OS(i) | FIXED_CTRL_EN_USR(i),
		.rdpmc = RDPMC_FIXED | i,
		.width = (uint8_t)cpu->width,
		.write_bits = (uint8_t)cpu->width,
		.global_bit = (uint8_t)(GLOBAL_FIXED_FIRST + i),
		.vague = true,
		.fixed = true,
	};
}

static void fill_counters(struct pmu *pmu)
{
	struct intel *intel = pmu->state;
	const struct intel_cpu *cpu = &intel->cpu;

	for (unsigned i = 0; i < cpu->general; i++)
		intel->counter[pmu->counters++] = general_counter(cpu, i);
	for (unsigned i = 0; cpu->fixed >> i; i++)
		intel->counter[pmu->counters++] = fixed_counter(cpu, i);
	pmu->counting = &intel_counting_global;
	pmu->counter = intel->counter;
	intel->bank.saved = intel->saved;
	intel->bank.gate = pmu_msr(MSR_GLOBAL_CTRL);
	pmu->bank = &intel->bank;
}

static void fill(struct pmu *pmu)
{
	struct intel *intel = pmu->state;
	const struct intel_cpu *cpu = &intel->cpu;

	fill_counters(pmu);
	fill_events(cpu, intel->events);
	pmu->events = intel->events;
	pmu->features = PMU_SELECT | PMU_PRIVILEGE | PMU_USER_ALONE | PMU_GLOBAL |
			PMU_ATOMIC_START | PMU_LVT_MASKS | (apic_present() ? PMU_INTERRUPT : 0);
	pmu->ctl_enable = PERFEVTSEL_EN;
	pmu->ctl_writable = PERFEVTSEL_EVENT | PERFEVTSEL_UMASK | PERFEVTSEL_USR | PERFEVTSEL_OS |
			    PERFEVTSEL_INT | PERFEVTSEL_EN;
	/* CPUID says version 2, which ends at bit 31. */
	pmu->ctl_reserved = FIELD(63, 32);
	fmt_print(intel->promised, sizeof(intel->promised),
		  "performance monitoring of version %u: %u general counters, fixed %x",
		  cpu->version, cpu->general, cpu->fixed_promised);
	pmu->notes[0] = intel->promised;
	pmu->notes[1] = "fixed counter 2 is left alone, and what no source says is not judged";
	pmu->revision = cpu->part;
}

static bool probe(struct pmu *pmu, const struct cpu_identity *id)
{
	struct intel *intel = pmu->state;
	struct cpuid_regs leaf_a = cpuid_if_there(0xa, 0);

	if (!zhaoxin_decode(id, &leaf_a, &intel->cpu))
		return false;
	pmu->silent = intel->cpu.silent;
	if (!pmu->silent)
		pmu->silent =
			pmu_try(pmu_msr(MSR_IA32_PERFEVTSEL(0)), PERFEVTSEL_USR | PERFEVTSEL_OS);
	if (pmu->silent)
		return false;
	fill(pmu);
	pmu->silent = intel_try_gate(pmu);
	return !pmu->silent;
}

const struct pmu_ops pmu_zhaoxin = {
	.name = "zhaoxin",
	.title = "Zhaoxin core counters",
	.manual = "Linux, arch/x86/events/zhaoxin/core.c: no manual is public",
	.processors = "Zhaoxin of family 7 (ZX-D, KX-5000 and later), by CPUID 0AH version 2",
	.state_size = sizeof(struct intel),
	.kin = &pmu_intel,
	.probe = probe,
	.reset = intel_reset,
};
PMU_DRIVER(pmu_zhaoxin);
