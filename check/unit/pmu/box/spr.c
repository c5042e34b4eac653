/* SPDX-License-Identifier: BSD-2-Clause */
/* Sapphire Rapids and Granite Rapids: worked examples. */
#include "rows.h"

extern const struct box_part box_part_spr, box_part_gnr;

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
	OK(!cha->select->enable);
}

/* Freeze; reset both while frozen; run.  What the generation before resets by is no reset. */
static void test_gate(void)
{
	const struct box_kind *cha = KIND("cha");

	OK(cha->gate->stop == 0x1 && cha->gate->run == 0);
	OK((cha->gate->stop | cha->gate->reset_ctls | cha->gate->reset_ctrs) == 0x301);
	OK(!(0x3 & (cha->gate->reset_ctls | cha->gate->reset_ctrs)));
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

/* In memory: control i is at 40h + 4i, counter i at 8 + 8i. */
static void test_channel(void)
{
	const struct box imc_2 = {.kind = KIND("imc"), .part = &box_part_spr, .base = 0x27949800};
	const struct box_state state = {.box = &imc_2};
	const struct pmu pmu = {.state = (void *)(uintptr_t)&state};
	const struct box_config reads = {.event = CHANNEL_READS},
				writes = {.event = CHANNEL_WRITES};

	OK(box_encode(imc_2.kind, &reads) == 0xcf05 && box_encode(imc_2.kind, &writes) == 0xf005);
	OK(box_ctl(&imc_2, 0).address == 0x27949840 && box_ctl(&imc_2, 3).address == 0x2794984c);
	OK(box_ctr(&imc_2, 0).address == 0x27949808 && box_ctr(&imc_2, 3).address == 0x27949820);
	OK(box_ctl(&imc_2, 1).bytes == 4 && box_ctr(&imc_2, 1).by_dwords);
	OK(box_fixed_ctl(&pmu).address == 0x27949854 && box_fixed_ctr(&pmu).address == 0x27949838);
}

static bool has_fixed_at(const struct box_kind *kind, uint32_t base, uint32_t ctl, uint32_t ctr)
{
	const struct box ubox = {.kind = kind, .part = &box_part_gnr, .base = base};
	const struct box_state state = {.box = &ubox};
	const struct pmu pmu = {.state = (void *)(uintptr_t)&state};

	return box_fixed_ctl(&pmu).address == ctl && box_fixed_ctr(&pmu).address == ctr;
}

/* Reads of both halves of a channel are those of two events. */
static void test_granite_rapids(void)
{
	const struct box_kind *imc = kind_of(&box_part_gnr, "imc"),
			      *grand_ridge = kind_of(&box_part_gnr, "ubox"),
			      *cha = kind_of(&box_part_gnr, "cha");
	const struct box_config missed = {.event = SLICE_LOADS_MISSED};
	struct box_event rows[] = {{.name = "", .event = 0x05, .unit_mask = 0xcf},
				   {.name = "", .event = 0x06, .unit_mask = 0xcf},
				   {0}};
	struct box_kind kind = *imc;

	kind.events = rows;
	OK(box_encode(&kind, &(struct box_config){.row = 1}) == 0xcf05);
	OK(box_encode(&kind, &(struct box_config){.row = 2}) == 0xcf06);
	OK(kind_of(&box_part_gnr, "irp")->counters == 4);
	/* Loads of those that have E-cores alone are others. */
	OK(box_encode(cha, &missed) == UINT64_C(0xc817fe00000135) && cha->model == 0xad &&
	   cha->last_model == 0xae);
	OK(box_encode(cha + 1, &missed) == UINT64_C(0xc827fe00000135) && !cha[1].model);
	OK(grand_ridge->model == 0xb6 && has_fixed_at(grand_ridge, 0x3f50, 0x3f5e, 0x3f5f));
	OK(has_fixed_at(grand_ridge + 1, 0x3ff0, 0x3ffe, 0x3ffd));
}

int main(void)
{
	test_channel();
	test_granite_rapids();
	test_controls();
	test_gate();
	test_registers();
	return tap_end();
}
