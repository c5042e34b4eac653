/* SPDX-License-Identifier: BSD-2-Clause */
/* Faults of the interrupt of instruction-based sampling, and of the LVT entry that it goes by. */
#include "amd.h"

#undef MODELS
#define MODELS  (MODEL_K10 | MODEL_PILEDRIVER | MODEL_JAGUAR | MODEL_ZEN2 | MODEL_ZEN4)

#define OPS     .counters = BIT(AMD_IBS_OPS)
#define FETCHES .counters = BIT(AMD_IBS_FETCHES)

/* ---- what is requested ---- */

#define TAKES_ONE .as_lawful = "a local APIC that masks the entry at delivery takes one of both"

FAULT_DO(ibs_interrupt_lost, "ibs_op.*.samples.interrupts", "no sample of an op interrupts",
	 announce, at->requests = 0, OPS);
FAULT_BODY(ibs_every_third_interrupt_lost, "ibs_op.*.samples.interrupts",
	   "every third sample of an op does not interrupt", announce, OPS)
{
	if (++at->memory[at->ctr] % 3 == 0)
		at->requests = 0;
}
FAULT_DO(ibs_interrupt_twice, "ibs_op.*.samples.interrupts",
	 "each sample of an op interrupts twice", announce, at->requests *= 2, OPS, TAKES_ONE);
FAULT_DO(ibs_interrupt_of_next_entry, "ibs_op.*.samples.interrupts",
	 "a sample of an op interrupts by the entry behind that of IbsControl", announce,
	 at->value++, OPS);
FAULT_BODY(
	ibs_second_interrupt_lost, "ibs_op.*.samples.both_at_once",
	"no sample of an op interrupts while the engine of fetches is enabled, nor one of a fetch "
	"while that of ops is",
	announce)
{
	const struct ibs *ibs = &((struct pmu_amd *)at->pmu)->ibs;

	if (ibs->op_ctl & OP_EN && ibs->fetch_ctl & FETCH_EN)
		at->requests = 0;
}
FAULT_DO(ibs_fetch_interrupt_lost, "ibs_fetch.*.samples.interrupts",
	 "no sample of a fetch interrupts", announce, at->requests = 0, FETCHES);
FAULT_DO(ibs_fetch_interrupt_twice, "ibs_fetch.*.samples.interrupts",
	 "each sample of a fetch interrupts twice", announce, at->requests *= 2, FETCHES,
	 TAKES_ONE);

/* ---- how the local APIC takes the entry ---- */

#define LVT_MODE     FIELD(10, 8) /* 0: fixed */
#define LVT_MODE_NMI BIT(10)
#define LVT_MASKED   BIT(16)

#define ENTRY_FAULT(name_, test_, says_, ...)                                                      \
	SEEDED(name_, #name_, MODELS, test_, says_, .extended_lvt = {__VA_ARGS__})

ENTRY_FAULT(ibs_mask_ignored, "ibs_*.samples.masked",
	    "a sample interrupts though its LVT entry is masked", .clear = LVT_MASKED);
ENTRY_FAULT(ibs_nmi_ignored, "ibs_*.samples.interrupts_nmi",
	    "the LVT entry of samples has no NMI mode", .clear = LVT_MODE);
ENTRY_FAULT(ibs_nmi_lost, "ibs_*.samples.interrupts_nmi",
	    "the LVT entry of samples in NMI mode delivers nothing", .when = LVT_MODE_NMI,
	    .set = LVT_MASKED);
ENTRY_FAULT(ibs_fixed_lost, "ibs_*.samples.interrupts",
	    "the LVT entry of samples in fixed mode delivers nothing", .unless = LVT_MODE,
	    .set = LVT_MASKED);
ENTRY_FAULT(ibs_fixed_is_nmi, "ibs_*.samples.interrupts",
	    "the LVT entry of samples interrupts as NMI in any mode", .set = LVT_MODE_NMI);
ENTRY_FAULT(ibs_vector_bit_stuck, "ibs_*.samples.interrupts",
	    "bit 0 of the vector of samples is stuck at 0", .unless = LVT_MODE, .clear = BIT(0));
