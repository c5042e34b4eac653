/* SPDX-License-Identifier: BSD-2-Clause */
/* The uncore as a PMU of a profile. */
#include "kernel/lib/fmt.h"
#include "snbep.h"

_Static_assert(sizeof(struct uncore) <= BOXES_STATE, "fits its room");

/* ---- its registers, by a number of their own ---- */

static uint32_t number_of(unsigned box, enum uncore_register kind, unsigned number)
{
	return box << 16 | (uint32_t)kind << 8 | number;
}

static void write_register(void *uncore, uint32_t address, uint64_t value)
{
	struct uncore *u = uncore;

	for (unsigned socket = 0; socket < u->sockets; socket++)
		uncore_write(u,
			     (struct uncore_reg){&u->box[socket][address >> 16],
						 (enum uncore_register)(address >> 8 & 0xff),
						 address & 0xff},
			     value);
}

/* Bits that start something are not held by the register. */
static uint64_t bits_of(const struct uncore_reg *reg)
{
	switch (reg->kind) {
	case UNCORE_CTL:
		return uncore_writable(reg) & ~CTL_RST;
	case UNCORE_BOX_CTL:
		return BOX_CTL_FRZ | BOX_CTL_FRZ_EN;
	case UNCORE_FIXED_CTL:
		return FIXED_CTL_EN;
	default:
		return uncore_writable(reg);
	}
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

static uint64_t runs(const struct uncore_reg *reg)
{
	if (reg->kind == UNCORE_CTL)
		return CTL_EN | field_put(CTL_EV_SEL, clock_event(reg->box->traits, reg->number));
	return reg->kind == UNCORE_FIXED_CTL ? FIXED_CTL_EN : 0;
}

/* ---- for faults that are generated ---- */

static void name_it(const struct uncore_reg *reg, struct pmu_register *described)
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
	static const char *const registers[UNCORE_REGISTERS] = {
		[UNCORE_CTR] = "ctr%u",           [UNCORE_CTL] = "ctl%u",
		[UNCORE_FILTER] = "filter%u",     [UNCORE_BOX_CTL] = "box_ctl",
		[UNCORE_FIXED_CTL] = "fixed_ctl", [UNCORE_FIXED_CTR] = "fixed_ctr",
	};
	enum uncore_kind kind = reg->box->traits->kind;
	char number[4] = "", what[12];

	if (kinds[kind].boxes > 1)
		fmt_print(number, sizeof(number), "%u", reg->box->number - kinds[kind].first);
	fmt_print(described->box, sizeof(described->box), "%s%s", kinds[kind].name, number);
	fmt_print(what, sizeof(what), registers[reg->kind], reg->number);
	fmt_print(described->name, sizeof(described->name), "%s_%s", described->box, what);
}

/* Tests of all boxes of a kind run with the first one.  Of links, and of node numbers, there is
 * little to see without another socket. */
static void add_tests(const struct uncore_reg *reg, struct pmu_register *described)
{
	enum uncore_kind kind = reg->box->traits->kind;
	bool filter = reg->kind == UNCORE_FILTER;

	if (kind == UNCORE_CBO && filter) {
		described->more_tests = "cbo0.*.traffic.*,";
		described->remote = FILTER_NID;
	} else if (kind == UNCORE_QPI && (filter || reg->kind == UNCORE_CTL)) {
		described->more_tests = "qpi0.*.traffic.*,";
		described->remote = ~UINT64_C(0);
	} else if (kind == UNCORE_IMC && reg->kind == UNCORE_FIXED_CTR) {
		described->more_tests = "imc0.*.count.fixed_matches,";
	}
}

static void describe(const struct uncore_reg *reg, struct pmu_register *described)
{
	const struct uncore_traits *traits = reg->box->traits;
	bool cells = reg->kind == UNCORE_CTR, fixed = reg->kind == UNCORE_FIXED_CTR;
	unsigned next = cells || reg->kind == UNCORE_CTL ? (reg->number + 1) % traits->counters
							 : reg->number;

	*described = (struct pmu_register){
		.address = number_of(reg->box->number, reg->kind, reg->number),
		.neighbour = number_of(reg->box->number, reg->kind, next),
		.counter = fixed   ? UNCORE_COUNTERS
			   : cells ? (int)reg->number
				   : -1,
		.cells = cells || fixed,
		.bits = bits_of(reg),
		.runs = runs(reg),
	};
	name_it(reg, described);
	add_tests(reg, described);
}

static bool register_at(const void *uncore, unsigned index, struct pmu_register *described)
{
	(void)uncore;
	for (unsigned i = 0; i < UNCORE_BOXES * UNCORE_REGISTERS * UNCORE_COUNTERS; i++) {
		unsigned number = i / (UNCORE_REGISTERS * UNCORE_COUNTERS);
		struct uncore_box box = {.traits = uncore_traits_of(number), .number = number};
		struct uncore_reg reg = {
			&box,
			(enum uncore_register)(i / UNCORE_COUNTERS % UNCORE_REGISTERS),
			i % UNCORE_COUNTERS,
		};

		if (!uncore_has(&reg) || index--)
			continue;
		describe(&reg, described);
		return true;
	}
	return false;
}

static const char *unseen(const void *traits, const struct pmu_register *described, uint64_t bit,
			  bool inverted)
{
	unsigned number = described->address >> 16;
	struct uncore_box box = {.traits = uncore_traits_of(number), .number = number};
	struct uncore_reg reg = {&box, (enum uncore_register)(described->address >> 8 & 0xff),
				 described->address & 0xff};

	(void)traits;
	return uncore_unseen(&reg, bit, inverted);
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

const struct pmu_ops uncore_snbep_ops = {
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
