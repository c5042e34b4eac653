/* SPDX-License-Identifier: BSD-2-Clause */
/* Architectural last branch records: SDM vol. 3B, chapter 19, leaf 1CH; and what differs between
 * them and those of a model's own. */
#include "intel.h"
#include "kernel/lib/string.h"
#include "model/pmu/branches.h"

#define CTL_OS         BIT(1)
#define CTL_USR        BIT(2)
#define CTL_FIRST_KIND 16

#define INFO_TYPE      FIELD(59, 56)
#define INFO_EVENTS    FIELD(39, 32)
#define LOG_MOST       UINT64_C(3)

/* By their bits of IA32_LBR_CTL, from the first on. */
static const struct {
	uint64_t kind; /* the bit of MSR_LBR_SELECT */
	uint8_t type; /* of the record */
} kinds[] = {
	{BRANCHES_JCC, 0},      {BRANCHES_REL_JMP, 2},  {BRANCHES_IND_JMP, 1},
	{BRANCHES_REL_CALL, 4}, {BRANCHES_IND_CALL, 3}, {BRANCHES_RETURN, 5},
	{BRANCHES_FAR, 6},
};

uint64_t intel_lbr_ctl(const struct pmu_intel *p)
{
	return core_acting(&p->core, INTEL_ARCH_LBR_CTL, 0, p->lbr_ctl);
}

unsigned intel_lbr_depth(const struct pmu_intel *p)
{
	return (unsigned)core_acting(&p->core, INTEL_ARCH_LBR_DEPTH, 0, p->lbr_depth);
}

bool intel_lbr_enabled(const struct pmu_intel *p)
{
	if (intel_lbr_is_architectural(p->traits))
		return intel_lbr_ctl(p) & LBR_CTL_EN;
	return p->debugctl & DEBUGCTL_LBR;
}

bool intel_lbr_takes_depth(const struct intel_traits *traits, uint64_t depth)
{
	return depth % 8 == 0 && depth >= 8 && depth <= 64 &&
	       traits->lbr.depths >> (depth / 8 - 1) & 1;
}

/* The first record behind that has nothing to count its clocks from. */
void intel_lbr_write_ctl(struct pmu_intel *p, uint64_t value)
{
	p->lbr_ctl = value;
	p->lbr_timed = false;
}

void intel_lbr_write_depth(struct pmu_intel *p, uint64_t value)
{
	p->lbr_depth = value;
	p->lbr_timed = false;
	p->lbr_log = 0;
	memset(p->lbr, 0, sizeof(p->lbr));
}

/* ---- the filter ---- */

static uint64_t ring_left_out(uint64_t ctl, unsigned cpl)
{
	return !(ctl & (cpl ? CTL_USR : CTL_OS));
}

uint64_t intel_lbr_left_out(const struct pmu_intel *p)
{
	const uint64_t ctl = intel_lbr_ctl(p);
	uint64_t left_out = (ring_left_out(ctl, 0) ? BRANCHES_CPL_EQ_0 : 0) |
			    (ring_left_out(ctl, 3) ? BRANCHES_CPL_NEQ_0 : 0);

	for (unsigned i = 0; i < ARRAY_SIZE(kinds); i++)
		if (!(ctl >> (CTL_FIRST_KIND + i) & 1))
			left_out |= kinds[i].kind;
	return left_out;
}

/* ---- a record ---- */

static uint64_t type_of(const struct branch *branch)
{
	const uint64_t kind = branches_kind(branch);
	unsigned i = 0;

	while (kinds[i].kind != kind)
		i++;
	return field_put(INFO_TYPE, kinds[i].type);
}

void intel_lbr_note(struct pmu_intel *p, unsigned ctr, uint64_t amount)
{
	const uint64_t field = FIELD(1, 0) << 2 * ctr,
		       events = field_get(field, p->lbr_log) + amount;

	p->lbr_log &= ~field;
	p->lbr_log |= field_put(field, events < LOG_MOST ? events : LOG_MOST);
}

/* One that comes from a ring that is kept out does not tell from where. */
struct intel_lbr intel_lbr_record(const struct pmu_intel *p, const struct branch *branch,
				  uint64_t cycles)
{
	const bool hidden = ring_left_out(intel_lbr_ctl(p), branch->before);

	return (struct intel_lbr){
		.from = hidden ? ~UINT64_C(0) : branch->from,
		.to = branch->to,
		.info = type_of(branch) | field_put(INFO_EVENTS, p->lbr_log) |
			(p->lbr_timed ? LBR_INFO_TIMED | cycles : 0),
	};
}

/* ---- the stack ---- */

void intel_lbr_push(struct pmu_intel *p, const struct intel_lbr *entry)
{
	memmove(p->lbr + 1, p->lbr, (intel_lbr_depth(p) - 1) * sizeof(*p->lbr));
	p->lbr[0] = *entry;
	p->lbr_timed = true;
	p->lbr_log = 0;
}

void intel_lbr_pop(struct pmu_intel *p)
{
	const unsigned last = intel_lbr_depth(p) - 1;

	memmove(p->lbr, p->lbr + 1, last * sizeof(*p->lbr));
	p->lbr[last] = (struct intel_lbr){0, 0, 0};
}

const struct intel_lbr *intel_lbr_of_age(const struct pmu_intel *p, unsigned age)
{
	const unsigned depth = p->traits->lbr.depth;

	return &p->lbr[intel_lbr_is_architectural(p->traits) ? age
							     : (p->lbr_tos + depth - age) % depth];
}

void intel_lbr_clock(struct pmu_intel *p, const struct clock *clock)
{
	if (intel_lbr_is_architectural(p->traits) && clock->n[SIGNAL_OUTCOME + TAKEN_MISPREDICTED])
		p->lbr[0].info |= LBR_INFO_MISSED;
	p->lbr_inserts = 0;
}
