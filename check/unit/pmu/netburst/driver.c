/* SPDX-License-Identifier: BSD-2-Clause */
/* The NetBurst driver on a processor made of arrays: which one it takes for its own, that it
 * touches no register that is not documented there, and in which order it writes. */
#include <stdbool.h>
#include <stdint.h>

/* The driver's instructions become functions of this file. */
#define cpuid      instruction_cpuid
#define rdmsr_safe instruction_rdmsr
#define wrmsr_safe instruction_wrmsr
#include "kernel/cpu.h"
#include "kernel/kernel.h"
#undef cpuid
#undef rdmsr_safe
#undef wrmsr_safe

/* ---- the processor ---- */

struct cpu {
	uint32_t signature, ebx, edx;
	uint32_t highest; /* CPUID leaf; 0: 2 */
	uint32_t cores_less_one;
	uint32_t faults; /* this MSR raises #GP */
	uint32_t stuck; /* this one keeps nothing */
	uint32_t dead; /* bits that a register never keeps */
	bool amd, unmonitored, no_pebs;
};
static struct cpu cpu;
static uint64_t msrs[0x601];
static unsigned trespasses; /* accesses to registers that the processor does not have */
static struct {
	uint32_t msr;
	uint64_t value;
} written[512];
static unsigned writes;

static struct cpuid_regs cpuid(uint32_t leaf, uint32_t subleaf)
{
	uint32_t highest = cpu.highest ? cpu.highest : 2;

	(void)subleaf;
	switch (leaf > highest ? highest : leaf) {
	case 0:
		if (cpu.amd)
			return (struct cpuid_regs){highest, 0x68747541, 0x444d4163, 0x69746e65};
		return (struct cpuid_regs){highest, 0x756e6547, 0x6c65746e, 0x49656e69};
	case 1:
		return (struct cpuid_regs){cpu.signature, cpu.ebx, 0, cpu.edx};
	case 4:
		return (struct cpuid_regs){cpu.cores_less_one << 26, 0, 0, 0};
	default:
		return (struct cpuid_regs){~0u, ~0u, ~0u, ~0u};
	}
}

static bool absent_on_model_3(uint32_t msr)
{
	return msr == 0x3ba || msr == 0x3bb;
}

static bool has_msr(uint32_t msr)
{
	if (msr == 0x600)
		return cpu.edx & 1 << 21 && !cpu.no_pebs;
	if (msr == 0x1a0 || msr == 0x3f1 || msr == 0x3f2)
		return true;
	if ((msr >= 0x300 && msr <= 0x311) || (msr >= 0x360 && msr <= 0x371))
		return true;
	if (absent_on_model_3(msr) && (cpu.signature >> 4 & 0xf) > 2)
		return false;
	return (msr >= 0x3a0 && msr <= 0x3cd && msr != 0x3bf && msr != 0x3c6 && msr != 0x3c7) ||
	       msr == 0x3e0 || msr == 0x3e1;
}

static uint64_t misc_enable(void)
{
	return (uint64_t)!cpu.unmonitored << 7 | (uint64_t)cpu.no_pebs << 12;
}

uint64_t rdmsr(uint32_t msr)
{
	trespasses += !has_msr(msr);
	return msr == 0x1a0 ? misc_enable() : msrs[msr];
}

void wrmsr(uint32_t msr, uint64_t val)
{
	trespasses += !has_msr(msr) || msr == 0x1a0;
	if (msr != cpu.stuck)
		msrs[msr] = val & ~(uint64_t)cpu.dead;
	if (writes < 512) {
		written[writes].msr = msr;
		written[writes++].value = val;
	}
}

static int rdmsr_safe(uint32_t msr, uint64_t *val)
{
	*val = msr == cpu.faults ? 0 : rdmsr(msr);
	return msr == cpu.faults ? FAULT_GP : FAULT_NONE;
}

static int wrmsr_safe(uint32_t msr, uint64_t val)
{
	wrmsr(msr, val);
	return FAULT_NONE;
}

#include "check/unit/tap.h"
#include "kernel/cpuid.c"
#include "kernel/identify.c"
#include "kernel/threads.c"
#include "pmu/netburst/driver.c"
#include "pmu/registers.c"

uint32_t pci_read(uint16_t function, unsigned offset)
{
	(void)function, (void)offset;
	trespasses++;
	return PCI_ABSENT;
}

void pci_write(uint16_t function, unsigned offset, uint32_t value)
{
	(void)function, (void)offset, (void)value;
	trespasses++;
}

bool apic_present(void)
{
	return cpu.edx & 1 << 9;
}

/* ---- identification ---- */

#define EDX_PLAIN  ((1u << 5) | (1u << 9))
#define EDX_DS     (1u << 21)
#define EDX_HTT    (EDX_PLAIN | 1u << 28)
#define LOGICAL(n) ((uint32_t)(n) << 16)
#define APIC_ID(n) ((uint32_t)(n) << 24)

enum answer { NOT_MINE, FOUND, SILENT };

struct identity {
	const char *what;
	struct cpu cpu;
	enum answer answer;
	unsigned features, thread; /* of the kinds below */
};

#define KINDS (PMU_SAMPLER | PMU_HT | PMU_XCASCADE | PMU_CASCADE_PMI)

static const struct identity identities[] = {
	{"Willamette", {0xf07, .edx = EDX_PLAIN}, FOUND, PMU_CASCADE_PMI, 0},
	{"Foster C1", {0xf0a, .edx = EDX_PLAIN}, FOUND, 0, 0},
	{"Willamette E0", {0xf13, .edx = EDX_PLAIN}, FOUND, PMU_CASCADE_PMI, 0},
	{"Northwood", {0xf29, .edx = EDX_HTT, .ebx = LOGICAL(1)}, FOUND, PMU_XCASCADE, 0},
	{"Northwood, thread 1",
	 {0xf29, .edx = EDX_HTT, .ebx = LOGICAL(2) | APIC_ID(1)},
	 FOUND,
	 PMU_XCASCADE | PMU_HT,
	 1},
	{"Prescott, CPUID cut off at leaf 3",
	 {0xf34, .edx = EDX_HTT, .ebx = LOGICAL(2), .highest = 3},
	 FOUND,
	 KINDS & ~PMU_SAMPLER,
	 0},
	{"Pentium D, second core",
	 {0xf44, .edx = EDX_HTT, .ebx = LOGICAL(2) | APIC_ID(1), .highest = 5, .cores_less_one = 1},
	 FOUND,
	 PMU_XCASCADE | PMU_CASCADE_PMI,
	 0},
	{"Extreme Edition, last of four",
	 {0xf64, .edx = EDX_HTT | EDX_DS, .ebx = LOGICAL(4) | APIC_ID(3), .highest = 6,
	  .cores_less_one = 1},
	 FOUND,
	 KINDS,
	 1},
	{"Northwood without PEBS",
	 {0xf24, .edx = EDX_PLAIN | EDX_DS, .no_pebs = true},
	 FOUND,
	 PMU_XCASCADE,
	 0},
	{"a dead bit of THRESHOLD",
	 {0xf24, .edx = EDX_PLAIN, .dead = 1u << 20},
	 FOUND,
	 PMU_XCASCADE,
	 0},
	{"K8", {0xf48, .edx = EDX_PLAIN, .amd = true}, NOT_MINE, 0, 0},
	{"model 5", {0xf50, .edx = EDX_PLAIN}, NOT_MINE, 0, 0},
	{"model 7", {0xf70, .edx = EDX_PLAIN}, NOT_MINE, 0, 0},
	{"P6", {0x6b4, .edx = EDX_PLAIN}, NOT_MINE, 0, 0},
	{"extended family", {0x100f42, .edx = EDX_PLAIN}, NOT_MINE, 0, 0},
	{"extended model", {0x10f41, .edx = EDX_PLAIN}, NOT_MINE, 0, 0},
	{"monitoring not available", {0xf24, .edx = EDX_PLAIN, .unmonitored = true}, SILENT, 0, 0},
	{"no MISC_ENABLE", {0xf24, .edx = EDX_PLAIN, .faults = 0x1a0}, SILENT, 0, 0},
	{"no CCCR", {0xf24, .edx = EDX_PLAIN, .faults = 0x360}, SILENT, 0, 0},
	{"CCCR reads as 0", {0xf24, .edx = EDX_PLAIN, .stuck = 0x360}, SILENT, 0, 0},
};

static struct netburst state;

static bool find(struct pmu *pmu, const struct cpu *which)
{
	cpu = *which;
	trespasses = 0;
	writes = 0;
	memset(msrs, 0, sizeof(msrs));
	struct cpu_identity identity;

	state = (struct netburst){0};
	*pmu = (struct pmu){.ops = &pmu_netburst, .state = &state};
	identify_cpu(&identity);
	return pmu_netburst.probe(pmu, &identity);
}

static void check_identities(void)
{
	for (unsigned i = 0; i < ARRAY_SIZE(identities); i++) {
		const struct identity *id = &identities[i];
		struct pmu pmu;

		printf("# %s\n", id->what);
		OK(find(&pmu, &id->cpu) == (id->answer == FOUND));
		OK((pmu_abilities(&pmu) & KINDS) == id->features && state.thread == id->thread);
		OK(!trespasses && !msrs[0x360]);
		OK(!pmu.silent == (id->answer != SILENT));
	}
}

/* ---- all registers ---- */

static const struct cpu northwood = {0xf24, .edx = EDX_PLAIN | EDX_DS};
static const struct cpu prescott = {0xf34, .edx = EDX_PLAIN};
static const struct cpu cedar_mill = {0xf62, .edx = EDX_PLAIN};

/* Something else in each register, and counter 4 running. */
static void scramble(void)
{
	for (uint32_t msr = 0x300; msr < 0x400; msr++)
		msrs[msr] = has_msr(msr) ? msr * 0x10001u & ~CCCR_ENABLE : 0;
	if (has_msr(0x600))
		msrs[0x600] = 0x123456789ab0;
	msrs[0x364] |= CCCR_ENABLE;
}

static bool all_zero(void)
{
	for (uint32_t msr = 0x300; msr < 0x400; msr++)
		if (msrs[msr])
			return false;
	return true;
}

/* A counter is written when nothing counts any more and no ESCR holds an event. */
static bool reset_order(void)
{
	unsigned phase = 0;

	for (unsigned i = 0; i < writes; i++) {
		uint32_t msr = written[i].msr;
		unsigned now = msr < 0x360 ? 2 : msr > 0x371;

		if (now < phase)
			return false;
		phase = now;
	}
	return phase == 2;
}

static void check_all_registers(const struct cpu *which, unsigned escrs)
{
	uint32_t list[64];
	uint64_t before[0x601];
	struct pmu pmu;

	OK(find(&pmu, which));
	OK(netburst_escrs(&pmu, list) == escrs);
	scramble();
	memcpy(before, msrs, sizeof(msrs));
	pmu_save(&pmu);
	OK(pmu.running_at_entry == 1 << 4);
	writes = 0;
	pmu_reset(&pmu);
	OK(all_zero());
	OK(reset_order());
	if (has_msr(0x600))
		msrs[0x600] = 0x1000; /* a test's */
	pmu_restore(&pmu);
	OK(!memcmp(before, msrs, sizeof(msrs)));
	OK(!trespasses);
}

/* A reset that all writes of a test are undone by, and one behind it that finds nothing to undo. */
static void check_touched_registers(void)
{
	const struct netburst_config cfg = {NB_BRANCH_RETIRED, 0xf, .user = true};
	const struct pmu_sampling what = {.counters = BIT(16), .room = 1};
	struct pmu pmu;

	find(&pmu, &northwood);
	scramble();
	pmu_save(&pmu);
	pmu_reset(&pmu);
	OK(!netburst_program(&pmu, 12, &cfg));
	msrs[0x30c] = 5; /* it has counted */
	pmu.sampler->arm(&pmu, &what);
	pmu_put(&pmu, pmu_msr(MSR_PEBS_MATRIX_VERT), 1);
	OK(!all_zero() && msrs[0x600]);
	pmu_reset(&pmu);
	OK(all_zero() && !msrs[0x600]);
	writes = 0;
	pmu_reset(&pmu);
	OK(writes == 0);
	/* Somebody else has written. */
	scramble();
	pmu_touch_all(&pmu);
	pmu_reset(&pmu);
	OK(all_zero());
}

static void check_masks(void)
{
	struct pmu one, two;

	find(&one, &identities[3].cpu);
	find(&two, &identities[4].cpu);
	OK(one.ctl_writable == 0x47fcf000 && one.ctl_reserved == 0xffffffff380007ff);
	OK(two.ctl_writable == 0x4ffff000 && two.ctl_reserved == 0xffffffff300007ff);
}

/* ---- counters ---- */

static void check_start_and_stop(void)
{
	struct pmu pmu;

	find(&pmu, &northwood);
	msrs[0x360] = CCCR_ACTIVE_THREAD;
	msrs[0x36c] = CCCR_ACTIVE_THREAD | CCCR_OVF;
	writes = 0;
	pmu_start(&pmu, BIT(12) | BIT(0));
	OK(writes == 2 && written[0].msr == 0x360 && written[1].msr == 0x36c);
	OK(msrs[0x360] == (CCCR_ACTIVE_THREAD | CCCR_ENABLE));
	OK(msrs[0x36c] == (CCCR_ACTIVE_THREAD | CCCR_ENABLE | CCCR_OVF));
	msrs[0x360] |= CCCR_OVF;
	pmu_stop(&pmu, BIT(12) | BIT(0));
	OK(writes == 4 && written[2].msr == 0x360 && written[3].msr == 0x36c);
	OK(msrs[0x360] == (CCCR_ACTIVE_THREAD | CCCR_OVF));
	OK(msrs[0x36c] == (CCCR_ACTIVE_THREAD | CCCR_OVF));
}

static void check_overflow(void)
{
	struct pmu pmu;

	find(&pmu, &northwood);
	msrs[0x300] = 0xffffffff9d; /* on its way */
	msrs[0x302] = 0xffffffff9d; /* overflowed, and written since */
	msrs[0x362] = CCCR_OVF | CCCR_ENABLE;
	msrs[0x304] = 1; /* overflowed, but not flagged */
	msrs[0x366] = CCCR_OVF; /* not armed */
	OK(pmu_overflowed(&pmu, BIT(0) | BIT(2) | BIT(4)) == (BIT(2) | BIT(4)));
	pmu_acknowledge(&pmu, BIT(2) | BIT(4));
	OK(msrs[0x362] == CCCR_ENABLE && !msrs[0x364] && msrs[0x366] == CCCR_OVF);
	OK(!netburst_ovf(&pmu, 2) && netburst_ovf(&pmu, 6));
}

/* Errata N15 and O8 as an event in every clock of a write would have it. */
static void check_write(void)
{
	struct pmu pmu;

	find(&pmu, &northwood);
	writes = 0;
	pmu_write(&pmu, 17, ~UINT64_C(0) - 98);
	OK(writes == 2 && written[0].msr == 0x311 && !(uint32_t)written[0].value);
	OK(written[1].msr == 0x311 && written[1].value == 0xffffffff9d);
	msrs[0x311] = ~UINT64_C(0);
	OK(pmu_read(&pmu, 17) == 0xffffffffff);
	OK(pmu.counter[17].rdpmc == 17);
}

int main(void)
{
	check_identities();
	check_all_registers(&northwood, 45);
	check_all_registers(&prescott, 43);
	check_all_registers(&cedar_mill, 43);
	check_touched_registers();
	check_masks();
	check_start_and_stop();
	check_overflow();
	check_write();
	return tap_end();
}
