/* SPDX-License-Identifier: BSD-2-Clause */
/* Operations: one table, from which they are drawn, placed and written. */
#include "random.h"

#define IS_64_BIT (sizeof(void *) == 8)

/* How the bytes behind the opcode are made. */
enum form {
	ALONE,
	TWO_REGISTERS, /* destination a, source b */
	ONE_REGISTER, /* with an extension of the opcode */
	IN_OPCODE, /* the register is the last three bits of the opcode */
	BUFFER, /* a register and memory */
	BUFFER_ALONE, /* with an extension */
	/* More than one instruction: */
	PUSH_POP,
	CONDITION, /* something that sets flags, and a conditional branch over some operations */
	FLAG, /* the same, and a SETcc */
	OVER, /* a jump over some */
	SUBROUTINE, /* a call */
	THROUGH_REGISTER, /* a call of an address in a register */
	REPEATED, /* a loop of its own */
	CROSSED, /* a way to ring 0 and back */
};

enum { REGISTERS = 3 /* EAX, ECX, EDX */, EBX = 3, BUFFER_REGISTER = 6 /* ESI */ };
enum { SKIPPED = 6, CONDITIONS = 16, LOOPS = 5 };
enum { PREFIX_64 = 1 };
/* What no prefix asks for: XCHG of memory locks. */
enum { LOADS = SAMPLE_IS_LOAD, STORES = SAMPLE_IS_STORE, LOCKS = SAMPLE_IS_LOCKED };
/* It may be one op with what follows it. */
enum { ANYTHING = LOADS | STORES | LOCKS };

static const struct template
{
	const char *name;
	uint8_t opcode[3], length;
	uint8_t form, extension;
	uint8_t immediate; /* bytes */
	uint8_t of_64; /* in 64-bit code alone */
	uint8_t often; /* so many times as often as others are drawn */
	uint8_t touches, width; /* struct note */
}
templates[] = {
	{"nop", {0x90}, 1, ALONE, .often = 2, .touches = ANYTHING},
	{"o16 nop", {0x66, 0x90}, 2, ALONE, .often = 1, .touches = ANYTHING},
	{"cdq", {0x99}, 1, ALONE, .often = 1},
	{"mov", {0x89}, 1, TWO_REGISTERS, .often = 2},
	{"add", {0x01}, 1, TWO_REGISTERS, .often = 2},
	{"sub", {0x29}, 1, TWO_REGISTERS, .often = 2},
	{"xor", {0x31}, 1, TWO_REGISTERS, .often = 2},
	{"and", {0x21}, 1, TWO_REGISTERS, .often = 1},
	{"or", {0x09}, 1, TWO_REGISTERS, .often = 1},
	{"cmp", {0x39}, 1, TWO_REGISTERS, .often = 1},
	{"test", {0x85}, 1, TWO_REGISTERS, .often = 1},
	{"xchg", {0x87}, 1, TWO_REGISTERS, .often = 1},
	{"add", {0x48, 0x01}, 2, TWO_REGISTERS, .of_64 = PREFIX_64, .often = 1},
	{"lea", {0x48, 0x8d}, 2, BUFFER, .of_64 = PREFIX_64, .often = 1},
	{"inc", {0xff}, 1, ONE_REGISTER, 0, .often = 1},
	{"dec", {0xff}, 1, ONE_REGISTER, 1, .often = 1},
	{"not", {0xf7}, 1, ONE_REGISTER, 2, .often = 1},
	{"neg", {0xf7}, 1, ONE_REGISTER, 3, .often = 1},
	{"shl", {0xc1}, 1, ONE_REGISTER, 4, 1, .often = 1},
	{"shr", {0xd1}, 1, ONE_REGISTER, 5, .often = 1},
	{"rol", {0xc1}, 1, ONE_REGISTER, 0, 1, .often = 1},
	{"add", {0x81}, 1, ONE_REGISTER, 0, 4, .often = 1},
	{"mov", {0xb8}, 1, IN_OPCODE, .immediate = 4, .often = 2},
	{"bswap", {0x0f, 0xc8}, 2, IN_OPCODE, .often = 1},
	{"lea", {0x8d}, 1, BUFFER, .often = 1},
	{"mov from", {0x8b}, 1, BUFFER, .often = 3, .touches = LOADS, .width = 4},
	{"add from", {0x03}, 1, BUFFER, .often = 2, .touches = LOADS, .width = 4},
	{"cmp with", {0x3b}, 1, BUFFER, .often = 1, .touches = LOADS, .width = 4},
	{"movzx from", {0x0f, 0xb6}, 2, BUFFER, .often = 1, .touches = LOADS, .width = 1},
	{"mov to", {0x89}, 1, BUFFER, .often = 3, .touches = STORES, .width = 4},
	{"add to", {0x01}, 1, BUFFER, .often = 2, .touches = LOADS | STORES, .width = 4},
	{"xchg with", {0x87}, 1, BUFFER, .often = 1, .touches = LOADS | STORES | LOCKS, .width = 4},
	{"inc", {0xff}, 1, BUFFER_ALONE, 0, .often = 1, .touches = LOADS | STORES, .width = 4},
	{"mov to", {0xc7}, 1, BUFFER_ALONE, 0, 4, .often = 1, .touches = STORES, .width = 4},
	{"push", {0x50}, 1, PUSH_POP, .often = 3},
	{"j", {0x0f, 0x80}, 2, CONDITION, .often = 10},
	{"set", {0x0f, 0x90}, 2, FLAG, .often = 1},
	{"jmp", {0xe9}, 1, OVER, .often = 3},
	{"call", {0xe8}, 1, SUBROUTINE, .often = 6},
	{"call through", {0xff}, 1, THROUGH_REGISTER, 2, .often = 2},
	{"loop of", {0x0f, 0x85}, 2, REPEATED, .often = 4},
	{"cross", .form = CROSSED, .often = 8},
};

static const char registers[][4] = {"eax", "ecx", "edx"};

/* ---- drawing ---- */

static unsigned weight(const struct template *t, unsigned section, uint32_t ways)
{
	bool calls = t->form == SUBROUTINE || t->form == THROUGH_REGISTER;

	if ((t->of_64 && !IS_64_BIT) || (calls && section + 1 == SECTIONS) ||
	    (t->form == CROSSED && !ways))
		return 0;
	return t->often;
}

static unsigned choose(struct draw *draw, unsigned section, uint32_t ways)
{
	unsigned all = 0, i = 0, left;

	for (unsigned k = 0; k < ARRAY_SIZE(templates); k++)
		all += weight(&templates[k], section, ways);
	for (left = draw_below(draw, all); left >= weight(&templates[i], section, ways); i++)
		left -= weight(&templates[i], section, ways);
	return i;
}

static unsigned draw_way(struct draw *draw, uint32_t ways)
{
	unsigned way;

	do
		way = draw_below(draw, 32);
	while (!(ways >> way & 1));
	return way;
}

struct op op_draw(struct draw *draw, unsigned section, uint32_t ways)
{
	struct op op = {.section = (uint8_t)section,
			.number = (uint8_t)choose(draw, section, ways)};
	const struct template *t = &templates[op.number];

	op.a = (uint8_t)draw_below(draw, REGISTERS);
	op.b = (uint8_t)draw_below(draw, REGISTERS);
	op.value = draw_below(draw, IMAGE_BUFFER - 8);
	switch (t->form) {
	case CONDITION:
	case FLAG:
		op.value = draw_below(draw, CONDITIONS);
		break;
	case SUBROUTINE:
	case THROUGH_REGISTER:
		op.value = section + 1 + draw_below(draw, SECTIONS - 1 - section);
		break;
	case REPEATED:
		op.value = 1 + draw_below(draw, LOOPS);
		break;
	case CROSSED:
		op.value = draw_way(draw, ways);
		break;
	default:
		break;
	}
	/* A lock across two lines is no plain access. */
	if (t->touches & LOCKS && t->width)
		op.value &= ~3u;
	if (t->form == CONDITION || t->form == OVER)
		op.b = (uint8_t)draw_below(draw, SKIPPED);
	return op;
}

/* ---- placing ---- */

static uint8_t modrm(unsigned mod, unsigned reg, unsigned rm)
{
	return (uint8_t)(mod << 6 | reg << 3 | rm);
}

static uint8_t rm_of(const struct template *t, const struct op *op)
{
	switch (t->form) {
	case TWO_REGISTERS:
		return modrm(3, op->b, op->a);
	case ONE_REGISTER:
		return modrm(3, t->extension, op->a);
	case BUFFER:
		return modrm(2, op->a, BUFFER_REGISTER);
	default:
		return modrm(2, t->extension, BUFFER_REGISTER);
	}
}

static void place_one(struct image *image, const struct template *t, const struct op *op)
{
	uint8_t code[16];
	unsigned n = t->length;

	memcpy(code, t->opcode, n);
	if (t->form == IN_OPCODE)
		code[n - 1] |= op->a;
	else if (t->form != ALONE)
		code[n++] = rm_of(t, op);
	if (t->form == BUFFER || t->form == BUFFER_ALONE) {
		memcpy(code + n, &op->value, 4);
		n += 4;
	}
	memcpy(code + n, &op->value, t->immediate);
	image_put(image, 0, code, n + t->immediate);
	image_touch(image, t->touches, op->value, t->width);
}

/* A branch with four bytes for the distance, which are known later. */
static void place_branch(struct image *image, unsigned is, const struct template *t, unsigned more)
{
	uint8_t code[8] = {0};

	memcpy(code, t->opcode, t->length);
	code[t->length - 1] |= (uint8_t)more;
	image_put(image, is, code, t->length + 4u);
}

static void place_push_pop(struct image *image, const struct op *op)
{
	image_put(image, 0, (const uint8_t[]){0x50 + op->a}, 1);
	image_touch(image, STORES, 0, 0);
	image_put(image, 0, (const uint8_t[]){0x58 + op->b}, 1);
	image_touch(image, LOADS, 0, 0);
}

/* CMP: all flags that conditions depend on are known. */
static void place_compare(struct image *image, const struct op *op)
{
	image_put(image, 0, (const uint8_t[]){0x39, modrm(3, op->b % REGISTERS, op->a)}, 2);
}

static void place_address(struct image *image, const struct op *op)
{
	/* lea rax, [rip + distance]; mov eax, address */
	const uint8_t lea[7] = {0x48, 0x8d, modrm(0, op->a, 5)}, mov[5] = {0xb8 + op->a};

	if (IS_64_BIT) {
		image_put(image, 0, lea, sizeof(lea));
		image_aim_at_section(image, op->value);
	} else {
		image_put(image, 0, mov, sizeof(mov));
		image_aim_address(image, op->value);
	}
}

static void place_loop(struct image *image, const struct op *op)
{
	const uint8_t mov[5] = {0xb8 + EBX, (uint8_t)op->value};
	/* add eax, ecx; dec ebx; jnz */
	const uint8_t add[] = {0x01, modrm(3, op->b, op->a)}, dec[] = {0xff, modrm(3, 1, EBX)};
	const uint8_t jnz[] = {0x75, (uint8_t)-6};

	image_put(image, 0, mov, sizeof(mov));
	image_put(image, 0, add, sizeof(add));
	image_put(image, 0, dec, sizeof(dec));
	image_put(image, IS_CONDITIONAL, jnz, sizeof(jnz));
}

static void place_crossing(struct image *image, unsigned number)
{
	const struct crossing *way = crossing(number);
	uint8_t code[CROSSING_CODE];
	unsigned length;

	crossing_put(way, code, (uintptr_t)user_code + image->size);
	image->ways |= UINT32_C(1) << number;
	for (unsigned i = 0, at = 0; at < way->length; i++, at += length) {
		bool last = at == crossing_begins(way);

		length = last ? way->length - at : way->setup[i];
		image_put(image, last ? IS_CROSSING : 0, code + at, length);
	}
}

void op_place(struct image *image, const struct op *op)
{
	const struct template *t = &templates[op->number];

	switch (t->form) {
	case PUSH_POP:
		place_push_pop(image, op);
		break;
	case CONDITION:
		place_compare(image, op);
		place_branch(image, IS_CONDITIONAL, t, op->value);
		image_aim_over(image, op->b);
		/* Jumped over in any case: at a distance of 0 nothing would tell that it was. */
		image_put(image, 0, (const uint8_t[]){0x90}, 1);
		break;
	case FLAG:
		place_compare(image, op);
		image_put(image, 0,
			  (const uint8_t[]){0x0f, 0x90 | (uint8_t)op->value, modrm(3, 0, op->a)},
			  3);
		break;
	case OVER:
		place_branch(image, IS_JUMP, t, 0);
		image_aim_over(image, op->b);
		break;
	case SUBROUTINE:
		place_branch(image, IS_CALL, t, 0);
		image_aim_at_section(image, op->value);
		break;
	case THROUGH_REGISTER:
		place_address(image, op);
		image_put(image, IS_CALL, (const uint8_t[]){0xff, modrm(3, t->extension, op->a)},
			  2);
		break;
	case REPEATED:
		place_loop(image, op);
		break;
	case CROSSED:
		place_crossing(image, op->value);
		break;
	default:
		place_one(image, t, op);
		break;
	}
}

/* ---- text ---- */

void op_text(char text[OP_TEXT], const struct op *op)
{
	static const char conditions[CONDITIONS][3] = {"o", "no", "b", "ae", "e", "ne", "be", "a",
						       "s", "ns", "p", "np", "l", "ge", "le", "g"};
	const struct template *t = &templates[op->number];
	const char *a = registers[op->a], *b = registers[op->b % REGISTERS];

	switch (t->form) {
	case ALONE:
		fmt_print(text, OP_TEXT, "%s", t->name);
		break;
	case TWO_REGISTERS:
		fmt_print(text, OP_TEXT, "%s %s, %s", t->name, a, b);
		break;
	case ONE_REGISTER:
	case IN_OPCODE:
		fmt_print(text, OP_TEXT, t->immediate ? "%s %s, %x" : "%s %s", t->name, a,
			  op->value);
		break;
	case BUFFER:
		fmt_print(text, OP_TEXT, "%s [%x], %s", t->name, op->value, a);
		break;
	case BUFFER_ALONE:
		fmt_print(text, OP_TEXT, "%s [%x]", t->name, op->value);
		break;
	case PUSH_POP:
		fmt_print(text, OP_TEXT, "push %s, pop %s", a, b);
		break;
	case CONDITION:
		fmt_print(text, OP_TEXT, "cmp %s, %s, j%s over %u", a, b, conditions[op->value],
			  op->b);
		break;
	case FLAG:
		fmt_print(text, OP_TEXT, "cmp %s, %s, set%s", a, b, conditions[op->value]);
		break;
	case OVER:
		fmt_print(text, OP_TEXT, "jmp over %u", op->b);
		break;
	case REPEATED:
		fmt_print(text, OP_TEXT, "loop of %u: add %s, %s", op->value, a, b);
		break;
	case CROSSED:
		fmt_print(text, OP_TEXT, "%s", crossing(op->value)->name);
		break;
	default: /* calls */
		fmt_print(text, OP_TEXT, "%s sub%u", t->name, op->value);
		break;
	}
}
