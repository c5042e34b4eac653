/* SPDX-License-Identifier: BSD-2-Clause */
/* The uncore as a PMU of a profile. */
#include "box.h"
#include "kernel/lib/fmt.h"

_Static_assert(sizeof(struct uncore) <= BOXES_STATE, "fits its room");

/* ---- its registers ---- */

static bool is_fixed(struct reg_id reg)
{
	return reg.kind != UNCORE_FILTER && reg.number == UNCORE_FIXED;
}

static void write_register(void *uncore, const struct pmu_register *reg, uint64_t value)
{
	struct uncore *u = uncore;

	for (unsigned socket = 0; socket < u->sockets; socket++)
		uncore_write(u, &u->box[socket][reg->place], reg->reg, value, false);
}

/* The event that counts clocks, where there is one. */
static unsigned clock_event(const struct uncore_kind *kind, unsigned counter)
{
	for (const struct uncore_event *event = kind->events; event->counters; event++)
		if (event->counting == COUNTS_CLOCK && event->counters >> counter & 1)
			return event->code;
	return 0;
}

static uint64_t runs(const struct uncore_kind *kind, struct reg_id reg)
{
	if (reg.kind == UNCORE_BOX_CTL)
		return kind->field[GATE_ENABLES];
	if (reg.kind != UNCORE_CTL)
		return 0;
	return is_fixed(reg) ? kind->field[FIXED_ENABLE]
			     : kind->field[CTL_ENABLE] | field_put(kind->field[CTL_EVENT],
								   clock_event(kind, reg.number));
}

static void name_it(struct pmu_register *reg, const struct uncore_kind *kind, unsigned of_kind)
{
	static const char *const registers[] = {
		[UNCORE_CTR] = "ctr",
		[UNCORE_CTL] = "ctl",
		[UNCORE_FILTER] = "filter",
		[UNCORE_BOX_CTL] = "box_ctl",
	};
	bool fixed = is_fixed(reg->reg), numbered = !fixed && reg->reg.kind != UNCORE_BOX_CTL;
	char box[4] = "", number[4] = "";

	if (kind->boxes > 1)
		fmt_print(box, sizeof(box), "%u", of_kind);
	if (numbered)
		fmt_print(number, sizeof(number), "%u", reg->reg.number);
	fmt_print(reg->box, sizeof(reg->box), "%s%s", kind->name, box);
	fmt_print(reg->name, sizeof(reg->name), "%s_%s%s%s", reg->box, fixed ? "fixed_" : "",
		  registers[reg->reg.kind], number);
}

/* Tests of all boxes of a kind run with the first one.  Links and node numbers show little without
 * another socket. */
static void add_tests(struct pmu_register *reg, const struct uncore_kind *kind)
{
	bool filter = reg->reg.kind == UNCORE_FILTER;

	if (kind->role == ROLE_SLICE && filter) {
		reg->more_tests = "c*0.*.traffic.*,";
		reg->remote = uncore_field_in(kind, FILTER_NODE, reg->reg);
	} else if (kind->role == ROLE_LINK && (filter || reg->reg.kind == UNCORE_CTL)) {
		reg->more_tests = "qpi0.*.traffic.*,";
		reg->remote = ~UINT64_C(0);
	} else if (kind->role == ROLE_CORE_SLICE && reg->reg.kind == UNCORE_CTL) {
		reg->more_tests = "cbo0.*.traffic.*,";
	} else if (kind->role == ROLE_CONTROLLER && reg->reg.kind == UNCORE_CTL) {
		reg->more_tests = "umc0.*.traffic.*,";
	} else if (kind->role == ROLE_NORTHBRIDGE && reg->reg.kind == UNCORE_CTL) {
		reg->more_tests = "nb.*.interrupt.*,";
	} else if (kind->role == ROLE_CHANNEL && reg->cells && is_fixed(reg->reg)) {
		reg->more_tests = "imc0.*.count.fixed_matches,imc0.*.rare.dclk,";
	}
}

static void describe(struct pmu_register *described, const struct uncore_kind *kind, unsigned place,
		     unsigned number, struct reg_id reg)
{
	bool cells = reg.kind == UNCORE_CTR, of_counter = cells || reg.kind == UNCORE_CTL;

	*described = (struct pmu_register){
		.reg = reg,
		.place = place,
		.next = of_counter && !is_fixed(reg) ? (reg.number + 1) % kind->counters
						     : reg.number,
		.counter = cells ? (int)reg.number : -1,
		.cells = cells,
		.fixed = cells && is_fixed(reg),
		.simple = kind->by_turns,
		.upright = !kind->field[CTL_INVERT] && !kind->field[CTL_OCCUPANCY_INVERT],
		.bits = uncore_held(kind, reg),
		.runs = runs(kind, reg),
		/* A lock is not one event in the length of windows, but a thirtieth of one. */
		.scarce = kind->role == ROLE_SYSTEM && cells ? 11 : 0,
	};
	name_it(described, kind, number);
	add_tests(described, kind);
}

/* The index-th register of the kind. */
static bool register_of(const struct uncore_kind *kind, unsigned *index, struct reg_id *found)
{
	for (unsigned reg = UNCORE_CTR; reg <= UNCORE_BOX_CTL; reg++)
		for (unsigned i = 0; i < UNCORE_ALL_COUNTERS; i++) {
			*found = (struct reg_id){reg, i, false};
			if (uncore_has(kind, *found) && !(*index)--)
				return true;
		}
	return false;
}

static bool register_at(const void *part, unsigned index, struct pmu_register *described)
{
	const struct uncore_kind *kind;
	struct reg_id reg;
	unsigned number;

	for (unsigned place = 0; (kind = uncore_kind_at(part, place, &number)); place++)
		if (register_of(kind, &index, &reg)) {
			describe(described, kind, place, number, reg);
			return true;
		}
	return false;
}

static const char *unseen(const void *part, const struct pmu_register *reg, uint64_t bit,
			  bool inverted)
{
	unsigned number;

	return uncore_unseen(uncore_kind_at(part, reg->place, &number), reg->reg, bit, inverted);
}

/* ---- the rest ---- */

static void reset(void *uncore, const void *part, const struct fault *fault)
{
	uncore_reset(uncore, part, fault);
}

static void deviate(void *uncore, const struct defect *defect)
{
	uncore_vary(uncore, (enum uncore_variation)defect->arg);
}

static bool may_have(const void *part, const struct defect *defect)
{
	const struct uncore_kind *kind;
	unsigned number;

	for (unsigned place = 0; (kind = uncore_kind_at(part, place, &number)); place++)
		if (uncore_concerns(defect, kind, place, number))
			return true;
	return false;
}

static const struct msr_range *msrs(const void *part)
{
	return ((const struct uncore_part *)part)->ranges;
}

static void set_time(void *uncore, uint64_t tsc, uint64_t executed)
{
	struct uncore *u = uncore;

	u->now = tsc;
	u->executed = executed;
}

static bool watches_memory(const void *uncore)
{
	const struct uncore *u = uncore;

	return u->watching || uncore_is_metered(u);
}

static uint64_t memory(void *uncore, const struct memory_access *access)
{
	struct uncore *u = uncore;

	if (access->kind == MEMORY_FENCE) {
		uncore_flush_buffers(u);
		return uncore_drain(u);
	}
	uncore_access(u, access);
	return u->memory.busy_until;
}

static unsigned requests(void *uncore)
{
	struct uncore *u = uncore;
	unsigned n = u->requests;

	u->requests = 0;
	return n;
}

static bool is_settled(const void *uncore, const struct memory_access *access)
{
	return uncore_is_settled(uncore, access);
}

static const struct boxes_ops boxes_ops = {
	.may_have = may_have,
	.sockets = uncore_sockets,
	.configure = uncore_configure,
	.share = uncore_share,
	.msrs = msrs,
	.is_msr = uncore_is_msr,
	.is_bus = uncore_is_bus,
	.is_function = uncore_is_function,
	.set_time = set_time,
	.write = write_register,
	.pci_read = uncore_pci_read,
	.pci_write = uncore_pci_write,
	.msr_advances = uncore_msr_advances,
	.pci_advances = uncore_pci_advances,
	.window = uncore_window,
	.window_read = uncore_window_read,
	.window_write = uncore_window_write,
	.window_register = uncore_window_register,
	.watches_memory = watches_memory,
	.is_settled = is_settled,
	.memory = memory,
	.requests = requests,
};

const struct kind_ops uncore_ops = {
	.reset = reset,
	.rdmsr = uncore_rdmsr,
	.wrmsr = uncore_wrmsr,
	.rdpmc = uncore_rdpmc,
	.deviate = deviate,
	.register_at = register_at,
	.unseen = unseen,
	.boxes = &boxes_ops,
};
