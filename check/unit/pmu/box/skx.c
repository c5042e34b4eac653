/* SPDX-License-Identifier: BSD-2-Clause */
/* The rows of Skylake-SP: worked examples of the fact sheet, and events against libpfm4's. */
#include "rows.h"

extern const struct box_part box_part_skx;

#define KIND(name) kind_of(&box_part_skx, name)

/* ---- worked examples ---- */

#define IS(kind, want, ...) OK(box_encode(KIND(kind), &(struct box_config){__VA_ARGS__}) == (want))

static void test_examples(void)
{
	IS("cha", 0x00402135, .event = SLICE_MISSES);
	IS("cha", 0x00403135, .event = SLICE_OF_OPCODE);
	IS("cha", 0x00400334, .event = SLICE_READ_LOOKUPS);
	IS("imc", 0x00400304, .event = CHANNEL_READS);
	IS("imc", 0x00400c04, .event = CHANNEL_WRITES);
	IS("pcu", 0x0440c080, .event = POWER_C6, .at_least = 4);
	IS("ubox", 0x00400044, .event = SYSTEM_LOCKS);
	IS("m2m", 0x00400437, .event = MESH_READS, .bit = 3);
	IS("upi", 0x00400001, .event = BOX_CLOCKS);
	IS("irp", 0x01c00001, .event = BOX_CLOCKS, .below = 1);
	IS("iio", 0xfff400001, .event = BOX_CLOCKS, .at_least = 0xfff);
}

/* A row of a stack, as written there, with these ports and classes. */
static uint64_t of_stack(uint16_t event, uint32_t unit_mask)
{
	const struct box_event rows[] = {{.name = "", .event = event, .unit_mask = unit_mask}, {0}};
	struct box_kind kind = *KIND("iio");

	kind.events = rows;
	return box_encode(&kind, &(struct box_config){.row = 1});
}

static void test_stacks(void)
{
	OK(of_stack(0x83, 0x70104) == UINT64_C(0x701000400483));
	OK(of_stack(0x83, 0x70f01) == UINT64_C(0x70f000400183));
	OK(of_stack(0x83, 0x73f01) == UINT64_C(0x73f000400183));
	OK(box_max_threshold(KIND("iio")) == 4095);
}

/* Filter 1 as tests write it: the code, where all of them else pass. */
static uint64_t filter_1(uint64_t opcode)
{
	const struct box_filters *filters = KIND("cha")->filters;

	return (filters->rests[1] & ~(uint64_t)filters->any_opcode) |
	       field_put(filters->opcode.mask, opcode);
}

static void test_filters(void)
{
	const struct box_filters *filters = KIND("cha")->filters;

	OK(filters->rests[1] == 0x3b && filters->drd == 0x202 && filters->rfo == 0x200);
	OK(filter_1(filters->drd) == 0x40433 && filter_1(filters->rfo) == 0x40033);
	OK(filter_1(0x201) == 0x40233 && filter_1(0x25a) == 0x4b433);
	OK(filter_1(0x21e) == 0x43c33 && filter_1(0x248) == 0x49033);
	OK(field_put(filters->states.mask, field_max(filters->states.mask)) == 0x7fe0000);
	OK((filters->reg[0].fields & filters->states.mask) == filters->states.mask);
}

/* ---- registers ---- */

#define AT(name, n) box_at(&box_part_skx, name, n)

static bool lies(const struct box *box, uint64_t gate, uint64_t ctl, uint64_t ctr, unsigned step)
{
	return box_gate(box).address == gate && box_ctl(box, 0).address == ctl &&
	       box_ctl(box, 1).address == ctl + step && box_ctr(box, 0).address == ctr &&
	       box_ctr(box, 1).address == ctr + (step > 1 ? 8 : 1);
}

static void test_msrs(void)
{
	const struct box cha_27 = AT("cha", 27), iio_3 = AT("iio", 3), irp_5 = AT("irp", 5),
			 pcu = AT("pcu", 0), ubox = AT("ubox", 0);

	OK(lies(&cha_27, 0xfb0, 0xfb1, 0xfb8, 1) && box_ctr(&cha_27, 3).address == 0xfbb);
	OK(box_filter(&cha_27, 0).address == 0xfb5 && box_filter(&cha_27, 1).address == 0xfb6);
	OK(!box_filter(&cha_27, 0).rests && box_filter(&cha_27, 1).rests == 0x3b);
	OK(lies(&iio_3, 0xaa0, 0xaa8, 0xaa1, 1) && box_ctr(&iio_3, 3).address == 0xaa4);
	/* What counts by itself: the clock, and what leaves by port 2. */
	OK(iio_3.base + iio_3.kind->meters[0].at == 0xaa5);
	OK(iio_3.meters + iio_3.kind->meters[7].at == 0xb36);
	OK(lies(&irp_5, 0xaf8, 0xafb, 0xaf9, 1) && irp_5.kind->counters == 2);
	OK(lies(&pcu, 0x710, 0x711, 0x717, 1) && box_filter(&pcu, 0).address == 0x715);
	OK(box_ctl(&ubox, 0).address == 0x705 && box_ctr(&ubox, 1).address == 0x70a);
}

static void test_functions(void)
{
	const struct box imc = {.kind = KIND("imc")}, m2m = {.kind = KIND("m2m")},
			 upi = {.kind = KIND("upi")}, m3upi = {.kind = KIND("m3upi")};

	OK(lies(&imc, 0xf4, 0xd8, 0xa0, 4) && imc.kind->at.fixed_ctr == 0xd0);
	OK(lies(&m2m, 0x258, 0x228, 0x200, 8) && box_ctl(&m2m, 0).bytes == 4);
	OK(lies(&upi, 0x378, 0x350, 0x318, 8) && box_ctl(&upi, 0).bytes == 8);
	OK(box_ctr(&upi, 3).address == 0x330 && box_ctr(&upi, 3).by_dwords);
	OK(lies(&m3upi, 0xf4, 0xd8, 0xa0, 4) && m3upi.kind->counters == 3);
}

/* ---- libpfm4 ---- */

static const struct row {
	const char *kind, *name;
	struct box_config config;
} rows[] = {
	{"imc", "skx_unc_imc0::UNC_M_CLOCKTICKS", {.event = BOX_CLOCKS}},
	{"imc", "skx_unc_imc0::UNC_M_CAS_COUNT:RD", {.event = CHANNEL_READS}},
	{"imc", "skx_unc_imc0::UNC_M_CAS_COUNT:WR", {.event = CHANNEL_WRITES}},
	{"imc", "skx_unc_imc0::UNC_M_RPQ_INSERTS", {.event = CHANNEL_READ_INSERTS}},
	{"imc", "skx_unc_imc0::UNC_M_RPQ_CYCLES_NE", {.event = CHANNEL_READ_BUSY}},
	{"cha", "skx_unc_cha0::UNC_C_CLOCKTICKS", {.event = BOX_CLOCKS}},
	{"cha", "skx_unc_cha0::UNC_C_COUNTER0_OCCUPANCY", {.event = SLICE_HELD_BY_0}},
	{"cha", "skx_unc_cha0::UNC_C_LLC_LOOKUP:DATA_READ", {.event = SLICE_READ_LOOKUPS}},
	{"cha", "skx_unc_cha0::UNC_C_LLC_LOOKUP:WRITE", {.event = SLICE_WRITE_LOOKUPS}},
	{"cha", "skx_unc_cha0::UNC_C_LLC_VICTIMS:LOCAL_ALL", {.event = SLICE_VICTIMS}},
	{"cha", "skx_unc_cha0::UNC_C_TOR_INSERTS:IA_MISS", {.event = SLICE_MISSES}},
	{"cha", "skx_unc_cha0::UNC_C_TOR_INSERTS:IA", {.event = SLICE_OF_OPCODE}},
	{"cha", "skx_unc_cha0::UNC_C_TOR_OCCUPANCY:IA_MISS", {.event = SLICE_MISSES_HELD}},
	{"cha", "skx_unc_cha0::UNC_C_IMC_READS_COUNT:NORMAL", {.event = SLICE_MEMORY_READS}},
	{"cha", "skx_unc_cha0::UNC_C_VERT_RING_AD_IN_USE:DN_ODD", {.event = SLICE_RING, .bit = 4}},
	{"pcu", "skx_unc_pcu::UNC_P_CLOCKTICKS", {.event = BOX_CLOCKS}},
	{"pcu", "skx_unc_pcu::UNC_P_FREQ_TRANS_CYCLES", {.event = POWER_TRANSITIONS}},
	{"pcu", "skx_unc_pcu::UNC_P_FREQ_BAND1_CYCLES:ff=1", {.event = POWER_BAND_1}},
	{"pcu", "skx_unc_pcu::UNC_P_POWER_STATE_OCCUPANCY:CORES_C0", {.event = POWER_C0}},
	{"ubox", "skx_unc_ubo::UNC_U_LOCK_CYCLES", {.event = SYSTEM_LOCKS}},
	{"m2m", "skx_unc_m2m0::UNC_M2_CLOCKTICKS", {.event = BOX_CLOCKS}},
	{"m2m", "skx_unc_m2m0::UNC_M2_IMC_READS:ALL", {.event = MESH_READS, .bit = 3}},
	{"upi", "skx_unc_upi0::UNC_UPI_CLOCKTICKS", {.event = BOX_CLOCKS}},
	{"iio", "skx_unc_iio0::UNC_IO_CLOCKTICKS", {.event = BOX_CLOCKS}},
	{"irp", "skx_unc_irp::UNC_I_CLOCKTICKS", {.event = BOX_CLOCKS}},
	{"m3upi", "skx_unc_m3upi0::UNC_M3_CLOCKTICKS", {.event = BOX_CLOCKS}},
};

int main(void)
{
	if (!begin_libpfm4())
		return 2;
	test_examples();
	test_stacks();
	test_filters();
	test_msrs();
	test_functions();
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++)
		check_encoding(rows[i].name, box_encode(KIND(rows[i].kind), &rows[i].config));
	return tap_end();
}
