/* SPDX-License-Identifier: BSD-2-Clause */
/* Lengths of x86 instructions, by opcode maps. */
#include "decode.h"
#include "kernel/lib/string.h"

/*
 * Opcode maps, sixteen per row, one letter each for what follows the opcode:
 * . nothing   m ModRM   b 1 byte   w 2   e 3   d 4   z 4, or 2 with 66h   v as z, 8 with REX.W
 * j 4 in 64-bit code, else z   o an address   B ModRM and 1 byte   Z ModRM and z   g, G groups F6h,
 * F7h   p a far pointer ? not there
 */
static const char one_byte_form[] = "mmmmbz??mmmmbz??" /* 0 */
				    "mmmmbz??mmmmbz??" /* 1 */
				    "mmmmbz??mmmmbz??" /* 2 */
				    "mmmmbz??mmmmbz??" /* 3 */
				    "????????????????" /* 4: REX */
				    "................" /* 5 */
				    "???m????zZbB...." /* 6 */
				    "bbbbbbbbbbbbbbbb" /* 7 */
				    "BZ?Bmmmmmmmmmmmm" /* 8 */
				    "..........?....." /* 9 */
				    "oooo....bz......" /* A */
				    "bbbbbbbbvvvvvvvv" /* B */
				    "BBw.??BZe.w..b?." /* C */
				    "mmmm???.mmmmmmmm" /* D */
				    "bbbbbbbbdd?b...." /* E */
				    "?.??..gG......mm"; /* F */

/* Opcodes in 32-bit and 16-bit code, with those that 64-bit mode has taken away or uses in another
 * way. */
static const char one_byte_form_32[] = "mmmmbz..mmmmbz.?" /* 0 */
				       "mmmmbz..mmmmbz.." /* 1 */
				       "mmmmbz?.mmmmbz?." /* 2 */
				       "mmmmbz?.mmmmbz?." /* 3 */
				       "................" /* 4 */
				       "................" /* 5 */
				       "..mm????zZbB...." /* 6 */
				       "bbbbbbbbbbbbbbbb" /* 7 */
				       "BZBBmmmmmmmmmmmm" /* 8 */
				       "..........p....." /* 9 */
				       "oooo....bz......" /* A */
				       "bbbbbbbbzzzzzzzz" /* B */
				       "BBw.mmBZe.w..b.." /* C */
				       "mmmmbb..mmmmmmmm" /* D */
				       "bbbbbbbbzzpb...." /* E */
				       "?.??..gG......mm"; /* F */

static const char two_byte_form[] = "mmmm?.....?.?m.B" /* 0 */
				    "mmmmmmmmmmmmmmmm" /* 1 */
				    "mmmm????mmmmmmmm" /* 2 */
				    "......?.????????" /* 3 */
				    "mmmmmmmmmmmmmmmm" /* 4 */
				    "mmmmmmmmmmmmmmmm" /* 5 */
				    "mmmmmmmmmmmmmmmm" /* 6 */
				    "BBBBmmm.mmmmmmmm" /* 7 */
				    "jjjjjjjjjjjjjjjj" /* 8 */
				    "mmmmmmmmmmmmmmmm" /* 9 */
				    "...mBm??...mBmmm" /* A */
				    "mmmmmmmmmmBmmmmm" /* B */
				    "mmBmBBBm........" /* C */
				    "mmmmmmmmmmmmmmmm" /* D */
				    "mmmmmmmmmmmmmmmm" /* E */
				    "mmmmmmmmmmmmmmmm"; /* F */

static uint8_t peek(struct decoder *d)
{
	if (d->at < d->available)
		return d->bytes[d->at];
	d->cut = true;
	return 0;
}

static uint8_t next(struct decoder *d)
{
	uint8_t byte = peek(d);

	d->at++;
	return byte;
}

static void skip(struct decoder *d, unsigned count)
{
	d->at += count;
	if (d->at > d->available)
		d->cut = true;
}

static bool decode_prefix(struct decoder *d, uint8_t byte)
{
	switch (byte) {
	case 0x66:
		d->operand16 = d->size != CODE_16;
		return true;
	case 0x67:
		d->address_prefix = d->size != CODE_16;
		return true;
	case 0xf2:
		d->f2 = true;
		d->f3 = false;
		return true;
	case 0xf3:
		d->f3 = true;
		d->f2 = false;
		return true;
	case 0xf0:
		d->lock = true;
		return true;
	case 0x26:
	case 0x2e:
	case 0x36:
	case 0x3e:
		d->ignored++;
		return true;
	case 0x64:
	case 0x65:
		d->segment = byte;
		return true;
	default:
		return false;
	}
}

/* VEX and EVEX carry the opcode map, the REX bits (inverted) and a prefix in their payload bytes.
 */
static void decode_vex(struct decoder *d, uint8_t lead)
{
	uint8_t first = next(d), last = first;
	unsigned map = 1;

	d->vex = true;
	d->rex = (uint8_t)(~first >> 5 & 4);
	if (lead != 0xc5) {
		map = first & (lead == 0x62 ? 7 : 0x1f);
		d->rex = (uint8_t)(~first >> 5 & 7);
		last = next(d);
		skip(d, lead == 0x62 ? 1 : 0);
	}
	d->f3 = (last & 3) == 2;
	d->f2 = (last & 3) == 3;
	if (d->size != CODE_64) /* eight registers are all there are */
		d->rex = 0;
	d->valid = map >= 1 && map <= 3;
	d->map = (enum map)map;
	d->opcode = next(d);
	d->opcode_at = d->at - 1;
}

/* In other than 64-bit code it is LES, LDS or BOUND, unless the operand were a register, which they
 * forbid. */
static bool is_vex(struct decoder *d, uint8_t byte)
{
	return (byte == 0xc4 || byte == 0xc5 || byte == 0x62) &&
	       (d->size == CODE_64 || peek(d) >= 0xc0);
}

static void decode_opcode(struct decoder *d)
{
	uint8_t byte = next(d);

	while (decode_prefix(d, byte) && !d->cut)
		byte = next(d);
	/* REX counts only directly before the opcode. */
	if (d->size == CODE_64 && (byte & 0xf0) == 0x40) {
		d->rex = byte;
		byte = next(d);
	}
	d->valid = true;
	d->map = MAP_ONE;
	if (is_vex(d, byte)) {
		decode_vex(d, byte);
		return;
	}
	if (byte == 0x0f) {
		d->map = MAP_TWO;
		byte = next(d);
		if (byte == 0x38 || byte == 0x3a) {
			d->map = byte == 0x38 ? MAP_0F38 : MAP_0F3A;
			byte = next(d);
		}
	}
	d->opcode = byte;
	d->opcode_at = d->at - 1;
}

static char form_of(const struct decoder *d)
{
	switch (d->map) {
	case MAP_ONE:
		return (d->size == CODE_64 ? one_byte_form : one_byte_form_32)[d->opcode];
	case MAP_TWO:
		return two_byte_form[d->opcode];
	case MAP_0F38:
		return 'm';
	default:
		return 'B';
	}
}

static void decode_sib(struct decoder *d)
{
	uint8_t sib = next(d);
	int index = (sib >> 3 & 7) | (d->rex & 2) << 2;

	d->base = (sib & 7) | (d->rex & 1) << 3;
	if (index != 4)
		d->index = index;
	if ((sib & 7) == 5 && d->mod == 0) {
		d->base = -1;
		skip(d, 4);
	}
}

/* [BX + SI] and the like: where they are is not told, only how long they are. */
static void decode_modrm_16(struct decoder *d)
{
	if (d->mod == 0 ? d->rm == 6 : d->mod == 2)
		skip(d, 2);
	else if (d->mod == 1)
		skip(d, 1);
}

static void decode_modrm(struct decoder *d)
{
	uint8_t modrm = next(d);

	d->has_modrm = true;
	d->mod = modrm >> 6;
	d->reg = (modrm >> 3 & 7) | (unsigned)(d->rex & 4) << 1;
	d->rm = (modrm & 7) | (unsigned)(d->rex & 1) << 3;
	/* MOV to and from CR and DR take the registers whatever mod says. */
	if (d->mod == 3 || (d->map == MAP_TWO && !d->vex && (d->opcode & 0xfc) == 0x20))
		return;
	d->memory = true;
	if (d->size != CODE_64 && d->address_prefix) {
		decode_modrm_16(d);
		return;
	}
	d->base = (int)d->rm;
	if ((modrm & 7) == 4)
		decode_sib(d);
	else if ((modrm & 7) == 5 && d->mod == 0) {
		d->base = -1; /* RIP-relative in 64-bit code */
		skip(d, 4);
	}
	skip(d, d->mod == 1 ? 1 : d->mod == 2 ? 4 : 0);
}

/* Decodes the address in MOV's operand, which in other than 64-bit code is as good as one by ModRM.
 */
static void decode_address(struct decoder *d)
{
	unsigned length = d->size == CODE_64 ? 8 : 4;

	d->memory = d->size != CODE_64;
	skip(d, d->address_prefix ? length / 2 : length);
}

static void decode_tail(struct decoder *d, char form)
{
	unsigned z = d->operand16 && !(d->rex & 8) ? 2 : 4;

	if (form == '?')
		d->valid = false;
	if (form == 'm' || form == 'B' || form == 'Z' || form == 'g' || form == 'G')
		decode_modrm(d);
	if (form == 'b' || form == 'B' || (form == 'g' && (d->reg & 7) < 2))
		skip(d, 1);
	else if (form == 'w')
		skip(d, 2);
	else if (form == 'e')
		skip(d, 3);
	else if (form == 'd' || (form == 'j' && d->size == CODE_64))
		skip(d, 4);
	else if (form == 'j' || form == 'z' || form == 'Z' || (form == 'G' && (d->reg & 7) < 2))
		skip(d, z);
	else if (form == 'v')
		skip(d, d->rex & 8 ? 8 : z);
	else if (form == 'o')
		decode_address(d);
	else if (form == 'p')
		skip(d, z + 2);
}

void decode_raw(struct decoder *d, const uint8_t *bytes, unsigned available, enum code_size size)
{
	memset(d, 0, sizeof(*d));
	d->bytes = bytes;
	d->size = size;
	d->available = available;
	d->base = d->index = -1;
	d->operand16 = d->address_prefix = size == CODE_16;
	decode_opcode(d);
	if (!d->cut && d->valid)
		decode_tail(d, d->vex && d->map == MAP_TWO && d->opcode == 0x77 ? '.' : form_of(d));
	if (d->at > d->available)
		d->cut = true;
}
