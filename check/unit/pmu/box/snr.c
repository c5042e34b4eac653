/* SPDX-License-Identifier: BSD-2-Clause */
/* The rows of Snow Ridge: worked examples, and registers as Linux has them. */
#include "check/fuzz/fake_machine.h"
#include "rows.h"

extern const struct box_part box_part_snr;

#define KIND(name)  kind_of(&box_part_snr, name)
#define AT(name, n) box_at(&box_part_snr, name, n)
#define IS(kind, want, ...)                                                                        \
	OK(box_encode(KIND(kind), &(struct box_config){__VA_ARGS__}) == UINT64_C(want))

static void test_controls(void)
{
	IS("cha", 0xc827fe00400135, .event = SLICE_LOADS_MISSED);
	IS("cha", 0xc827ff00400135, .event = SLICE_LOADS);
	IS("imc", 0x400f04, .event = CHANNEL_READS);
	IS("imc", 0x403004, .event = CHANNEL_WRITES);
	IS("m2m", 0x700400437, .event = MESH_READS);
	IS("iio", 0x70ff000400183, .event = IO_DATA_WRITTEN);
	OK(box_max_threshold(KIND("iio")) == 4095);
}

static void test_msrs(void)
{
	const struct box cha = AT("cha", 5), pcu = AT("pcu", 0), ubox = AT("ubox", 0);
	const struct box irp = AT("irp", 4), stop = AT("m2pcie", 4);
	struct box_state state = {.box = &ubox};
	const struct pmu pmu = {.state = &state};

	OK(begins(&cha, 0x1c50, 0x1c51, 0x1c58) && box_filter(&cha, 0).address == 0x1c55);
	OK(begins(&pcu, 0x1ef0, 0x1ef1, 0x1ef8) && box_ctr(&pcu, 3).address == 0x1efb);
	OK(begins(&irp, 0x1ee0, 0x1ee8, 0x1ee1) && irp.kind->counters == 2);
	OK(begins(&stop, 0x1e90, 0x1e98, 0x1e91));
	OK(box_ctl(&ubox, 1).address == 0x1f92 && box_ctr(&ubox, 1).address == 0x1f99);
	OK(box_fixed_ctl(&pmu).address == 0x1f93 && box_fixed_ctr(&pmu).address == 0x1f94);
}

/* The clock of the fifth stack, and what goes in by its port 3. */
static void test_stacks(void)
{
	const struct box iio = AT("iio", 4);
	const struct box_meter *meters = iio.kind->meters;

	OK(begins(&iio, 0x1e40, 0x1e48, 0x1e41));
	OK(iio.base + meters[0].at == 0x1eec && iio.meters + meters[4].at == 0x1f43);
	OK(iio.kind->meter_dwords == 8);
}

/* Bits that its cores have none of are not written. */
static void test_prefetchers(void)
{
	OK(box_part_snr.prefetchers.msr == 0x1a4 && box_part_snr.prefetchers.off == 5);
}

extern const struct box_part box_part_gnr;

static bool switches_off(uint32_t core_type, uint64_t bits)
{
	const struct pmu pmu = {.ops = &box_part_gnr.ops};
	uint64_t off, on;

	fake_begin(0);
	fake_leaf(0, 0, (struct cpuid_regs){.eax = CPUID_HYBRID});
	fake_leaf(CPUID_HYBRID, 0, (struct cpuid_regs){.eax = core_type << 24});
	fake_msr(0x1a4, 0, BIT(5), ~UINT64_C(0));
	box_prefetchers(&pmu, false);
	rdmsr_safe(0x1a4, &off);
	box_prefetchers(&pmu, true);
	rdmsr_safe(0x1a4, &on);
	return off == (BIT(5) | bits) && on == BIT(5);
}

/* A part of either kind of core. */
static void test_cores(void)
{
	OK(switches_off(CORE_TYPE_CORE, FIELD(3, 0)));
	OK(switches_off(0, FIELD(3, 0)));
	OK(switches_off(CORE_TYPE_ATOM, BIT(2) | BIT(0)));
}

int main(void)
{
	test_cores();
	test_controls();
	test_msrs();
	test_stacks();
	test_prefetchers();
	return tap_end();
}
