/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Instructions of 32-bit code as the VMM, in 64-bit mode, executes them.  Most have the same bytes
 * there; addresses are computed in 32 bits by prefix 67h.  The upper halves of the guest's
 * registers are 0, and so they stay: a write of 32 bits clears them, a shorter one leaves them.
 */
#include "kernel/lib/string.h"
#include "native.h"

enum { ADDRESS_32 = 0x67, SIB_NO_INDEX = 0x20, SIB_NO_BASE = 0x05, RM_SIB = 4 };

/* LEA ESP, [RSP + bytes], which leaves the flags alone. */
static unsigned move_stack(uint8_t *slot, int bytes)
{
	const uint8_t lea[] = {0x8d, 0x64, 0x24, (uint8_t)bytes};

	memcpy(slot, lea, sizeof(lea));
	return sizeof(lea);
}

/* 68h, 6Ah: MOV DWORD [ESP - 4], immediate. */
static unsigned push_immediate(uint8_t *slot, const struct decoder *d)
{
	const uint8_t mov[] = {ADDRESS_32, 0xc7, 0x44, 0x24, 0xfc};
	const uint8_t *at = d->bytes + d->opcode_at + 1;
	int32_t value = (int8_t)*at;

	if (d->opcode == 0x68)
		memcpy(&value, at, sizeof(value));
	memcpy(slot, mov, sizeof(mov));
	memcpy(slot + sizeof(mov), &value, sizeof(value));
	return sizeof(mov) + sizeof(value) + move_stack(slot + sizeof(mov) + sizeof(value), -4);
}

/* MOV ESP, EBP; and for POP EBP: MOV EBP, [ESP]. */
static unsigned leave(uint8_t *slot)
{
	const uint8_t mov[] = {0x89, 0xec, ADDRESS_32, 0x8b, 0x2c, 0x24};

	memcpy(slot, mov, sizeof(mov));
	return sizeof(mov) + move_stack(slot + sizeof(mov), 4);
}

static unsigned translate_stack(const struct decoder *d, uint8_t *slot)
{
	if (d->operand16)
		return 0;
	if (d->opcode == 0xc9)
		return leave(slot);
	return push_immediate(slot, d);
}

/* FFh /0 and /1. */
static unsigned increment(const struct decoder *d, uint8_t *slot)
{
	memcpy(slot, d->bytes, d->opcode_at);
	slot[d->opcode_at] = 0xff;
	slot[d->opcode_at + 1] = (uint8_t)(0xc0 | (d->opcode & 0xf));
	return d->opcode_at + 2;
}

/* An address alone is relative to RIP in 64-bit mode, unless a SIB byte says that it is not. */
static unsigned translate_memory(const struct decoder *d, uint8_t *slot)
{
	unsigned head = d->opcode_at + 1;
	bool alone = d->has_modrm && d->mod == 0 && d->rm == 5;
	uint8_t *to = slot;

	*to++ = ADDRESS_32;
	memcpy(to, d->bytes, head);
	to += head;
	if (alone) {
		*to++ = (uint8_t)((d->bytes[head++] & ~7) | RM_SIB);
		*to++ = SIB_NO_INDEX | SIB_NO_BASE;
	}
	memcpy(to, d->bytes + head, d->at - head);
	return (unsigned)(to - slot) + d->at - head;
}

static bool uses_strings(const struct decoder *d)
{
	return form_of(d) == 't';
}

unsigned native_translate(const struct decoder *d, uint8_t *slot)
{
	char form = form_of(d);

	if (d->size == CODE_32) {
		if (form == 's' || form == 'p' || form == 'l')
			return translate_stack(d, slot);
		if (d->map == MAP_ONE && (d->opcode & 0xf0) == 0x40)
			return increment(d, slot);
		if (d->memory || uses_strings(d))
			return translate_memory(d, slot);
	}
	memcpy(slot, d->bytes, d->at);
	return d->at;
}
