/* SPDX-License-Identifier: BSD-2-Clause */
/* Seeded faults of the uncore's registers: what they hold, reset and alias. */
#include "box.h"

/* ---- by fields, which each kind of boxes has where it wants ---- */

uint64_t field_at(const struct point *at, enum uncore_field field)
{
	return uncore_field_in(box_of(at)->kind, field, at->reg);
}

/* The bits of the defect's field, or arg in it. */
static uint64_t bits_of(const struct point *at)
{
	uint64_t field = field_at(at, at->defect->field);

	return field && at->defect->arg ? at->defect->arg << field_shift(field) & field : field;
}

void clears_field(struct point *at)
{
	at->value &= ~bits_of(at);
}

void keeps_lowest(struct point *at)
{
	uint64_t others = at->value & bits_of(at);

	at->value &= ~(others & (others - 1));
}

void sets_field(struct point *at)
{
	at->value |= bits_of(at);
}

/* ---- one register in place of another ---- */

BOX_FAULT_DO(channel_1_is_0, CHANNELS, "imc*.access.no_alias",
	     "channel 1 has the registers of channel 0", address, at->box = box_beside(at, -1),
	     ONLY(1));
BOX_FAULT_DO(slice_7_is_3, SLICES, "c*.access.no_alias", "slice 7 has counters 1 to 3 of slice 3",
	     address, at->box = box_beside(at, -4), .registers = BIT(UNCORE_CTR),
	     .counters = FIELD(3, 1), ONLY(7));
BOX_FAULT(counter_3_is_1, IO_FABRIC, "r2pcie.*.access.no_alias",
	  "counter 3 of the R2PCIe box is its counter 1", .address = answers_for, .arg = 1,
	  .registers = BIT(UNCORE_CTR), .counters = BIT(3));
BOX_FAULT_DO(socket_1_is_0, HOMES, "ha*.access.no_alias",
	     "the home agent's registers of both sockets are the same", address,
	     at->box = &((struct uncore *)at->pmu)->box[0][box_of(at)->place], .sockets = 2);
BOX_FAULT_DO(slices_share_a_filter, SLICES, "c*.access.filter_holds,c*.access.no_alias",
	     "all slices have the filter register of slice 0", address,
	     at->box = box_beside(at, -(int)box_of(at)->number), .registers = BIT(UNCORE_FILTER));
BOX_FAULT(ubox1_is_ubox0, SYSTEM, "ubox.*.access.no_alias",
	  "counter 1 of the UBox is its counter 0", .address = answers_for, .arg = 0,
	  .registers = BIT(UNCORE_CTR), .counters = BIT(1));
BOX_FAULT(mask1_is_mask0, LINKS, "qpi0.*.access.filter_holds", "PKT_MASK1 of QPI is its PKT_MASK0",
	  .address = answers_for, .arg = FILTER_MASK0, .registers = BIT(UNCORE_FILTER),
	  .counters = BIT(FILTER_MASK1));

BOX_FAULT_DO(sbo_1_is_0, RING_SWITCHES, "sbo*.access.no_alias",
	     "the second box between rings has the registers of the first", address,
	     at->box = box_beside(at, -1), ONLY(1));

/* ---- bits that are lost ---- */

BOX_FAULT_DO(high_write_lost, CHANNELS, "imc0.*.access.counter_holds",
	     "a write of a channel counter's high dword is lost", kept,
	     at->value = at->high_half ? at->old : at->value);
BOX_FAULT_DO(high_write_clears_low, HOMES, "ha*.*.access.counter_holds",
	     "a write of a home agent counter's high dword clears the low one", kept,
	     at->value &= at->high_half ? FIELD(63, 32) : FIELD(63, 0));
BOX_FAULT_DO(fixed_high_write_lost, CHANNELS, "imc0.*.access.fixed_holds",
	     "a write of a channel's fixed counter's high dword is lost", kept,
	     at->value = at->high_half ? at->old : at->value, .counters = BIT(UNCORE_FIXED));
BOX_FAULT(counter_bit_stuck, LINK_FABRIC, "r3qpi0.*.access.counter_holds",
	  "bit 20 of counter 2 of the R3QPI box reads 0", .counters = BIT(2),
	  SHOWS(UNCORE_CTR, .clear = BIT(20)));
BOX_FAULT(invert_bit_lost, LINKS, "qpi0.*.access.control_holds",
	  "the invert bit of QPI cannot be set", CLEARS(kept, CTL_INVERT, ALL_OF_IT));
BOX_FAULT(tid_en_bit_lost, SLICES, "c*0.*.access.control_holds",
	  "the tid_en bit of a slice cannot be set", CLEARS(kept, CTL_THREAD, ALL_OF_IT));
BOX_FAULT(opc_bit_lost, SLICES, "c*0.*.access.filter_holds",
	  "the top bit of a slice's opcode filter cannot be set",
	  CLEARS(kept, FILTER_OPCODE, BIT(8)));
BOX_FAULT(addrmatch1_dead, HOMES, "ha*.*.access.filter_holds",
	  "the home agent's ADDRMATCH1 stays 0", .counters = BIT(FILTER_ADDRMATCH1),
	  KEEPS(UNCORE_FILTER, .clear = FIELD(31, 0)));
BOX_FAULT(band_3_dead, POWER, "pcu.*.access.filter_holds", "band 3 of the PCU's filter stays 0",
	  KEEPS(UNCORE_FILTER, .clear = FIELD(31, 24)));

/* ---- resets ---- */

BOX_FAULT(rst_ctrs_dead, SLICES, "c*0.*.access.resets", "rst_ctrs of a slice clears no counter",
	  CLEARS(kept, GATE_RESET_COUNTERS, ALL_OF_IT));
BOX_FAULT(rst_ctrl_dead, POWER, "pcu.*.access.resets",
	  "rst_ctrl of the PCU clears no control register",
	  CLEARS(kept, GATE_RESET_CONTROLS, ALL_OF_IT));
BOX_FAULT(rst_dead, SYSTEM, "ubox.*.access.resets",
	  "the rst bit of a UBox control register clears nothing",
	  CLEARS(kept, CTL_RESET, ALL_OF_IT));
BOX_FAULT(fixed_rst_dead, CHANNELS, "imc0.*.access.fixed_holds",
	  "the rst bit of a channel's fixed control clears nothing",
	  CLEARS(kept, FIXED_RESET, ALL_OF_IT));
BOX_FAULT_DO(rst_ctrs_clears_controls, LINKS, "qpi0.*.access.resets",
	     "rst_ctrs of QPI clears the control registers too", kept,
	     at->value |=
	     at->value & field_at(at, GATE_RESET_COUNTERS) ? field_at(at, GATE_RESET_CONTROLS) : 0,
	     .field = GATE_RESET_COUNTERS);

static void clear_neighbour(struct point *at)
{
	if (at->value & field_at(at, CTL_RESET))
		at->counter[(at->ctr + 1) % at->count].value = 0;
}

BOX_FAULT(rst_clears_neighbour, IO_FABRIC, "r2pcie.*.access.resets",
	  "the rst bit of an R2PCIe control register clears the next counter too",
	  .kept = clear_neighbour, .field = CTL_RESET);

/* ---- widths ---- */

void carry_lost(struct point *at)
{
	at->value = (at->old & ~at->defect->arg) | (at->value & at->defect->arg);
}

BOX_FAULT(carry_into_high_lost, CHANNELS, "imc0.*.access.running_read,imc0.*.access.counter_wraps",
	  "a channel counter's carry into its high dword is lost", .hold = carry_lost,
	  .arg = FIELD(31, 0), .counters = FIELD(3, 0));
BOX_FAULT(carry_into_44_lost, LINKS, "qpi0.*.access.counter_wraps",
	  "a QPI counter's carry into bit 44 is lost", .hold = carry_lost, .arg = FIELD(43, 0));
BOX_FAULT(carry_into_40_lost, SLICES, "c*0.*.access.counter_wraps",
	  "a slice counter's carry into bit 40 is lost", .hold = carry_lost, .arg = FIELD(39, 0));
BOX_FAULT_DO(saturates, POWER, "pcu.*.access.counter_wraps",
	     "PCU counters stop at their maximum instead of wrapping", hold,
	     at->value = at->value < at->old ? at->mask : at->value);

APART_FAULT(pcu, POWER, "the counters of the power control unit");
