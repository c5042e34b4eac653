/* SPDX-License-Identifier: BSD-2-Clause */
/* The uncore boxes behind MSRs: CBo, UBox and PCU, all of the socket that the program runs on. */
#include <stddef.h>

#include "snbep.h"

#define MSR_MISC_FEATURE_CONTROL  0x1a4u
#define MISC_FEATURE_CONTROL_BITS FIELD(3, 0) /* prefetchers off */
#define MSR_PCU_C3                0x3fcu
#define MSR_PCU_C6                0x3fdu
#define MSR_UNCORE_FIRST          0xc00u
#define MSR_UNCORE_LAST           0xdffu
#define MSR_CBO                   0xd00u

enum { CBO_STRIDE = 0x20 };

/* Share of the TSC that the residencies advance by: core 0 runs the program, others sleep. */
enum { C3_SHARE = 16, C6_SHARE = 4 };

/* Where the registers of a box lie. */
struct layout {
	uint32_t first, last;
	enum uncore_register kind;
};

static const struct layout cbo_layout[] = {
	{0x04, 0x04, UNCORE_BOX_CTL},
	{0x10, 0x13, UNCORE_CTL},
	{0x14, 0x14, UNCORE_FILTER},
	{0x16, 0x19, UNCORE_CTR},
};

static const struct layout ubox_layout[] = {
	{0xc08, 0xc08, UNCORE_FIXED_CTL},
	{0xc09, 0xc09, UNCORE_FIXED_CTR},
	{0xc10, 0xc11, UNCORE_CTL},
	{0xc16, 0xc17, UNCORE_CTR},
};

static const struct layout pcu_layout[] = {
	{0xc24, 0xc24, UNCORE_BOX_CTL},
	{0xc30, 0xc33, UNCORE_CTL},
	{0xc34, 0xc34, UNCORE_FILTER},
	{0xc36, 0xc39, UNCORE_CTR},
};

static bool find_in(const struct layout *layout, size_t count, uint32_t address,
		    struct uncore_reg *reg)
{
	for (size_t i = 0; i < count; i++)
		if (address >= layout[i].first && address <= layout[i].last) {
			reg->kind = layout[i].kind;
			reg->number = address - layout[i].first;
			return true;
		}
	return false;
}

/* number: of the box in its socket. */
static bool find_register(uint32_t msr, struct uncore_reg *reg, unsigned *number)
{
	if (msr >= MSR_CBO && msr <= MSR_UNCORE_LAST) {
		*number = BOX_CBO + (msr - MSR_CBO) / CBO_STRIDE;
		return find_in(cbo_layout, ARRAY_SIZE(cbo_layout), msr % CBO_STRIDE, reg);
	}
	*number = BOX_UBOX;
	if (find_in(ubox_layout, ARRAY_SIZE(ubox_layout), msr, reg))
		return true;
	*number = BOX_PCU;
	return find_in(pcu_layout, ARRAY_SIZE(pcu_layout), msr, reg);
}

static bool in_range(uint32_t msr)
{
	return msr >= MSR_UNCORE_FIRST && msr <= MSR_UNCORE_LAST;
}

static bool is_clock(uint32_t msr)
{
	return msr == MSR_PCU_C3 || msr == MSR_PCU_C6;
}

bool uncore_is_listed_msr(uint32_t msr)
{
	struct uncore_reg reg;
	unsigned number;

	return is_clock(msr) || find_register(msr, &reg, &number);
}

bool uncore_msr_advances(void *uncore, uint32_t msr)
{
	struct uncore *u = uncore;
	struct uncore_reg reg;
	unsigned number;

	if (is_clock(msr))
		return true;
	if (!in_range(msr) || !find_register(msr, &reg, &number))
		return false;
	reg.box = &u->box[0][number];
	return uncore_advances(&reg);
}

enum access uncore_rdmsr(void *uncore, uint32_t msr, uint64_t *value)
{
	struct uncore *u = uncore;
	struct uncore_reg reg;
	unsigned number;

	switch (msr) {
	case MSR_MISC_FEATURE_CONTROL:
		*value = u->misc_feature_control;
		return ACCESS_DONE;
	case MSR_PCU_C3:
		*value = (u->now - u->origin) / C3_SHARE;
		return ACCESS_DONE;
	case MSR_PCU_C6:
		*value = (u->now - u->origin) / C6_SHARE;
		return ACCESS_DONE;
	}
	if (!in_range(msr))
		return ACCESS_NOT_MINE;
	if (!find_register(msr, &reg, &number))
		return ACCESS_GP;
	reg.box = &u->box[0][number];
	*value = uncore_read(u, reg);
	return ACCESS_DONE;
}

/* Reserved bits are refused, but for those above a counter's width, which are dropped. */
enum access uncore_wrmsr(void *uncore, uint32_t msr, uint64_t value)
{
	struct uncore *u = uncore;
	struct uncore_reg reg;
	unsigned number;

	if (msr == MSR_MISC_FEATURE_CONTROL) {
		if (value & ~MISC_FEATURE_CONTROL_BITS)
			return ACCESS_GP;
		u->misc_feature_control = value;
		return ACCESS_DONE;
	}
	if (is_clock(msr))
		return ACCESS_GP;
	if (!in_range(msr))
		return ACCESS_NOT_MINE;
	if (!find_register(msr, &reg, &number))
		return ACCESS_GP;
	reg.box = &u->box[0][number];
	if (reg.kind != UNCORE_CTR && reg.kind != UNCORE_FIXED_CTR &&
	    value & ~uncore_writable(&reg))
		return ACCESS_GP;
	uncore_write(u, reg, value);
	return ACCESS_DONE;
}
