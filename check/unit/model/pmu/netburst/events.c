/* SPDX-License-Identifier: BSD-2-Clause */
/* NetBurst events on instructions that retire: ready register values, tags, the retirement rules.
 */
#include "processor.h"

static const uint8_t load[] = {0x48, 0x8b, 0x03}; /* mov rax, [rbx] */
static const uint8_t store[] = {0x48, 0x89, 0x03}; /* mov [rbx], rax */
static const uint8_t modify[] = {0x48, 0x01, 0x0b}; /* add [rbx], rcx */
static const uint8_t jnz[] = {0x75, 0xfe};
static const uint8_t call[] = {0xe8, 0, 0, 0, 0};
static const uint8_t call_indirect[] = {0xff, 0xd0};
static const uint8_t jump[] = {0xeb, 0};
static const uint8_t ret[] = {0xc3};
static const uint8_t iret[] = {0x48, 0xcf};
static const uint8_t fadd[] = {0xd8, 0xc1};
static const uint8_t fld[] = {0xd9, 0x03};
static const uint8_t addps[] = {0x0f, 0x58, 0xc1};
static const uint8_t addsd[] = {0xf2, 0x0f, 0x58, 0xc1};

/* ---- the retirement rules ---- */

static void test_uops(void)
{
	reset("willamette");
	use(12, CRU_ESCR0, 0x0200020c, 0x00039000); /* uops_retired */
	write(CCCR(13), 0x00079000); /* clocks with at least 1, */
	write(CCCR(16), 0x00279000); /* with 3, */
	use(14, CRU_ESCR1, 0x0200020c, 0x000f9000); /* with none */
	write(CCCR(15), 0x00ff9000); /* all of them */
	RUN(nop);
	RUN(modify); /* load, operation in this clock, store in the next */
	OK(count(12) == 4 && count(13) == 2 && count(16) == 1 && count(14) == 0);
	for (unsigned i = 0; i < 6; i++)
		RUN(nop);
	OK(count(12) == 10 && count(13) == 4 && count(16) == 3);
	RUN(cpuid); /* 3, 3, 1, and four empty ones */
	OK(count(12) == 17 && count(13) == 7 && count(16) == 5 && count(14) == 4);
	OK(count(15) == count(13) + count(14));
}

static void test_instructions(void)
{
	reset("willamette");
	use(12, CRU_ESCR0, 0x0400020c, 0x00039000); /* instr_retired NBOGUSNTAG */
	use(14, CRU_ESCR1, 0x0400060c, 0x00039000); /* tagged ones too */
	RUN(modify);
	RUN(nop);
	RUN(cpuid);
	RUN(iret);
	OK(count(12) == 4 && count(14) == 4);
	silicon_delivered(cpu, DELIVERY_HARDWARE, 0);
	silicon_delivered(cpu, DELIVERY_EXCEPTION, 0);
	OK(count(12) == 4);
	silicon_delivered(cpu, DELIVERY_SOFTWARE, 0); /* INT n */
	OK(count(12) == 5);
	/* In the mode it goes to. */
	write(CRU_ESCR0, 0x04000204);
	retire(iret, sizeof(iret), 3, true);
	OK(count(12) == 6 && count(14) == 6);
}

static void test_completed(void)
{
	reset("prescott");
	use(12, CRU_ESCR0, 0x0e00020c, 0x00039000);
	RUN(nop);
	RUN(modify);
	OK(count(12) == 2);
	reset("northwood");
	use(12, CRU_ESCR0, 0x0e00020c, 0x00039000);
	RUN(nop);
	OK(count(12) == 0);
}

/* ---- branches ---- */

static void test_branch_retired(void)
{
	reset("willamette");
	use(12, CRU_ESCR2, 0x0c001e0c, 0x0003b000);
	use(14, CRU_ESCR3, 0x0c00180c, 0x0003b000); /* taken */
	use(15, CRU_ESCR1, 0x0600020c, 0x00039000); /* mispred_branch_retired */
	for (unsigned i = 0; i < 10; i++)
		retire(jnz, sizeof(jnz), 0, i < 9);
	/* The first was predicted not taken, the last taken. */
	OK(count(12) == 10 && count(14) == 9 && count(15) == 2);
	write(CRU_ESCR2, 0x0c00080c); /* MMTP */
	write(CRU_ESCR3, 0x0c00100c); /* MMTM */
	write(COUNTER(12), 0);
	write(COUNTER(14), 0);
	for (unsigned i = 0; i < 10; i++)
		retire(jnz, sizeof(jnz), 0, i < 9);
	OK(count(12) == 8 && count(14) == 1);
	RUN(call);
	RUN(ret);
	OK(count(12) == 10 && count(14) == 1);
}

static uint64_t branch_types(uint32_t mask)
{
	reset("willamette");
	use(4, TBPU_ESCR0, 0x0800000c | mask << 9, 0x00035000);
	retire(jnz, sizeof(jnz), 0, false);
	RUN(jump);
	RUN(call);
	RUN(call_indirect);
	RUN(ret);
	return count(4);
}

static void test_branch_types(void)
{
	OK(branch_types(1 << 1) == 1 && branch_types(1 << 2) == 2);
	OK(branch_types(1 << 3) == 1 && branch_types(1 << 4) == 2);
	OK(branch_types(1 << 0) == 1);
}

/* ---- microcode ---- */

static void test_microcode(void)
{
	reset("willamette");
	use(4, MS_ESCR0, 0x1200080c, 0x00031000); /* uop_queue_writes FROM_ROM */
	use(6, MS_ESCR0 + 1, 0x0a00020c, 0x00031000); /* tc_ms_xfer */
	RUN(modify);
	RUN(cpuid);
	OK(count(4) == 7 && count(6) == 1);
	write(MS_ESCR0, 0x1200040c); /* FROM_TC_DELIVER */
	RUN(modify);
	RUN(cpuid);
	OK(count(4) == 7 + 3);
}

/* ---- front-end tags ---- */

/* front_end_event of five instructions, with uop_type of that mask. */
static uint64_t front_end(uint32_t uop_type, bool powered)
{
	reset("willamette");
	use(12, CRU_ESCR2, 0x1000020c, powered ? 0x0003b000 : 0);
	use(14, CRU_ESCR1, 0x0400040c, powered ? 0x00039000 : 0); /* NBOGUSTAG */
	use(15, CRU_ESCR0, 0x0400020c, 0);
	write(RAT_ESCR0, uop_type);
	RUN(load);
	RUN(load);
	RUN(store);
	RUN(modify);
	RUN(nop);
	return count(12) * 10 + count(14);
}

static void test_front_end(void)
{
	OK(front_end(0x0400040c, true) == 33); /* TAGLOADS */
	OK(front_end(0x0400080c, true) == 22); /* TAGSTORES */
	OK(front_end(0x04000c0c, true) == 54); /* both */
	OK(front_end(0x04000404, true) == 0); /* in user mode only */
	OK(front_end(0, true) == 0 && front_end(0x0400040c, false) == 0);
}

/* ---- execution tags ---- */

static uint64_t executions(uint64_t upstream, uint64_t second, uint32_t mask)
{
	reset("willamette");
	use(8, FIRM_ESCR0, upstream, 0x00033000);
	write(FIRM_ESCR1, second);
	use(12, CRU_ESCR2, 0x1800000c | mask << 9, 0x0003b000);
	for (unsigned i = 0; i < 5; i++)
		RUN(fadd);
	RUN(fld);
	RUN(paddb);
	return count(12);
}

static void test_execution(void)
{
	OK(executions(0x0900003c, 0, 1) == 5 && count(8) == 5); /* tag 1, NBOGUS0 */
	OK(executions(0x0900005c, 0, 1) == 0); /* tag 2, NBOGUS0 */
	OK(executions(0x0900005c, 0, 2) == 5);
	OK(executions(0x0900007c, 0, 3) == 5); /* tag 3, either: once */
	OK(executions(0x0900002c, 0, 1) == 0 && count(8) == 5); /* no tag enable */
	OK(executions(0x0900003c, 0x0500005c, 1) == 5); /* two kinds */
	OK(executions(0x0900003c, 0x0500005c, 2) == 1);
	OK(executions(0x0900003c, 0x0500005c, 3) == 6);
	OK(executions(0x0900003c, 0, 0xf0) == 0); /* bogus ones */
	write(CCCR(8), 0); /* FIRM is not powered now */
	RUN(fadd);
	OK(count(12) == 0);
}

/* x87_SIMD_moves_uop with this mask bit. */
static uint64_t moves(unsigned bit)
{
	static const uint8_t movq_load[] = {0x0f, 0x6f, 0x03}, movq_store[] = {0x0f, 0x7f, 0x03};
	static const uint8_t movq_f3[] = {0xf3, 0x0f, 0x7e, 0x03}, movaps[] = {0x0f, 0x28, 0xc1};
	static const uint8_t fst[] = {0xdd, 0x13}, fstp_80[] = {0xdb, 0x3b},
			     fld_st[] = {0xd9, 0xc1};
	static const uint8_t fild[] = {0xdb, 0x03}, fxch[] = {0xd9, 0xc9};

	reset("willamette");
	use(8, FIRM_ESCR0, 0x5c00000c | UINT64_C(1) << (9 + bit), 0x00033000);
	RUN(movq_load);
	RUN(movq_f3);
	RUN(fld);
	RUN(movq_store);
	RUN(movaps);
	RUN(fst);
	RUN(fstp_80);
	RUN(fld_st);
	RUN(fild); /* these three do neither */
	RUN(fxch);
	RUN(load);
	return count(8);
}

static void test_moves(void)
{
	OK(moves(4) == 3); /* ALLP2 */
	OK(moves(3) == 5); /* ALLP0 */
	OK(moves(15) == 0);
}

static uint64_t direct(uint64_t event)
{
	reset("willamette");
	use(10, FIRM_ESCR1, event, 0x00033000);
	RUN(fadd);
	RUN(paddb);
	RUN(paddb);
	RUN(addps);
	RUN(addps);
	RUN(addps);
	RUN(addsd);
	RUN(load);
	return count(10);
}

static void test_direct(void)
{
	OK(direct(0x0900000c) == 1 && direct(0x0500000c) == 2 && direct(0x1100000c) == 3);
	OK(direct(0x1d00000c) == 1 && direct(0x1500000c) == 0 && direct(0x3500000c) == 0);
}

/* ---- what the hierarchy meets ---- */

/* Two instructions of one line of code, the second one a load over the end of a line. */
static uint64_t met(unsigned ctr, uint32_t escr, uint64_t event, uint64_t cccr)
{
	static const uint8_t code[] __attribute__((aligned(64))) = {0x90, 0x48, 0x8b, 0x03};
	const struct memory_access access = {.kind = MEMORY_LOAD, .physical = 0x103c, .size = 8};

	reset("prescott");
	OK(!silicon_watches_memory(cpu));
	use(ctr, escr, event, cccr);
	OK(silicon_watches_memory(cpu));
	retire(code, 1, 0, false);
	silicon_memory(cpu, &access);
	retire(code + 1, 3, 0, false);
	return count(ctr);
}

static void test_met(void)
{
	OK(met(8, 0x3ae, 0x1000020c, 0x00035000) == 1); /* memory_complete LSC */
	OK(met(8, 0x3ae, 0x1000040c, 0x00035000) == 0); /* SSC */
	OK(met(10, 0x3af, 0x0800040c, 0x00035000) == 1); /* load_port_replay SPLIT_LD */
	OK(met(0, 0x3ac, 0x0200020c, 0x00039000) == 1); /* page_walk_type DTMISS */
	OK(met(0, 0x3ac, 0x0200060c, 0x00039000) == 2); /* and ITMISS */
	OK(met(2, 0x3b7, 0x3000040c, 0x00037000) == 1); /* ITLB_reference MISS */
	OK(met(2, 0x3b7, 0x3000020c, 0x00037000) == 0); /* HIT */
	OK(met(0, 0x3b2, 0x0600020c, 0x00031000) == 1); /* BPU_fetch_request TCMISS */
	OK(met(2, 0x3a1, 0x1802000c, 0x0003f000) == 2); /* BSQ_cache_reference RD_2ndL_MISS */
	OK(met(0, 0x3a0, 0x0a65180c, 0x0003f000) == 2); /* BSQ_allocation of a line read */
	OK(met(2, 0x3a1, 0x0c65180c, 0x0003f000) == 2); /* bsq_active_entries */
	OK(met(0, 0x3a0, 0x0a65380c, 0x0003f000) == 2); /* bit 4 of the mask is not used */
	OK(met(0, 0x3a2, 0x2e00040c, 0x0003d000) == 2); /* FSB_data_activity DRDY_OWN */
	OK(met(0, 0x3a2, 0x2e00200c, 0x0003d000) == 2); /* DBSY_OWN */
	OK(met(0, 0x3a2, 0x0650420c, 0x0003d000) == 2); /* IOQ_allocation: read, WB, own */
	OK(met(2, 0x3a3, 0x0650420c, 0x0003d000) == 2);
	OK(met(2, 0x3a3, 0x3450420c, 0x0003d000) == 2); /* IOQ_active_entries */
	OK(met(4, 0x3c0, 0x1200020c, 0x00031000) == 3); /* uop_queue_writes FROM_TC_BUILD */
	OK(met(4, 0x3c4, 0x0200400c, 0x00033000) == 1); /* TC_deliver_mode BI */
}

/* TC_misc: two for each flush, by a line that has a trace. */
static void test_trace_flush(void)
{
	static const uint8_t code[64] __attribute__((aligned(64))) = {0x90};
	struct memory_access access = {
		.kind = MEMORY_FLUSH, .physical = (uintptr_t)code, .size = 1};

	reset("prescott");
	use(4, 0x3c4, 0x0c00200c, 0x00033000);
	silicon_memory(cpu, &access);
	retire(code, 1, 0, false);
	OK(count(4) == 0);
	silicon_memory(cpu, &access);
	retire(code, 1, 0, false);
	OK(count(4) == 2);
	access.kind = MEMORY_STORE;
	silicon_memory(cpu, &access);
	retire(code, 1, 0, false);
	OK(count(4) == 4);
}

static bool watches(unsigned ctr, uint32_t escr, uint64_t event)
{
	reset("willamette");
	use(ctr, escr, event, 0x0003f000);
	return silicon_watches_memory(cpu);
}

/* From model 2 on type, direction, memory type and agent must all be asked for. */
static void test_transactions(void)
{
	static const uint32_t lacking[] = {0x0650400c, 0x0650060c, 0x0640420c, 0x0610420c};

	for (unsigned i = 0; i < ARRAY_SIZE(lacking); i++) {
		reset("northwood");
		use(0, 0x3a2, lacking[i], 0x0003d000);
		OK(!silicon_watches_memory(cpu));
	}
	/* Before, direction or memory type, and own; and no second ESCR. */
	reset("willamette");
	use(0, 0x3a2, 0x0640420c, 0x0003d000);
	OK(silicon_watches_memory(cpu));
	use(0, 0x3a2, 0x0650000c, 0x0003d000);
	OK(silicon_watches_memory(cpu));
	use(0, 0x3a2, 0x0610420c, 0x0003d000);
	OK(!silicon_watches_memory(cpu));
	OK(!watches(2, 0x3a3, 0x0640420c));
	/* A device's. */
	reset("northwood");
	use(0, 0x3a2, 0x0690420c, 0x0003d000);
	for (unsigned i = 0; i < 64; i++)
		RUN(cpuid);
	OK(count(0) == 2);
}

/* All fields of the mask must be those of a request, and each event has one ESCR. */
static void test_requests(void)
{
	OK(watches(0, 0x3a0, 0x0a65180c) && watches(2, 0x3a1, 0x0c65180c));
	OK(!watches(0, 0x3a0, 0x0a651a0c) && !watches(0, 0x3a0, 0x0a64180c));
	OK(!watches(0, 0x3a0, 0x0c65180c) && !watches(2, 0x3a1, 0x0a65180c));
}

/* ---- replay tags ---- */

static uint64_t replays(uint64_t enable, uint64_t matrix)
{
	reset("willamette");
	use(12, CRU_ESCR2, 0x1200020c, 0x0003b000);
	write(0x3f1, enable);
	write(0x3f2, matrix);
	for (unsigned i = 0; i < 24; i++)
		RUN(load); /* every eighth misses */
	return count(12);
}

static void test_replay(void)
{
	OK(replays(0x01000001, 1) == 3);
	OK(replays(0x01000001, 0) == 0 && replays(0x01000001, 2) == 0);
	OK(replays(0x00000001, 1) == 0 && replays(0x01000000, 1) == 0);
}

int main(void)
{
	test_uops();
	test_instructions();
	test_completed();
	test_branch_retired();
	test_branch_types();
	test_microcode();
	test_front_end();
	test_execution();
	test_direct();
	test_moves();
	test_met();
	test_trace_flush();
	test_requests();
	test_transactions();
	test_replay();
	return tap_end();
}
