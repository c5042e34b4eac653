/* SPDX-License-Identifier: BSD-2-Clause */
/* Makes a recorded processor of its row. */
#include "processors.h"

#include "check/fuzz/fake_machine.h"

const char *const registers_name[REGISTERS_KINDS] = {
	[REGISTERS_KEEP] = "keep what is written",
	[REGISTERS_FORGET] = "read 0 and forget",
	[REGISTERS_FAULT] = "fault",
};

/* A bit of IA32_MISC_ENABLE (SDM vol. 4): performance monitoring is available. */
#define MSR_IA32_MISC_ENABLE 0x1a0u
#define MISC_ENABLE_PERFMON  0x80u

static void put_fact(const struct fact *fact)
{
	const uint64_t *v = fact->value;
	const struct cpuid_regs regs = {(uint32_t)v[0], (uint32_t)v[1], (uint32_t)v[2],
					(uint32_t)v[3]};

	if (fact->msr)
		fake_msr(fact->number, 0, v[0], 0);
	else
		fake_leaf(fact->number, fact->subleaf, regs);
}

/* An unrecorded one has the bit without which nobody looks further. */
static void put_misc_enable(const struct row *row)
{
	for (size_t i = 0; i < row->facts; i++)
		if (row->fact[i].msr && row->fact[i].number == MSR_IA32_MISC_ENABLE)
			return;
	fake_msr(MSR_IA32_MISC_ENABLE, 0, MISC_ENABLE_PERFMON, 0);
}

void machine_build(const struct row *row, enum registers registers)
{
	static const uint8_t flags[REGISTERS_KINDS] = {
		[REGISTERS_KEEP] = FAKE_ALL_MSRS,
		[REGISTERS_FORGET] = FAKE_FORGETFUL_MSRS,
	};

	fake_begin(FAKE_APIC | flags[registers]);
	for (size_t i = 0; i < row->facts; i++)
		put_fact(&row->fact[i]);
	put_misc_enable(row);
	fake_note();
}
