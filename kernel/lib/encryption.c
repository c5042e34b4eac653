/* SPDX-License-Identifier: BSD-2-Clause */
/* Is this a guest whose memory is encrypted? */
#include "lib.h"

#define LEAF_TDX          0x21u
#define LEAF_EXTENDED     0x80000000u
#define LEAF_ENCRYPTION   0x8000001Fu

#define HYPERVISOR        BIT(31) /* leaf 1 ECX */
#define ENCRYPTION_SEV    BIT(1) /* leaf 8000_001F EAX: the processor has SEV, and SEV_STATUS */

#define MSR_SEV_STATUS    0xC0010131u
#define SEV_STATUS_SEV    BIT(0)
#define SEV_STATUS_SEV_ES BIT(1)
#define SEV_STATUS_SNP    BIT(2)

enum { EAX, EBX, ECX, EDX };

static uint32_t ask(const struct encryption_probe *probe, uint32_t leaf, unsigned reg)
{
	uint32_t regs[4];

	probe->cpuid(leaf, 0, regs);
	return regs[reg];
}

/* The TDX module answers this leaf itself, so the host cannot hide it.  Above its maximum Intel's
 * CPUID repeats another leaf, so the maximum is asked first. */
static bool is_tdx(const struct encryption_probe *probe)
{
	uint32_t regs[4];
	char name[12];

	if (ask(probe, 0, EAX) < LEAF_TDX)
		return false;
	probe->cpuid(LEAF_TDX, 0, regs);
	memcpy(name, &regs[EBX], 4);
	memcpy(name + 4, &regs[EDX], 4);
	memcpy(name + 8, &regs[ECX], 4);
	return !memcmp(name, "IntelTDX    ", sizeof(name));
}

/*
 * CPUID says what the processor supports, SEV_STATUS what is active in this guest.  We are called
 * when a #GP would still go to the firmware, which does not survive one: the MSR is read only in a
 * guest that CPUID tells of SEV.  On bare metal it says nothing that we need, and is not touched.
 *
 * Nor is SYSCFG[MemEncryptionModEn] of the host asked for (SME): it only lets page tables choose
 * encryption by their C-bit (APM vol. 2, 7.10).  UEFI runs without it, and so do we: both see the
 * same bytes.  Nor is transparent SME, which encrypts all memory for whatever page tables.
 */
static uint64_t sev_status(const struct encryption_probe *probe)
{
	if ((ask(probe, 1, ECX) & HYPERVISOR) == 0 ||
	    ask(probe, LEAF_EXTENDED, EAX) < LEAF_ENCRYPTION ||
	    (ask(probe, LEAF_ENCRYPTION, EAX) & ENCRYPTION_SEV) == 0)
		return 0;
	return probe->rdmsr(MSR_SEV_STATUS);
}

const char *encryption_of_guest(const struct encryption_probe *probe)
{
	uint64_t status;

	if (is_tdx(probe))
		return "a guest of Intel TDX: only its own firmware handles #VE";
	status = sev_status(probe);
	/* SEV-SNP includes SEV-ES, and that SEV. */
	if ((status & SEV_STATUS_SNP) != 0)
		return "a guest of AMD SEV-SNP: our page tables do not encrypt its memory";
	if ((status & SEV_STATUS_SEV_ES) != 0)
		return "a guest of AMD SEV-ES: our page tables do not encrypt its memory";
	if ((status & SEV_STATUS_SEV) != 0)
		return "a guest of AMD SEV: our page tables do not encrypt its memory";
	return NULL;
}
