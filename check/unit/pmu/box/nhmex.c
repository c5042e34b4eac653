/* SPDX-License-Identifier: BSD-2-Clause */
/* The rows of the Xeons 7500 and E7: registers and controls of the fact sheet. */
#include "rows.h"

extern const struct box_part box_part_nhmex;

#define AT(name, n) box_at(&box_part_nhmex, name, n)

/* Slices are not in the order of their registers. */
static void test_slices(void)
{
	static const uint16_t gates[] = {0xd00, 0xd80, 0xd40, 0xdc0, 0xd20,
					 0xda0, 0xd60, 0xde0, 0xf40, 0xfc0};

	for (unsigned n = 0; n < ARRAY_SIZE(gates); n++) {
		const struct box box = AT("cbox", n);

		OK(begins(&box, gates[n], gates[n] + 0x10u, gates[n] + 0x11u));
		OK(box_ctl(&box, 5).address == gates[n] + 0x1au &&
		   box_ctr(&box, 5).address == gates[n] + 0x1bu);
	}
}

/* The last two of them are Westmere-EX's alone. */
static void test_models(void)
{
	for (unsigned i = 0; i < box_part_nhmex.places_count; i++)
		OK(box_part_nhmex.places[i].model ==
		   (box_part_nhmex.places[i].base >= 0xf00 ? 0x2f : 0));
}

static void test_others(void)
{
	const struct box stop = AT("sbox", 1), power = AT("wbox", 0);
	struct box_state state = {.box = &power};
	const struct pmu pmu = {.state = &state};

	OK(begins(&stop, 0xcc0, 0xcd0, 0xcd1) && begins(&power, 0xc80, 0xc90, 0xc91));
	OK(box_fixed_ctr(&pmu).address == 0x394 && box_fixed_ctl(&pmu).address == 0x395);
	OK(power.kind->fixed.enable == 1 && power.kind->gate->run == 0x8000000f);
	OK(box_global(&stop).address == 0xc00 && box_global(&stop).rests == 0x10000000);
}

/* LLC_MISSES of all states; and clocks, in which no more than 30 come. */
static void test_controls(void)
{
	const struct box_kind *slice = kind_of(&box_part_nhmex, "cbox");

	OK(box_encode(slice, &(struct box_config){.row = 3}) == 0x400714);
	OK(box_encode(slice, &(struct box_config){.event = BOX_CLOCKS}) == 0x1fc00714);
	OK(box_encode(kind_of(&box_part_nhmex, "wbox"),
		      &(struct box_config){.event = BOX_CLOCKS}) == 0xffc00002);
	OK(slice->gate->run == 0x3f && slice->gate->stop == 0);
}

int main(void)
{
	test_slices();
	test_models();
	test_others();
	test_controls();
	return tap_end();
}
