/* SPDX-License-Identifier: BSD-2-Clause */
/* Instructions that belong together: loops, calls, strings, code that changes itself or its pages.
 */
#include "unharmed.h"

#include <asm/prctl.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>

enum { DIRECTIONS = 16, LOOP_MOST = 50, STRING_MOST = 5000 };

static void put_byte(struct code *code, unsigned byte)
{
	code_put(code, &(uint8_t){(uint8_t)byte}, 1);
}

static void put_32(struct code *code, uint32_t value)
{
	code_put(code, &value, sizeof(value));
}

static void begin(struct code *code)
{
	code->begins[code->at] = true;
}

/* MOV of 32 bits to the register. */
static void put_mov(struct code *code, unsigned reg, uint32_t value)
{
	begin(code);
	if (reg >= 8)
		put_byte(code, 0x41);
	put_byte(code, 0xb8 | (reg & 7));
	put_32(code, value);
}

/* From the base register to there. */
static uint32_t distance(uint64_t address)
{
	return (uint32_t)(address - page_address(BASE_PAGE));
}

/* LEA of 64 bits. */
static void put_lea(struct code *code, unsigned reg, uint64_t address)
{
	begin(code);
	put_byte(code, 0x48);
	put_byte(code, 0x8d);
	put_byte(code, 0x80 | reg << 3 | RBX);
	put_32(code, distance(address));
}

static void put_filling(struct code *code, struct random *r)
{
	static const char *const words[] = {"X 01 R", "X 31 R", "90", "X 0f b6 R", "X 8b M"};

	for (unsigned n = draw(r, 4); n; n--)
		code_put_words(code, r, words[draw(r, sizeof(words) / sizeof(*words))]);
}

/* ---- branches ---- */

static void put_loop(struct code *code, struct random *r)
{
	unsigned first;

	put_mov(code, 1, 1 + draw(r, LOOP_MOST));
	first = code->at;
	code_put_words(code, r, draw(r, 2) ? "01 c2" : "48 8b M0");
	code_put_words(code, r, "ff c9");
	begin(code);
	put_byte(code, 0x75); /* JNZ */
	put_byte(code, first - code->at - 1);
}

static void put_skip(struct code *code, struct random *r)
{
	unsigned from;

	begin(code);
	put_byte(code, draw(r, DIRECTIONS + 1) ? 0x70 | draw(r, DIRECTIONS) : 0xeb);
	put_byte(code, 0);
	from = code->at;
	put_filling(code, r);
	code->bytes[from - 1] = (uint8_t)(code->at - from);
}

static void put_call_next(struct code *code, struct random *r)
{
	code_put_words(code, r, "e8 00 00 00 00");
	code_put_words(code, r, "58");
}

static void put_call(struct code *code, struct random *r)
{
	uint64_t to = page_address(PAGE_CHANGING) + draw(r, SUBROUTINES) * SUBROUTINE_ROOM;

	begin(code);
	put_byte(code, 0xe8);
	put_32(code, (uint32_t)(to - page_address(PAGE_CODE) - code->at - 4));
}

/* ---- memory ---- */

static uint64_t draw_operand(struct random *r)
{
	return page_address(PAGE_OPERANDS + draw(r, PAGE_OPERANDS_END - PAGE_OPERANDS)) +
	       draw(r, PAGE);
}

static void put_string(struct code *code, struct random *r)
{
	static const uint8_t opcodes[] = {0xa4, 0xa5, 0xaa, 0xab, 0xa6, 0xae};

	put_lea(code, 7, draw_operand(r));
	put_lea(code, 6, draw_operand(r));
	put_mov(code, 1, draw(r, 2) ? draw(r, 20) : draw(r, STRING_MOST));
	begin(code);
	put_byte(code, 0xf3);
	if (draw(r, 2))
		put_byte(code, 0x48);
	put_byte(code, opcodes[draw(r, sizeof(opcodes))]);
}

/* Not canonical, the kernel's, near 0: none may be accessed. */
static void put_wild(struct code *code, struct random *r)
{
	static const uint64_t addresses[] = {UINT64_C(0x1000000000000) + ARENA,
					     UINT64_C(0x800000000000), UINT64_C(0xffffffff81000000),
					     8, UINT64_MAX - 3};

	begin(code);
	put_byte(code, 0x48);
	put_byte(code, 0xbe);
	code_put(code, &addresses[draw(r, sizeof(addresses) / sizeof(*addresses))], 8);
	code_put_words(code, r, draw(r, 2) ? "48 8b 06" : "48 89 06");
}

/* ADD EAX, EDX becomes another operation, at once or a little later, through either of its pages.
 */
static void put_changing(struct code *code, struct random *r)
{
	static const uint8_t operations[] = {0x01, 0x09, 0x11, 0x19, 0x21, 0x29, 0x31};
	unsigned page = draw(r, 2) ? PAGE_ALIAS : PAGE_CODE, at;
	uint32_t to;

	if (!code->changes)
		return;
	begin(code);
	put_byte(code, 0xc6); /* MOV BYTE */
	put_byte(code, 0x80 | RBX);
	at = code->at;
	put_32(code, 0);
	put_byte(code, operations[draw(r, sizeof(operations))]);
	put_filling(code, r);
	to = distance(page_address(page) + code->at);
	memcpy(code->bytes + at, &to, sizeof(to));
	code_put_words(code, r, "01 d0");
}

/* BTS leaves flags undefined, and QEMU in them what it has at hand, as behind CMPXCHG8B, too; CMP
 * defines them all. */
static void put_undefining(struct code *code, struct random *r)
{
	code_put_words(code, r, draw(r, 2) ? "X 0f ba M5 b" : "X 0f c7 M1");
	code_put_words(code, r, "X 39 R");
}

/* POPF of the flags that a program may load: QEMU's loads the reserved ones, too. */
static void put_flags(struct code *code, struct random *r)
{
	const uint32_t allowed = 0x244dd5, trap = 0x100;
	uint32_t flags = draw(r, UINT32_MAX) & allowed;

	begin(code);
	put_byte(code, 0x68);
	put_32(code, draw(r, 4) ? flags & ~trap : flags);
	code_put_words(code, r, "9d");
}

/* ---- the kernel's help ---- */

static void put_syscall(struct code *code, struct random *r, unsigned number)
{
	put_mov(code, 0, number);
	code_put_words(code, r, "0f 05");
}

static void put_getpid(struct code *code, struct random *r)
{
	put_syscall(code, r, SYS_getpid);
}

static void put_cpuid(struct code *code, struct random *r)
{
	code_put_words(code, r, "49 89 df"); /* MOV R15, RBX */
	put_mov(code, 0, 0);
	code_put_words(code, r, "0f a2");
	code_put_words(code, r, "4c 89 fb");
}

static void put_gs(struct code *code, struct random *r)
{
	put_mov(code, 7, ARCH_SET_GS);
	put_lea(code, 6, page_address(PAGE_OPERANDS) + 8 * draw(r, PAGE / 16));
	put_syscall(code, r, SYS_arch_prctl);
	code_put_words(code, r,
		       draw(r, 2) ? "65 48 8b 04 25 08 00 00 00" : "65 48 89 14 25 10 00 00 00");
}

/* The subroutines' page becomes another one between two calls. */
static void put_remap(struct code *code, struct random *r)
{
	put_call(code, r);
	put_lea(code, 7, page_address(PAGE_CHANGING));
	put_mov(code, 6, PAGE);
	put_mov(code, 2, PROT_READ | PROT_EXEC);
	put_mov(code, 10, MAP_FIXED | (draw(r, 2) ? MAP_SHARED : MAP_PRIVATE));
	put_mov(code, 8, (uint32_t)pages_open());
	put_mov(code, 9, pages_variant(draw(r, CHANGING_VARIANTS)));
	put_syscall(code, r, SYS_mmap);
	put_call(code, r);
}

void code_put_sequence(struct code *code, struct random *r)
{
	static void (*const kinds[])(struct code * code, struct random * r) = {
		put_loop,  put_skip,       put_call_next, put_call,     put_string,
		put_wild,  put_undefining, put_flags,     put_changing, put_getpid,
		put_cpuid, put_gs,         put_remap,
	};

	kinds[draw(r, sizeof(kinds) / sizeof(*kinds))](code, r);
}
