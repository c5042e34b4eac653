/* SPDX-License-Identifier: BSD-2-Clause */
/* Boxes as rows: values of control registers, events against libpfm4's, where registers are, and
 * which package a node is. */
#include "rows.h"

extern const struct box_part box_part_snbep, box_part_ivt;
#define SNBEP (&box_part_snbep)
#define IVT   (&box_part_ivt)

#define EXT   0x100u

/* ---- worked examples ---- */

#define IS(kind, want, ...)                                                                        \
	OK(box_encode(kind_of(SNBEP, kind), &(struct box_config){__VA_ARGS__}) == (want))

static void test_examples(void)
{
	IS("cbo", 0x00400000, .event = BOX_CLOCKS);
	IS("cbo", 0x00400334, .event = SLICE_READ_LOOKUPS);
	IS("cbo", 0x00400135, .event = SLICE_OF_OPCODE);
	IS("cbo", 0x00400335, .event = SLICE_MISSES_OF_OPCODE);
	IS("cbo", 0x00404335, .event = SLICE_MISSES_OF_NODE);
	IS("cbo", 0x00480335, .event = SLICE_MISSES_OF_OPCODE, .thread = true);
	IS("cbo", 0x00400836, .event = SLICE_HELD);
	IS("cbo", 0x0140001f, .event = SLICE_HELD_BY_0, .at_least = 1);
	IS("cbo", 0x01c0001f, .event = SLICE_HELD_BY_0, .below = 1);
	IS("cbo", 0x0144001f, .event = SLICE_HELD_BY_0, .at_least = 1, .edge = true);
	IS("imc", 0x00400304, .event = CHANNEL_READS);
	IS("imc", 0x00400c04, .event = CHANNEL_WRITES);
	IS("imc", 0x00400f04, .event = CHANNEL_ALL);
	IS("imc", 0x00400804, .event = CHANNEL_ALL, .bit = 4);
	IS("ha", 0x00400301, .event = HOME_READS);
	IS("ha", 0x00400c01, .event = HOME_WRITES);
	IS("pcu", 0x00400000, .event = BOX_CLOCKS);
	IS("pcu", 0x00404080, .event = POWER_C0);
	IS("pcu", 0x04404080, .event = POWER_C0, .at_least = 4);
	IS("pcu", 0x4140c080, .event = POWER_C6, .below = 1);
	IS("pcu", 0x05404080, .event = POWER_C0, .at_least = 5);
	IS("pcu", 0x85404080, .event = POWER_C0, .at_least = 5, .edge = true);
	IS("pcu", 0x00600000, .event = POWER_TRANSITIONS);
	IS("pcu", 0x01c4000b, .event = POWER_BAND_0, .below = 1, .edge = true);
	IS("ubox", 0x00400142, .event = SYSTEM_MESSAGES, .bit = 1);
	IS("qpi", 0x00600802, .event = LINK_RESPONSE_DATA_IN);
	IS("qpi", 0x00600038, .event = LINK_PACKETS);
	IS("r2pcie", 0x00400001, .event = BOX_CLOCKS);
	IS("r3qpi", 0x00400001, .event = BOX_CLOCKS);
	IS("qpi", 0x00400014, .event = BOX_CLOCKS);
}

/* An event of no row, in the fields of a kind. */
static uint64_t encode_event(const struct box_kind *of, uint16_t event, uint32_t unit_mask,
			     uint8_t at_least)
{
	const struct box_event events[] = {
		{.is = BOX_CLOCKS, .name = "any", .event = event, .unit_mask = unit_mask}, {0}};
	struct box_kind kind = *of;

	kind.events = events;
	return box_encode(&kind, &(struct box_config){.event = BOX_CLOCKS, .at_least = at_least});
}

static void test_events(void)
{
	OK(encode_event(kind_of(SNBEP, "pcu"), 0x83, 1, 5) == 0x05404083);
	OK(encode_event(kind_of(IVT, "cbo"), 0x34, 0x11, 0) == 0x00401134);
	OK(encode_event(kind_of(IVT, "imc"), 0xb2, 0xff, 0) == 0x0040ffb2);
}

/* ---- filters ---- */

static uint64_t filter_of(struct box_field field, uint64_t value)
{
	return field_put(field.mask, value);
}

static void test_filters(void)
{
	const struct box_filters *cbo = kind_of(SNBEP, "cbo")->filters,
				 *v2 = kind_of(IVT, "cbo")->filters,
				 *qpi = kind_of(SNBEP, "qpi")->filters;

	OK(filter_of(cbo->states, 0x1f) == 0x007c0000);
	OK(filter_of(cbo->opcode, 0x182) == 0xc1000000);
	OK(filter_of(cbo->nodes, 1) == 0x00000400);
	OK(filter_of(cbo->thread, 7) == 0x00000007);
	OK(qpi->reg[0].fields == 0x8003fff8 && qpi->reg[1].fields == 0x000f000f);
	OK(v2->opcode.filter == 1 && filter_of(v2->opcode, 0x182) == 0x18200000);
	OK(v2->nodes.filter == 1 && filter_of(v2->nodes, 1) == 0x00000001);
	OK(v2->states.filter == 0 && filter_of(v2->states, 0x3f) == 0x007e0000);
}

/* ---- registers ---- */

static void test_registers(void)
{
	const struct box slice_14 = {.kind = kind_of(IVT, "cbo"), .base = 0xec0};
	const struct box irp = {.kind = kind_of(IVT, "irp"), .base = 0x5000};

	OK(box_gate(&slice_14).address == 0xec4 && box_gate(&slice_14).acts == 3);
	OK(box_ctl(&slice_14, 0).address == 0xed0 && box_ctl(&slice_14, 3).address == 0xed3);
	OK(box_ctr(&slice_14, 0).address == 0xed6 && box_ctr(&slice_14, 3).address == 0xed9);
	OK(box_filter(&slice_14, 0).address == 0xed4 && box_filter(&slice_14, 1).address == 0xeda);
	OK(box_ctl(&irp, 0).address == 0x50d8 && box_ctl(&irp, 1).address == 0x50dc);
	OK(box_ctr(&irp, 0).address == 0x50a0 && box_ctr(&irp, 1).address == 0x50b0);
	OK(box_ctr(&irp, 0).bytes == 8 && box_ctl(&irp, 0).bytes == 4);
	OK(box_gate(&irp).acts == 0);
}

/* ---- what a kind of box cannot do ---- */

struct wrong {
	const struct box_part *part;
	const char *kind;
	struct box_config config;
};

static void encode(void *arg)
{
	const struct wrong *wrong = arg;

	box_encode(kind_of(wrong->part, wrong->kind), &wrong->config);
}

static void test_refused(void)
{
	static struct wrong wrong[] = {
		{SNBEP, "imc", {.event = LINK_PACKETS}},
		{SNBEP, "ubox", {.event = BOX_CLOCKS}},
		{SNBEP, "pcu", {.event = POWER_C0, .at_least = 32}},
		{SNBEP, "ubox", {.event = SYSTEM_LOCKS, .at_least = 32}},
		{SNBEP, "ha", {.event = HOME_READS, .thread = true}},
		{IVT, "imc", {.event = BOX_CLOCKS, .below = 1}},
		{IVT, "pcu", {.event = BOX_CLOCKS, .below = 1}},
	};
	const struct box_config occupancy = {.event = POWER_C0, .below = 1};

	for (size_t i = 0; i < ARRAY_SIZE(wrong); i++) {
		OK(box_lacks(kind_of(wrong[i].part, wrong[i].kind), &wrong[i].config));
		OK(host_panics(encode, &wrong[i]));
	}
	OK(!box_lacks(kind_of(IVT, "pcu"), &occupancy));
}

/* The fields of a control register do not overlap. */
static void check_fields(const struct box_select *s)
{
	const uint64_t fields[] = {s->event, s->unit_mask, s->threshold, s->invert,
				   s->edge,  s->enable,    s->reset,     s->thread};
	uint64_t all = 0;

	for (size_t i = 0; i < ARRAY_SIZE(fields); i++) {
		OK(!(all & fields[i]));
		all |= fields[i];
	}
}

static void test_rows(const struct box_part *part, unsigned kinds)
{
	for (const struct box_kind *kind = part->kinds; kind < part->kinds + kinds; kind++) {
		check_fields(kind->select);
		for (const struct box_event *row = kind->events; row->name; row++)
			OK(row->first + row->counters <= kind->counters);
	}
	for (unsigned i = 0; i < part->places_count; i++)
		OK(part->places[i].kind < kinds);
}

/* ---- libpfm4 ---- */

struct row {
	const char *kind, *pmu, *name;
	struct box_config config;
	const struct box_part *only; /* NULL: both parts */
};

static const struct row rows[] = {
	{"imc", "unc_imc0", "UNC_M_CAS_COUNT:RD", {.event = CHANNEL_READS}, NULL},
	{"imc", "unc_imc0", "UNC_M_CAS_COUNT:WR", {.event = CHANNEL_WRITES}, NULL},
	{"imc", "unc_imc0", "UNC_M_CAS_COUNT:ALL", {.event = CHANNEL_ALL}, NULL},
	{"imc", "unc_imc0", "UNC_M_RPQ_INSERTS", {.event = CHANNEL_READ_INSERTS}, NULL},
	{"imc", "unc_imc0", "UNC_M_WPQ_INSERTS", {.event = CHANNEL_WRITE_INSERTS}, NULL},
	{"imc", "unc_imc0", "UNC_M_RPQ_CYCLES_NE", {.event = CHANNEL_READ_BUSY}, NULL},
	{"imc", "unc_imc0", "UNC_M_RPQ_OCCUPANCY", {.event = CHANNEL_READ_QUEUE}, SNBEP},
	{"imc", "unc_imc0", "UNC_M_ECC_CORRECTABLE_ERRORS", {.event = CHANNEL_ERRORS}, NULL},
	{"ha", "unc_ha", "UNC_H_CLOCKTICKS", {.event = BOX_CLOCKS}, NULL},
	{"ha", "unc_ha", "UNC_H_REQUESTS:READS", {.event = HOME_READS}, NULL},
	{"ha", "unc_ha", "UNC_H_REQUESTS:WRITES", {.event = HOME_WRITES}, NULL},
	{"ha", "unc_ha", "UNC_H_IMC_WRITES:FULL", {.event = HOME_WRITES_FULL}, NULL},
	{"ha", "unc_ha", "UNC_H_IMC_WRITES:PARTIAL", {.event = HOME_WRITES_PARTIAL}, NULL},
	{"ha", "unc_ha", "UNC_H_IMC_WRITES:ALL", {.event = HOME_WRITES_ALL}, NULL},
	{"qpi", "unc_qpi0", "UNC_Q_CLOCKTICKS", {.event = BOX_CLOCKS}, NULL},
	{"qpi", "unc_qpi0", "UNC_Q_TXL_FLITS_G0:IDLE", {.event = LINK_IDLE}, SNBEP},
	{"qpi", "unc_qpi0", "UNC_Q_TXL_FLITS_G0:DATA", {.event = LINK_DATA}, SNBEP},
	{"qpi", "unc_qpi0", "UNC_Q_TXL_FLITS_G0:NON_DATA", {.event = LINK_NON_DATA}, SNBEP},
	{"qpi", "unc_qpi0", "UNC_Q_RXL_FLITS_G0:IDLE", {.event = LINK_IDLE}, IVT},
	{"qpi", "unc_qpi0", "UNC_Q_RXL_FLITS_G0:DATA", {.event = LINK_DATA}, IVT},
	{"qpi", "unc_qpi0", "UNC_Q_RXL_FLITS_G0:NON_DATA", {.event = LINK_NON_DATA}, IVT},
	{"qpi", "unc_qpi0", "UNC_Q_RXL_FLITS_G0:DATA", {.event = LINK_DATA_IN}, IVT},
	{"qpi", "unc_qpi0", "UNC_Q_RXL_FLITS_G1:HOM_REQ", {.event = LINK_REQUESTS_IN}, NULL},
	{"qpi", "unc_qpi0", "UNC_Q_RXL_FLITS_G1:DRS_DATA", {.event = LINK_RESPONSE_DATA_IN}, NULL},
	{"qpi", "unc_qpi0", "UNC_Q_RXL_FLITS_G1:DRS", {.event = LINK_RESPONSES_IN}, NULL},
	{"qpi", "unc_qpi0", "UNC_Q_TXL_FLITS_G1:SNP", {.event = LINK_SNOOPS}, NULL},
	{"r2pcie", "unc_r2pcie", "UNC_R2_CLOCKTICKS", {.event = BOX_CLOCKS}, NULL},
	{"r2pcie", "unc_r2pcie", "UNC_R2_RING_AD_USED:CW", {.event = RING_CLOCKWISE}, IVT},
	{"r2pcie", "unc_r2pcie", "UNC_R2_RING_AD_USED:CCW", {.event = RING_COUNTERCLOCKWISE}, IVT},
	{"r2pcie", "unc_r2pcie", "UNC_R2_RING_IV_USED:ANY", {.event = RING_INVALIDATIONS}, NULL},
	{"r3qpi", "unc_r3qpi0", "UNC_R3_CLOCKTICKS", {.event = BOX_CLOCKS}, NULL},
	{"r3qpi", "unc_r3qpi0", "UNC_R3_RING_IV_USED:ANY", {.event = RING_INVALIDATIONS}, NULL},
	{"cbo", "unc_cbo0", "UNC_C_CLOCKTICKS", {.event = BOX_CLOCKS}, NULL},
	{"cbo", "unc_cbo0", "UNC_C_COUNTER0_OCCUPANCY", {.event = SLICE_HELD_BY_0}, NULL},
	{"cbo", "unc_cbo0", "UNC_C_LLC_LOOKUP:DATA_READ", {.event = SLICE_READ_LOOKUPS}, NULL},
	{"cbo", "unc_cbo0", "UNC_C_LLC_LOOKUP:WRITE", {.event = SLICE_WRITE_LOOKUPS}, NULL},
	{"cbo", "unc_cbo0", "UNC_C_TOR_INSERTS:OPCODE:OPC_DRD", {.event = SLICE_OF_OPCODE}, NULL},
	{"cbo", "unc_cbo0", "UNC_C_TOR_INSERTS:WB", {.event = SLICE_WRITE_BACKS}, NULL},
	{"cbo",
	 "unc_cbo0",
	 "UNC_C_TOR_INSERTS:MISS_OPCODE:OPC_DRD",
	 {.event = SLICE_MISSES_OF_OPCODE},
	 NULL},
	{"cbo",
	 "unc_cbo0",
	 "UNC_C_TOR_INSERTS:NID_MISS_OPCODE:OPC_DRD:nf=1",
	 {.event = SLICE_MISSES_OF_NODE},
	 NULL},
	{"cbo", "unc_cbo0", "UNC_C_TOR_OCCUPANCY:ALL", {.event = SLICE_HELD}, NULL},
	{"cbo",
	 "unc_cbo0",
	 "UNC_C_TOR_OCCUPANCY:ALL:t=4:i:e",
	 {.event = SLICE_HELD, .below = 4, .edge = true},
	 SNBEP},
	{"cbo",
	 "unc_cbo0",
	 "UNC_C_TOR_OCCUPANCY:ALL:t=4:e",
	 {.event = SLICE_HELD, .at_least = 4, .edge = true},
	 NULL},
	{"pcu", "unc_pcu", "UNC_P_CLOCKTICKS", {.event = BOX_CLOCKS}, NULL},
	{"pcu", "unc_pcu", "UNC_P_FREQ_BAND0_CYCLES:ff=1", {.event = POWER_BAND_0}, NULL},
	{"pcu", "unc_pcu", "UNC_P_POWER_STATE_OCCUPANCY:CORES_C0", {.event = POWER_C0}, NULL},
	{"pcu", "unc_pcu", "UNC_P_POWER_STATE_OCCUPANCY:CORES_C3", {.event = POWER_C3}, NULL},
	{"pcu", "unc_pcu", "UNC_P_POWER_STATE_OCCUPANCY:CORES_C6", {.event = POWER_C6}, NULL},
	{"pcu", "unc_pcu", "UNC_P_FREQ_TRANS_CYCLES", {.event = POWER_TRANSITIONS}, IVT},
	{"pcu",
	 "unc_pcu",
	 "UNC_P_POWER_STATE_OCCUPANCY:CORES_C0:t=5:i:e",
	 {.event = POWER_C0, .below = 5, .edge = true},
	 SNBEP},
	{"ubox",
	 "unc_ubo",
	 "UNC_U_EVENT_MSG:VLW_RCVD",
	 {.event = SYSTEM_MESSAGES, .bit = 1},
	 SNBEP},
	{"ubox", "unc_ubo", "UNC_U_LOCK_CYCLES", {.event = SYSTEM_LOCKS}, SNBEP},
	{"irp", "unc_irp", "UNC_I_CLOCKTICKS", {.event = BOX_CLOCKS}, IVT},
};

/* Bits of the event that a filter register has are theirs alone; the enable bit is the kernel's. */
static void check_event(const struct row *row, const struct box_part *part, const char *prefix,
			const char *suffix)
{
	char full[120];

	if (row->only && row->only != part)
		return;
	snprintf(full, sizeof(full), "%s_%s%s::%s", prefix, row->pmu,
		 strcmp(row->kind, "ha") ? "" : suffix, row->name);
	check_encoding(full, box_encode(kind_of(part, row->kind), &row->config));
}

/* ---- counters of two dwords ---- */

/* Counts on between two reads: at the read whose number is carry_at. */
static uint64_t counter;
static unsigned reads, carry_at;

static uint32_t get_dword(const void *arg, uint32_t reg)
{
	(void)arg;
	if (reads++ == carry_at)
		counter++;
	return (uint32_t)(reg == 0xa0 ? counter : counter >> 32);
}

static uint64_t read_split(unsigned carry)
{
	counter = 0xffffffff;
	reads = 0;
	carry_at = carry;
	return pmu_read_split(get_dword, NULL, 0xa0);
}

/* Low then high would give 1FFFFFFFFh, high then low 0. */
static void test_torn_read(void)
{
	for (unsigned carry = 0; carry < 3; carry++)
		OK(read_split(carry) == 0x100000000);
	OK(read_split(3) == 0xffffffff);
}

/* By software, over a counter of 44 bits that wraps. */
static void test_difference(void)
{
	const struct pmu_counter only = {.width = 44};
	const struct pmu pmu = {.counter = &only, .counters = 1};

	OK(((UINT64_C(0x40) - UINT64_C(0xfffffffff00)) & pmu_mask(&pmu, 0)) == 0x140);
}

/* ---- sockets ---- */

static void test_sockets(void)
{
	OK(box_socket(0x1, 0x00fac688) == 1);
	OK(box_socket(0xf9, 0x00fac688) == 1);
	OK(box_socket(0x7, 0x00fac688) == 7);
	OK(box_socket(0x0, 0x8) == 0);
	OK(box_socket(0x1, 0x8) == 1);
	OK(box_socket(0x2, 0x8) == -1);
	OK(box_socket(0x2, 0x2) == 0);
}

int main(void)
{
	if (!begin_libpfm4())
		return 2;
	test_examples();
	test_events();
	test_filters();
	test_registers();
	test_refused();
	test_rows(SNBEP, 8);
	test_rows(IVT, 9);
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		check_event(&rows[i], SNBEP, "snbep", "");
		check_event(&rows[i], IVT, "ivbep", "0");
	}
	test_torn_read();
	test_difference();
	test_sockets();
	return tap_end();
}
