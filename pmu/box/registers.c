/* SPDX-License-Identifier: BSD-2-Clause */
/* Registers of a box, wherever they are. */
#include "box.h"

/* In a PCI function counters have two dwords each, and all else one, but for controls with fields
 * in the second. */
struct pmu_reg box_register(const struct box *box, int at, uint8_t bytes)
{
	if (at == NOT_THERE)
		return (struct pmu_reg){.space = REG_NONE};
	if (box->kind->space == REG_MSR)
		return pmu_msr((uint32_t)box->base + (uint32_t)at);
	return (struct pmu_reg){.space = box->kind->space,
				.address = box->base + (uint64_t)at,
				.bytes = bytes,
				.by_dwords = !box->kind->whole};
}

static struct pmu_reg dword_at(const struct box *box, int16_t at)
{
	return box_register(box, at, 4);
}

struct pmu_reg box_ctl(const struct box *box, unsigned ctr)
{
	struct pmu_reg ctl =
		box_register(box, box->kind->at.ctl + (int)ctr * box->kind->at.ctl_step,
			     box->kind->select->unit_mask >> 32 ? 8 : 4);

	ctl.acts = (uint32_t)box->kind->select->reset;
	return ctl;
}

struct pmu_reg box_ctr(const struct box *box, unsigned ctr)
{
	const struct box_kind *kind = box->kind;

	return box_register(box,
			    kind->at.ctr_list ? kind->at.ctr_list[ctr]
					      : kind->at.ctr + (int)ctr * kind->at.ctr_step,
			    8);
}

struct pmu_reg box_gate(const struct box *box)
{
	struct pmu_reg gate = dword_at(box, box->kind->at.gate);

	gate.acts = box_gating(box->kind)->reset_ctls | box_gating(box->kind)->reset_ctrs;
	gate.bit_by_bit = box_gating(box->kind)->bit_by_bit;
	return gate;
}

/* Beyond 100h of a function of their own, where there is one. */
struct pmu_reg box_filter(const struct box *box, unsigned i)
{
	struct pmu_reg filter;

	if (box->no_filter)
		return (struct pmu_reg){.space = REG_NONE};
	if (box->filter_base)
		return (struct pmu_reg){.space = REG_MMIO,
					.address = box->filter_base +
						   (uint64_t)box_filters(box->kind)->reg[i].at,
					.bytes = 4};
	filter = dword_at(box, box_filters(box->kind)->reg[i].at);
	filter.rests = box_filters(box->kind)->rests[i];
	return filter;
}

struct pmu_reg box_global(const struct box *box)
{
	struct pmu_reg global = {.space = REG_NONE};

	if (box->global)
		return (struct pmu_reg){.space = REG_MMIO,
					.address = box->global,
					.bytes = 4,
					.acts = box_gating(box->kind)->reset_ctls |
						box_gating(box->kind)->reset_ctrs};
	if (box->part->global.msr && box->kind->space == REG_MSR) {
		global = pmu_msr(box->part->global.msr);
		global.rests = box->part->global.on;
	}
	return global;
}

struct pmu_reg box_status(const struct pmu *pmu)
{
	return box_register(box_of(pmu), box_of(pmu)->kind->at.status, 8);
}

struct pmu_reg box_clear(const struct pmu *pmu)
{
	return box_register(box_of(pmu), box_of(pmu)->kind->at.clear, 8);
}

struct pmu_reg box_fixed_ctl(const struct pmu *pmu)
{
	struct pmu_reg ctl = dword_at(box_of(pmu), box_of(pmu)->kind->at.fixed_ctl);

	ctl.acts = box_of(pmu)->kind->fixed.reset;
	return ctl;
}

struct pmu_reg box_fixed_ctr(const struct pmu *pmu)
{
	return box_register(box_of(pmu), box_of(pmu)->kind->at.fixed_ctr, 8);
}

void box_select(const struct pmu *pmu, unsigned ctr, const struct box_config *cfg)
{
	pmu_put(pmu, pmu->counter[ctr].ctl, box_encode(box_of(pmu)->kind, cfg));
}

static void put_gate(const struct pmu *pmu, uint64_t value)
{
	if (pmu->bank->gate.space != REG_NONE)
		pmu_put(pmu, pmu->bank->gate, value);
}

void box_freeze(const struct pmu *pmu)
{
	put_gate(pmu, box_gating(box_of(pmu)->kind)->stop);
}

void box_run(const struct pmu *pmu)
{
	put_gate(pmu, box_gating(box_of(pmu)->kind)->run);
}

/* They stand until they are cleared, and nothing that still counts may set them again. */
static void clear_flags(const struct pmu *pmu)
{
	const struct box_interrupts *interrupts = box_of(pmu)->kind->interrupts;

	box_freeze(pmu);
	pmu_put(pmu, box_clear(pmu),
		interrupts ? interrupts->overflows | interrupts->interrupted
			   : BIT(pmu->counters) - 1);
}

/* The fixed counter counts as soon as its control is written to. */
void box_reset(const struct pmu *pmu)
{
	const struct box_kind *kind = box_of(pmu)->kind;

	if (box_has_fixed(pmu) && pmu->bank->touched & pmu_touch_bit(box_fixed_ctl(pmu)))
		pmu_touch(pmu, box_fixed_ctr(pmu));
	if (kind->at.clear)
		clear_flags(pmu);
	pmu_reset_touched(pmu);
	if (kind->read_only && pmu->counters)
		pmu_put(pmu, pmu->bank->gate,
			box_gating(kind)->stop | box_gating(kind)->reset_ctrs);
}

static const struct box_part *stopped; /* of which the boxes of this package are */

bool box_run_package(const struct box_part *part, bool run)
{
	const uint64_t stop_bit = BIT(part->package.stop), run_bit = BIT(part->package.run);
	uint64_t found;

	if (rdmsr_safe(part->package.msr, &found) != FAULT_NONE)
		return false;
	found &= ~(stop_bit | run_bit);
	stopped = run ? NULL : part;
	return wrmsr_safe(part->package.msr, found | (run ? run_bit : stop_bit)) == FAULT_NONE;
}

/* SDM vol. 4, MSR_MISC_FEATURE_CONTROL: of cores of the Atom line bits 0 and 2 are defined. */
static uint64_t prefetchers_of(const struct box_part *part)
{
	const uint32_t core = cpuid_if_there(CPUID_HYBRID, 0).eax;
	const bool atom = field_get(CPUID_1A_EAX_CORE_TYPE, core) == CORE_TYPE_ATOM;

	return part->prefetchers.off & (atom ? BIT(2) | BIT(0) : ~UINT64_C(0));
}

void box_prefetchers(const struct pmu *pmu, bool on)
{
	static uint64_t found;
	static uint32_t off; /* the MSR by which they are */
	const struct box_part *part = (const struct box_part *)pmu->ops;
	const uint32_t msr = part->prefetchers.msr;

	if (!on && !off && msr && rdmsr_safe(msr, &found) == FAULT_NONE &&
	    wrmsr_safe(msr, found | prefetchers_of(part)) == FAULT_NONE)
		off = msr;
	if (on && off && wrmsr_safe(off, found) == FAULT_NONE)
		off = 0;
}

void box_give_back(const struct pmu *pmu)
{
	box_prefetchers(pmu, true);
	if (stopped)
		box_run_package(stopped, true);
	if (pmu->bank->touched)
		box_reset(pmu);
}
