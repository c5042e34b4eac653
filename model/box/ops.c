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

/* Bits that start something are not held by the register. */
static uint64_t bits_of(const struct uncore_traits *traits, struct reg_id reg)
{
	uint64_t bits = uncore_writable(traits, reg);

	if (reg.kind == UNCORE_CTL)
		return bits & ~(is_fixed(reg) ? FIXED_CTL_RST : CTL_RST);
	return reg.kind == UNCORE_BOX_CTL ? bits & ~(BOX_CTL_RST_CTRL | BOX_CTL_RST_CTRS) : bits;
}

/* The event that counts clocks, where there is one. */
static unsigned clock_event(const struct uncore_traits *traits, unsigned counter)
{
	const struct uncore_event *event = traits->events;

	for (; event->counters; event++)
		if (event->counting == COUNTS_CLOCK && event->counters >> counter & 1)
			return event->code;
	return 0;
}

static uint64_t runs(const struct uncore_traits *traits, struct reg_id reg)
{
	if (reg.kind != UNCORE_CTL)
		return 0;
	return is_fixed(reg) ? FIXED_CTL_EN
			     : CTL_EN | field_put(CTL_EV_SEL, clock_event(traits, reg.number));
}

static void name_it(struct pmu_register *reg)
{
	static const struct {
		const char *name;
		unsigned first, boxes;
	} kinds[UNCORE_KINDS] = {
		[UNCORE_CBO] = {"cbo", BOX_CBO, UNCORE_SLICES},
		[UNCORE_UBOX] = {"ubox", BOX_UBOX, 1},
		[UNCORE_PCU] = {"pcu", BOX_PCU, 1},
		[UNCORE_HA] = {"ha", BOX_HA, 1},
		[UNCORE_IMC] = {"imc", BOX_IMC, UNCORE_CHANNELS},
		[UNCORE_QPI] = {"qpi", BOX_QPI, UNCORE_PORTS},
		[UNCORE_R2PCIE] = {"r2pcie", BOX_R2PCIE, 1},
		[UNCORE_R3QPI] = {"r3qpi", BOX_R3QPI, UNCORE_PORTS},
	};
	static const char *const registers[] = {
		[UNCORE_CTR] = "ctr",
		[UNCORE_CTL] = "ctl",
		[UNCORE_FILTER] = "filter",
		[UNCORE_BOX_CTL] = "box_ctl",
	};
	enum uncore_kind kind = uncore_traits_of(reg->place)->kind;
	bool fixed = is_fixed(reg->reg), numbered = !fixed && reg->reg.kind != UNCORE_BOX_CTL;
	char box[4] = "", number[4] = "";

	if (kinds[kind].boxes > 1)
		fmt_print(box, sizeof(box), "%u", reg->place - kinds[kind].first);
	if (numbered)
		fmt_print(number, sizeof(number), "%u", reg->reg.number);
	fmt_print(reg->box, sizeof(reg->box), "%s%s", kinds[kind].name, box);
	fmt_print(reg->name, sizeof(reg->name), "%s_%s%s%s", reg->box, fixed ? "fixed_" : "",
		  registers[reg->reg.kind], number);
}

/* Tests of all boxes of a kind run with the first one.  Of links, and of node numbers, there is
 * little to see without another socket. */
static void add_tests(struct pmu_register *reg)
{
	enum uncore_kind kind = uncore_traits_of(reg->place)->kind;
	bool filter = reg->reg.kind == UNCORE_FILTER;

	if (kind == UNCORE_CBO && filter) {
		reg->more_tests = "cbo0.*.traffic.*,";
		reg->remote = FILTER_NID;
	} else if (kind == UNCORE_QPI && (filter || reg->reg.kind == UNCORE_CTL)) {
		reg->more_tests = "qpi0.*.traffic.*,";
		reg->remote = ~UINT64_C(0);
	} else if (kind == UNCORE_IMC && reg->cells && is_fixed(reg->reg)) {
		reg->more_tests = "imc0.*.count.fixed_matches,imc0.*.rare.dclk,";
	}
}

static void describe(struct pmu_register *described, unsigned box, struct reg_id reg)
{
	const struct uncore_traits *traits = uncore_traits_of(box);
	bool cells = reg.kind == UNCORE_CTR, of_counter = cells || reg.kind == UNCORE_CTL;

	*described = (struct pmu_register){
		.reg = reg,
		.place = box,
		.next = of_counter && !is_fixed(reg) ? (reg.number + 1) % traits->counters
						     : reg.number,
		.counter = cells ? (int)reg.number : -1,
		.cells = cells,
		.fixed = cells && is_fixed(reg),
		.bits = bits_of(traits, reg),
		.runs = runs(traits, reg),
		/* A lock is not one event in the length of windows, but a thirtieth of one. */
		.scarce = box == BOX_UBOX && cells ? 11 : 0,
	};
	name_it(described);
	add_tests(described);
}

static bool register_at(const void *uncore, unsigned index, struct pmu_register *described)
{
	(void)uncore;
	for (unsigned box = 0; box < UNCORE_BOXES; box++)
		for (unsigned kind = UNCORE_CTR; kind <= UNCORE_BOX_CTL; kind++)
			for (unsigned i = 0; i < UNCORE_ALL_COUNTERS; i++) {
				struct reg_id reg = {kind, i, false};

				if (!uncore_has(uncore_traits_of(box), reg) || index--)
					continue;
				describe(described, box, reg);
				return true;
			}
	return false;
}

static const char *unseen(const void *traits, const struct pmu_register *reg, uint64_t bit,
			  bool inverted)
{
	(void)traits;
	return uncore_unseen(uncore_traits_of(reg->place), reg->reg, bit, inverted);
}

/* ---- the rest ---- */

static void reset(void *uncore, const void *traits, const struct fault *fault)
{
	(void)traits;
	uncore_reset(uncore, fault);
}

static void set_tsc(void *uncore, uint64_t tsc)
{
	((struct uncore *)uncore)->now = tsc;
}

static bool watches_memory(const void *uncore)
{
	return ((const struct uncore *)uncore)->watching;
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

/* MSR_MISC_FEATURE_CONTROL, residencies that the PCU counts, and the boxes. */
static const struct msr_range msrs[] = {{0x1a4, 0x1a4}, {0x3fc, 0x3fd}, {0xc00, 0xdff}, {0, 0}};

const struct kind_ops uncore_snbep_ops = {
	.reset = reset,
	.rdmsr = uncore_rdmsr,
	.wrmsr = uncore_wrmsr,
	.register_at = register_at,
	.unseen = unseen,
	.sockets = uncore_sockets,
	.configure = uncore_configure,
	.msrs = msrs,
	.is_msr = uncore_is_listed_msr,
	.is_bus = uncore_is_bus,
	.is_function = uncore_is_function,
	.set_tsc = set_tsc,
	.write = write_register,
	.pci_read = uncore_pci_read,
	.pci_write = uncore_pci_write,
	.msr_advances = uncore_msr_advances,
	.pci_advances = uncore_pci_advances,
	.watches_memory = watches_memory,
	.memory = memory,
};
BOXES(uncore_snbep_ops);
