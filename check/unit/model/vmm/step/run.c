/* SPDX-License-Identifier: BSD-2-Clause */
/* Runs of instructions that the VMM executes at once: what is in one, and when it is found anew. */
#include "model/profiles/profiles.h"

#include "bench.h"

/* NOP, ADD EAX, ECX, LEA EAX, [RCX + RDX]; a load, a store, a jump; and behind it a NOP. */
static const struct insn_run *find_mixed(void)
{
	static const uint8_t code[] = {0x90, 0x01, 0xc8, 0x8d, 0x04, 0x11, 0x8b,
				       0x01, 0x89, 0x01, 0xeb, 0x00, 0x90};

	begin();
	memcpy(program + RIP % sizeof(program), code, sizeof(code));
	return run_find(&guest, RIP);
}

static void test_runs(void)
{
	const struct insn_run *run = find_mixed();

	OK(run->count == 6 && run->bytes == 12 && run->piece[1].known->insn.length == 2);
	OK(run->piece[0].straight == 3 && run->piece[2].straight == 1 && !run->piece[3].straight);
	run_straight(&guest, run->piece, 3);
	OK(entered == 1 && vmcb.rip == RIP + 6);
	begin();
	run_straight(&guest, run->piece, 2);
	OK(entered == 2 && vmcb.rip == RIP + 3);
	memset(program + 0x1fe0, 0x90, 32);
	OK(run_find(&guest, 0x1fe0)->count == 16); /* it may cross no page */
}

/* FLD1 and FADD ST0 are straight as long as the FPU is the guest's, and all is masked; in a system
 * they are not. */
static void test_runs_of_the_fpu(void)
{
	static const uint8_t code[] = {0xd9, 0xe8, 0x90, 0xd8, 0xc0, 0xeb, 0x00};
	static const uint16_t masked = 0x37f, unmasked = 0x37b;
	const struct insn_run *run;

	begin();
	memcpy(program + RIP % sizeof(program), code, sizeof(code));
	run = run_find(&guest, RIP);
	OK(run->count == 4 && run->piece[0].straight == 3 && run->fpu);
	OK(native_fpu_is_quiet(&guest));
	vmcb.cr0 = BIT(3); /* TS */
	OK(!native_fpu_is_quiet(&guest));
	vmcb.cr0 = 0;
	__asm__ volatile("fldcw %0" : : "m"(unmasked));
	OK(!native_fpu_is_quiet(&guest));
	__asm__ volatile("fldcw %0" : : "m"(masked));
	guest.system = true;
	program[RIP % sizeof(program) + 2] = 0x91;
	run = run_find(&guest, RIP);
	OK(run->count == 4 && !run->piece[0].straight && run->piece[1].straight == 1 && !run->fpu);
	guest.system = false;
}

static void test_runs_that_change(void)
{
	const struct insn_run *run = find_mixed();

	program[RIP % sizeof(program) + 5] = 0x12; /* another LEA */
	OK(run_find(&guest, RIP)->count == 6 && run->code[5] == 0x12);
	program[RIP % sizeof(program) + 1] = 0x03; /* ADD EAX, [RAX] */
	program[RIP % sizeof(program) + 2] = 0x00;
	OK(run_find(&guest, RIP)->count == 6 && run->piece[0].straight == 1);
	program[RIP % sizeof(program)] = 0xfa; /* CLI */
	OK(run_find(&guest, RIP)->count == 0);
	/* The same bytes as when the run was found, but what is known of them is found anew. */
	run = find_mixed();
	program[RIP % sizeof(program)] = 0xf4;
	native_known(RIP, program + RIP % sizeof(program), 15, CODE_64);
	program[RIP % sizeof(program)] = 0x90;
	OK(run_find(&guest, RIP)->piece[0].known->insn.class == INSN_PLAIN);
}

/* Has piece i, which is executed, written to the run?  Its operand is at this distance from the
 * begin, in the page of the code or in the one before. */
static bool overwrites(const struct insn_run *run, unsigned i, int distance, uint32_t value)
{
	bool overwritten = false;

	vmm_gpr[RCX] = (uintptr_t)program + RIP % sizeof(program) + (uint64_t)distance;
	vmcb.rax = value;
	vmcb.rsp = vmm_gpr[RCX] + 8;
	native_written = RIP + 0x800;
	OK(run_other(&guest, run, &run->piece[i], &overwritten));
	return overwritten;
}

static void test_runs_that_are_written_to(void)
{
	enum { LOAD = 3, STORE };
	const struct insn_run *run = find_mixed();

	OK(!overwrites(run, LOAD, 0, 0));
	OK(!overwrites(run, STORE, 12, 0x12345678));
	OK(!overwrites(run, STORE, -4, 0x12345678));
	OK(!overwrites(run, STORE, 0, 0x8dc80190)); /* the same bytes */
	OK(overwrites(run, STORE, 8, 0x00eb0188));
	OK(overwrites(find_mixed(), STORE, 11, 0x12));
	OK(overwrites(find_mixed(), STORE, -3, 0));
	find_mixed();
	unmapped = true; /* perhaps elsewhere now */
	OK(overwrites(run, STORE, 0, 0x8dc80190));
	unmapped = false;
	OK(!overwrites(run, STORE, 100, 0));
}

/* PUSH RAX, ADD [RCX], EAX, and a jump: by the stack and by what is no plain store, too.  The slot
 * is not executed here. */
static void test_runs_that_are_written_to_otherwise(void)
{
	static const uint8_t code[] = {0x50, 0x01, 0x01, 0xeb, 0x00};
	const struct insn_run *run;

	begin();
	memcpy(program + RIP % sizeof(program), code, sizeof(code));
	run = run_find(&guest, RIP);
	OK(run->count == 3);
	OK(!overwrites(run, 0, 100, 0) && native_written == vmcb.rsp);
	OK(!overwrites(run, 1, 100, 0) && native_written == vmm_gpr[RCX]);
	OK(overwrites(run, 0, 0, 0x12));
}

/* Whatever bytes stand in for it. */
static void test_no_code(void)
{
	find_mixed();
	unmapped = true;
	OK(!run_find(&guest, RIP)->count);
	memset(program, 0, sizeof(program)); /* ADD [RAX], AL */
	OK(!run_find(&guest, RIP + 0x800)->count);
	unmapped = false;
	OK(run_find(&guest, RIP + 0x800)->count);
}

/* As many are met as can be known, the second of the run first: none takes the place of another. */
static void test_many(void)
{
	const struct insn_run *run = find_mixed();
	uint64_t rip = RIP;

	native_forget();
	run_forget();
	native_known(RIP + 1, program + RIP % sizeof(program) + 1, 15, CODE_64);
	while (native_has_room(RUN_MOST))
		native_known(++rip, program, 15, CODE_64);
	OK(rip - RIP > 10000);
	OK(!run_find(&guest, RIP)->count);
	native_forget();
	run_forget();
	OK(run_find(&guest, RIP)->count == 6);
	for (unsigned i = 0; i < run->count; i++)
		OK(run->piece[i].known->stamp == run->piece[i].stamp);
}

int main(void)
{
	silicon_reset(&silicon_cpu, profile_find("zen2"), NULL);
	test_runs();
	test_runs_of_the_fpu();
	test_runs_that_change();
	test_runs_that_are_written_to();
	test_runs_that_are_written_to_otherwise();
	test_no_code();
	test_many();
	return tap_end();
}
