/* SPDX-License-Identifier: BSD-2-Clause */
/* Seeded faults of the uncore's registers: what they hold, reset and alias. */
#include "snbep.h"

static bool is_of(const struct uncore_reg *reg, enum uncore_kind kind, enum uncore_register which)
{
	return reg->box->traits->kind == kind && reg->kind == which;
}

/* ---- one register in place of another ---- */

static void channel_1_is_0(struct uncore *u, struct uncore_reg *reg)
{
	if (reg->box->number == BOX_IMC + 1)
		reg->box = &u->box[reg->box->socket][BOX_IMC];
}

static void slice_7_is_3(struct uncore *u, struct uncore_reg *reg)
{
	if (reg->box->number == BOX_CBO + 7 && reg->kind == UNCORE_CTR && reg->number)
		reg->box = &u->box[reg->box->socket][BOX_CBO + 3];
}

static void counter_3_is_1(struct uncore *u, struct uncore_reg *reg)
{
	(void)u;
	if (is_of(reg, UNCORE_R2PCIE, UNCORE_CTR) && reg->number == 3)
		reg->number = 1;
}

static void socket_1_is_0(struct uncore *u, struct uncore_reg *reg)
{
	if (reg->box->traits->kind == UNCORE_HA)
		reg->box = &u->box[0][BOX_HA];
}

static void slices_share_a_filter(struct uncore *u, struct uncore_reg *reg)
{
	if (is_of(reg, UNCORE_CBO, UNCORE_FILTER))
		reg->box = &u->box[reg->box->socket][BOX_CBO];
}

static void ubox1_is_ubox0(struct uncore *u, struct uncore_reg *reg)
{
	(void)u;
	if (is_of(reg, UNCORE_UBOX, UNCORE_CTR))
		reg->number = 0;
}

static void mask1_is_mask0(struct uncore *u, struct uncore_reg *reg)
{
	(void)u;
	if (is_of(reg, UNCORE_QPI, UNCORE_FILTER) && reg->number == FILTER_MASK1)
		reg->number = FILTER_MASK0;
}

/* ---- bits that are lost ---- */

static uint64_t high_write_lost(const struct uncore_reg *reg, bool high, uint64_t old,
				uint64_t value)
{
	return high && reg->box->traits->kind == UNCORE_IMC ? old : value;
}

static uint64_t high_write_clears_low(const struct uncore_reg *reg, bool high, uint64_t old,
				      uint64_t value)
{
	(void)old;
	return high && reg->box->traits->kind == UNCORE_HA ? value & FIELD(63, 32) : value;
}

static uint64_t fixed_high_write_lost(const struct uncore_reg *reg, bool high, uint64_t old,
				      uint64_t value)
{
	return high && reg->kind == UNCORE_FIXED_CTR ? old : value;
}

static uint64_t counter_bit_stuck(struct uncore *u, const struct uncore_reg *reg, uint64_t value)
{
	(void)u;
	return is_of(reg, UNCORE_R3QPI, UNCORE_CTR) && reg->number == 2 ? value & ~BIT(20) : value;
}

static uint64_t invert_bit_lost(struct uncore *u, const struct uncore_reg *reg, uint64_t value)
{
	(void)u;
	return is_of(reg, UNCORE_QPI, UNCORE_CTL) ? value & ~CTL_INVERT : value;
}

static uint64_t tid_en_bit_lost(struct uncore *u, const struct uncore_reg *reg, uint64_t value)
{
	(void)u;
	return is_of(reg, UNCORE_CBO, UNCORE_CTL) ? value & ~CTL_TID_EN : value;
}

static uint64_t opc_bit_lost(struct uncore *u, const struct uncore_reg *reg, uint64_t value)
{
	(void)u;
	return is_of(reg, UNCORE_CBO, UNCORE_FILTER) ? value & ~BIT(31) : value;
}

static uint64_t addrmatch1_dead(struct uncore *u, const struct uncore_reg *reg, uint64_t value)
{
	(void)u;
	return is_of(reg, UNCORE_HA, UNCORE_FILTER) && reg->number == FILTER_ADDRMATCH1 ? 0 : value;
}

static uint64_t band_3_dead(struct uncore *u, const struct uncore_reg *reg, uint64_t value)
{
	(void)u;
	return is_of(reg, UNCORE_PCU, UNCORE_FILTER) ? value & ~FIELD(31, 24) : value;
}

/* ---- resets ---- */

static uint64_t rst_ctrs_dead(struct uncore *u, const struct uncore_reg *reg, uint64_t value)
{
	(void)u;
	return is_of(reg, UNCORE_CBO, UNCORE_BOX_CTL) ? value & ~BOX_CTL_RST_CTRS : value;
}

static uint64_t rst_ctrl_dead(struct uncore *u, const struct uncore_reg *reg, uint64_t value)
{
	(void)u;
	return is_of(reg, UNCORE_PCU, UNCORE_BOX_CTL) ? value & ~BOX_CTL_RST_CTRL : value;
}

static uint64_t rst_dead(struct uncore *u, const struct uncore_reg *reg, uint64_t value)
{
	(void)u;
	return is_of(reg, UNCORE_UBOX, UNCORE_CTL) ? value & ~CTL_RST : value;
}

static uint64_t fixed_rst_dead(struct uncore *u, const struct uncore_reg *reg, uint64_t value)
{
	(void)u;
	return is_of(reg, UNCORE_IMC, UNCORE_FIXED_CTL) ? value & ~FIXED_CTL_RST : value;
}

static void rst_ctrs_clears_controls(struct uncore *u, const struct uncore_reg *reg, uint64_t value)
{
	(void)u;
	if (!is_of(reg, UNCORE_QPI, UNCORE_BOX_CTL) || !(value & BOX_CTL_RST_CTRS))
		return;
	for (unsigned i = 0; i < UNCORE_COUNTERS; i++) {
		reg->box->ctl[i] = 0;
		reg->box->set[i] = (struct uncore_setting){.counter = i};
	}
}

static void rst_clears_neighbour(struct uncore *u, const struct uncore_reg *reg, uint64_t value)
{
	(void)u;
	if (is_of(reg, UNCORE_R2PCIE, UNCORE_CTL) && value & CTL_RST)
		reg->box->ctr[(reg->number + 1) % UNCORE_COUNTERS] = 0;
}

/* ---- widths ---- */

/* The counter, but for its low bits, stands still. */
static uint64_t carry_lost(uint64_t low, uint64_t old, uint64_t value)
{
	return (old & ~low) | (value & low);
}

static uint64_t carry_into_high_lost(const struct uncore_box *box, unsigned ctr, uint64_t old,
				     uint64_t value)
{
	bool broken = box->traits->kind == UNCORE_IMC && ctr < UNCORE_COUNTERS;

	return broken ? carry_lost(FIELD(31, 0), old, value) : value;
}

static uint64_t carry_into_44_lost(const struct uncore_box *box, unsigned ctr, uint64_t old,
				   uint64_t value)
{
	(void)ctr;
	return box->traits->kind == UNCORE_QPI ? carry_lost(FIELD(43, 0), old, value) : value;
}

static uint64_t carry_into_40_lost(const struct uncore_box *box, unsigned ctr, uint64_t old,
				   uint64_t value)
{
	(void)ctr;
	return box->traits->kind == UNCORE_CBO ? carry_lost(FIELD(39, 0), old, value) : value;
}

static uint64_t saturates(const struct uncore_box *box, unsigned ctr, uint64_t old, uint64_t value)
{
	bool wrapped = value < old && box->traits->kind == UNCORE_PCU;

	(void)ctr;
	return wrapped ? uncore_counter_mask(box) : value;
}

const struct fault faults_uncore_registers[] = {
	UNCORE_FAULT(channel_1_is_0, "imc*.access.no_alias",
		     "the registers of channel 1 are those of channel 0",
		     .address = channel_1_is_0),
	UNCORE_FAULT(slice_7_is_3, "cbo*.access.no_alias",
		     "counters 1 to 3 of slice 7 are those of slice 3", .address = slice_7_is_3),
	UNCORE_FAULT(counter_3_is_1, "r2pcie.*.access.no_alias",
		     "counter 3 of the R2PCIe box is its counter 1", .address = counter_3_is_1),
	UNCORE_FAULT(socket_1_is_0, "ha*.access.no_alias",
		     "the home agent's registers of both sockets are the same",
		     .address = socket_1_is_0, .sockets = 2),
	UNCORE_FAULT(slices_share_a_filter, "cbo*.access.filter_holds,cbo*.access.no_alias",
		     "all slices have the filter register of slice 0",
		     .address = slices_share_a_filter),
	UNCORE_FAULT(ubox1_is_ubox0, "ubox.*.access.no_alias",
		     "counter 1 of the UBox is its counter 0", .address = ubox1_is_ubox0),
	UNCORE_FAULT(mask1_is_mask0, "qpi0.*.access.filter_holds",
		     "PKT_MASK1 of QPI is its PKT_MASK0", .address = mask1_is_mask0),
	UNCORE_FAULT(high_write_lost, "imc0.*.access.counter_holds",
		     "a write of a channel counter's high dword is lost",
		     .write_half = high_write_lost),
	UNCORE_FAULT(high_write_clears_low, "ha.*.access.counter_holds",
		     "a write of a home agent counter's high dword clears the low one",
		     .write_half = high_write_clears_low),
	UNCORE_FAULT(fixed_high_write_lost, "imc0.*.access.fixed_holds",
		     "a write of a channel's fixed counter's high dword is lost",
		     .write_half = fixed_high_write_lost),
	UNCORE_FAULT(counter_bit_stuck, "r3qpi0.*.access.counter_holds",
		     "bit 20 of counter 2 of the R3QPI box reads 0", .shown = counter_bit_stuck),
	UNCORE_FAULT(invert_bit_lost, "qpi0.*.access.control_holds",
		     "the invert bit of QPI cannot be set", .keep = invert_bit_lost),
	UNCORE_FAULT(tid_en_bit_lost, "cbo0.*.access.control_holds",
		     "the tid_en bit of a slice cannot be set", .keep = tid_en_bit_lost),
	UNCORE_FAULT(opc_bit_lost, "cbo0.*.access.filter_holds",
		     "the top bit of a slice's opcode filter cannot be set", .keep = opc_bit_lost),
	UNCORE_FAULT(addrmatch1_dead, "ha.*.access.filter_holds",
		     "the home agent's ADDRMATCH1 stays 0", .keep = addrmatch1_dead),
	UNCORE_FAULT(band_3_dead, "pcu.*.access.filter_holds", "band 3 of the PCU's filter stays 0",
		     .keep = band_3_dead),
	UNCORE_FAULT(rst_ctrs_dead, "cbo0.*.access.resets", "rst_ctrs of a slice clears no counter",
		     .keep = rst_ctrs_dead),
	UNCORE_FAULT(rst_ctrl_dead, "pcu.*.access.resets",
		     "rst_ctrl of the PCU clears no control register", .keep = rst_ctrl_dead),
	UNCORE_FAULT(rst_dead, "ubox.*.access.resets",
		     "the rst bit of a UBox control register clears nothing", .keep = rst_dead),
	UNCORE_FAULT(fixed_rst_dead, "imc0.*.access.fixed_holds",
		     "the rst bit of a channel's fixed control clears nothing",
		     .keep = fixed_rst_dead),
	UNCORE_FAULT(rst_ctrs_clears_controls, "qpi0.*.access.resets",
		     "rst_ctrs of QPI clears the control registers too",
		     .written = rst_ctrs_clears_controls),
	UNCORE_FAULT(rst_clears_neighbour, "r2pcie.*.access.resets",
		     "the rst bit of an R2PCIe control register clears the next counter too",
		     .written = rst_clears_neighbour),
	UNCORE_FAULT(carry_into_high_lost, "imc0.*.access.running_read,imc0.*.access.counter_wraps",
		     "a channel counter's carry into its high dword is lost",
		     .hold = carry_into_high_lost),
	UNCORE_FAULT(carry_into_44_lost, "qpi0.*.access.counter_wraps",
		     "a QPI counter's carry into bit 44 is lost", .hold = carry_into_44_lost),
	UNCORE_FAULT(carry_into_40_lost, "cbo0.*.access.counter_wraps",
		     "a slice counter's carry into bit 40 is lost", .hold = carry_into_40_lost),
	UNCORE_FAULT(saturates, "pcu.*.access.counter_wraps",
		     "PCU counters stop at their maximum instead of wrapping", .hold = saturates),
	{0},
};
