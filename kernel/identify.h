/* SPDX-License-Identifier: BSD-2-Clause */
/* Which processor this is, and what stands between it and us. */
#ifndef IDENTIFY_H
#define IDENTIFY_H

#include <stdbool.h>
#include <stdint.h>

struct cpu_identity {
	char vendor[13];
	char brand[49]; /* empty: none */
	char hypervisor[13]; /* signature of leaf 4000_0000h; only when .virtual */
	bool virtual; /* CPUID 1 ECX[31] */
	unsigned family, model, stepping;
	uint32_t signature; /* CPUID 1 EAX */
};

/* Family and model with their extensions (APM vol. 3 app. E.3.2; SDM vol. 2 CPUID): the extended
 * family counts at base family 15; the extended model there, and at Intel's family 6. */
void identify_signature(struct cpu_identity *identity, uint32_t signature);

/* By CPUID alone. */
void identify_cpu(struct cpu_identity *identity);

/* SMIs since reset, modulo 2^32, which some of Intel's family 6 count in MSR 34h.  False: this
 * processor is not known to; *count is 0. */
bool identify_smi_count(const struct cpu_identity *identity, uint32_t *count);

/* Report header lines.  After take-over: reads MSRs that may fault. */
void identify_report(const struct cpu_identity *identity);

#endif
