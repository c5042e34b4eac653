/* SPDX-License-Identifier: BSD-2-Clause */
/* The rows of Haswell-EP and Broadwell-EP: worked examples, and events against libpfm4's. */
#include "rows.h"

extern const struct box_part box_part_hsx, box_part_bdx, box_part_bdx_de;

/* ---- worked examples ---- */

#define IS(kind, want, ...)                                                                        \
	OK(box_encode(kind_of(&box_part_hsx, kind), &(struct box_config){__VA_ARGS__}) == (want))

/* An event of no row, in the fields of a kind. */
static uint64_t encode_event(const char *name, uint16_t event, uint32_t unit_mask)
{
	const struct box_event rows[] = {{.name = "", .event = event, .unit_mask = unit_mask}, {0}};
	struct box_kind kind = *kind_of(&box_part_hsx, name);

	kind.events = rows;
	return box_encode(&kind, &(struct box_config){.row = 1});
}

static void test_examples(void)
{
	IS("cbo", 0x00400334, .event = SLICE_READ_LOOKUPS);
	IS("imc", 0x00400304, .event = CHANNEL_READS);
	IS("imc", 0x00400c04, .event = CHANNEL_WRITES);
	IS("qpi", 0x00601802, .event = LINK_RESPONSES_IN);
	IS("pcu", 0x0440c080, .event = POWER_C6, .at_least = 4);
	IS("pcu", 0x4140c080, .event = POWER_C6, .below = 1);
	IS("sbo", 0x01c00000, .event = BOX_CLOCKS, .below = 1);
	IS("ubox", 0x00400842, .event = SYSTEM_MESSAGES);
	OK(encode_event("imc", 0xb2, 0x10) == 0x4010b2);
	OK(encode_event("qpi", 0x100, 0x18) == 0x601800);
	OK(field_put(kind_of(&box_part_hsx, "cbo")->filters->states.mask, 0x7f) == 0xfe0000);
	OK(field_put(kind_of(&box_part_hsx, "cbo")->filters->opcode.mask, 0x182) == 0x18200000);
}

static bool lies(const struct box *box, uint64_t gate, uint64_t ctl, uint64_t ctr)
{
	return box_gate(box).address == gate && box_ctl(box, 0).address == ctl &&
	       box_ctl(box, 1).address == ctl + 1 && box_ctr(box, 0).address == ctr &&
	       box_ctr(box, 1).address == ctr + 1;
}

static void test_registers(void)
{
	const struct box slice_17 = box_at(&box_part_hsx, "cbo", 17);
	const struct box slice_23 = box_at(&box_part_bdx, "cbo", 23);
	const struct box switch_3 = box_at(&box_part_hsx, "sbo", 3);
	const struct box pcu = box_at(&box_part_hsx, "pcu", 0);
	const struct box ubox = box_at(&box_part_hsx, "ubox", 0);
	const struct box imc = {.kind = kind_of(&box_part_hsx, "imc")};

	OK(lies(&slice_17, 0xf10, 0xf11, 0xf18) && box_ctr(&slice_17, 3).address == 0xf1b);
	OK(box_filter(&slice_17, 0).address == 0xf15 && box_filter(&slice_17, 1).address == 0xf16);
	OK(lies(&slice_23, 0xf70, 0xf71, 0xf78) && box_ctr(&slice_23, 3).address == 0xf7b);
	OK(lies(&switch_3, 0x73e, 0x73f, 0x744) && box_ctr(&switch_3, 3).address == 0x747);
	OK(box_gate(&switch_3).bit_by_bit && !box_gate(&slice_17).bit_by_bit);
	OK(lies(&pcu, 0x710, 0x711, 0x717) && box_filter(&pcu, 0).address == 0x715);
	OK(box_ctl(&imc, 0).address == 0xd8 && box_ctl(&imc, 1).address == 0xdc);
	OK(box_ctl(&ubox, 0).address == 0x705 && box_ctr(&ubox, 1).address == 0x70a);
	OK(box_gate(&ubox).space == REG_NONE && ubox.kind->at.fixed_ctl == 0);
}

static void test_occupancy(void)
{
	const struct box_event *hsx = box_event(kind_of(&box_part_hsx, "pcu"), POWER_C0);
	const struct box_event *bdx = box_event(kind_of(&box_part_bdx, "pcu"), POWER_C0);

	OK(!hsx->counters && bdx->first == 1 && bdx->counters == 3);
	OK(kind_of(&box_part_bdx_de, "cbo") && box_part_bdx_de.places_count == 10);
}

/* ---- libpfm4 ---- */

static const struct row {
	const char *kind, *pmu, *name;
	struct box_config config;
} rows[] = {
	{"imc", "unc_imc0", "UNC_M_DCLOCKTICKS", {.event = BOX_CLOCKS}},
	{"imc", "unc_imc0", "UNC_M_CAS_COUNT:RD", {.event = CHANNEL_READS}},
	{"imc", "unc_imc0", "UNC_M_CAS_COUNT:WR", {.event = CHANNEL_WRITES}},
	{"imc", "unc_imc0", "UNC_M_CAS_COUNT:ALL", {.event = CHANNEL_ALL}},
	{"imc", "unc_imc0", "UNC_M_RPQ_INSERTS", {.event = CHANNEL_READ_INSERTS}},
	{"imc", "unc_imc0", "UNC_M_RPQ_CYCLES_NE", {.event = CHANNEL_READ_BUSY}},
	{"imc", "unc_imc0", "UNC_M_ECC_CORRECTABLE_ERRORS", {.event = CHANNEL_ERRORS}},
	{"ha", "unc_ha0", "UNC_H_CLOCKTICKS", {.event = BOX_CLOCKS}},
	{"ha", "unc_ha0", "UNC_H_REQUESTS:READS", {.event = HOME_READS}},
	{"ha", "unc_ha0", "UNC_H_REQUESTS:WRITES", {.event = HOME_WRITES}},
	{"ha", "unc_ha0", "UNC_H_IMC_WRITES:FULL", {.event = HOME_WRITES_FULL}},
	{"ha", "unc_ha0", "UNC_H_IMC_WRITES:ALL", {.event = HOME_WRITES_ALL}},
	{"qpi", "unc_qpi0", "UNC_Q_CLOCKTICKS", {.event = BOX_CLOCKS}},
	{"qpi", "unc_qpi0", "UNC_Q_TXL_FLITS_G0:NON_DATA", {.event = LINK_NON_DATA}},
	{"qpi", "unc_qpi0", "UNC_Q_TXL_FLITS_G1:SNP", {.event = LINK_SNOOPS}},
	{"qpi", "unc_qpi0", "UNC_Q_RXL_FLITS_G1:HOM_REQ", {.event = LINK_REQUESTS_IN}},
	{"qpi", "unc_qpi0", "UNC_Q_RXL_FLITS_G1:DRS_DATA", {.event = LINK_DATA_IN}},
	{"qpi", "unc_qpi0", "UNC_Q_RXL_FLITS_G1:DRS", {.event = LINK_RESPONSES_IN}},
	{"qpi", "unc_qpi0", "UNC_Q_RXL0_POWER_CYCLES", {.event = LINK_FULL_POWER}},
	{"r2pcie", "unc_r2pcie", "UNC_R2_CLOCKTICKS", {.event = BOX_CLOCKS}},
	{"r2pcie", "unc_r2pcie", "UNC_R2_RING_AD_USED:CW", {.event = RING_CLOCKWISE}},
	{"r2pcie", "unc_r2pcie", "UNC_R2_RING_AD_USED:CCW", {.event = RING_COUNTERCLOCKWISE}},
	{"r3qpi", "unc_r3qpi0", "UNC_R3_CLOCKTICKS", {.event = BOX_CLOCKS}},
	{"r3qpi", "unc_r3qpi0", "UNC_R3_RING_AD_USED:CW", {.event = RING_CLOCKWISE}},
	{"r3qpi", "unc_r3qpi0", "UNC_R3_RING_IV_USED:ANY", {.event = RING_INVALIDATIONS}},
	{"cbo", "unc_cbo0", "UNC_C_CLOCKTICKS", {.event = BOX_CLOCKS}},
	{"cbo", "unc_cbo0", "UNC_C_COUNTER0_OCCUPANCY", {.event = SLICE_HELD_BY_0}},
	{"cbo", "unc_cbo0", "UNC_C_LLC_LOOKUP:DATA_READ", {.event = SLICE_READ_LOOKUPS}},
	{"cbo", "unc_cbo0", "UNC_C_TOR_INSERTS:OPCODE:OPC_DRD", {.event = SLICE_OF_OPCODE}},
	{"cbo", "unc_cbo0", "UNC_C_TOR_INSERTS:WB", {.event = SLICE_WRITE_BACKS}},
	{"cbo", "unc_cbo0", "UNC_C_TOR_OCCUPANCY:ALL", {.event = SLICE_HELD}},
	{"cbo",
	 "unc_cbo0",
	 "UNC_C_TOR_OCCUPANCY:ALL:t=4:e",
	 {.event = SLICE_HELD, .at_least = 4, .edge = true}},
	{"imc",
	 "unc_imc0",
	 "UNC_M_CAS_COUNT:ALL:t=1:i:e",
	 {.event = CHANNEL_ALL, .below = 1, .edge = true}},
	{"pcu", "unc_pcu", "UNC_P_CLOCKTICKS:t=2:i", {.event = BOX_CLOCKS, .below = 2}},
	{"sbo", "unc_sbo0", "UNC_S_CLOCKTICKS", {.event = BOX_CLOCKS}},
	{"sbo", "unc_sbo0", "UNC_S_RING_AD_USED:UP_EVEN", {.event = RING_REQUESTS, .bit = 1}},
	{"sbo", "unc_sbo0", "UNC_S_RING_AD_USED:DOWN_ODD", {.event = RING_REQUESTS, .bit = 4}},
	{"pcu", "unc_pcu", "UNC_P_CLOCKTICKS", {.event = BOX_CLOCKS}},
	{"pcu", "unc_pcu", "UNC_P_FREQ_BAND0_CYCLES:ff=1", {.event = POWER_BAND_0}},
	{"pcu", "unc_pcu", "UNC_P_POWER_STATE_OCCUPANCY:CORES_C0", {.event = POWER_C0}},
	{"pcu", "unc_pcu", "UNC_P_POWER_STATE_OCCUPANCY:CORES_C6", {.event = POWER_C6}},
	{"pcu", "unc_pcu", "UNC_P_FREQ_TRANS_CYCLES", {.event = POWER_TRANSITIONS}},
	{"ubox", "unc_ubo", "UNC_U_EVENT_MSG:DOORBELL_RCVD", {.event = SYSTEM_MESSAGES}},
	{"irp", "unc_irp", "UNC_I_TRANSACTIONS:READS", {.event = IO_READS}},
};

static void check_event(const struct row *row, const struct box_part *part, const char *prefix)
{
	char full[120];

	snprintf(full, sizeof(full), "%s_%s::%s", prefix, row->pmu, row->name);
	check_encoding(full, box_encode(kind_of(part, row->kind), &row->config));
}

int main(void)
{
	if (!begin_libpfm4())
		return 2;
	test_examples();
	test_registers();
	test_occupancy();
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		check_event(&rows[i], &box_part_hsx, "hswep");
		check_event(&rows[i], &box_part_bdx, "bdx");
	}
	return tap_end();
}
