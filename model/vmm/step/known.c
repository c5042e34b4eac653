/* SPDX-License-Identifier: BSD-2-Clause */
/* The instructions that the program has met, each with its plan. */
#include "kernel/lib/string.h"
#include "native.h"

enum { PAGE = 4096, SLOT = 32, KNOWN = 32768, PLACES = 524288 };

/* Neighbours in a program are neighbours here, however it is scattered: the fewer pages are
 * touched, the fewer translations QEMU has to look for.  Number 0 is none.  When there are too
 * many, all make room at once: no two of them may share a number while one is under way. */
static struct known known[KNOWN + 1] LARGE;
static uint8_t slots[KNOWN + 1][SLOT] LARGE __attribute__((aligned(PAGE)));
static uint16_t numbers[PLACES] LARGE;
static uint16_t met;
uint32_t native_stamp;

static struct code_words words_of(const uint8_t *code)
{
	typedef uint64_t word __attribute__((aligned(1), may_alias));
	const word *words = (const word *)code;

	return (struct code_words){words[0], words[1]};
}

static struct code_words mask_of(unsigned length)
{
	if (length < 8)
		return (struct code_words){BIT(8 * length) - 1, 0};
	return (struct code_words){UINT64_MAX, BIT(8 * (length - 8)) - 1};
}

static bool is_known(const struct known *k, const uint8_t *code)
{
	struct code_words words = words_of(code), known_words = words_of(k->code);

	return (words.low & k->mask.low) == known_words.low &&
	       (words.high & k->mask.high) == known_words.high;
}

COLD static void learn(struct known *k, uint64_t rip, const uint8_t *code, unsigned available,
		       enum code_size size)
{
	k->stamp = ++native_stamp;
	k->rip = rip;
	k->size = size;
	insn_decode(code, available, size, &k->insn);
	k->insn.address = rip;
	memset(k->code, 0, sizeof(k->code));
	memcpy(k->code, code, k->insn.length);
	k->mask = mask_of(k->insn.length);
	k->plan.slot = slots[k - known];
	native_plan(&k->plan, &k->insn, k->code, rip, size);
}

void native_forget(void)
{
	for (unsigned i = 0; i <= met; i++)
		known[i].insn.length = 0;
	memset(numbers, 0, sizeof(numbers));
	met = 0;
}

bool native_has_room(unsigned count)
{
	return met + count <= KNOWN;
}

HOT const struct known *native_known(uint64_t rip, const uint8_t *code, unsigned available,
				     enum code_size size)
{
	uint16_t *number = &numbers[rip % PLACES];
	struct known *k;

	if (!*number)
		*number = ++met;
	k = &known[*number];
	/* Instructions of length 0 are looked at again each time. */
	if (k->rip != rip || k->size != size || !k->insn.length || k->insn.length > available ||
	    !is_known(k, code))
		learn(k, rip, code, available, size);
	return k;
}
