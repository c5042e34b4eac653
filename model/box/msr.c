/* SPDX-License-Identifier: BSD-2-Clause */
/* The uncore boxes behind MSRs: CBo, UBox and PCU, all of the socket that the program runs on. */
#include "box.h"

#define MSR_MISC_FEATURE_CONTROL  0x1a4u
#define MISC_FEATURE_CONTROL_BITS FIELD(3, 0) /* prefetchers off */
#define MSR_CORE_C3_RESIDENCY     0x3fcu
#define MSR_CORE_C6_RESIDENCY     0x3fdu
#define MSR_UNCORE_FIRST          0xc00u
#define MSR_UNCORE_LAST           0xdffu
#define MSR_CBO                   0xd00u

enum { CBO_STRIDE = 0x20 };

static const struct uncore_place cbo[] = {
	{0x04, 1, 1, UNCORE_BOX_CTL, 0},
	{0x10, 1, 4, UNCORE_CTL, 0},
	{0x14, 1, 1, UNCORE_FILTER, 0},
	{0x16, 1, 4, UNCORE_CTR, 0},
};

static const struct uncore_place ubox[] = {
	{0xc08, 1, 1, UNCORE_CTL, UNCORE_FIXED},
	{0xc09, 1, 1, UNCORE_CTR, UNCORE_FIXED},
	{0xc10, 1, 2, UNCORE_CTL, 0},
	{0xc16, 1, 2, UNCORE_CTR, 0},
};

static const struct uncore_place pcu[] = {
	{0xc24, 1, 1, UNCORE_BOX_CTL, 0},
	{0xc30, 1, 4, UNCORE_CTL, 0},
	{0xc34, 1, 1, UNCORE_FILTER, 0},
	{0xc36, 1, 4, UNCORE_CTR, 0},
};

/* number: of the box in its socket. */
static bool find_register(uint32_t msr, struct reg_id *reg, unsigned *number)
{
	if (msr >= MSR_CBO && msr <= MSR_UNCORE_LAST) {
		*number = BOX_CBO + (msr - MSR_CBO) / CBO_STRIDE;
		return uncore_find(cbo, ARRAY_SIZE(cbo), msr % CBO_STRIDE, reg);
	}
	*number = BOX_UBOX;
	if (uncore_find(ubox, ARRAY_SIZE(ubox), msr, reg))
		return true;
	*number = BOX_PCU;
	return uncore_find(pcu, ARRAY_SIZE(pcu), msr, reg);
}

/* By the SDM they are the core's, and the one that reads them has no deeper sleep than HLT: its
 * CPUID knows no MWAIT, and no port brings one about. */
static bool is_residency(uint32_t msr)
{
	return msr == MSR_CORE_C3_RESIDENCY || msr == MSR_CORE_C6_RESIDENCY;
}

bool uncore_is_listed_msr(uint32_t msr)
{
	struct reg_id reg;
	unsigned number;

	return is_residency(msr) || find_register(msr, &reg, &number);
}

/* The register of a box; ACCESS_DONE: there is one. */
static enum access find_box_register(struct uncore *u, uint32_t msr, struct uncore_box **box,
				     struct reg_id *reg)
{
	unsigned number;

	*reg = (struct reg_id){0};
	if (msr < MSR_UNCORE_FIRST || msr > MSR_UNCORE_LAST)
		return ACCESS_NOT_MINE;
	if (!find_register(msr, reg, &number))
		return ACCESS_GP;
	*box = &u->box[u->home][number];
	return ACCESS_DONE;
}

bool uncore_msr_advances(void *uncore, uint32_t msr)
{
	struct uncore_box *box;
	struct reg_id reg;

	return find_box_register(uncore, msr, &box, &reg) == ACCESS_DONE &&
	       uncore_advances(box, reg);
}

enum access uncore_rdmsr(void *uncore, uint32_t msr, uint64_t *value)
{
	struct uncore *u = uncore;
	struct uncore_box *box;
	struct reg_id reg;
	enum access access;

	switch (msr) {
	case MSR_MISC_FEATURE_CONTROL:
		*value = u->misc_feature_control;
		return ACCESS_DONE;
	case MSR_CORE_C3_RESIDENCY:
	case MSR_CORE_C6_RESIDENCY:
		*value = 0;
		return ACCESS_DONE;
	}
	access = find_box_register(u, msr, &box, &reg);
	if (access == ACCESS_DONE)
		*value = uncore_read(u, box, reg);
	return access;
}

/* Reserved bits are refused, but for those above a counter's width, which are dropped. */
enum access uncore_wrmsr(void *uncore, uint32_t msr, uint64_t value)
{
	struct uncore *u = uncore;
	struct uncore_box *box;
	struct reg_id reg;
	enum access access;

	if (msr == MSR_MISC_FEATURE_CONTROL) {
		if (value & ~MISC_FEATURE_CONTROL_BITS)
			return ACCESS_GP;
		u->misc_feature_control = value;
		return ACCESS_DONE;
	}
	if (is_residency(msr))
		return ACCESS_GP;
	access = find_box_register(u, msr, &box, &reg);
	if (access != ACCESS_DONE)
		return access;
	if (reg.kind != UNCORE_CTR && value & ~uncore_writable(box->traits, reg))
		return ACCESS_GP;
	uncore_write(u, box, reg, value, false);
	return ACCESS_DONE;
}
