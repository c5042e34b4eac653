/* SPDX-License-Identifier: BSD-2-Clause */
/* The Intel model's PERF_METRICS, against the fact sheet's laws. */
#include "bench.h"

#define MSR_METRICS UINT32_C(0x329)
#define MSR_SLOTS   UINT32_C(0x30c)
#define RUNS        (BIT(48) | BIT(35))

static void start(const char *model)
{
	begin(model, NULL);
	OK(wr(MSR_SLOTS, 0) && wr(MSR_METRICS, 0) && rd(MSR_METRICS) == 0);
	OK(wr(MSR_FIXED_CTRL, 0x3000) && wr(MSR_GLOBAL_CTRL, RUNS));
}

static uint64_t byte(unsigned i)
{
	return rd(MSR_METRICS) >> 8 * i & 0xff;
}

/* A clock with so many micro-ops. */
static void retire(unsigned clocks, uint8_t uops)
{
	struct clock clock = {
		.n = {[SIGNAL_CYCLES] = 1, [SIGNAL_INSTRUCTIONS] = uops, [SIGNAL_UOPS] = uops}};

	while (clocks--)
		pmu_intel_ops.core->clock(&pmu, &clock);
}

static void test_fields(void)
{
	uint64_t shown;

	start("goldencove");
	retire(100, 6); /* all retire */
	retire(100, 0); /* none does */
	OK(byte(0) == 128 && byte(3) == 128 && byte(1) == 0 && byte(2) == 0);
	retire(100, 3); /* half */
	OK(rd(MSR_SLOTS) == 1800 && byte(0) == 128 && byte(3) == 85 && byte(2) == 43);
	OK(byte(6) <= byte(2) && byte(4) == 0 && byte(7) == 0);
	wr(MSR_GLOBAL_CTRL, BIT(35));
	shown = rd(MSR_METRICS);
	retire(1000, 6);
	OK(rd(MSR_METRICS) == shown && rd(MSR_SLOTS) == 7800);
	OK(wr(MSR_SLOTS, 0) && rd(MSR_METRICS) == 0);
}

/* Many clocks at once are as one after the other. */
static void test_passed(void)
{
	const struct clock full = {.n = {[SIGNAL_INSTRUCTIONS] = 6, [SIGNAL_UOPS] = 6}},
			   none = {.cpl = 0};
	const struct passed passed[] = {{&full, NULL, 300}, {&none, NULL, 100}};

	start("goldencove");
	pmu_intel_ops.core->pass(&pmu, passed, 2);
	OK(rd(MSR_SLOTS) == 2400 && byte(0) == 191 && byte(3) == 64);
}

static void test_registers(void)
{
	uint64_t value;

	begin("goldencove", NULL);
	OK(wr(MSR_METRICS, 0x0a14051e40401a65) && rd(MSR_METRICS) == 0x0a14051e40401a65);
	OK(pmu_intel_ops.rdpmc(&pmu, 0x20000000, 0, false, &value) == ACCESS_DONE &&
	   value == 0x0a14051e40401a65);
	OK(pmu_intel_ops.rdpmc(&pmu, 0x20000000, 3, false, &value) == ACCESS_GP);
	OK(pmu_intel_ops.rdpmc(&pmu, 0x20000001, 0, false, &value) == ACCESS_GP);
	begin("icelake", NULL);
	OK(!wr(MSR_METRICS, BIT(32)) && wr(MSR_METRICS, 0x40401a65));
	begin("gracemont", NULL);
	OK(rd(MSR_METRICS) == ~UINT64_C(0) && !wr(MSR_GLOBAL_CTRL, BIT(48)));
	OK(pmu_intel_ops.rdpmc(&pmu, 0x20000000, 0, false, &value) == ACCESS_GP);
}

/* Bit 14 of IA32_FIXED_CTR_CTRL. */
static void test_cleared(void)
{
	uint64_t value;

	start("lioncove");
	retire(100, 8);
	OK(wr(MSR_FIXED_CTRL, 0x7000) && rd(MSR_METRICS) == 0xff && rd(MSR_SLOTS) == 800);
	OK(pmu_intel_ops.rdpmc(&pmu, 0x20000000, 0, false, &value) == ACCESS_DONE && value == 0xff);
	OK(rd(MSR_METRICS) == 0 && rd(MSR_SLOTS) == 0);
	retire(100, 0);
	OK(byte(3) == 255 && byte(0) == 0 && rd(MSR_SLOTS) == 800);
	begin("goldencove", NULL);
	OK(!wr(MSR_FIXED_CTRL, 0x7000));
}

/* Linux gives back both, the slots first, and goes on. */
static void test_goes_on(void)
{
	start("icelake");
	retire(1000, 5);
	wr(MSR_GLOBAL_CTRL, 0);
	OK(rd(MSR_SLOTS) == 5000 && rd(MSR_METRICS) == 255);
	OK(wr(MSR_SLOTS, 5100) && wr(MSR_METRICS, 255) && wr(MSR_GLOBAL_CTRL, RUNS));
	retire(1020, 0);
	OK(rd(MSR_SLOTS) == 10200 && byte(0) == 128 && byte(3) == 128);
}

/* What is counted of one ring is so in all fields. */
static void test_rings(void)
{
	start("goldencove");
	wr(MSR_FIXED_CTRL, 0x2000);
	retire(100, 6);
	OK(rd(MSR_SLOTS) == 0 && rd(MSR_METRICS) == 0);
}

int main(void)
{
	test_fields();
	test_passed();
	test_registers();
	test_cleared();
	test_goes_on();
	test_rings();
	return tap_end();
}
