/* SPDX-License-Identifier: BSD-2-Clause */
/* For check/bench.sh and check/speed.sh, in the place of pmutest86.efi: one long counted loop. */
#include <cpuid.h>
#include <efi.h>

#include "msr.h"
#include "tests/lib/payload.h"

/* Some seconds when each is single-stepped. */
enum { COUNTERS = 4, INSTRUCTIONS = 300000 };

/* Four counters of retired instructions, in user and kernel mode. */
struct pmu {
	uint32_t counter[COUNTERS];
	struct {
		uint32_t msr;
		uint64_t value;
	} set[6]; /* in this order; MSR 0: nothing */
};

/* AMD 22007, appendix D: PerfEvtSel and PerfCtr; event C0h. */
static const struct pmu amd = {
	{0xc0010004, 0xc0010005, 0xc0010006, 0xc0010007},
	{{0xc0010000, 0x4300c0},
	 {0xc0010001, 0x4300c0},
	 {0xc0010002, 0x4300c0},
	 {0xc0010003, 0x4300c0}},
};

/* Intel SDM vol. 3B, 20.2.2: IA32_PERFEVTSEL, IA32_PMC and IA32_PERF_GLOBAL_CTRL. */
static const struct pmu intel = {
	{0xc1, 0xc2, 0xc3, 0xc4},
	{{0x186, 0x4300c0}, {0x187, 0x4300c0}, {0x188, 0x4300c0}, {0x189, 0x4300c0}, {0x38f, 0xf}},
};

/* Intel SDM vol. 3B, 20.6.3: MSR_CRU_ESCR0 and 1, instr_retired NBOGUSNTAG; MSR_IQ_CCCR. */
static const struct pmu netburst = {
	{0x30c, 0x30d, 0x30e, 0x30f},
	{{0x3b8, 0x400020c},
	 {0x3b9, 0x400020c},
	 {0x36c, 0x39000},
	 {0x36d, 0x39000},
	 {0x36e, 0x39000},
	 {0x36f, 0x39000}},
};

EFI_STATUS efi_main(EFI_HANDLE image, EFI_SYSTEM_TABLE *table);

static const struct pmu *find_pmu(void)
{
	uint32_t eax, ebx, ecx, edx;

	__cpuid(0, eax, ebx, ecx, edx);
	if (ebx == signature_AMD_ebx)
		return &amd;
	__cpuid(1, eax, ebx, ecx, edx);
	return (eax >> 8 & 15) == 15 ? &netburst : &intel;
}

static void set_pmu(const struct pmu *pmu, uint64_t mask)
{
	for (unsigned i = 0; i < sizeof(pmu->set) / sizeof(*pmu->set) && pmu->set[i].msr; i++)
		write_msr(pmu->set[i].msr, pmu->set[i].value & mask);
}

/* All counters are enabled at once, and the firmware's own table of interrupts is loaded: nothing
 * of that may keep the model from counting to the end. */
static uint64_t count_loop(const struct pmu *pmu, const struct payload *payload,
			   uint64_t iterations)
{
	static uint64_t buffer[512];

	__asm__ volatile("cli");
	for (unsigned i = 0; i < COUNTERS; i++)
		write_msr(pmu->counter[i], 0);
	set_pmu(pmu, UINT64_MAX);
	payload->entry(iterations, buffer);
	set_pmu(pmu, 0);
	__asm__ volatile("sti");
	return read_msr(pmu->counter[COUNTERS - 1]);
}

/* EFI_DEVICE_ERROR: the last counter's count is less than what the loop retires. */
EFI_STATUS efi_main(EFI_HANDLE image, EFI_SYSTEM_TABLE *table)
{
	const struct payload *payload = &payload_mix;
	uint64_t iterations = INSTRUCTIONS / (uint64_t)payload->per_iteration.instructions;
	uint64_t retired = iterations * (uint64_t)payload->per_iteration.instructions +
			   (uint64_t)payload->fixed.instructions;

	(void)image;
	(void)table;
	return count_loop(find_pmu(), payload, iterations) < retired ? EFI_DEVICE_ERROR
								     : EFI_SUCCESS;
}
