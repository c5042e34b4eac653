/* SPDX-License-Identifier: BSD-2-Clause */
/* The Intel model's architectural last branch records, against the fact sheet's worked examples. */
#include "bench.h"

#define MSR_CTL        UINT32_C(0x14ce)
#define MSR_DEPTH      UINT32_C(0x14cf)
#define MSR_FROM       UINT32_C(0x1500)
#define MSR_TO         UINT32_C(0x1600)
#define MSR_INFO       UINT32_C(0x1200)

#define CTL_EVERYTHING UINT64_C(0x7f0007)
#define FAULTS         ~UINT64_C(0)

static void branch(enum insn_class class, bool indirect, uint64_t from, unsigned before,
		   unsigned cpl)
{
	struct branch b = {.class = class,
			   .indirect = indirect,
			   .vector = -1,
			   .from = from,
			   .to = from + 0x100,
			   .cpl = cpl,
			   .before = before};

	pmu_intel_ops.core->branched(&pmu, &b);
	tick(cpl, 1);
}

static void jump(unsigned n)
{
	branch(INSN_JMP, false, 0x1000 * n, 0, 0);
}

static void jumps(unsigned depth, unsigned n)
{
	begin("goldencove", NULL);
	OK(wr(MSR_DEPTH, depth) && wr(MSR_CTL, CTL_EVERYTHING));
	for (unsigned i = 1; i <= n; i++)
		jump(i);
}

static void test_registers(void)
{
	begin("goldencove", NULL);
	for (unsigned depth = 0; depth <= 72; depth++)
		OK(wr(MSR_DEPTH, depth) == (depth == 8 || depth == 16 || depth == 32));
	OK(wr(MSR_CTL, 0x200005) && wr(MSR_CTL, 0x38000f) && !wr(MSR_CTL, 0x800007));
	OK(!wr(MSR_CTL, 0x10) && rd(MSR_CTL) == 0x38000f);
	OK(!wr(MSR_FROM, BIT(50)) && wr(MSR_FROM, 0x1234) && rd(MSR_FROM) == 0x1234);
	OK(rd(0x1c8) == FAULTS && rd(0x1c9) == FAULTS && rd(0x680) == FAULTS);
	OK(rd(0x1dd) == 0 && rd(0x1de) == 0 && rd(0x1e0) == 0);
}

static void test_order(void)
{
	jumps(8, 5);
	OK(rd(MSR_FROM) == 0x5000 && rd(MSR_FROM + 4) == 0x1000 && rd(MSR_FROM + 5) == 0);
	OK(rd(MSR_TO) == 0x5100);
	jumps(8, 11);
	OK(rd(MSR_FROM) == 0xb000 && rd(MSR_FROM + 7) == 0x4000 && rd(MSR_FROM + 8) == FAULTS);
	OK(!wr(MSR_INFO + 8, 0) && !wr(MSR_DEPTH, 9) && rd(MSR_FROM) == 0xb000);
	OK(wr(MSR_CTL, 0) && wr(MSR_CTL, CTL_EVERYTHING) && rd(MSR_FROM) == 0xb000);
	OK(wr(MSR_DEPTH, 8) && !rd(MSR_FROM) && !rd(MSR_TO + 7) && !rd(MSR_INFO));
	OK(wr(MSR_DEPTH, 16) && rd(MSR_FROM + 8) == 0);
}

/* The type of the only record, with this IA32_LBR_CTL; FAULTS: there is none. */
static uint64_t type_of(uint64_t ctl, enum insn_class class, bool indirect)
{
	begin("goldencove", NULL);
	wr(MSR_CTL, ctl);
	branch(class, indirect, 0x1000, 0, 0);
	return rd(MSR_FROM) ? rd(MSR_INFO) >> 56 & 15 : FAULTS;
}

static void test_kinds(void)
{
	static const struct {
		unsigned bit, type;
		enum insn_class class;
		bool indirect;
	} kinds[] = {
		{16, 0, INSN_JCC, false},     {17, 2, INSN_JMP, false}, {18, 1, INSN_JMP, true},
		{19, 4, INSN_CALL, false},    {20, 3, INSN_CALL, true}, {21, 5, INSN_RET, false},
		{22, 6, INSN_SYSCALL, false},
	};

	for (unsigned i = 0; i < ARRAY_SIZE(kinds); i++) {
		uint64_t bit = BIT(kinds[i].bit);

		OK(type_of(7 | bit, kinds[i].class, kinds[i].indirect) == kinds[i].type);
		OK(type_of(CTL_EVERYTHING & ~bit, kinds[i].class, kinds[i].indirect) == FAULTS);
	}
	OK(type_of(7, INSN_JMP, false) == FAULTS && type_of(0x7f0006, INSN_JMP, false) == FAULTS);
}

static void test_rings(void)
{
	begin("goldencove", NULL);
	wr(MSR_CTL, CTL_EVERYTHING & ~BIT(1));
	branch(INSN_SYSRET, false, 0x1000, 0, 3);
	branch(INSN_JMP, false, 0x2000, 3, 3);
	branch(INSN_SYSCALL, false, 0x3000, 3, 0);
	OK(rd(MSR_FROM) == 0x2000 && rd(MSR_FROM + 1) == ~UINT64_C(0) && rd(MSR_TO + 1) == 0x1100);
	OK(rd(MSR_FROM + 2) == 0);
}

static void test_call_stack(void)
{
	begin("goldencove", NULL);
	wr(MSR_DEPTH, 8);
	wr(MSR_CTL, 0x38000f);
	branch(INSN_CALL, false, 0x1000, 0, 0);
	branch(INSN_CALL, true, 0x2000, 0, 0);
	branch(INSN_RET, false, 0x2100, 0, 0);
	branch(INSN_CALL, false, 0x3000, 0, 0);
	OK(rd(MSR_FROM) == 0x3000 && rd(MSR_FROM + 1) == 0x1000 && rd(MSR_FROM + 2) == 0);
	for (unsigned i = 0; i < 10; i++)
		branch(INSN_CALL, false, 0x1000, 0, 0);
	for (unsigned i = 0; i < 10; i++)
		branch(INSN_RET, false, 0x1000, 0, 0);
	OK(rd(MSR_FROM) == 0);
}

static void test_clocks(void)
{
	struct clock missed = {
		.n = {[SIGNAL_CYCLES] = 1, [SIGNAL_OUTCOME + TAKEN_MISPREDICTED] = 1}};
	struct branch b = {.class = INSN_JCC, .vector = -1, .from = 0x1000, .to = 0x2000};

	jumps(32, 1);
	OK(rd(MSR_INFO) == 0x0200000000000000);
	ticks(34, 1);
	jump(2);
	OK(rd(MSR_INFO) == 0x1200000000000023);
	ticks(70000, 0);
	pmu_intel_ops.core->branched(&pmu, &b);
	pmu_intel_ops.core->clock(&pmu, &missed);
	OK(rd(MSR_INFO) == 0x900000000000ffff);
}

/* An exception, to ring 0. */
static void deliver(int vector, uint64_t from, uint64_t to, unsigned before)
{
	struct branch b = {
		.class = INSN_INT, .vector = vector, .from = from, .to = to, .before = before};

	pmu_intel_ops.core->branched(&pmu, &b);
}

static void test_freeze(void)
{
	jumps(32, 1);
	OK(wr(MSR_SET, BIT(58)) && !pmu_intel_ops.core->counting(&pmu));
	jump(2);
	OK(rd(MSR_FROM) == 0x1000 && rd(MSR_CTL) == CTL_EVERYTHING);
	OK(wr(MSR_RESET, BIT(58)));
	jump(3);
	OK(rd(MSR_FROM) == 0x3000);
	/* #DB is not recorded, and ends recording. */
	deliver(1, 1, 2, 0);
	OK(rd(MSR_CTL) == (CTL_EVERYTHING & ~BIT(0)) && rd(MSR_FROM) == 0x3000);
}

static void test_last_event(void)
{
	jumps(32, 2);
	deliver(14, 7, 8, 3);
	OK(rd(0x1dd) == 0x2000 && rd(0x1de) == 0x2100 && rd(MSR_FROM) == 7);
}

/* Of counter 1 two instructions a turn, of counter 0 none are asked for: leaf 1CH ECX[19:16]. */
static void test_log(void)
{
	begin("lioncove", NULL);
	OK(wr(MSR_EVTSEL, 0x4300c0) && wr(MSR_EVTSEL + 1, BIT(35) | 0x4300c0));
	OK(wr(MSR_GLOBAL_CTRL, 3) && wr(MSR_CTL, CTL_EVERYTHING));
	jump(1);
	tick(0, 1);
	jump(2);
	ticks(3, 1);
	jump(3);
	OK((rd(MSR_INFO + 2) >> 32 & 0xff) == 0 && (rd(MSR_INFO + 1) >> 32 & 0xff) == 2 << 2);
	OK((rd(MSR_INFO) >> 32 & 0xff) == 3 << 2);
	begin("goldencove", NULL);
	OK(!wr(MSR_EVTSEL, BIT(35)));
}

int main(void)
{
	test_registers();
	test_order();
	test_kinds();
	test_rings();
	test_call_stack();
	test_clocks();
	test_freeze();
	test_last_event();
	test_log();
	return tap_end();
}
