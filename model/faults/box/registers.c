/* SPDX-License-Identifier: BSD-2-Clause */
/* Seeded faults of the uncore's registers: what they hold, reset and alias. */
#include "box.h"

/* ---- one register in place of another ---- */

UNCORE_FAULT_DO(channel_1_is_0, BIT(BOX_IMC + 1), "imc*.access.no_alias",
		"channel 1 has the registers of channel 0", address, at->box = box_beside(at, -1));
UNCORE_FAULT_DO(slice_7_is_3, SLICE(7), "cbo*.access.no_alias",
		"slice 7 has counters 1 to 3 of slice 3", address, at->box = box_beside(at, -4),
		.registers = BIT(UNCORE_CTR), .counters = FIELD(3, 1));
UNCORE_FAULT(counter_3_is_1, R2PCIE, "r2pcie.*.access.no_alias",
	     "counter 3 of the R2PCIe box is its counter 1", .address = answers_for, .arg = 1,
	     .registers = BIT(UNCORE_CTR), .counters = BIT(3));
UNCORE_FAULT_DO(socket_1_is_0, HA, "ha*.access.no_alias",
		"the home agent's registers of both sockets are the same", address,
		at->box = &((struct uncore *)at->pmu)->box[0][BOX_HA], .sockets = 2);
UNCORE_FAULT_DO(slices_share_a_filter, SLICES, "cbo*.access.filter_holds,cbo*.access.no_alias",
		"all slices have the filter register of slice 0", address,
		at->box = box_beside(at, -(int)at->place), .registers = BIT(UNCORE_FILTER));
UNCORE_FAULT(ubox1_is_ubox0, UBOX, "ubox.*.access.no_alias",
	     "counter 1 of the UBox is its counter 0", .address = answers_for, .arg = 0,
	     .registers = BIT(UNCORE_CTR), .counters = BIT(1));
UNCORE_FAULT(mask1_is_mask0, QPI, "qpi0.*.access.filter_holds", "PKT_MASK1 of QPI is its PKT_MASK0",
	     .address = answers_for, .arg = FILTER_MASK0, .registers = BIT(UNCORE_FILTER),
	     .counters = BIT(FILTER_MASK1));

/* ---- bits that are lost ---- */

UNCORE_FAULT_DO(high_write_lost, CHANNELS, "imc0.*.access.counter_holds",
		"a write of a channel counter's high dword is lost", kept,
		at->value = at->high_half ? at->old : at->value);
UNCORE_FAULT_DO(high_write_clears_low, HA, "ha.*.access.counter_holds",
		"a write of a home agent counter's high dword clears the low one", kept,
		at->value &= at->high_half ? FIELD(63, 32) : FIELD(63, 0));
UNCORE_FAULT_DO(fixed_high_write_lost, CHANNELS, "imc0.*.access.fixed_holds",
		"a write of a channel's fixed counter's high dword is lost", kept,
		at->value = at->high_half ? at->old : at->value, .counters = BIT(UNCORE_FIXED));
UNCORE_FAULT(counter_bit_stuck, R3QPI, "r3qpi0.*.access.counter_holds",
	     "bit 20 of counter 2 of the R3QPI box reads 0", .counters = BIT(2),
	     SHOWS(UNCORE_CTR, .clear = BIT(20)));
UNCORE_FAULT(invert_bit_lost, QPI, "qpi0.*.access.control_holds",
	     "the invert bit of QPI cannot be set", KEEPS(UNCORE_CTL, .clear = CTL_INVERT));
UNCORE_FAULT(tid_en_bit_lost, SLICES, "cbo0.*.access.control_holds",
	     "the tid_en bit of a slice cannot be set", KEEPS(UNCORE_CTL, .clear = CTL_TID_EN));
UNCORE_FAULT(opc_bit_lost, SLICES, "cbo0.*.access.filter_holds",
	     "the top bit of a slice's opcode filter cannot be set",
	     KEEPS(UNCORE_FILTER, .clear = BIT(31)));
UNCORE_FAULT(addrmatch1_dead, HA, "ha.*.access.filter_holds", "the home agent's ADDRMATCH1 stays 0",
	     .counters = BIT(FILTER_ADDRMATCH1), KEEPS(UNCORE_FILTER, .clear = FIELD(31, 0)));
UNCORE_FAULT(band_3_dead, PCU, "pcu.*.access.filter_holds", "band 3 of the PCU's filter stays 0",
	     KEEPS(UNCORE_FILTER, .clear = FIELD(31, 24)));

/* ---- resets ---- */

UNCORE_FAULT(rst_ctrs_dead, SLICES, "cbo0.*.access.resets", "rst_ctrs of a slice clears no counter",
	     KEEPS(UNCORE_BOX_CTL, .clear = BOX_CTL_RST_CTRS));
UNCORE_FAULT(rst_ctrl_dead, PCU, "pcu.*.access.resets",
	     "rst_ctrl of the PCU clears no control register",
	     KEEPS(UNCORE_BOX_CTL, .clear = BOX_CTL_RST_CTRL));
UNCORE_FAULT(rst_dead, UBOX, "ubox.*.access.resets",
	     "the rst bit of a UBox control register clears nothing",
	     KEEPS(UNCORE_CTL, .clear = CTL_RST));
UNCORE_FAULT(fixed_rst_dead, CHANNELS, "imc0.*.access.fixed_holds",
	     "the rst bit of a channel's fixed control clears nothing",
	     .counters = BIT(UNCORE_FIXED), KEEPS(UNCORE_CTL, .clear = FIXED_CTL_RST));
UNCORE_FAULT_DO(rst_ctrs_clears_controls, QPI, "qpi0.*.access.resets",
		"rst_ctrs of QPI clears the control registers too", kept,
		at->value |= at->value & BOX_CTL_RST_CTRS ? BOX_CTL_RST_CTRL : 0,
		.registers = BIT(UNCORE_BOX_CTL));

static void clear_neighbour(struct point *at)
{
	if (at->value & CTL_RST)
		at->counter[(at->ctr + 1) % at->count].value = 0;
}

UNCORE_FAULT(rst_clears_neighbour, R2PCIE, "r2pcie.*.access.resets",
	     "the rst bit of an R2PCIe control register clears the next counter too",
	     .kept = clear_neighbour, .registers = BIT(UNCORE_CTL));

/* ---- widths ---- */

/* Out of the bits of arg. */
static void carry_lost(struct point *at)
{
	at->value = (at->old & ~at->defect->arg) | (at->value & at->defect->arg);
}

UNCORE_FAULT(carry_into_high_lost, CHANNELS,
	     "imc0.*.access.running_read,imc0.*.access.counter_wraps",
	     "a channel counter's carry into its high dword is lost", .hold = carry_lost,
	     .arg = FIELD(31, 0), .counters = FIELD(UNCORE_COUNTERS - 1, 0));
UNCORE_FAULT(carry_into_44_lost, QPI, "qpi0.*.access.counter_wraps",
	     "a QPI counter's carry into bit 44 is lost", .hold = carry_lost, .arg = FIELD(43, 0));
UNCORE_FAULT(carry_into_40_lost, SLICES, "cbo0.*.access.counter_wraps",
	     "a slice counter's carry into bit 40 is lost", .hold = carry_lost,
	     .arg = FIELD(39, 0));
UNCORE_FAULT_DO(saturates, PCU, "pcu.*.access.counter_wraps",
		"PCU counters stop at their maximum instead of wrapping", hold,
		at->value = at->value < at->old ? at->mask : at->value);
