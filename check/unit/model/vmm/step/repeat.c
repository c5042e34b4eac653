/* SPDX-License-Identifier: BSD-2-Clause */
/* Where a repeated string instruction ends whose last iteration has trapped like one of many. */
#include "model/profiles/profiles.h"

#include "bench.h"

enum { LONG_MODE = SEGMENT_LONG, LEGACY = SEGMENT_BIG, SHORT = 0 };

/* RIP, where these bytes are, behind a trap at it, in code with these attributes, with that count.
 */
static uint64_t ends_at(const char *hex, uint16_t attributes, uint64_t count, uint64_t flags)
{
	unsigned byte;

	begin();
	memset(program + RIP % sizeof(program), 0, LONGEST);
	for (unsigned i = 0; sscanf(hex + 3 * i, "%2x", &byte) == 1; i++)
		program[RIP % sizeof(program) + i] = (uint8_t)byte;
	vmcb.cs.attributes = attributes;
	vmcb.efer = attributes & SEGMENT_LONG ? EFER_LMA : 0;
	vmm_gpr[RCX] = count;
	vmcb.rflags |= flags;
	repeat_end(&guest);
	return vmcb.rip;
}

static void test_last(void)
{
	OK(ends_at("f3 aa", LONG_MODE, 0, RFLAGS_RF) == RIP + 2);
	OK(vmcb.rflags == (RFLAGS_RESERVED_1 | RFLAGS_IF));
	OK(ends_at("f3 48 a5", LONG_MODE, 0, RFLAGS_RF) == RIP + 3);
	OK(ends_at("f2 ae", LEGACY, 0, RFLAGS_RF) == RIP + 2);
	OK(ends_at("f3 6e", LEGACY, 0, RFLAGS_RF) == RIP + 2);
}

static void test_one_of_many(void)
{
	OK(ends_at("f3 aa", LONG_MODE, 1, RFLAGS_RF) == RIP);
	OK(vmcb.rflags & RFLAGS_RF);
	OK(ends_at("f3 aa", LONG_MODE, BIT(32), RFLAGS_RF) == RIP);
}

/* Only the register of the size of addresses counts. */
static void test_sizes(void)
{
	OK(ends_at("67 f3 aa", LONG_MODE, BIT(32), RFLAGS_RF) == RIP + 3);
	OK(ends_at("67 f3 aa", LONG_MODE, BIT(31), RFLAGS_RF) == RIP);
	OK(ends_at("f3 aa", LEGACY, BIT(32), RFLAGS_RF) == RIP + 2);
	OK(ends_at("f3 aa", LEGACY, BIT(16), RFLAGS_RF) == RIP);
	OK(ends_at("67 f3 aa", LEGACY, BIT(16), RFLAGS_RF) == RIP + 3);
	OK(ends_at("67 f3 aa", LEGACY, BIT(15), RFLAGS_RF) == RIP);
	OK(ends_at("f3 aa", SHORT, BIT(16), RFLAGS_RF) == RIP + 2);
	OK(ends_at("67 f3 aa", SHORT, BIT(16), RFLAGS_RF) == RIP);
}

/* It is what runs next, after another instruction; or nothing repeats. */
static void test_none(void)
{
	OK(ends_at("f3 aa", LONG_MODE, 0, 0) == RIP);
	OK(ends_at("aa", LONG_MODE, 0, RFLAGS_RF) == RIP && vmcb.rflags & RFLAGS_RF);
	OK(ends_at("f3 90", LONG_MODE, 0, RFLAGS_RF) == RIP);
	OK(ends_at("48 aa", LEGACY, 0, RFLAGS_RF) == RIP);
}

int main(void)
{
	test_last();
	test_one_of_many();
	test_sizes();
	test_none();
	return tap_end();
}
