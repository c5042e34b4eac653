/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Compares the model's decoder with another one: reads what objdump says of code, and prints each
 * instruction of which the model says something else.
 *
 *     objdump -d -w -M intel FILE | decoder 64|32|16
 *
 * Instructions that objdump does not know are left out: the model need not know them either.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/cpu/cpu.h"

enum { LONGEST = 15, LINE = 256 };

/* A line of the listing: its bytes, and the words behind them without what is only prefix. */
struct line {
	uint8_t bytes[LONGEST + 1];
	unsigned length;
	bool repeated;
	char name[32], operands[LINE];
};

static bool begins(const char *text, const char *with)
{
	return !strncmp(text, with, strlen(with));
}

static bool is_one_of(const char *word, const char *list)
{
	const char *found = list;

	for (size_t length = strlen(word); (found = strstr(found, word)); found += length)
		if ((found == list || found[-1] == ' ') && (found[length] == ' ' || !found[length]))
			return true;
	return false;
}

static bool is_prefix(const char *word)
{
	return begins(word, "rex") || is_one_of(word, "rep repz repnz lock bnd notrack data16 "
						      "addr32 addr16 data32 cs ds es ss fs gs "
						      "xacquire xrelease {vex} {evex}");
}

static const char *read_bytes(const char *at, struct line *line)
{
	char *end;

	line->length = 0;
	for (;; at = end) {
		unsigned long byte = strtoul(at, &end, 16);

		if (end != at + 2 || line->length > LONGEST)
			return at;
		line->bytes[line->length++] = (uint8_t)byte;
		end += *end == ' ';
	}
}

/* False: there is none. */
static bool read_name(const char *at, struct line *line)
{
	int length;

	line->repeated = false;
	while (sscanf(at, " %31s%n", line->name, &length) == 1) {
		at += length;
		if (!is_prefix(line->name)) {
			at += strspn(at, " ");
			snprintf(line->operands, sizeof(line->operands), "%.*s",
				 (int)strcspn(at, "#<\n"), at);
			return true;
		}
		line->repeated |= begins(line->name, "rep");
	}
	return false;
}

/* Behind the prefixes. */
static const uint8_t *opcode_of(const struct line *line, enum code_size size)
{
	static const uint8_t prefixes[] = {0x26, 0x2e, 0x36, 0x3e, 0x64, 0x65,
					   0x66, 0x67, 0xf0, 0xf2, 0xf3};
	const uint8_t *byte = line->bytes;

	while (memchr(prefixes, *byte, sizeof(prefixes)) ||
	       (size == CODE_64 && (*byte & 0xf0) == 0x40))
		byte++;
	return byte;
}

/* Is it foreign?  So are FWAIT and the instruction behind it, which objdump shows as one, and those
 * that no processor of the models has, or has but as hints that do nothing: test registers, MPX,
 * AVX512-FP16, APX and UDB. */
static bool is_foreign(const struct line *line, enum code_size size)
{
	uint8_t opcode = *opcode_of(line, size);

	return (opcode == 0x9b && !is_one_of(line->name, "fwait wait")) ||
	       begins(line->operands, "tr") || strstr(line->operands, ",tr") ||
	       begins(line->name, "bnd") ||
	       (opcode == 0x62 && line->name[0] == 'v' && (line->bytes[1] & 7) > 3) ||
	       (size == CODE_64 && (opcode == 0xd5 || opcode == 0xd6));
}

/* False: it is none of an instruction that both must know. */
static bool read_line(const char *text, enum code_size size, struct line *line)
{
	const char *at = strchr(text, '\t');

	if (!at || strstr(text, "(bad)") || strstr(text, "{bad}") || strstr(text, ".byte"))
		return false;
	memset(line->bytes, 0, sizeof(line->bytes));
	at = read_bytes(at + 1, line);
	at += strspn(at, " ");
	return *at == '\t' && line->length && line->length <= LONGEST && read_name(at, line) &&
	       !is_foreign(line, size);
}

/* In 16-bit code objdump shows a far pointer, that of FFh /3 and /5, as it shows a near one of 32
 * bits. */
static bool is_far_in_16_bits(const struct line *line)
{
	const uint8_t *opcode = opcode_of(line, CODE_16);
	unsigned reg = opcode[1] >> 3 & 7;

	return *opcode == 0xff && (reg == 3 || reg == 5);
}

static bool is_far(const struct line *line, enum code_size size)
{
	return (size == CODE_16 && is_far_in_16_bits(line)) || strstr(line->operands, "FWORD") ||
	       strstr(line->operands, "TBYTE") ||
	       (begins(line->operands, "0x") && strchr(line->operands, ':'));
}

static enum insn_class class_of(const struct line *line, enum code_size size)
{
	static const struct {
		const char *names;
		enum insn_class class;
	} classes[] = {
		{"retf retfw retfd retfq iret iretw iretd iretq", INSN_FAR},
		{"jmp jmpw jmpd", INSN_JMP},
		{"call callw calld", INSN_CALL},
		{"ret retw retd", INSN_RET},
		{"syscall sysenter", INSN_SYSCALL},
		{"sysret sysretd sysretq sysexit sysexitd sysexitq sysretl sysexitl", INSN_SYSRET},
		{"int int1 int3", INSN_INT},
		{"pushf pushfq pushfd pushfw", INSN_PUSHF},
		{"popf popfq popfd popfw", INSN_POPF},
		{"hlt", INSN_HLT},
		{"sti", INSN_STI},
	};
	const char *name = line->name;

	if (is_one_of(name, "jmp call jmpd calld") && is_far(line, size))
		return INSN_FAR;
	for (size_t i = 0; i < sizeof(classes) / sizeof(*classes); i++)
		if (is_one_of(name, classes[i].names))
			return classes[i].class;
	if (name[0] == 'j' || begins(name, "loop"))
		return INSN_JCC;
	if (is_one_of(name, "mov pop popw popd") &&
	    (!strcmp(line->operands, "ss") || begins(line->operands, "ss,")))
		return INSN_MOV_SS;
	if (line->repeated && is_one_of(name, "movs cmps stos lods scas ins outs"))
		return INSN_REP_STRING;
	return INSN_PLAIN;
}

/* Its access to memory: l loads, s stores, x both, . none; ? where operands do not tell. */
static char access_of(const struct line *line, enum code_size size)
{
	static const struct {
		const char *names;
		char access;
	} kinds[] = {
		{"push pushw pushd pusha pushaw pushad pop popw popd popa popaw popad enter enterw "
		 "enterd "
		 "leave leavew leaved movs cmps "
		 "stos lods scas ins outs xlat",
		 '?'},
		{"lea nop", '.'},
		{"mov movaps movups movapd movupd movdqa movdqu movss movsd movd movq movnti "
		 "vmovaps vmovups vmovdqa vmovdqu vmovd vmovq fst fstp fist fistp fisttp",
		 's'},
		{"cmp test bt mul div imul idiv fld fild fadd fsub fmul fdiv", 'l'},
		{"add or adc sbb and sub xor inc dec not neg rol ror rcl rcr shl shr sar xchg xadd "
		 "cmpxchg bts btr btc shld shrd",
		 'x'},
	};
	const char *memory = strpbrk(line->operands, "[:"), *comma = strchr(line->operands, ',');

	for (size_t i = 0; i < sizeof(kinds) / sizeof(*kinds); i++)
		if (is_one_of(line->name, kinds[i].names) && strchr("?.", kinds[i].access))
			return kinds[i].access;
	if (class_of(line, size) != INSN_PLAIN)
		return '?';
	if (!memory)
		return '.';
	if (comma && comma < memory)
		return 'l';
	for (size_t i = 0; i < sizeof(kinds) / sizeof(*kinds); i++)
		if (is_one_of(line->name, kinds[i].names))
			return kinds[i].access;
	return begins(line->name, "set") ? 's' : '?';
}

static bool agrees(const struct line *line, enum code_size size, struct insn *insn)
{
	uint8_t bytes[16] = {0};

	memcpy(bytes, line->bytes, line->length);
	insn_decode(bytes, LONGEST, size, insn);
	if (insn->length != line->length || insn->class != class_of(line, size))
		return false;
	switch (access_of(line, size)) {
	case '.':
		return !insn->loads && !insn->stores;
	case 'l':
		return insn->loads && !insn->stores;
	case 's':
		return !insn->loads && insn->stores;
	case 'x':
		return insn->loads && insn->stores;
	default:
		return true;
	}
}

static enum code_size size_of(const char *bits)
{
	return !strcmp(bits, "64") ? CODE_64 : !strcmp(bits, "32") ? CODE_32 : CODE_16;
}

int main(int argc, char **argv)
{
	enum code_size size = size_of(argc == 2 ? argv[1] : "64");
	unsigned compared = 0, different = 0;
	char text[LINE];
	struct line line;
	struct insn insn;

	while (fgets(text, sizeof(text), stdin)) {
		if (!read_line(text, size, &line))
			continue;
		compared++;
		if (agrees(&line, size, &insn))
			continue;
		different++;
		printf("length %u class %u loads %u stores %u:%s", insn.length, insn.class,
		       insn.loads, insn.stores, strchr(text, '\t'));
	}
	printf("%u instructions, %u different\n", compared, different);
	return different || !compared;
}
