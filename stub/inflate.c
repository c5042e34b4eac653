/* SPDX-License-Identifier: BSD-2-Clause */
/* Decompression of deflate streams (RFC 1951): small, not fast. */
#include "inflate.h"

#include "string.h"

enum {
	CODE_BITS_MAX = 15,
	LITERALS = 288, /* and end of block, and lengths; the last two are never used */
	LITERALS_MAX = 286, /* that a block may name */
	DISTANCES = 32, /* the last two are never used */
	END_OF_BLOCK = 256,
	LENGTH_LAST = 285,
	DISTANCE_LAST = 29,
	LENGTH_CODES = 19, /* 3.2.7: of the code that code lengths are packed with */
};

/* Once bad, a stream gives zeros and takes nothing more: who loops looks at it. */
struct stream {
	const uint8_t *in, *in_end;
	uint8_t *out_start, *out, *out_end;
	unsigned held, held_bits; /* taken from in, not yet from here: less than 8 bits */
	bool bad;
};

/* 3.2.2: symbols in the order of their codes, and how many codes have each length. */
struct code {
	uint16_t lengths[CODE_BITS_MAX + 1];
	uint16_t symbols[LITERALS];
};

/* n up to 16. */
static unsigned take(struct stream *s, unsigned n)
{
	unsigned bits;

	while (s->held_bits < n) {
		if (s->in == s->in_end) {
			s->bad = true;
			return 0;
		}
		s->held |= (unsigned)*s->in++ << s->held_bits;
		s->held_bits += 8;
	}
	bits = s->held & ((1u << n) - 1);
	s->held >>= n;
	s->held_bits -= n;
	return bits;
}

static void put(struct stream *s, uint8_t byte)
{
	if (s->out == s->out_end)
		s->bad = true;
	else
		*s->out++ = byte;
}

/* Codes may lack only if there are none at all, or one of one bit (3.2.7). */
static bool is_whole(const struct code *code, unsigned count)
{
	unsigned used = count - code->lengths[0];
	int left = 1; /* codes of the length looked at; once negative, it stays so */

	for (unsigned length = 1; length <= CODE_BITS_MAX; length++)
		left = 2 * left - code->lengths[length];
	return !left || used == 0 || (used == 1 && code->lengths[1] == 1);
}

static bool code_make(struct code *code, const uint8_t *lengths, unsigned count)
{
	uint16_t next[CODE_BITS_MAX + 1];

	memset(code, 0, sizeof(*code));
	for (unsigned i = 0; i < count; i++)
		code->lengths[lengths[i]]++;
	next[1] = 0;
	for (unsigned length = 1; length < CODE_BITS_MAX; length++)
		next[length + 1] = (uint16_t)(next[length] + code->lengths[length]);
	for (unsigned i = 0; i < count; i++)
		if (lengths[i])
			code->symbols[next[lengths[i]]++] = (uint16_t)i;
	return is_whole(code, count);
}

/* The codes of a length are consecutive numbers.  place: how far the bits taken so far are from
 * the first of them. */
static unsigned take_symbol(struct stream *s, const struct code *code)
{
	const uint16_t *symbols = code->symbols;
	unsigned place = 0;

	for (unsigned length = 1; length <= CODE_BITS_MAX; length++) {
		place = 2 * place + take(s, 1);
		if (place < code->lengths[length])
			return symbols[place];
		place -= code->lengths[length];
		symbols += code->lengths[length];
	}
	s->bad = true;
	return 0;
}

/* 3.2.4 */
static void stored_block(struct stream *s)
{
	unsigned length, inverted;

	s->held_bits = 0;
	s->held = 0;
	length = take(s, 16);
	inverted = take(s, 16);
	if (length != (inverted ^ 0xffff))
		s->bad = true;
	while (length-- && !s->bad)
		put(s, (uint8_t)take(s, 8));
}

/* 3.2.5: the tables there, as the rule behind them. */
static unsigned take_length(struct stream *s, unsigned symbol)
{
	unsigned step = symbol - END_OF_BLOCK - 1, extra;

	if (symbol > LENGTH_LAST)
		s->bad = true;
	if (symbol == LENGTH_LAST)
		return 258;
	if (step < 8)
		return 3 + step;
	extra = step / 4 - 1;
	return 3 + ((4 + step % 4) << extra) + take(s, extra);
}

static unsigned take_distance(struct stream *s, unsigned symbol)
{
	unsigned extra;

	if (symbol > DISTANCE_LAST)
		s->bad = true;
	if (symbol < 4)
		return 1 + symbol;
	extra = symbol / 2 - 1;
	return 1 + ((2 + symbol % 2) << extra) + take(s, extra);
}

/* Source and destination may overlap: then what was just written repeats. */
static void copy(struct stream *s, unsigned length, unsigned distance)
{
	if (distance > (size_t)(s->out - s->out_start))
		s->bad = true;
	while (length-- && !s->bad)
		put(s, s->out[-(ptrdiff_t)distance]);
}

static void coded_data(struct stream *s, const struct code *literals, const struct code *distances)
{
	unsigned symbol, length;

	while (!s->bad) {
		symbol = take_symbol(s, literals);
		if (s->bad || symbol == END_OF_BLOCK)
			return;
		if (symbol < END_OF_BLOCK) {
			put(s, (uint8_t)symbol);
		} else {
			length = take_length(s, symbol);
			copy(s, length, take_distance(s, take_symbol(s, distances)));
		}
	}
}

static void coded_block(struct stream *s, const uint8_t *lengths, unsigned literal_count,
			unsigned distance_count)
{
	struct code literals, distances;

	if (!code_make(&literals, lengths, literal_count) ||
	    !code_make(&distances, lengths + literal_count, distance_count))
		s->bad = true;
	coded_data(s, &literals, &distances);
}

/* 3.2.6 */
static void fixed_block(struct stream *s)
{
	uint8_t lengths[LITERALS + DISTANCES];

	memset(lengths, 8, 144);
	memset(lengths + 144, 9, 256 - 144);
	memset(lengths + 256, 7, 280 - 256);
	memset(lengths + 280, 8, LITERALS - 280);
	memset(lengths + LITERALS, 5, DISTANCES);
	coded_block(s, lengths, LITERALS, DISTANCES);
}

/* 3.2.7: lengths packed as runs. */
static void take_lengths(struct stream *s, const struct code *code, uint8_t *lengths,
			 unsigned count)
{
	unsigned n = 0, symbol, run;
	uint8_t length;

	while (n < count && !s->bad) {
		symbol = take_symbol(s, code);
		run = 1;
		length = 0;
		if (symbol < 16) {
			length = (uint8_t)symbol;
		} else if (symbol == 16) {
			if (n)
				length = lengths[n - 1];
			else
				s->bad = true;
			run = 3 + take(s, 2);
		} else if (symbol == 17) {
			run = 3 + take(s, 3);
		} else {
			run = 11 + take(s, 7);
		}
		if (run > count - n) {
			s->bad = true;
			return;
		}
		memset(lengths + n, length, run);
		n += run;
	}
}

/* 3.2.7 */
static void dynamic_block(struct stream *s)
{
	static const uint8_t order[LENGTH_CODES] = {16, 17, 18, 0, 8,  7, 9,  6, 10, 5,
						    11, 4,  12, 3, 13, 2, 14, 1, 15};
	unsigned literal_count = 257 + take(s, 5);
	unsigned distance_count = 1 + take(s, 5);
	unsigned order_count = 4 + take(s, 4);
	uint8_t lengths[LITERALS + DISTANCES] = {0};
	struct code code;

	if (literal_count > LITERALS_MAX)
		s->bad = true;
	for (unsigned i = 0; i < order_count; i++)
		lengths[order[i]] = (uint8_t)take(s, 3);
	if (!code_make(&code, lengths, LENGTH_CODES))
		s->bad = true;
	take_lengths(s, &code, lengths, literal_count + distance_count);
	if (!s->bad)
		coded_block(s, lengths, literal_count, distance_count);
}

bool inflate(const uint8_t *in, size_t in_size, uint8_t *out, size_t out_size)
{
	struct stream s = {
		.in = in,
		.in_end = in + in_size,
		.out_start = out,
		.out = out,
		.out_end = out + out_size,
	};
	bool last = false;

	while (!last && !s.bad) {
		last = take(&s, 1);
		switch (take(&s, 2)) {
		case 0:
			stored_block(&s);
			break;
		case 1:
			fixed_block(&s);
			break;
		case 2:
			dynamic_block(&s);
			break;
		default:
			s.bad = true;
		}
	}
	return !s.bad && s.in == s.in_end && s.out == s.out_end;
}
