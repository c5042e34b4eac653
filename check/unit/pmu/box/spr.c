/* SPDX-License-Identifier: BSD-2-Clause */
/* Sapphire Rapids: worked examples. */
#include "rows.h"

extern const struct box_part box_part_spr;

#define KIND(name) kind_of(&box_part_spr, name)

/* Of row in the fields of a slice's control. */
static uint64_t encode_row(struct box_event row)
{
	const struct box_event rows[] = {row, {0}};
	struct box_kind kind = *KIND("cha");

	kind.events = rows;
	return box_encode(&kind, &(struct box_config){.row = 1});
}

/* No bit enables. */
static void test_controls(void)
{
	const struct box_kind *cha = KIND("cha");

	OK(box_encode(cha, &(struct box_config){.event = BOX_CLOCKS}) == 0x1);
	OK(box_encode(cha, &(struct box_config){.event = SLICE_LOADS_MISSED}) ==
	   UINT64_C(0xc817fe00000135));
	OK(encode_row((struct box_event){
		   .name = "", .event = 0x34, .unit_mask = 0xff | 0x1bc1 << 8}) ==
	   UINT64_C(0x1bc10000ff34));
	OK(!cha->select.enable);
}

/* Freeze; reset both while frozen; run.  What the generation before resets by is no reset. */
static void test_gate(void)
{
	const struct box_kind *cha = KIND("cha");

	OK(cha->gate.stop == 0x1 && cha->gate.run == 0);
	OK((cha->gate.stop | cha->gate.reset_ctls | cha->gate.reset_ctrs) == 0x301);
	OK(!(0x3 & (cha->gate.reset_ctls | cha->gate.reset_ctrs)));
}

static void test_registers(void)
{
	const struct box cha_7 = {.kind = KIND("cha"), .part = &box_part_spr, .base = 0x2070},
			 ubox = {.kind = KIND("ubox"), .part = &box_part_spr, .base = 0x2fd0};
	const struct box_state state = {.box = &ubox};
	const struct pmu pmu = {.state = (void *)(uintptr_t)&state};

	OK(box_gate(&cha_7).address == 0x2070);
	OK(box_ctl(&cha_7, 0).address == 0x2072 && box_ctl(&cha_7, 3).address == 0x2075);
	OK(box_ctr(&cha_7, 0).address == 0x2078 && box_ctr(&cha_7, 3).address == 0x207b);
	OK(box_ctl(&ubox, 1).address == 0x2fd3 && box_ctr(&ubox, 1).address == 0x2fd9);
	OK(box_fixed_ctl(&pmu).address == 0x2fde && box_fixed_ctr(&pmu).address == 0x2fdf);
}

int main(void)
{
	test_controls();
	test_gate();
	test_registers();
	return tap_end();
}
