/* SPDX-License-Identifier: BSD-2-Clause */
/* The registers of AMD's core counters and samplers: which there are, what each takes, where it
 * keeps its value. */
#include "amd.h"

#define HELD(member_)    CORE_CELLS(struct pmu_amd, member_, 0)
#define RECORDS(member_) CORE_CELLS(struct pmu_amd, lbr[0].member_, sizeof(struct amd_lbr))
#define PAIR(member_)    CORE_CELLS(struct pmu_amd, pair.member_, sizeof(uint64_t))
#define ANY_ADDRESS      (BIT(63) | FIELD(56, 0)) /* with the flag above it */
#define ANY_VALUE        (~UINT64_C(0))
/* Single steps by branch do nothing here, nor does pin control, which parts before Zen 4 keep. */
#define DEBUGCTL_FREEZING                                                                          \
	(DEBUGCTL_LBR | DEBUGCTL_BTF | DEBUGCTL_FREEZE_LBR | DEBUGCTL_FREEZE_COUNTERS)
#define DEBUGCTL_PINS (DEBUGCTL_LBR | DEBUGCTL_BTF | FIELD(5, 2))
/* In all rings, retired instructions. */
#define RUNS (SELECT_USR | SELECT_OS | SELECT_EN | field_put(SELECT_EVENT, 0xc0))

/* Bits of parts that have that feature of IBS. */
static uint64_t where(const struct amd_traits *traits, uint64_t feature, uint64_t bits)
{
	return traits->ibs & feature ? bits : 0;
}

/* Commands read as 0, as in KVM. */
void amd_lay_out(struct pmu_amd *p)
{
	const struct amd_traits *t = p->traits;
	unsigned extended = t->extended ? t->counters : 0;
	uint64_t all = amd_counter_bits(p), select = t->select_bits;
	unsigned depth = amd_lbr_depth(t), pair = t->pair ? 2 : 0;
	unsigned records = t->brs ? AMD_LBR_DEPTH : depth;
	bool freezes = t->perfmon[0] & PERFMON_FREEZE, ibs = t->ibs;
	uint64_t status = all | (freezes ? STATUS_LBR_FROZEN | STATUS_COUNTERS_FROZEN : 0);
	static const struct ibs_bits without;
	const struct ibs_bits *bits = ibs ? t->ibs_bits : &without;
	const struct register_range ranges[] = {
		{AMD_SELECT, 0xc0010200, extended, CORE_CONTROLS, select, .gap = 1, .runs = RUNS},
		{AMD_COUNTER, 0xc0010201, extended, CORE_VALUES, AMD_COUNTER_MASK, .gap = 1},
		{AMD_SELECT, 0xc0010000, 4, CORE_CONTROLS, select, .alias = extended, .runs = RUNS},
		{AMD_COUNTER, 0xc0010004, 4, CORE_VALUES, AMD_COUNTER_MASK, .alias = extended},
		{AMD_GLOBAL_STATUS, 0xc0000300, t->global, HELD(global_status), status},
		{AMD_GLOBAL_CTL, 0xc0000301, t->global, HELD(global_ctl), all, .runs = all},
		{AMD_GLOBAL_STATUS_CLR, 0xc0000302, t->global, CORE_COMMAND, status},
		{AMD_GLOBAL_STATUS_SET, 0xc0000303, t->global, CORE_COMMAND, status},
		{AMD_LBR_SELECT, 0xc000010e, depth != 0, HELD(lbr_select), FIELD(8, 0)},
		{AMD_LBR_CONFIG, 0xc000010f, depth != 0, HELD(lbr_config), LBR_ENABLE},
		{AMD_BRS_CONFIG, 0xc000010f, t->brs, HELD(brs.config),
		 BRS_ENABLE | BRS_MUST_BE_1 | BRS_VALID | BRS_NEXT | BRS_COUNTER},
		{AMD_LBR_FROM, 0xc0010300, records, RECORDS(from), ANY_ADDRESS, .gap = 1},
		{AMD_LBR_TO, 0xc0010301, records, RECORDS(to), ANY_ADDRESS | BIT(62), .gap = 1},
		{AMD_DEBUGCTL, 0x1d9, freezes || t->pair, HELD(debugctl),
		 freezes ? DEBUGCTL_FREEZING : DEBUGCTL_PINS},
		{AMD_LAST_BRANCH, 0x1db, pair, PAIR(branch), .read_only = true},
		{AMD_LAST_EXCEPTION, 0x1dd, pair, PAIR(exception), .read_only = true},
		{AMD_IBS_FETCH_CTL, 0xc0011030, ibs, HELD(ibs.fetch_ctl),
		 bits->fetch_ctl | where(t, IBS_ZEN4, FETCH_L3_MISS_ONLY)},
		{AMD_IBS_FETCH_LINEAR, 0xc0011031, ibs, HELD(ibs.fetch[FETCH_LINEAR]), ANY_VALUE},
		{AMD_IBS_FETCH_PHYSICAL, 0xc0011032, ibs, HELD(ibs.fetch[FETCH_ADDRESS]),
		 FIELD(47, 0)},
		{AMD_IBS_OP_CTL, 0xc0011033, ibs, HELD(ibs.op_ctl),
		 bits->op_ctl | where(t, IBS_ZEN4, OP_L3_MISS_ONLY) |
			 where(t, IBS_LDLAT, OP_LDLAT)},
		{AMD_IBS_OP_RIP, 0xc0011034, ibs, HELD(ibs.op[OP_RIP]), ANY_VALUE},
		{AMD_IBS_OP_DATA, 0xc0011035, ibs, HELD(ibs.op[OP_DATA]), bits->data},
		{AMD_IBS_OP_DATA2, 0xc0011036, ibs, HELD(ibs.op[OP_DATA2]),
		 FIELD(5, 4) | FIELD(2, 0) | where(t, IBS_ZEN4, FIELD(7, 6))},
		{AMD_IBS_OP_DATA3, 0xc0011037, ibs, HELD(ibs.op[OP_DATA3]), bits->data3},
		{AMD_IBS_OP_LINEAR, 0xc0011038, ibs, HELD(ibs.op[OP_LINEAR]), ANY_VALUE},
		{AMD_IBS_OP_PHYSICAL, 0xc0011039, ibs, HELD(ibs.op[OP_PHYSICAL]), FIELD(47, 0)},
		{AMD_IBS_CONTROL, 0xc001103a, ibs, HELD(ibs.control), .read_only = true},
		{AMD_IBS_TARGET, 0xc001103b, (t->ibs & IBS_BRN_TRGT) != 0, HELD(ibs.op[OP_TARGET]),
		 ANY_VALUE},
		{AMD_IBS_FETCH_EXTD, 0xc001103c, (t->ibs & IBS_FETCH_CTL_EXTD) != 0,
		 HELD(ibs.fetch[FETCH_EXTD]), .read_only = true},
		{AMD_IBS_OP_CTL2, 0xc001103e, ibs, HELD(ibs.op_ctl2), OP_CTL2},
		{AMD_IBS_FETCH_CTL2, 0xc001103f, ibs, HELD(ibs.fetch_ctl2), FETCH_CTL2},
	};

	core_lay_out(&p->core, ranges, ARRAY_SIZE(ranges));
}

/* ---- which bits of select registers are documented to do something ---- */

/* Bits of event select and unit mask that some event has; unit masks that are codes need all. */
static uint64_t used(const struct amd_traits *traits, bool *has_codes)
{
	uint64_t bits = 0;

	*has_codes = false;
	for (const struct amd_event *event = traits->events; event->code; event++) {
		uint64_t units = (BIT(event->sub_events) - 1) << event->first_bit;

		*has_codes |= event->all_code;
		bits |= field_put(SELECT_EVENT, event->code & 0xff) |
			field_put(SELECT_EVENT_HIGH, event->code >> 8) |
			field_put(SELECT_UNIT_MASK, event->all_code ? event->all_code : units);
	}
	return bits;
}

const char *amd_unseen(const void *traits_, const struct pmu_register *reg, uint64_t bit,
		       bool inverted)
{
	const struct amd_traits *traits = traits_;
	bool has_codes;
	uint64_t bits = used(traits, &has_codes);

	if (reg->counter < 0)
		return ibs_unseen(reg, bit, inverted);
	if (bit == SELECT_PC)
		return "pin control drives a pin, which no software sees";
	if (bit & SELECT_UNIT_MASK && !(bits & bit) && !(inverted && has_codes))
		return "no documented event has this bit in its unit mask";
	if (inverted)
		return NULL;
	if (bit & (SELECT_EVENT | SELECT_EVENT_HIGH) && !(bits & bit))
		return "no documented event has this bit in its number";
	if (bit & SELECT_CMASK && field_get(SELECT_CMASK, bit) > traits->threshold_most)
		return "the manual documents lower thresholds only";
	return NULL;
}
