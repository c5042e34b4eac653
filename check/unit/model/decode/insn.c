/* SPDX-License-Identifier: BSD-2-Clause */
/* The instruction decoder of the silicon model. */
#include "model/decode/decode.h"

#include "check/unit/tap.h"

static struct insn decode(const char *hex)
{
	uint8_t bytes[15];
	unsigned count = 0, byte;
	struct insn insn;

	while (count < sizeof(bytes) && sscanf(hex + 3 * count, "%2x", &byte) == 1) {
		bytes[count++] = (uint8_t)byte;
		if (strlen(hex) < 3 * count)
			break;
	}
	insn_decode(bytes, count, CODE_64, &insn);
	return insn;
}

/* Every byte counts: one fewer must be reported as cut short, or be another instruction. */
static bool has_length(const char *hex)
{
	unsigned length = (unsigned)(strlen(hex) + 1) / 3;
	char shorter[64];

	snprintf(shorter, sizeof(shorter), "%s", hex);
	shorter[length == 1 ? 0 : 3 * (length - 1) - 1] = '\0';
	return decode(hex).length == length && decode(shorter).length < length;
}

static bool is(const char *hex, enum insn_class class)
{
	return has_length(hex) && decode(hex).class == class;
}

static void test_branches(void)
{
	OK(is("75 fe", INSN_JCC)); /* jnz short */
	OK(is("0f 84 00 00 00 00", INSN_JCC)); /* jz near */
	OK(is("2e 75 fe", INSN_JCC)); /* with a hint prefix */
	OK(is("e2 fe", INSN_JCC)); /* loop */
	OK(is("e3 00", INSN_JCC)); /* jrcxz */
	OK(is("67 e3 00", INSN_JCC)); /* jecxz */
	OK(is("eb fe", INSN_JMP));
	OK(is("e9 00 00 00 00", INSN_JMP));
	OK(is("e8 00 00 00 00", INSN_CALL));
	OK(is("ff d2", INSN_CALL)); /* call rdx */
	OK(is("41 ff d7", INSN_CALL)); /* call r15 */
	OK(is("ff 15 00 00 00 00", INSN_CALL)); /* call [rip] */
	OK(is("ff e0", INSN_JMP)); /* jmp rax */
	OK(is("ff 24 c5 00 00 00 00", INSN_JMP)); /* jmp [rax*8] */
	OK(is("c3", INSN_RET));
	OK(is("f3 c3", INSN_RET));
	OK(is("c2 08 00", INSN_RET));
}

static void test_far(void)
{
	OK(is("48 cf", INSN_FAR)); /* iretq */
	OK(is("cf", INSN_FAR));
	OK(is("48 cb", INSN_FAR)); /* retfq */
	OK(is("ca 08 00", INSN_FAR));
	OK(is("48 ff 2c 24", INSN_FAR)); /* jmp far [rsp] */
	OK(is("ff 1d 00 00 00 00", INSN_FAR)); /* call far [rip] */
	OK(is("cd 81", INSN_INT));
	OK(is("cc", INSN_INT));
	OK(is("f1", INSN_INT)); /* int1 */
	OK(is("0f 05", INSN_SYSCALL));
	OK(is("48 0f 07", INSN_SYSRET));
	OK(decode("48 cf").serializing);
	OK(!decode("c3").serializing);
}

static void test_system(void)
{
	OK(is("9c", INSN_PUSHF));
	OK(is("66 9c", INSN_PUSHF));
	OK(is("9d", INSN_POPF));
	OK(is("f4", INSN_HLT));
	OK(is("fb", INSN_STI));
	OK(is("fa", INSN_PLAIN));
	OK(is("8e d0", INSN_MOV_SS));
	OK(is("8e d8", INSN_PLAIN)); /* mov ds, eax */
	OK(is("f3 a4", INSN_REP_STRING));
	OK(is("f3 48 ab", INSN_REP_STRING));
	OK(is("f2 ae", INSN_REP_STRING));
	OK(is("a4", INSN_PLAIN));
	OK(is("f3 90", INSN_PLAIN)); /* pause */
	OK(has_length("0f a2") && decode("0f a2").serializing); /* cpuid */
	OK(has_length("0f 30") && decode("0f 30").serializing); /* wrmsr */
	OK(has_length("0f 32") && !decode("0f 32").serializing); /* rdmsr */
	OK(has_length("0f 33")); /* rdpmc */
	OK(has_length("0f 01 d9")); /* vmmcall */
	OK(has_length("0f 22 e0") && decode("0f 22 e0").serializing); /* mov cr4, rax */
	OK(has_length("0f 20 20")); /* mov from cr4: mod is ignored, no memory */
	OK(decode("0f 20 20").loads == 0);
	OK(has_length("0f 22 60")); /* not a displacement */
	OK(has_length("0f ae e8") && decode("0f ae e8").serializing); /* lfence */
	OK(has_length("0f ae f0") && decode("0f ae f0").serializing); /* mfence */
	OK(has_length("0f ae 28") && !decode("0f ae 28").serializing); /* xrstor [rax] */
	OK(has_length("0f 01 38") && decode("0f 01 38").serializing); /* invlpg [rax] */
}

static bool counts_twice(const char *hex)
{
	return decode(hex).sub_event & SUB_TWICE;
}

static void test_twice(void)
{
	OK(counts_twice("d9 2e") && counts_twice("d9 26")); /* fldcw, fldenv [rsi] */
	OK(counts_twice("dd 26") && !counts_twice("dd 36")); /* frstor, fnsave [rsi] */
	OK(!counts_twice("d9 3e") && !counts_twice("d9 e4") && !counts_twice("d9 e8"));
	OK(counts_twice("0f 77") && !counts_twice("c5 f8 77")); /* emms, vzeroupper */
	OK(counts_twice("0f f7 c1") && !counts_twice("66 0f f7 c1")); /* maskmovq, maskmovdqu */
	OK(counts_twice("66 0f 2c 06") && counts_twice("66 0f 2d 06")); /* cvttpd2pi, cvtpd2pi */
	OK(!counts_twice("66 0f 2c c1")); /* cvttpd2pi of a register */
	OK(!counts_twice("0f 2c 06")); /* cvttps2pi */
	OK(counts_twice("0f ae f0") && counts_twice("0f ae f8")); /* mfence, sfence */
	OK(!counts_twice("0f ae e8") && !counts_twice("0f ae 3e")); /* lfence, clflush [rsi] */
}

static void test_lengths(void)
{
	OK(has_length("90"));
	OK(has_length("b8 01 00 00 00"));
	OK(has_length("66 b8 01 00"));
	OK(has_length("66 48 05 01 00 00 00")); /* REX.W wins over 66h */
	OK(has_length("48 b8 01 00 00 00 00 00 00 00"));
	OK(has_length("66 c7 00 01 00"));
	OK(has_length("48 81 c4 00 01 00 00"));
	OK(has_length("48 8b 44 24 08")); /* SIB, disp8 */
	OK(has_length("48 8b 84 24 00 01 00 00")); /* SIB, disp32 */
	OK(has_length("8b 04 25 00 00 00 00")); /* SIB without base */
	OK(has_length("8b 05 00 00 00 00")); /* RIP-relative */
	OK(has_length("f6 00 01") && has_length("f6 10")); /* test m8, imm8; not m8 */
	OK(has_length("f7 c0 01 00 00 00") && has_length("f7 d8"));
	OK(has_length("48 a1 00 00 00 00 00 00 00 00")); /* moffs */
	OK(has_length("67 a1 00 00 00 00"));
	OK(has_length("c8 10 00 00")); /* enter */
	OK(has_length("66 0f 3a 0f c1 08")); /* palignr */
	OK(has_length("f2 0f 38 f1 c0")); /* crc32 */
	OK(has_length("0f a4 c0 05") && has_length("0f a5 c0")); /* shld */
	OK(has_length("0f 1f 84 00 00 00 00 00")); /* long nop */
	OK(has_length("c5 f8 77") && has_length("c5 fc 28 00")); /* vzeroupper, vmovaps */
	OK(has_length("c4 e3 7d 19 c1 01")); /* vextractf128 */
	OK(has_length("62 f1 7c 48 28 40 01")); /* vmovaps zmm0, [rax+64] */
	OK(decode("06").length == 0 && decode("9a").length == 0); /* not in 64-bit mode */
	OK(decode("").length == 0 && decode("48").length == 0 && decode("66 66").length == 0);
}

static bool accesses(const char *hex, unsigned loads, unsigned stores)
{
	struct insn insn = decode(hex);

	return has_length(hex) && insn.loads == loads && insn.stores == stores;
}

static void test_memory(void)
{
	OK(accesses("8b 06", 1, 0)); /* mov eax, [rsi] */
	OK(accesses("89 06", 0, 1));
	OK(accesses("89 c6", 0, 0));
	OK(accesses("01 06", 1, 1)); /* add [rsi], eax */
	OK(accesses("03 06", 1, 0));
	OK(accesses("39 06", 1, 0)); /* cmp [rsi], eax */
	OK(accesses("83 06 01", 1, 1) && accesses("83 3e 01", 1, 0)); /* add, cmp with imm8 */
	OK(accesses("8d 06", 0, 0)); /* lea */
	OK(accesses("c7 06 00 00 00 00", 0, 1));
	OK(accesses("50", 0, 1) && accesses("58", 1, 0)); /* push, pop */
	OK(accesses("ff 36", 1, 1) && accesses("ff f6", 0, 1)); /* push [rsi], push rsi */
	OK(accesses("e8 00 00 00 00", 0, 1) && accesses("c3", 1, 0));
	OK(accesses("ff d2", 0, 1) && accesses("ff 12", 1, 1)); /* call rdx, call [rdx] */
	OK(accesses("ff e2", 0, 0) && accesses("ff 22", 1, 0)); /* jmp */
	OK(accesses("a4", 1, 1) && accesses("a6", 2, 0) && accesses("aa", 0, 1));
	OK(accesses("f7 16", 1, 1) && accesses("f7 26", 1, 0)); /* not, mul */
	OK(accesses("0f b6 06", 1, 0) && accesses("0f 1f 00", 0, 0)); /* movzx, nop */
	OK(accesses("0f b1 0e", 1, 1)); /* cmpxchg */
	OK(accesses("d9 06", 1, 0) && accesses("d9 1e", 0, 1)); /* fld, fstp */
	OK(accesses("d9 3e", 0, 1) && accesses("d9 2e", 1, 0)); /* fnstcw, fldcw */
	OK(accesses("0f 77", 0, 0) && accesses("c5 f8 77", 0, 0)); /* emms, vzeroupper */
	OK(accesses("f3 0f 7e 06", 1, 0) && accesses("c5 fa 7e 06", 1, 0)); /* movq xmm0, [rsi] */
	OK(accesses("66 0f 7e 06", 0, 1) && accesses("c5 f9 7e 06", 0, 1)); /* movd [rsi], xmm0 */
	OK(accesses("0f ba 26 01", 1, 0) && accesses("0f ba 2e 01", 1, 1)); /* bt, bts */
	OK(decode("01 06").uops == 2 && decode("8b 06").uops == 1);
}

static uint32_t bit_of(int number)
{
	return number < 0 ? 0 : UINT32_C(1) << number;
}

/* Numbers of registers, -1: none. */
static bool uses(const char *hex, int written, int read, int other)
{
	struct insn insn = decode(hex);

	return insn.writes == bit_of(written) && insn.reads == (bit_of(read) | bit_of(other));
}

static void test_registers(void)
{
	OK(uses("01 d1", 1, 2, 1)); /* add ecx, edx */
	OK(uses("03 ca", 1, 1, 2)); /* add ecx, edx, the other way round */
	OK(uses("45 01 d1", 9, 10, 9)); /* add r9d, r10d */
	OK(uses("39 d1", -1, 2, 1)); /* cmp */
	OK(uses("89 d1", 1, 2, -1)); /* mov ecx, edx */
	OK(uses("8b 4e 08", 1, 6, -1)); /* mov ecx, [rsi+8] */
	OK(uses("48 8d 0c d6", 1, 6, 2)); /* lea rcx, [rsi+rdx*8] */
	OK(uses("8b 0d 00 00 00 00", 1, -1, -1)); /* mov ecx, [rip] */
	OK(uses("48 ff cf", 7, 7, -1)); /* dec rdi */
	OK(uses("b9 03 00 00 00", 1, -1, -1)); /* mov ecx, 3 */
	OK(uses("49 b9 00 00 00 00 00 00 00 00", 9, -1, -1));
	OK(uses("83 c1 01", 1, 1, -1) && uses("83 f9 01", -1, 1, -1)); /* add, cmp imm */
	OK(uses("f7 f1", 0, 1, -1)); /* div ecx */
	OK(uses("0f af ca", 1, 1, 2)); /* imul ecx, edx */
	OK(uses("0f 44 ca", 1, 1, 2)); /* cmovz */
	OK(uses("0f 94 c1", 1, -1, -1)); /* setz cl */
	OK(uses("90", -1, -1, -1));
	OK(decode("f7 f1").long_latency && decode("f7 e1").long_latency);
	OK(decode("0f af ca").long_latency && decode("6b c9 03").long_latency);
	OK(!decode("f7 d1").long_latency && !decode("01 d1").long_latency);
}

static bool is_mmx(const char *code, enum mmx_type type)
{
	return decode(code).sub_event == (SUB_MMX | SUB_MMX_TYPE(type));
}

static void test_sub_events(void)
{
	OK(decode("d9 d0").sub_event == SUB_X87); /* fnop */
	OK(decode("df e0").sub_event == SUB_X87); /* fnstsw ax */
	OK(is_mmx("0f db c0", MMX_LOGICAL) && is_mmx("0f eb c0", MMX_LOGICAL));
	OK(decode("0f 77").sub_event == (SUB_MMX | SUB_TWICE)); /* emms */
	OK(decode("0f 0e").sub_event == SUB_MMX); /* femms */
	OK(decode("0f 6f 06").sub_event == SUB_MMX && decode("0f 7f 06").sub_event == SUB_MMX);
	OK(is_mmx("0f fe c1", MMX_ARITHMETIC) && is_mmx("0f d8 c1", MMX_ARITHMETIC));
	OK(is_mmx("0f d1 c1", MMX_SHIFT) && is_mmx("0f 73 d0 01", MMX_SHIFT));
	OK(is_mmx("0f d5 c1", MMX_MULTIPLY) && is_mmx("0f f5 c1", MMX_MULTIPLY));
	OK(is_mmx("0f 63 c1", MMX_PACK) && is_mmx("0f 6a c1", MMX_UNPACK));
	OK(decode("0f 74 c1").sub_event == SUB_MMX);
	OK(decode("66 0f db c0").sub_event == SUB_SSE); /* pand xmm0, xmm0 */
	OK(decode("0f e6 c1").sub_event == SUB_SSE); /* no MMX form */
	OK(decode("f3 0f 6f 06").sub_event == SUB_SSE); /* movdqu */
	OK(decode("0f 58 c1").sub_event == SUB_SSE && decode("0f 28 c1").sub_event == SUB_SSE);
	OK(decode("0f 1f 00").sub_event == 0 && decode("0f a2").sub_event == 0);
	OK(decode("c5 f9 db c0").sub_event == 0 && decode("c5 f8 77").sub_event == 0);
	OK(decode("8e c0").sub_event == SUB_SEGMENT(0)); /* mov es, eax */
	OK(decode("8e d8").sub_event == SUB_SEGMENT(3)); /* mov ds, eax */
	OK(decode("8e d0").sub_event == SUB_SEGMENT(2));
	OK(decode("0f a1").sub_event == SUB_SEGMENT(4) &&
	   decode("0f a9").sub_event == SUB_SEGMENT(5));
	OK(decode("8c d8").sub_event == 0); /* mov eax, ds */
	OK(decode("48 cb").sub_event == SUB_SEGMENT(1)); /* retf */
	OK(decode("48 cf").sub_event == (SUB_SEGMENT(1) | SUB_SEGMENT(2))); /* iretq */
	OK(decode("ff 2e").sub_event == SUB_SEGMENT(1) && decode("ff 26").sub_event == 0);
	OK(SUB_SEGMENT(0) == 0x0100 && SUB_SEGMENT(3) == 0x0800);
}

static bool operand_is(const char *hex, enum memory_kind kind, unsigned width)
{
	struct insn insn = decode(hex);

	return insn.length && insn.memory == kind && insn.width == width && !insn.locked;
}

static bool is_none(const char *hex)
{
	return decode(hex).memory == MEMORY_NONE;
}

static void test_operands(void)
{
	OK(operand_is("8b 07", MEMORY_LOAD, 4) && operand_is("48 8b 07", MEMORY_LOAD, 8));
	OK(operand_is("8a 07", MEMORY_LOAD, 1) && operand_is("66 8b 07", MEMORY_LOAD, 2));
	OK(operand_is("89 07", MEMORY_STORE, 4) && operand_is("88 07", MEMORY_STORE, 1));
	OK(operand_is("c6 07 01", MEMORY_STORE, 1) && operand_is("ff 07", MEMORY_STORE, 4));
	OK(operand_is("0f b6 07", MEMORY_LOAD, 1) && operand_is("0f 10 07", MEMORY_LOAD, 16));
	OK(operand_is("0f ae 3f", MEMORY_FLUSH, 4)); /* clflush [rdi] */
	OK(operand_is("0f 18 06", MEMORY_PREFETCH, 1)); /* prefetchnta [rsi] */
	OK(operand_is("0f 18 1e", MEMORY_PREFETCH, 1)); /* prefetcht2 [rsi] */
	OK(operand_is("0f 18 26", MEMORY_NONE, 0)); /* a hint of no meaning */
	OK(operand_is("0f 1f 00", MEMORY_NONE, 0)); /* nop [rax] */
	OK(operand_is("0f c3 07", MEMORY_STREAM, 4) && operand_is("48 0f c3 07", MEMORY_STREAM, 8));
	OK(operand_is("66 0f e7 07", MEMORY_STREAM, 16)); /* movntdq */
	OK(operand_is("0f 2b 07", MEMORY_STREAM, 16)); /* movntps */
	OK(decode("0f ae f0").memory == MEMORY_FENCE); /* mfence */
	OK(decode("0f ae f8").memory == MEMORY_FENCE); /* sfence */
	OK(decode("0f 01 38").memory == MEMORY_FORGET); /* invlpg [rax] */
	OK(is_none("0f ae e8") && is_none("8d 07") && is_none("89 c7"));
	OK(is_none("c5 fc 28 07") && is_none("50") && is_none("c3"));
	OK(decode("f0 ff 07").locked && decode("87 07").locked && !decode("87 c7").locked);
	OK(decode("f3 48 ab").string && operand_is("f3 48 ab", MEMORY_STORE, 8));
	OK(operand_is("a4", MEMORY_STORE, 1) && operand_is("ad", MEMORY_LOAD, 4));
}

static bool fuses(const char *hex)
{
	return decode(hex).fuses;
}

/* What sets flags, and needs none. */
static void test_fusion(void)
{
	OK(fuses("48 39 c8") && fuses("3c 01") && fuses("83 f8 01")); /* cmp */
	OK(fuses("85 c0") && fuses("a8 01") && fuses("f7 c1 01 00 00 00")); /* test */
	OK(fuses("01 c8") && fuses("29 c8") && fuses("21 c8") && fuses("09 c8") && fuses("31 c8"));
	OK(fuses("ff c1") && fuses("48 ff ce") && fuses("fe c9")); /* inc, dec */
	OK(!fuses("11 c8") && !fuses("19 c8") && !fuses("83 d0 01") && !fuses("80 d8 01"));
	OK(!fuses("f7 d8") && !fuses("f7 f1") && !fuses("ff e0") && !fuses("89 c8"));
	OK(!fuses("90") && !fuses("0f 01 c8") && !fuses("48 8d 04 08") && !fuses("75 00"));
}

int main(void)
{
	test_fusion();
	test_branches();
	test_far();
	test_system();
	test_twice();
	test_lengths();
	test_memory();
	test_registers();
	test_sub_events();
	test_operands();
	return tap_end();
}
