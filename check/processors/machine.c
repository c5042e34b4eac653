/* SPDX-License-Identifier: BSD-2-Clause */
/* Makes a recorded processor of its row. */
#include "processors.h"

#include "check/fuzz/fake_machine.h"

const char *const registers_name[REGISTERS_KINDS] = {
	[REGISTERS_KEEP] = "keep what is written",
	[REGISTERS_FORGET] = "read 0 and forget",
	[REGISTERS_FAULT] = "fault",
};

/* Of IA32_MISC_ENABLE (SDM vol. 4): performance monitoring is available. */
#define MSR_IA32_MISC_ENABLE 0x1a0u
#define MISC_ENABLE_PERFMON  0x80u

static uint8_t bytes[4096];
static size_t used;

static void put(uint64_t value, unsigned size)
{
	for (; size; size--, value >>= 8)
		bytes[used++] = (uint8_t)value;
}

static void put_leaf(const struct fact *fact)
{
	put('C', 1);
	put(fact->number, 4);
	put(fact->subleaf, 1);
	for (unsigned i = 0; i < 4; i++)
		put(fact->value[i], 4);
}

static void put_msr(uint32_t msr, uint64_t value)
{
	put('M', 1);
	put(msr, 4);
	put(0, 1);
	put(value, 8);
	put(0, 8);
}

/* An unrecorded one has the bit without which nobody looks further. */
static void put_misc_enable(const struct row *row)
{
	for (size_t i = 0; i < row->facts; i++)
		if (row->fact[i].msr && row->fact[i].number == MSR_IA32_MISC_ENABLE)
			return;
	put_msr(MSR_IA32_MISC_ENABLE, MISC_ENABLE_PERFMON);
}

void machine_build(const struct row *row, enum registers registers)
{
	static const uint8_t flags[REGISTERS_KINDS] = {
		[REGISTERS_KEEP] = FAKE_ALL_MSRS,
		[REGISTERS_FORGET] = FAKE_FORGETFUL_MSRS,
	};
	struct input in = {.at = bytes};

	used = 0;
	put(FAKE_APIC | flags[registers], 1);
	for (size_t i = 0; i < row->facts; i++)
		if (row->fact[i].msr)
			put_msr(row->fact[i].number, row->fact[i].value[0]);
		else
			put_leaf(&row->fact[i]);
	put_misc_enable(row);
	put(0, 1);
	in.left = used;
	fake_build(&in);
	fake_note();
}
