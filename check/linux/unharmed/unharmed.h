/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Room: is a program harmed by being counted?  Drawn code runs twice, uncounted and counted, from
 * the same state: registers, memory and the signals on the way must be the same.  Its pages are of
 * all kinds: not touched yet, not mapped, not executable, not writable, copied on write, mapped
 * twice, and mapped to something else while it runs; its instructions cross them, and write to what
 * comes next.
 * Uses: check/linux
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { PAGE = 4096, CODE_ROOM = 2 * PAGE };

/* The pages by number, in a part of the address space that is a program's alone.  Two pages that
 * follow each other are of different kinds. */
enum page {
	PAGE_CODE, /* writable, too */
	PAGE_NEXT, /* the code goes on here: as enum next_page says */
	PAGE_ALIAS, /* both once more, to be written to */
	PAGE_OPERANDS = PAGE_ALIAS + 2, /* touched */
	PAGE_UNTOUCHED,
	PAGE_COPIED, /* on write */
	PAGE_READ_ONLY,
	PAGE_NO_ACCESS,
	PAGE_HOLE, /* not mapped */
	PAGE_OPERANDS_END,
	PAGE_STACK_UNTOUCHED = PAGE_OPERANDS_END,
	PAGE_STACK,
	PAGE_CHANGING, /* subroutines: mapped to others while the code runs */
	PAGES
};

#define ARENA UINT64_C(0x20000000000)

static inline uint64_t page_address(unsigned page)
{
	return ARENA + (uint64_t)page * PAGE;
}

/* The page that the base register points to: the middle of the operands. */
enum { BASE_PAGE = PAGE_NO_ACCESS };

enum { GPRS = 16, RBX = 3, RSP = 4 };

/* The state that code leaves behind: registers by their numbers, the FPU as FXSAVE has it; and the
 * signals on the way: how many, and a digest of the registers at each. */
struct state {
	uint64_t gpr[GPRS], flags;
	uint64_t signals, digest;
	uint8_t fpu[512] __attribute__((aligned(16)));
};

/* ---- random.c ---- */

struct random {
	uint64_t state;
};
/* A number below end. */
uint32_t draw(struct random *r, uint32_t end);

/* ---- code.c, sequences.c: instructions ---- */

struct code {
	uint8_t bytes[CODE_ROOM];
	unsigned at; /* where it goes on */
	unsigned entry;
	bool begins[CODE_ROOM]; /* an instruction */
	bool changes; /* it may write to what it is about to execute */
};

/* Code that ends in a jump to exit; changes stays as it is. */
void code_draw(struct code *code, struct random *r, uint64_t exit);
/* The length of the instruction there as it was drawn; 0: none begins there. */
unsigned code_length(const struct code *code, unsigned at);

void code_put(struct code *code, const void *bytes, size_t size);
/* One instruction by its words: hexadecimal bytes; X: a REX prefix; R and M: ModRM of registers, or
 * with an operand in memory; r and m: of 8 bits; a digit behind one of them stands for the
 * register; b, d and q: an immediate of 1, 4 or 8 bytes. */
void code_put_words(struct code *code, struct random *r, const char *words);
/* Several that belong together. */
void code_put_sequence(struct code *code, struct random *r);

/* ---- pages.c ---- */

/* The kinds of PAGE_NEXT. */
enum next_page { NEXT_MAPPED, NEXT_NOT_EXECUTABLE, NEXT_HOLE, NEXT_KINDS };

/* The contents of PAGE_CHANGING, and how many variants there are of it. */
enum { CHANGING_VARIANTS = 2, SUBROUTINES = 8, SUBROUTINE_ROOM = 64 };

/* The file that some of them are mapped to; -1: there is none. */
int pages_open(void);
/* Where in the file a variant of PAGE_CHANGING is. */
uint32_t pages_variant(unsigned n);
/* Maps them anew, with the code in its own. */
void pages_map(const struct code *code, enum next_page next);
/* After a fault at that address: makes the page what the access needs; false: it is none of those.
 */
bool pages_mend(uint64_t address, bool fetch, enum next_page next);
uint64_t pages_digest(void);
/* Does the machine see, while nothing is counted, that what it executes was written to through
 * another mapping?  QEMU 7.2 does not under nested paging, which models with an uncore need, and
 * there misses writes through the first one, too, once there is another. */
bool pages_changes_are_seen(void);

/* ---- enter.c ---- */

/* Signals go through here from now on; false: they cannot. */
bool enter_prepare(void);
/* Runs the code, which is in its pages, with these registers. */
void enter(const struct code *code, enum next_page next, const uint64_t gpr[GPRS]);
/* Where code ends, and what the last one has left. */
extern const char enter_exit[];
extern struct state enter_state;

/* ---- unharmed.c ---- */

/* Does that many rounds, none of which is like another. */
void unharmed_all(unsigned rounds);
