/* SPDX-License-Identifier: BSD-2-Clause */
/* The rows of Ice Lake-SP: worked examples of the fact sheet. */
#include "rows.h"

extern const struct box_part box_part_icx;

#define KIND(name) kind_of(&box_part_icx, name)

/* ---- control registers ---- */

#define IS(kind, want, ...) OK(box_encode(KIND(kind), &(struct box_config){__VA_ARGS__}) == (want))

/* A row of that kind, as the lists of events have it. */
static uint64_t encode_row(const char *name, struct box_event row)
{
	const struct box_event rows[] = {row, {0}};
	struct box_kind kind = *KIND(name);

	kind.events = rows;
	return box_encode(&kind, &(struct box_config){.row = 1});
}

#define ROW(kind, event_, unit_mask_)                                                              \
	encode_row(kind,                                                                           \
		   (struct box_event){.name = "", .event = (event_), .unit_mask = (unit_mask_)})

static void test_controls(void)
{
	IS("cha", UINT64_C(0xc817fe00400135), .event = SLICE_LOADS_MISSED);
	OK(ROW("cha", 0x34, 0xff | 0x1fff << 8) == UINT64_C(0x1fff0040ff34));
	OK(ROW("iio", 0x83, 0x01 | 1 << (8 + 5) | 7 << 20) == UINT64_C(0x7020000400183));
	IS("imc", 0x400f04, .event = CHANNEL_READS);
	IS("imc", 0x403004, .event = CHANNEL_WRITES);
	IS("imc", 0x403f04, .event = CHANNEL_ALL);
	IS("m2m", UINT64_C(0x700400437), .event = MESH_READS);
	IS("pcu", 0x0440c080, .event = POWER_C6, .at_least = 4);
	IS("irp", 0x01c00001, .event = BOX_CLOCKS, .below = 1);
	OK(box_max_threshold(KIND("iio")) == 4095 && box_max_threshold(KIND("upi")) == 255);
}

/* ---- registers ---- */

#define AT(name, n) box_at(&box_part_icx, name, n)

static void test_slices(void)
{
	static const struct {
		unsigned n;
		uint64_t gate;
	} slices[] = {{0, 0xe00},  {17, 0xeee}, {18, 0xf0a}, {20, 0xf26},
		      {33, 0xfdc}, {34, 0xb60}, {39, 0xba6}};

	for (size_t i = 0; i < ARRAY_SIZE(slices); i++) {
		const struct box cha = AT("cha", slices[i].n);

		OK(begins(&cha, slices[i].gate, slices[i].gate + 1, slices[i].gate + 8));
		OK(box_filter(&cha, 0).address == slices[i].gate + 5);
	}
}

static void test_stacks(void)
{
	static const uint64_t bases[] = {0xa40, 0xa60, 0xa80, 0xad0, 0xaf0, 0xb10},
			      meters[] = {0xaa0, 0xab0, 0xac0, 0xb30, 0xb40, 0xb50};

	for (unsigned n = 0; n < ARRAY_SIZE(bases); n++) {
		const struct box stop = AT("m2pcie", n), irp = AT("irp", n), iio = AT("iio", n);

		OK(begins(&stop, bases[n], bases[n] + 6, bases[n] + 1));
		OK(begins(&irp, bases[n] + 0xa, bases[n] + 0xd, bases[n] + 0xb));
		OK(begins(&iio, bases[n] + 0x10, bases[n] + 0x18, bases[n] + 0x11));
		OK(iio.meters == meters[n]);
	}
}

static void test_functions(void)
{
	const struct box m2m = {.kind = KIND("m2m")}, upi = {.kind = KIND("upi")},
			 m3upi = {.kind = KIND("m3upi")};

	OK(begins(&m2m, 0x438, 0x468, 0x440) && box_ctl(&m2m, 3).address == 0x480);
	OK(begins(&upi, 0x318, 0x350, 0x320) && box_ctr(&upi, 3).address == 0x338);
	OK(begins(&m3upi, 0xa0, 0xd8, 0xa8) && box_ctl(&m3upi, 3).address == 0xe4);
	OK(box_ctl(&m2m, 0).bytes == 8 && box_ctl(&m2m, 0).by_dwords &&
	   box_ctl(&m3upi, 0).bytes == 4);
}

/* The second channel of a controller, and what that counts by itself. */
static void test_memory(void)
{
	const uint64_t block = box_block(0x4f, 0x123);
	struct box imc = AT("imc", 1), mc = AT("mc", 0);

	OK(block == 0x27923000 && box_block(0xe000004f, 0xfffff923) == 0x27800000 + 0x123000);
	OK(!box_block(UINT32_MAX, 0x123) && !box_block(0x4f, UINT32_MAX) && !box_block(0x4f, 0));
	imc.base += block;
	mc.base += block;
	OK(begins(&imc, 0x27949800, 0x27949840, 0x27949808) && box_ctl(&imc, 0).bytes == 4);
	OK(imc.base + (uint64_t)imc.kind->at.fixed_ctr == 0x27949838 &&
	   imc.base + (uint64_t)imc.kind->at.fixed_ctl == 0x27949854);
	OK(box_ctr(&imc, 3).address == 0x27949820 && !box_ctr(&imc, 3).by_dwords);
	OK(mc.base == 0x27925290 && mc.base + mc.kind->meters[4].at == 0x279252b0);
	OK(mc.kind->meters[0].width == 48 && mc.kind->channels == 2);
}

int main(void)
{
	test_controls();
	test_slices();
	test_stacks();
	test_functions();
	test_memory();
	return tap_end();
}
