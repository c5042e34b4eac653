/* SPDX-License-Identifier: BSD-2-Clause */
/* Defects that show only while another processor executes, too: model/cpu/company.c. */
#include "common.h"

#define COMPANY_FAULT(name_, how_, says_)                                                          \
	SEEDED(name_, #name_, MODEL_ALL, "cpu?.-.cpu.together", says_, .company = how_, .cpus = 4)

COMPANY_FAULT(company_stops, COMPANY_STOPS,
	      "the write that stops its counters goes to another processor as well");
COMPANY_FAULT(company_interrupts, COMPANY_INTERRUPTS,
	      "its interrupts come to another processor's local APIC");
COMPANY_FAULT(company_counts, COMPANY_COUNTS,
	      "its counters count what another processor executes, too");
