/* SPDX-License-Identifier: BSD-2-Clause */
/* Is this a guest whose memory is encrypted?  Pure computation on what CPUID and one MSR say. */
#pragma once

#include <stdint.h>

/* How the processor is asked.  rdmsr is called only where CPUID says that the MSR is there. */
struct encryption_probe {
	void (*cpuid)(uint32_t leaf, uint32_t subleaf, uint32_t regs[4]); /* EAX, EBX, ECX, EDX */
	uint64_t (*rdmsr)(uint32_t msr);
};

/*
 * A sentence for the report: which kind of encrypted guest this is; NULL: none.
 *
 * AMD SEV, SEV-ES, SEV-SNP: AMD64 APM vol. 2 (24593), 15.34 to 15.36, and there SEV_STATUS; vol. 3,
 * CPUID Fn8000_001F.  Intel TDX: TDX Module 1.5 Base Architecture Specification, 11.2 (guest TD run
 * time environment enumeration).
 */
const char *encryption_of_guest(const struct encryption_probe *probe);
