/* SPDX-License-Identifier: BSD-2-Clause */
/* IN_TX and IN_TXCP of event selects: what a part does that has transactions, as hooks; and the
 * seeded faults of it.  Intel SDM vol. 3B, 20.3.6.5. */
#include "intel.h"

#define IN_TX   BIT(32)
#define IN_TXCP BIT(33)
#define TX_BITS (IN_TX | IN_TXCP)

/* And of MSR_TSX_FORCE_ABORT. */
const struct cpuid_lie intel_tells_of_rtm = {.leaf = 7, .set = {0, BIT(11), 0, BIT(13)}};

/* Counter 2 alone has the other bit. */
static uint64_t tx_bits(const struct point *at)
{
	if (at->reg.kind != INTEL_EVTSEL)
		return 0;
	return at->reg.number == 2 ? TX_BITS : IN_TX;
}

void intel_takes_tx(struct point *at)
{
	const uint64_t bits = tx_bits(at);

	if (at->raw & bits && !(at->raw & ~(bits | intel(at)->traits->select_bits)))
		at->access = ACCESS_DONE;
}

void intel_keeps_tx(struct point *at)
{
	at->value |= at->raw & tx_bits(at);
}

/* Nothing is in a transaction: all of nothing counts, or nothing is left out. */
void intel_is_in_no_tx(struct point *at)
{
	if (at->counter[at->ctr].control & IN_TX)
		at->set->user = at->set->os = false;
}

static void leaves_out_all(struct point *at)
{
	intel_is_in_no_tx(at);
	if (at->counter[at->ctr].control & IN_TXCP)
		at->set->user = at->set->os = false;
}

#define TX_FAULT(name_, test_, says_, ...)                                                         \
	SEEDED(name_, #name_, MODEL_SKYLAKE, "intel." test_ ".select.outside_transactions", says_, \
	       DEFECT(.refused = intel_takes_tx, .kept = intel_keeps_tx,                           \
		      .as_lawful = "with SKL179 the bits act as they should", __VA_ARGS__),        \
	       .cpuid = &intel_tells_of_rtm)

TX_FAULT(in_tx_dead, "*", "IN_TX has no effect");
TX_FAULT(in_txcp_leaves_out_all, "2", "IN_TXCP leaves out what is in no transaction, too",
	 .setting = leaves_out_all);
