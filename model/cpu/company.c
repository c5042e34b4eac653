/* SPDX-License-Identifier: BSD-2-Clause */
/* What a defect of a processor sends to another one, while they run together. */
#include "state.h"

struct company company;

bool company_spoils(const struct silicon *s, enum company_defect how)
{
	return company.meeting && s->fault && s->fault->company == how;
}

void company_interrupts(unsigned requests)
{
	company.requests += requests;
}

void company_writes(uint32_t msr, uint64_t value)
{
	if (company.writes == COMPANY_WRITES)
		return;
	company.write[company.writes].msr = msr;
	company.write[company.writes++].value = value;
}
