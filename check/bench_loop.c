/* SPDX-License-Identifier: BSD-2-Clause */
/* For check/bench.sh, in the place of pmutest86.efi on model k7: one long counted loop. */
#include <efi.h>

#include "msr.h"
#include "tests/lib/payload.h"

/* AMD 22007, appendix D: PerfEvtSel0 and PerfCtr0; event C0h, retired instructions. */
#define PERF_EVT_SEL_0 UINT32_C(0xc0010000)
#define PERF_CTR_0     UINT32_C(0xc0010004)
#define COUNT_RETIRED  UINT64_C(0x004300c0) /* EN, OS, USR */

/* Some seconds when each is single-stepped. */
enum { COUNTERS = 4, INSTRUCTIONS = 300000 };

EFI_STATUS efi_main(EFI_HANDLE image, EFI_SYSTEM_TABLE *table);

/* All counters are enabled at once, and the firmware's own table of interrupts is loaded: nothing
 * of that may keep the model from counting to the end. */
static uint64_t count_loop(const struct payload *payload, uint64_t iterations)
{
	static uint64_t buffer[512];

	__asm__ volatile("cli");
	for (uint32_t i = 0; i < COUNTERS; i++) {
		write_msr(PERF_CTR_0 + i, 0);
		write_msr(PERF_EVT_SEL_0 + i, COUNT_RETIRED);
	}
	payload->entry(iterations, buffer);
	for (uint32_t i = 0; i < COUNTERS; i++)
		write_msr(PERF_EVT_SEL_0 + i, 0);
	__asm__ volatile("sti");
	return read_msr(PERF_CTR_0);
}

/* EFI_DEVICE_ERROR: the count is less than what the loop retires. */
EFI_STATUS efi_main(EFI_HANDLE image, EFI_SYSTEM_TABLE *table)
{
	const struct payload *payload = &payload_mix;
	uint64_t iterations = INSTRUCTIONS / (uint64_t)payload->per_iteration.instructions;
	uint64_t retired = iterations * (uint64_t)payload->per_iteration.instructions +
			   (uint64_t)payload->fixed.instructions;

	(void)image;
	(void)table;
	return count_loop(payload, iterations) < retired ? EFI_DEVICE_ERROR : EFI_SUCCESS;
}
