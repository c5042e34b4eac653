/* SPDX-License-Identifier: BSD-2-Clause */
/* The instruction decoder of the silicon model: 32-bit code, and what a processor lacks. */
#include "model/cpu/cpu.h"
#include "model/profiles/profiles.h"

#include "check/unit/tap.h"

static unsigned bytes_of(const char *hex, uint8_t bytes[15])
{
	unsigned count = 0, byte;

	while (count < 15 && sscanf(hex + 3 * count, "%2x", &byte) == 1) {
		bytes[count++] = (uint8_t)byte;
		if (strlen(hex) < 3 * count)
			break;
	}
	return count;
}

static struct insn decode(const char *hex)
{
	uint8_t bytes[15];
	unsigned count = bytes_of(hex, bytes);
	struct insn insn;

	insn_decode(bytes, count, CODE_32, &insn);
	return insn;
}

/* Every byte counts: one fewer must be reported as cut short. */
static bool has_length(const char *hex)
{
	uint8_t bytes[15];
	unsigned count = bytes_of(hex, bytes);
	struct insn shorter;

	insn_decode(bytes, count - 1, CODE_32, &shorter);
	return decode(hex).length == count && !shorter.length;
}

static bool is(const char *hex, enum insn_class class)
{
	return has_length(hex) && decode(hex).class == class;
}

static bool moves(const char *hex, unsigned loads, unsigned stores)
{
	struct insn insn = decode(hex);

	return has_length(hex) && insn.loads == loads && insn.stores == stores;
}

static void test_registers(void)
{
	struct insn inc = decode("40"), dec = decode("4b");

	OK(has_length("40") && inc.reads == 1 << RAX && inc.writes == 1 << RAX);
	OK(has_length("4b") && dec.reads == 1 << RBX && dec.writes == 1 << RBX);
	OK(has_length("66 47")); /* inc di */
	OK(decode("b8 78 56 34 12").writes == 1 << RAX);
	OK(has_length("b8 78 56 34 12") && has_length("66 b8 34 12"));
	OK(decode("27").length == 1 && decode("d4 0a").length == 2 && decode("d6").length == 1);
	OK(decode("06").writes == 0 && decode("07").writes == 0);
}

static void test_memory(void)
{
	OK(moves("a1 00 00 10 00", 1, 0)); /* mov eax, [100000h] */
	OK(moves("a3 00 00 10 00", 0, 1));
	OK(moves("67 a1 00 10", 1, 0)); /* mov eax, [1000h] with addresses of 16 bits */
	OK(moves("8b 05 00 00 10 00", 1, 0));
	OK(moves("67 8b 06 00 10", 1, 0)); /* mov eax, [1000h] */
	OK(moves("67 8b 44 10", 1, 0)); /* mov eax, [si + 16] */
	OK(moves("67 8b 84 10 00", 1, 0));
	OK(moves("67 8b 04", 1, 0));
	OK(decode("a3 00 00 10 00").memory == MEMORY_STORE && decode("a3 00 00 10 00").width == 4);
	OK(decode("a2 00 00 10 00").width == 1 && decode("8b 45 00").width == 4);
	OK(moves("82 08 01", 1, 1)); /* or byte [eax], 1 */
	OK(moves("82 38 01", 1, 0)); /* cmp */
	OK(moves("62 00", 2, 0)); /* bound */
}

static void test_stack(void)
{
	OK(moves("06", 0, 1) && moves("0e", 0, 1) && moves("16", 0, 1) && moves("1e", 0, 1));
	OK(moves("07", 1, 0) && moves("1f", 1, 0));
	OK(moves("60", 0, 1) && moves("61", 1, 0));
	OK(moves("68 78 56 34 12", 0, 1) && moves("66 68 34 12", 0, 1));
	OK(is("17", INSN_MOV_SS) && decode("17").sub_event == SUB_SEGMENT(2));
	OK(decode("07").sub_event == SUB_SEGMENT(0) && decode("1f").sub_event == SUB_SEGMENT(3));
	OK(decode("c4 00").sub_event == SUB_SEGMENT(0) &&
	   decode("c5 00").sub_event == SUB_SEGMENT(3));
}

static void test_branches(void)
{
	OK(is("e8 00 00 00 00", INSN_CALL) && is("66 e8 00 00", INSN_CALL));
	OK(is("0f 84 00 00 00 00", INSN_JCC) && is("e2 fe", INSN_JCC));
	OK(is("ff d2", INSN_CALL) && decode("ff d2").indirect);
	OK(is("9a 00 00 10 00 08 00", INSN_FAR) && is("ea 00 00 10 00 08 00", INSN_FAR));
	OK(is("66 ea 00 00 08 00", INSN_FAR));
	OK(decode("ea 00 00 10 00 08 00").sub_event == SUB_SEGMENT(1));
	OK(is("cf", INSN_FAR) && is("cd 81", INSN_INT));
}

/* With a register for its operand it is no LES, LDS or BOUND. */
static void test_vex(void)
{
	OK(has_length("c4 00") && has_length("c5 40 10"));
	OK(has_length("c5 f8 77")); /* vzeroupper */
	OK(has_length("c4 e2 79 18 00"));
	OK(decode("c4 e2 79 18 00").class == INSN_PLAIN);
}

/* ---- what a processor has ---- */

static bool executes(const char *hex, enum code_size size)
{
	uint8_t bytes[15];
	struct decoder d;

	decode_raw(&d, bytes, bytes_of(hex, bytes), size);
	return silicon_executes(&silicon_cpu, &d);
}

static bool has(const char *hex)
{
	return executes(hex, CODE_32);
}

static void become(const char *model)
{
	silicon_reset(&silicon_cpu, profile_find(model), NULL);
	silicon_show_32(&silicon_cpu, true);
}

#define CMOV     "0f 44 c1"
#define CLFLUSH  "0f ae 38"
#define SFENCE   "0f ae f8"
#define MFENCE   "0f ae f0"
#define FXSAVE   "0f ae 00"
#define LDMXCSR  "0f ae 10"
#define PADDB    "0f fc c1"
#define PSHUFW   "0f 70 c1 00"
#define PADDQ    "0f d4 c1"
#define PFADD    "0f 0f c1 9e"
#define ADDPS    "0f 58 c1"
#define ADDSS    "f3 0f 58 c1"
#define ADDPD    "66 0f 58 c1"
#define PADDB_2  "66 0f fc c1"
#define MOVDQU   "f3 0f 6f c1"
#define CVTPS2PD "0f 5a c1"
#define MOVNTI   "0f c3 00"
#define HADDPS   "f2 0f 7c c1"
#define PSHUFB   "0f 38 00 c1"
#define SYSCALL  "0f 05"
#define SYSENTER "0f 34"
#define ADD      "01 c8"
#define PINSRW   "0f c4 c1 00"
#define MONITOR  "0f 01 c8"
#define XGETBV   "0f 01 d0"
#define VMRUN    "0f 01 d8"
#define VMMCALL  "0f 01 d9"
#define RDTSCP   "0f 01 f9"
#define MWAITX   "0f 01 fb"
#define MOVNTSS  "f3 0f 2b 00"
#define EXTRQ    "66 0f 79 c1"
#define POPCNT   "f3 0f b8 c1"

static void test_features(void)
{
	become("k7");
	OK(has(ADD) && has(CMOV) && has(FXSAVE) && has(PADDB) && has(PSHUFW) && has(PINSRW));
	OK(has(PFADD) && has(SFENCE) && has(SYSCALL) && has(SYSENTER));
	OK(!has(CLFLUSH) && !has(MFENCE) && !has(LDMXCSR) && !has(ADDPS) && !has(ADDSS));
	OK(!has(ADDPD) && !has(PADDB_2) && !has(PADDQ) && !has(MOVNTI) && !has(PSHUFB));
	become("p6");
	OK(has(ADD) && has(CMOV) && has(FXSAVE) && has(PADDB) && has(PSHUFW) && has(PINSRW));
	OK(has(SFENCE) && has(LDMXCSR) && has(ADDPS) && has(ADDSS) && has(SYSENTER));
	OK(!has(PFADD) && !has(SYSCALL) && !has(CLFLUSH) && !has(MFENCE) && !has(ADDPD));
	OK(!has(MOVDQU) && !has(CVTPS2PD) && !has(PADDQ) && !has(MOVNTI) && !has(PADDB_2));
	OK(silicon_shows_32(&silicon_cpu) && !silicon_has_efer(&silicon_cpu));
	become("willamette");
	OK(has(CLFLUSH) && has(MFENCE) && has(ADDPD) && has(MOVDQU) && has(CVTPS2PD));
	OK(has(PADDQ) && has(MOVNTI) && has(PADDB_2));
	OK(!has(HADDPS) && !has(PSHUFB) && !has(PFADD) && !has("c5 f8 77") && !has(RDTSCP));
	OK(!has(POPCNT) && !has(XGETBV) && !has(MONITOR));
	become("core2");
	OK(!silicon_shows_32(&silicon_cpu) && silicon_has_efer(&silicon_cpu));
	OK(has(HADDPS) && has(PSHUFB) && has(CLFLUSH));
}

/* To a 64-bit program every processor has what that may lean on, but not what its maker never had,
 * nor what no model has. */
static void test_features_64(void)
{
	become("k7");
	silicon_show_32(&silicon_cpu, false);
	OK(executes(ADDPD, CODE_64) && executes(CLFLUSH, CODE_64) && executes(PFADD, CODE_64));
	OK(executes(RDTSCP, CODE_64) && executes(EXTRQ, CODE_64) && executes(PSHUFB, CODE_64));
	OK(!executes(MONITOR, CODE_64) && !executes(VMRUN, CODE_64));
	OK(executes(VMMCALL, CODE_64) && executes(XGETBV, CODE_64));
	become("skylake");
	OK(executes(ADDPD, CODE_64) && executes(POPCNT, CODE_64) && executes(RDTSCP, CODE_64));
	OK(!executes(PFADD, CODE_64) && !executes(EXTRQ, CODE_64) && !executes(MOVNTSS, CODE_64));
	OK(!executes(MONITOR, CODE_64) && !executes(MWAITX, CODE_64) && !executes(VMRUN, CODE_64));
}

int main(void)
{
	test_registers();
	test_memory();
	test_stack();
	test_branches();
	test_vex();
	test_features();
	test_features_64();
	return tap_end();
}
