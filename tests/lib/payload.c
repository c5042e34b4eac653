/* SPDX-License-Identifier: BSD-2-Clause */
/* Payloads by name, stepped through by a debugger, and the layout that payload.inc relies on. */
#include "payload.h"

#include "kernel/lib/bits.h"
#include "kernel/lib/glob.h"
#include "kernel/lib/string.h"

/* ---- layout ---- */

/* As payload.inc lays them out: COUNTS, QUANTITIES, END_PAYLOAD. */
static const char *const counts[] = {"instructions", "branches",     "taken", "loads",
				     "stores",       "near_returns", "twice"};

_Static_assert(sizeof(struct payload_counts) == ARRAY_SIZE(counts) * 8, "COUNTS");
_Static_assert(offsetof(struct payload_counts, instructions) == 0, "COUNTS");
_Static_assert(offsetof(struct payload_counts, branches) == 8, "COUNTS");
_Static_assert(offsetof(struct payload_counts, taken) == 16, "COUNTS");
_Static_assert(offsetof(struct payload_counts, loads) == 24, "COUNTS");
_Static_assert(offsetof(struct payload_counts, stores) == 32, "COUNTS");
_Static_assert(offsetof(struct payload_counts, near_returns) == 40, "COUNTS");
_Static_assert(offsetof(struct payload_counts, twice) == 48, "COUNTS");
_Static_assert(sizeof(struct payload_quantity) == 24, "QUANTITIES");
_Static_assert(offsetof(struct payload, entry) == 16, "END_PAYLOAD");
_Static_assert(offsetof(struct payload, quantities) == 16 + sizeof(void *), "END_PAYLOAD");
_Static_assert(offsetof(struct payload, stands_for) == 16 + 2 * sizeof(void *), "END_PAYLOAD");
_Static_assert(offsetof(struct payload, fixed) == 16 + 3 * sizeof(void *), "END_PAYLOAD");
_Static_assert(offsetof(struct payload, per_iteration) == 72 + 3 * sizeof(void *), "END_PAYLOAD");
_Static_assert(offsetof(struct payload, ordinary) == 128 + 3 * sizeof(void *), "END_PAYLOAD");
_Static_assert(sizeof(struct payload) == 136 + 3 * sizeof(void *), "END_PAYLOAD");

struct payload_counts payload_total(const struct payload *payload, uint64_t n)
{
	struct payload_counts total = payload->fixed;

	for (size_t i = 0; i < ARRAY_SIZE(total.all); i++)
		total.all[i] += (int64_t)n * payload->per_iteration.all[i];
	return total;
}

/* ---- names ---- */

uint64_t payload_does(const struct payload *payload, const char *quantity)
{
	const struct payload_quantity *q = payload->quantities;
	const size_t length = strlen(quantity);

	for (size_t i = 0; i < ARRAY_SIZE(counts); i++)
		if (glob_match(quantity, length, counts[i]))
			return (uint64_t)payload->per_iteration.all[i];
	while (q->name[0] && !glob_match(quantity, length, q->name))
		q++;
	return (uint64_t)q->each;
}

struct occasion payload_occasion(const char *name)
{
	struct occasion occasion = {0};
	size_t length = 0;

	while (name[length] && name[length] != '.')
		length++;
	FOR_EACH_PAYLOAD (p)
		if (glob_match(name, length, p->name))
			occasion.payload = p;
	if (occasion.payload && name[length])
		occasion.each = payload_does(occasion.payload, name + length + 1);
	if (!occasion.payload || (name[length] && !occasion.each))
		panic("no payload does %s", name);
	return occasion;
}

/* ---- steps ---- */

/* The branches that payloads use. */
enum branch { NO_BRANCH, CONDITIONAL_SHORT, CONDITIONAL_NEAR, ALWAYS, NEAR_RETURN };

static unsigned opcode_extension(const uint8_t *code)
{
	return code[1] >> 3 & 7;
}

static enum branch classify(const uint8_t *code)
{
	switch (code[0]) {
	case 0xc3:
		return NEAR_RETURN;
	case 0xe8: /* call */
	case 0xe9: /* jmp near, short */
	case 0xeb:
		return ALWAYS;
	case 0xff: /* call or jmp through a register or memory: /2, /4 */
		return opcode_extension(code) == 2 || opcode_extension(code) == 4 ? ALWAYS
										  : NO_BRANCH;
	case 0xcb: /* far return */
		return ALWAYS;
	case 0x48: /* with REX.W in 64-bit mode */
		return code[1] == 0xcb ? ALWAYS : NO_BRANCH;
	case 0x0f:
		return (code[1] & 0xf0) == 0x80 ? CONDITIONAL_NEAR : NO_BRANCH;
	default:
		return (code[0] & 0xf0) == 0x70 ? CONDITIONAL_SHORT : NO_BRANCH;
	}
}

/* V. Weaver, D. Terpstra, S. Moore: Non-determinism and overcount on modern hardware performance
 * counter implementations (ISPASS 2013; longer: 03_evaluation.tex of
 * github.com/deater/deterministic): Pentium D, INSTRUCTIONS_RETIRED:NBOGUSNTAG. */
static bool counts_twice(const uint8_t *code)
{
	const bool memory = code[1] < 0xc0;

	switch (code[0]) {
	case 0xd9: /* FLDENV, FLDCW */
		return memory && (opcode_extension(code) == 4 || opcode_extension(code) == 5);
	case 0xdd: /* FRSTOR */
		return memory && opcode_extension(code) == 4;
	case 0x0f: /* EMMS; MASKMOVQ; MFENCE, SFENCE */
		return code[1] == 0x77 || code[1] == 0xf7 || (code[1] == 0xae && code[2] >= 0xf0);
	case 0x66: /* CVTTPD2PI, CVTPD2PI */
		return code[1] == 0x0f && (code[2] & 0xfe) == 0x2c && code[3] < 0xc0;
	default:
		return false;
	}
}

/* MOV of a register to SS: no trap comes before the instruction after it has run, too. */
static bool is_load_of_ss(const uint8_t *code)
{
	return code[0] == 0x8e && code[1] >= 0xc0 && opcode_extension(code) == 2;
}

void payload_step(struct payload_counts *seen, uint64_t from, uint64_t to)
{
	const uint8_t *code = (const uint8_t *)(uintptr_t)from;
	enum branch branch = classify(code);

	seen->instructions++;
	seen->branches += branch != NO_BRANCH;
	seen->near_returns += branch == NEAR_RETURN;
	seen->twice += counts_twice(code);
	seen->taken += branch == NEAR_RETURN || branch == ALWAYS ||
		       (branch == CONDITIONAL_SHORT && to != from + 2) ||
		       (branch == CONDITIONAL_NEAR && to != from + 6);
	if (is_load_of_ss(code) && to != from + 2)
		payload_step(seen, from + 2, to);
}
