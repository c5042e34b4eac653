/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The model's decoder of instructions, and its plans for executing them itself.  The input is code.
 */
#include "fuzz.h"

#include <stdbool.h>
#include <string.h>

#include "model/cpu/cpu.h"
#include "model/profiles/profiles.h"
#include "model/vmm/step/native.h"

enum { LONGEST = 15, ROOM = 16, SLOT = 32, INSNS = 4 };

/* Where plans would jump back to. */
const uint8_t native_exit[1];

static void check_unknown(const struct insn *insn)
{
	const struct insn none = {.uops = 1};

	MUST(insn->class == none.class && insn->uops == none.uops && !insn->loads);
	MUST(!insn->reads && !insn->writes);
	MUST(!insn->stores && !insn->sub_event && !insn->indirect && !insn->serializing);
}

static void check_sub_event(unsigned sub_event)
{
	unsigned types = (sub_event & ~(unsigned)SUB_TWICE) / SUB_MMX_TYPE(0);

	MUST(!(sub_event % SUB_MMX_TYPE(0) & ~(SUB_X87 | SUB_MMX | SUB_SSE | 0xff00u)));
	MUST(types < 1u << MMX_TYPES && !(types & (types - 1)));
	MUST(!types || sub_event & SUB_MMX);
}

static void check_known(const struct insn *insn)
{
	MUST(insn->class <= INSN_REP_STRING && insn->compute < COMPUTES);
	MUST(insn->loads <= 2 && insn->stores <= 1 && insn->uops >= 1 && insn->uops <= 2);
	MUST(!insn->indirect || insn->class == INSN_CALL || insn->class == INSN_JMP);
	MUST(insn->class != INSN_JCC || (!insn->loads && !insn->stores));
	MUST(insn->class != INSN_CALL || insn->stores == 1);
	MUST(insn->class != INSN_RET || insn->loads == 1);
	check_sub_event(insn->sub_event);
	MUST(__builtin_popcount(insn->reads) <= 2 && __builtin_popcount(insn->writes) <= 1);
}

static bool same(const struct insn *a, const struct insn *b)
{
	return a->class == b->class && a->length == b->length && a->loads == b->loads &&
	       a->stores == b->stores && a->uops == b->uops && a->indirect == b->indirect &&
	       a->serializing == b->serializing && a->long_latency == b->long_latency &&
	       a->reads == b->reads && a->writes == b->writes && a->sub_event == b->sub_event &&
	       a->compute == b->compute;
}

/* The size of this input's code. */
static enum code_size size_of_code;

static struct insn decode(const uint8_t *bytes, unsigned available)
{
	struct insn insn;

	insn_decode(fuzz_copy(bytes, available), available, size_of_code, &insn);
	MUST(insn.length <= available);
	return insn;
}

/* Its own bytes alone decide: with fewer it is cut short, whatever follows is not looked at. */
static void check_length(const uint8_t *bytes, const struct insn *insn)
{
	uint8_t longer[LONGEST];
	struct insn other;

	for (unsigned n = 0; n < insn->length; n++) {
		other = decode(bytes, n);
		MUST(!other.length);
	}
	other = decode(bytes, insn->length);
	MUST(same(&other, insn));
	memset(longer, 0xff, sizeof(longer));
	memcpy(longer, bytes, insn->length);
	other = decode(longer, sizeof(longer));
	MUST(same(&other, insn));
}

/* ---- plans ---- */

static enum insn_class class_of(enum plan_kind kind)
{
	switch (kind) {
	case PLAN_JCC:
		return INSN_JCC;
	case PLAN_JMP:
	case PLAN_JMP_TO:
		return INSN_JMP;
	case PLAN_CALL:
	case PLAN_CALL_TO:
		return INSN_CALL;
	case PLAN_RET:
		return INSN_RET;
	case PLAN_STRING:
		return INSN_REP_STRING;
	case PLAN_PUSHF:
		return INSN_PUSHF;
	case PLAN_POPF:
		return INSN_POPF;
	case PLAN_STI:
		return INSN_STI;
	case PLAN_INT:
		return INSN_INT;
	case PLAN_SYSCALL:
		return INSN_SYSCALL;
	case PLAN_SYSRET:
		return INSN_SYSRET;
	default:
		return INSN_PLAIN;
	}
}

/* Prefixes of segments count for FS and GS alone, in 64-bit code. */
static bool is_segment_prefix(uint8_t byte)
{
	return (byte & 0xe7) == 0x26 || byte == 0x64 || byte == 0x65;
}

static bool is_known_prefix(enum plan_kind kind, uint8_t byte)
{
	bool takes_segments = kind != PLAN_STRING && kind != PLAN_SSE && kind != PLAN_PAUSE;

	if (takes_segments && size_of_code == CODE_64 && is_segment_prefix(byte))
		return true;
	switch (kind) {
	case PLAN_NATIVE: /* ENDBR, TZCNT */
		return byte == 0x66 || byte == 0xf0 || byte == 0xf3;
	case PLAN_STRING:
		return byte == 0x66 || byte == 0xf3;
	case PLAN_SSE:
		return byte == 0x66 || byte == 0xf2 || byte == 0xf3;
	case PLAN_PAUSE:
		return byte == 0xf3;
	default:
		return byte == 0x66 || byte == 0xf0;
	}
}

/* The VMM knows of operand size, LOCK, REX, segments, a string's REP, PAUSE's and what SSE makes of
 * them; what else says where memory is, or how wide an address, it must leave to the guest mode. */
static void check_prefixes(const uint8_t *bytes, enum plan_kind kind)
{
	static const uint8_t prefixes[] = {0x26, 0x2e, 0x36, 0x3e, 0x64, 0x65,
					   0x66, 0x67, 0xf0, 0xf2, 0xf3};
	const uint8_t *at = bytes;

	while (at < bytes + LONGEST && is_known_prefix(kind, *at))
		at++;
	if (size_of_code == CODE_64 && (*at & 0xf0) == 0x40)
		at++;
	MUST(!memchr(prefixes, *at, sizeof(prefixes)));
}

static void check_register(int number)
{
	MUST(number >= -1 && number < GPRS);
}

static void check_plan(const struct known *known, const uint8_t *bytes)
{
	const struct plan *plan = &known->plan;
	unsigned length = known->insn.length;

	if (plan->kind == PLAN_STEP || plan->kind == PLAN_UNDEFINED)
		return;
	MUST(length && class_of(plan->kind) == known->insn.class);
	check_register(plan->base);
	check_register(plan->index);
	check_prefixes(bytes, plan->kind);
	MUST(plan->scale <= 3 && plan->condition <= 0xf);
	if (plan->kind <= PLAN_DIVIDE) {
		MUST(plan->reads == (known->insn.loads > 0));
		MUST(plan->writes == (known->insn.stores > 0));
		MUST(plan->slot[plan->slot_length] == 0xe9 && plan->slot_length + 5 <= SLOT);
	}
}

/* As the VMM has them: 16 bytes can be read. */
static const uint8_t *padded(const uint8_t *bytes, unsigned available)
{
	uint8_t room[ROOM] = {0};

	memcpy(room, bytes, available);
	return fuzz_copy(room, sizeof(room));
}

/* Twice: the second time it is known. */
static void try_plan(const uint8_t *bytes, unsigned available, uint64_t rip)
{
	const uint8_t *code = padded(bytes, available);
	struct insn insn = decode(bytes, available);

	for (unsigned i = 0; i < 2; i++) {
		const struct known *known = native_known(rip, code, available, size_of_code);

		MUST(same(&known->insn, &insn) && known->insn.address == rip && known->rip == rip);
		check_plan(known, code);
	}
}

/* From rip on. */
static void try_all(const uint8_t *data, size_t size, uint64_t rip)
{
	for (unsigned n = 0, at = 0; n < INSNS && at < size; n++) {
		unsigned available = size - at < LONGEST ? (unsigned)(size - at) : LONGEST;
		struct insn insn = decode(data + at, available);

		if (insn.length) {
			check_known(&insn);
			check_length(data + at, &insn);
		} else {
			check_unknown(&insn);
		}
		try_plan(data + at, available, rip + at);
		at += insn.length ? insn.length : 1;
	}
}

/* The processor is one that lacks much to 32-bit code. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static bool is_reset;

	if (!is_reset)
		silicon_reset(&silicon_cpu, profile_find("k7"), NULL);
	is_reset = true;
	size_of_code = CODE_64;
	silicon_show_32(&silicon_cpu, false);
	try_all(data, size, UINT64_C(0xffffffff80000000));
	size_of_code = CODE_32;
	silicon_show_32(&silicon_cpu, true);
	try_all(data, size, UINT64_C(0x80000000));
	fuzz_free_all();
	return 0;
}
