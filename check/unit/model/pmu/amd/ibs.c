/* SPDX-License-Identifier: BSD-2-Clause */
/* Instruction-based sampling by worked values of its registers. */
#include "model/pmu/amd/amd.h"
#include "model/profiles/profiles.h"

#include "check/unit/tap.h"

#define FETCH_CTL_MSR  UINT32_C(0xc0011030)
#define OP_CTL_MSR     UINT32_C(0xc0011033)
#define RIP            UINT32_C(0xc0011034)
#define DATA           UINT32_C(0xc0011035)
#define DATA3          UINT32_C(0xc0011037)
#define LINEAR         UINT32_C(0xc0011038)
#define PHYSICAL       UINT32_C(0xc0011039)
#define TARGET         UINT32_C(0xc001103b)
#define OP_CTL2_MSR    UINT32_C(0xc001103e)
#define FETCH_CTL2_MSR UINT32_C(0xc001103f)
#define FAULTS         (~UINT64_C(0))

static struct pmu_amd pmu;

static void write(uint32_t msr, uint64_t value)
{
	pmu_amd_ops.wrmsr(&pmu, msr, value);
}

static uint64_t read(uint32_t msr)
{
	uint64_t value = FAULTS;

	return pmu_amd_ops.rdmsr(&pmu, msr, &value) == ACCESS_DONE ? value : FAULTS;
}

static void begin(const char *model)
{
	pmu_amd_ops.reset(&pmu, profile_find(model)->pmus[0].traits, NULL);
}

/* ---- what executes ---- */

static bool locate(void *arg, uint64_t linear, struct memory_access *access)
{
	(void)arg;
	access->physical = linear + 0x100000;
	access->type = MEMORY_WRITE_BACK;
	return true;
}

/* Of as many ops. */
static void clock(unsigned ops)
{
	struct clock clock = {.cpl = 0};

	clock.n[SIGNAL_CYCLES] = 1;
	clock.n[SIGNAL_INSTRUCTIONS] = clock.n[SIGNAL_UOPS] = (uint8_t)ops;
	pmu_amd_ops.core->clock(&pmu, &clock);
}

/* One instruction, of one op, at 1000h, which goes on at next. */
static void execute(const struct insn *insn, uint64_t next)
{
	struct machine machine = {.locate = locate,
				  .before = {.ip = 0x1000},
				  .after = {.ip = next},
				  .insn = insn,
				  .operand = 0x2008,
				  .has_operand = insn->loads + insn->stores > 0};

	clock(1);
	if (pmu.core.wants_assist)
		pmu_amd_ops.core->assist(&pmu, &machine);
}

static const struct insn nop = {.length = 1, .uops = 1};
static const struct insn load = {
	.length = 4, .uops = 1, .loads = 1, .width = 8, .memory = MEMORY_LOAD};
static const struct insn locked = {.length = 4,
				   .uops = 2,
				   .loads = 1,
				   .stores = 1,
				   .width = 4,
				   .memory = MEMORY_STORE,
				   .locked = true};
static const struct insn jcc = {.length = 2, .uops = 1, .class = INSN_JCC};
static const struct insn ret = {.length = 1, .uops = 1, .class = INSN_RET};

static bool has_val(void)
{
	return read(OP_CTL_MSR) & OP_VAL;
}

/* Samples this one, by the shortest period. */
static void sample(const struct insn *insn, uint64_t next)
{
	begin("zen3");
	write(OP_CTL_MSR, 0x000a0009);
	for (unsigned i = 0; i < 144; i++)
		execute(&nop, 0x1001);
	OK(!has_val());
	execute(insn, next);
	OK(has_val() && read(RIP) == 0x1000);
}

/* ---- tests ---- */

static void test_registers(void)
{
	begin("zen2");
	write(OP_CTL_MSR, FAULTS);
	OK(read(OP_CTL_MSR) == UINT64_C(0x07ffffff07feffff));
	write(OP_CTL_MSR, 0);
	write(FETCH_CTL_MSR, FAULTS);
	OK(read(FETCH_CTL_MSR) == UINT64_C(0x02010000ffffffff));
	write(FETCH_CTL_MSR, 0);
	OK(read(OP_CTL_MSR) == 0 && read(FETCH_CTL_MSR) == 0 && !pmu.core.precise);
	OK(read(0xc001103a) == CONTROL_ENTRY_VALID &&
	   pmu_amd_ops.wrmsr(&pmu, 0xc001103a, 0) == ACCESS_GP);
	write(PHYSICAL, FAULTS);
	OK(read(PHYSICAL) == FIELD(47, 0) && read(0xc001103d) == FAULTS);
	begin("zen4");
	write(OP_CTL_MSR, FAULTS);
	OK(read(OP_CTL_MSR) == UINT64_C(0x07ffffff07ffffff));
	begin("zen5");
	write(OP_CTL_MSR, FAULTS);
	OK(read(OP_CTL_MSR) == UINT64_C(0xffffffff07ffffff));
	OK(read(OP_CTL2_MSR) == FAULTS && read(FETCH_CTL2_MSR) == FAULTS);
	begin("k10");
	write(OP_CTL_MSR, FAULTS);
	write(FETCH_CTL_MSR, FAULTS);
	OK(read(OP_CTL_MSR) == 0xfffff && read(FETCH_CTL_MSR) == UINT64_C(0x02030000ffffffff));
	OK(read(TARGET) == FAULTS && read(0xc001103a) == 0x101);
	begin("piledriver");
	write(OP_CTL_MSR, FAULTS);
	write(FETCH_CTL_MSR, FAULTS);
	OK(read(OP_CTL_MSR) == UINT64_C(0x07ffffff07feffff) &&
	   (read(FETCH_CTL_MSR) & ~FETCH_CNT) == UINT64_C(0x020100000000ffff));
	OK(read(TARGET) == 0 && read(0xc001103a) == 0x100);
	begin("k8");
	OK(read(OP_CTL_MSR) == FAULTS && read(FETCH_CTL_MSR) == FAULTS);
}

/* 000A_0009h: 144 ops; 02_0009h: 144 clocks; 19h preset: 25 fewer. */
static unsigned ops_until_val(uint64_t ctl, unsigned ops_in_clock)
{
	unsigned ops = 0;

	begin("zen2");
	write(OP_CTL_MSR, ctl);
	for (; !pmu.ibs.ops.tagged && ops < 100000; ops += ops_in_clock)
		clock(ops_in_clock);
	return ops;
}

static void test_period(void)
{
	OK(ops_until_val(0x000a0009, 1) == 144 && ops_until_val(0x000a0009, 4) == 144);
	OK(ops_until_val(0x00020009, 4) == 4 * 144);
	OK(ops_until_val(UINT64_C(0x00000019000a0009), 1) == 144 - 25);
	OK(ops_until_val(0x000a1000, 4) == 65536);
	/* Reserved, with Val, and off. */
	OK(ops_until_val(0x000a0008, 4) == 100000 && ops_until_val(0x000e0009, 4) == 100000);
	OK(ops_until_val(0x00080009, 4) == 100000);
	/* Behind a period the low bits are random, and never 0. */
	OK(ops_until_val(0x000a0009, 1) == 144 && pmu.ibs.ops.count >= 1 &&
	   pmu.ibs.ops.count <= 127);
}

static void test_room(void)
{
	const struct clock alike = {.n = {[SIGNAL_CYCLES] = 1, [SIGNAL_UOPS] = 4}};

	begin("zen2");
	OK(pmu_amd_ops.core->room(&pmu) > UINT32_MAX);
	write(OP_CTL_MSR, 0x000a0009);
	OK(pmu_amd_ops.core->room(&pmu) == 143);
	pmu_amd_ops.core->pass(&pmu, &(struct passed){.clock = &alike, .times = 35}, 1);
	OK(pmu_amd_ops.core->room(&pmu) == 3 && field_get(OP_CUR_CNT, read(OP_CTL_MSR)) == 140);
	clock(4);
	OK(pmu_amd_ops.core->room(&pmu) == 0 && pmu_amd_ops.core->counting(&pmu));
}

static void test_samples(void)
{
	sample(&nop, 0x1001);
	OK(read(DATA) == 0x00280028 && read(DATA3) == 0);
	OK(!pmu.core.precise && !pmu.core.wants_assist && !pmu_amd_ops.core->counting(&pmu));
	execute(&load, 0x1004);
	OK(has_val() && read(DATA3) == 0);
	sample(&load, 0x1004);
	OK(read(DATA3) == 0x01060001 && read(LINEAR) == 0x2008 && read(PHYSICAL) == 0x102008);
	sample(&locked, 0x1004);
	OK(read(DATA3) == 0x00c68003);
	sample(&jcc, 0x1002);
	OK(read(DATA) >> 32 == 0x20 && read(TARGET) == 0x1002);
	sample(&jcc, 0x1080);
	OK(read(DATA) >> 32 == 0x28 && read(TARGET) == 0x1080);
	sample(&ret, 0x5000);
	OK(read(DATA) >> 32 == 0x2c && read(TARGET) == 0x5000);
}

/* What nothing vouches for is that of the sample before; a write arms the engine again. */
static void test_again(void)
{
	sample(&load, 0x1004);
	write(OP_CTL_MSR, 0x000a0009);
	OK(!has_val() && pmu.core.precise);
	for (unsigned i = 0; i < 145; i++)
		execute(&nop, 0x1001);
	OK(has_val() && read(DATA3) == 0 && read(LINEAR) == 0x2008);
}

static void test_misses_only(void)
{
	begin("zen4");
	write(OP_CTL_MSR, 0x000b0009);
	for (unsigned i = 0; i < 2000; i++)
		execute(&load, 0x1004);
	OK(!has_val() && pmu.core.precise);
}

/* The register of a public dump, but for its latency. */
static void test_fetches(void)
{
	begin("zen2");
	write(FETCH_CTL_MSR, FETCH_EN | 2);
	for (unsigned i = 0; i < 32; i++)
		execute(&nop, 0x1001);
	OK(read(FETCH_CTL_MSR) == (FETCH_EN | 0x00020002));
	execute(&nop, 0x1001);
	OK(read(FETCH_CTL_MSR) == UINT64_C(0x0017000900020002));
	OK(read(0xc0011031) == 0x1000 && read(0xc0011032) == 0x101000);
	/* Val goes by a write that turns the engine off, and by no other. */
	write(FETCH_CTL_MSR, FETCH_EN | 2);
	OK(read(FETCH_CTL_MSR) & FETCH_VAL);
	write(FETCH_CTL_MSR, 0);
	OK(read(FETCH_CTL_MSR) == 0);
	write(FETCH_CTL_MSR, FETCH_EN | FETCH_RAND_EN | 2);
	OK(pmu.ibs.fetches.count < 16 && pmu.core.precise);
}

/* From family 19h on any write does it, as Linux' driver relies on. */
static void test_val_is_written(void)
{
	begin("zen4");
	write(FETCH_CTL_MSR, FETCH_EN | 2);
	for (unsigned i = 0; i < 33; i++)
		execute(&nop, 0x1001);
	OK(read(FETCH_CTL_MSR) & FETCH_VAL);
	write(FETCH_CTL_MSR, FETCH_EN | 2);
	OK(read(FETCH_CTL_MSR) == (FETCH_EN | 2) && pmu.core.precise);
}

/* A part that has the second controls, which disable both engines until they are told otherwise. */
static void test_second_controls(void)
{
	static const struct defect has_ctl2 = {.ibs_ctl2 = true};

	pmu_amd_ops.reset(&pmu, profile_find("zen5")->pmus[0].traits,
			  &(struct fault){.core = &has_ctl2});
	OK(read(OP_CTL2_MSR) == CTL2_DIS && read(FETCH_CTL2_MSR) == CTL2_DIS);
	write(OP_CTL_MSR, 0x000a0009);
	write(FETCH_CTL_MSR, FETCH_EN | 2);
	OK(!pmu.core.precise && pmu_amd_ops.core->room(&pmu) > UINT32_MAX);
	write(OP_CTL2_MSR, 0);
	OK(pmu.core.precise && pmu_amd_ops.core->room(&pmu) == 143);
	write(FETCH_CTL2_MSR, 0);
	OK(pmu_amd_ops.core->room(&pmu) == 31);
	write(OP_CTL2_MSR, FAULTS);
	OK(pmu_amd_ops.core->room(&pmu) == 31 && read(OP_CTL2_MSR) == 0xf);
	write(FETCH_CTL2_MSR, FAULTS);
	OK(!pmu.core.precise && read(FETCH_CTL2_MSR) == 0x7f);
}

/* 1CFh on counters 0 to 4, by bits of its unit mask: all but those overtaken and filtered; with
 * misses alone, all but those overtaken and recorded. */
static void test_fates(uint64_t ctl, unsigned expected)
{
	unsigned counted = 0;

	begin("zen4");
	for (unsigned i = 0; i < FATES; i++)
		write(0xc0010200 + 2 * i, UINT64_C(0x1004300cf) | BIT(8 + i));
	write(OP_CTL_MSR, ctl);
	for (unsigned i = 0; i < 145; i++)
		execute(&nop, 0x1001);
	OK(pmu_amd_ops.core->room(&pmu) == 0);
	execute(&nop, 0x1001);
	for (unsigned i = 0; i < FATES; i++)
		counted |= (unsigned)read(0xc0010201 + 2 * i) << i;
	OK(counted == expected && pmu_amd_ops.core->room(&pmu) > 0);
}

static unsigned announced(void)
{
	unsigned entry = ~0u, n = pmu_amd_ops.core->announces(&pmu, &entry);

	return entry == field_get(CONTROL_ENTRY, read(0xc001103a)) ? n : ~0u;
}

/* Once for each sample, while it stands and behind that. */
static void test_announced(void)
{
	begin("zen2");
	OK(read(0xc001103a) == CONTROL_ENTRY_VALID);
	for (unsigned i = 0; i < 2; i++) {
		write(OP_CTL_MSR, 0x000a0009);
		for (unsigned n = 0; n < 144; n++)
			execute(&nop, 0x1001);
		OK(!has_val() && announced() == 0);
		execute(&nop, 0x1001);
		OK(has_val() && announced() == 1 && announced() == 0);
		execute(&nop, 0x1001);
		write(OP_CTL_MSR, 0);
		OK(announced() == 0);
	}
}

int main(void)
{
	test_registers();
	test_period();
	test_room();
	test_samples();
	test_again();
	test_misses_only();
	test_fetches();
	test_val_is_written();
	test_second_controls();
	test_fates(0x000a0009, 0x13);
	test_fates(0x000b0009, 0x0b);
	test_announced();
	return tap_end();
}
