/* SPDX-License-Identifier: BSD-2-Clause */
/* Encrypted guests: told apart, and SEV_STATUS left alone wherever it may be missing. */
#include "kernel/lib/encryption.h"

#include "check/unit/tap.h"

#define HYPERVISOR 0x80000000u

static uint32_t max_leaf, features, max_extended, encryption, tdx[3]; /* EBX, ECX, EDX */
static uint64_t status;
static unsigned reads;

static void fake_cpuid(uint32_t leaf, uint32_t subleaf, uint32_t regs[4])
{
	memset(regs, 0, 4 * sizeof(*regs));
	if (leaf == 0)
		regs[0] = max_leaf;
	if (leaf == 1)
		regs[2] = features;
	if (leaf == 0x21 && subleaf == 0)
		memcpy(regs + 1, tdx, sizeof(tdx));
	if (leaf == 0x80000000)
		regs[0] = max_extended;
	if (leaf == 0x8000001f)
		regs[0] = encryption;
}

static uint64_t fake_rdmsr(uint32_t msr)
{
	reads += msr == 0xc0010131 ? 1 : 1000;
	return status;
}

static const char *decide(void)
{
	static const struct encryption_probe probe = {fake_cpuid, fake_rdmsr};
	const char *why;

	reads = 0;
	why = encryption_of_guest(&probe);
	return why ? why : "";
}

static void be_sev_guest(uint64_t with_status)
{
	max_leaf = 0x10;
	features = HYPERVISOR;
	max_extended = 0x8000001f;
	encryption = 0x1a; /* SEV, SEV-ES, SEV-SNP */
	memset(tdx, 0, sizeof(tdx));
	status = with_status;
}

static void test_sev(void)
{
	be_sev_guest(1);
	SAME(decide(), "a guest of AMD SEV: our page tables do not encrypt its memory");
	OK(reads == 1);
	be_sev_guest(3);
	SAME(decide(), "a guest of AMD SEV-ES: our page tables do not encrypt its memory");
	be_sev_guest(7);
	SAME(decide(), "a guest of AMD SEV-SNP: our page tables do not encrypt its memory");
	/* An ordinary guest on a processor that has it, and one with a reserved bit. */
	be_sev_guest(0);
	SAME(decide(), "");
	OK(reads == 1);
	be_sev_guest(8);
	SAME(decide(), "");
}

/* Each condition alone keeps the MSR from being read. */
static void test_untouched(void)
{
	be_sev_guest(7);
	features = ~HYPERVISOR;
	OK(!*decide() && !reads);
	be_sev_guest(7);
	max_extended = 0x8000001e;
	OK(!*decide() && !reads);
	be_sev_guest(7);
	max_extended = 0;
	OK(!*decide() && !reads);
	be_sev_guest(7);
	encryption = ~2u; /* SME and all else, but SEV */
	OK(!*decide() && !reads);
}

static void be_tdx_guest(void)
{
	be_sev_guest(0);
	encryption = 0;
	max_leaf = 0x21;
	memcpy(&tdx[0], "Inte", 4);
	memcpy(&tdx[2], "lTDX", 4);
	memcpy(&tdx[1], "    ", 4);
}

static void test_tdx(void)
{
	be_tdx_guest();
	SAME(decide(), "a guest of Intel TDX: only its own firmware handles #VE");
	OK(!reads);
	be_tdx_guest();
	max_leaf = 0x20;
	SAME(decide(), "");
	be_tdx_guest();
	memcpy(&tdx[1], "   ", 4);
	SAME(decide(), "");
	/* In the order EBX, ECX, EDX it is another name. */
	be_tdx_guest();
	memcpy(&tdx[1], "lTDX", 4);
	memcpy(&tdx[2], "    ", 4);
	SAME(decide(), "");
}

int main(void)
{
	test_sev();
	test_untouched();
	test_tdx();
	return tap_end();
}
