/* SPDX-License-Identifier: BSD-2-Clause */
/* Single instructions, mostly of the kinds that programs have most of. */
#include "unharmed.h"

#include <stdlib.h>
#include <string.h>

#define REX        0x40
#define REX_W      0x08
#define REX_R      0x04
#define REX_B      0x01

#define MOD_MEMORY 0x80 /* with a displacement of 4 bytes */
#define MOD_NONE   0xc0

static const char *const words[] = {
	"X 01 R",       "X 29 R",     "X 11 R",       "X 31 R",     "X 21 R",     "X 09 R",
	"X 39 R",       "X 85 R",     "X 0f af R",    "X 8d M",     "X c1 R4 b",  "X d3 R5",
	"X 0f a4 R b",  "X f7 R3",    "X f7 R4",      "X f7 R7",    "X 81 R0 d",  "X 83 R2 b",
	"X 69 R d",     "X 0f bd R",  "X 0f b6 R",    "X 63 R",     "X 0f 44 R",  "X 0f c1 R",
	"X 87 R",       "66 01 R",    "66 81 R0 b b", "00 r",       "0f 94 r0",   "48 b8 q",
	"b8 d",         "X 99",       "X 8b M",       "X 8b M",     "X 89 M",     "X 89 M",
	"X 03 M",       "X 01 M",     "X 31 M",       "X 3b M",     "X 81 M0 d",  "X 83 M5 b",
	"X c7 M0 d",    "X ff M0",    "X f7 M2",      "X f7 M3",    "X f7 M6",    "8a m",
	"88 m",         "00 m",       "c6 m0 b",      "66 8b M",    "66 89 M",    "66 c7 M0 b b",
	"X 0f b6 M",    "X 0f b7 M",  "X 63 M",       "X 87 M",     "X 0f b1 M",  "f0 X 0f c1 M",
	"f0 X 0f b1 M", "X 0f 45 M",  "ff M6",        "8f M0",      "50",         "52",
	"58",           "5a",         "6a b",         "68 d",       "9c",         "f3 0f 1e fa",
	"0f 10 M",      "0f 11 M",    "66 0f 6f M",   "f3 0f 7f M", "66 0f ef R", "0f 58 R",
	"f2 0f 59 R",   "66 0f fe M", "66 0f d6 M",   "f2 0f 10 M", "f2 0f 11 M", "f3 0f 2a R",
	"66 X 0f 6e R", "0f ae M3",   "0f c2 R b",    "d9 ee",      "d9 e8",      "de c1",
	"dd M3",        "d9 M7",      "d9 M6",        "dd M0",      "0f 77",      "0f fe R",
	"0f 6f M",      "0f 7f M",    "0f ae M7",     "0f ae e8",   "0f 18 M1",   "fc",
	"f8",           "f5",         "d7",           "0f 0b",      "cc",         "f4",
	"90",           "66 90",      "0f 1f M0",     "X 0f c8",    "98",
};

void code_put(struct code *code, const void *bytes, size_t size)
{
	memcpy(code->bytes + code->at, bytes, size);
	code->at += (unsigned)size;
}

static void put_drawn(struct code *code, struct random *r, unsigned size)
{
	for (unsigned i = 0; i < size; i++)
		code_put(code, &(uint8_t){(uint8_t)draw(r, 256)}, 1);
}

/* A register that code may change: neither the base, nor the stack pointer. */
static uint8_t draw_register(struct random *r)
{
	static const uint8_t allowed[] = {0, 1, 2, 5, 6, 7};

	return allowed[draw(r, sizeof(allowed))];
}

/* One that has a lower half of 8 bits which is no part of the base. */
static uint8_t draw_byte_register(struct random *r)
{
	return (uint8_t)draw(r, 3);
}

/* Half of them end near an end of a page. */
static int32_t draw_displacement(struct random *r)
{
	int32_t first = (PAGE_OPERANDS - BASE_PAGE) * PAGE,
		end = (PAGE_OPERANDS_END - BASE_PAGE) * PAGE;
	int32_t at = first + 64 + (int32_t)draw(r, (uint32_t)(end - first - 128));

	if (draw(r, 2))
		return at;
	return at / PAGE * PAGE - (int32_t)draw(r, 16);
}

static void put_memory(struct code *code, struct random *r, unsigned reg)
{
	uint8_t modrm = (uint8_t)(MOD_MEMORY | reg << 3 | RBX);
	int32_t displacement = draw_displacement(r);

	code_put(code, &modrm, 1);
	code_put(code, &displacement, sizeof(displacement));
}

static void put_modrm(struct code *code, struct random *r, const char *word)
{
	bool byte = word[0] == 'r' || word[0] == 'm';
	uint8_t reg = byte ? draw_byte_register(r) : draw_register(r);
	uint8_t rm = byte ? draw_byte_register(r) : draw_register(r);

	if (word[1])
		reg = (uint8_t)(word[1] - '0');
	rm = (uint8_t)(MOD_NONE | reg << 3 | rm);
	if (word[0] == 'M' || word[0] == 'm')
		put_memory(code, r, reg);
	else
		code_put(code, &rm, 1);
}

/* The base of an operand in memory stays as it is. */
static void put_rex(struct code *code, struct random *r, bool memory)
{
	uint8_t allowed = REX_W | REX_R | (memory ? 0 : REX_B);
	uint8_t rex = (uint8_t)(REX | (draw(r, 16) & allowed));

	code_put(code, &rex, 1);
}

static void put_word(struct code *code, struct random *r, const char *word, const char *all)
{
	uint8_t byte = (uint8_t)strtoul(word, NULL, 16);

	if (word[0] == 'X')
		put_rex(code, r, strchr(all, 'M'));
	else if (strchr("RMrm", word[0]))
		put_modrm(code, r, word);
	else if (strchr("bdq", word[0]) && !word[1])
		put_drawn(code, r, word[0] == 'b' ? 1 : word[0] == 'd' ? 4 : 8);
	else
		code_put(code, &byte, 1);
}

void code_put_words(struct code *code, struct random *r, const char *all)
{
	char copy[32], *rest = copy, *word;

	code->begins[code->at] = true;
	strncpy(copy, all, sizeof(copy) - 1);
	copy[sizeof(copy) - 1] = 0;
	while ((word = strtok_r(rest, " ", &rest)))
		put_word(code, r, word, all);
}

static void put_exit(struct code *code, uint64_t exit)
{
	static const uint8_t jump[] = {0xff, 0x25, 0, 0, 0, 0};

	code->begins[code->at] = true;
	code_put(code, jump, sizeof(jump));
	code_put(code, &exit, sizeof(exit));
}

/* It begins in the first page, and most of it ends in the second one. */
void code_draw(struct code *code, struct random *r, uint64_t exit)
{
	unsigned end = PAGE - 64 + draw(r, PAGE / 2);

	memset(code->begins, 0, sizeof(code->begins));
	memset(code->bytes, 0, sizeof(code->bytes));
	code->at = code->entry = PAGE - 64 - draw(r, PAGE / 4);
	while (code->at < end)
		if (draw(r, 4))
			code_put_words(code, r, words[draw(r, sizeof(words) / sizeof(*words))]);
		else
			code_put_sequence(code, r);
	put_exit(code, exit);
}

unsigned code_length(const struct code *code, unsigned at)
{
	unsigned next = at + 1;

	if (at >= code->at || !code->begins[at])
		return 0;
	while (next < code->at && !code->begins[next])
		next++;
	return next - at;
}
