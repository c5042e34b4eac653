/* SPDX-License-Identifier: BSD-2-Clause */
/* Which instructions a processor has, by what its CPUID says: Intel SDM volume 2, and AMD64 APM
 * volume 3, appendix D. */
#include "decode.h"
#include "kernel/lib/bits.h"
#include "state.h"

/* Leaf 1 EDX. */
#define CX8     (uint32_t) BIT(8)
#define SEP     (uint32_t) BIT(11)
#define CMOV    (uint32_t) BIT(15)
#define CLFLUSH (uint32_t) BIT(19)
#define MMX     (uint32_t) BIT(23)
#define FXSR    (uint32_t) BIT(24)
#define SSE     (uint32_t) BIT(25)
#define SSE2    (uint32_t) BIT(26)
/* Leaf 8000_0001h EDX. */
#define EXT_SYSCALL (uint32_t) BIT(11)
#define EXT_MMX     (uint32_t) BIT(22)
#define EXT_3DNOW   (uint32_t) BIT(31)

/* Any bit of these is enough. */
struct need {
	uint32_t edx, extended_edx;
};

/* What no processor with a struct cpuid_32 has. */
static const struct need later = {0, 0};
static const struct need nothing = {UINT32_MAX, UINT32_MAX};

/* MMX instructions that came with SSE, which AMD had before. */
static bool is_extended_mmx(uint8_t op)
{
	return op == 0x70 || op == 0xc4 || op == 0xc5 || op == 0xd7 || op == 0xda || op == 0xde ||
	       op == 0xe0 || op == 0xe3 || op == 0xe4 || op == 0xe7 || op == 0xea || op == 0xee ||
	       op == 0xf6 || op == 0xf7;
}

static struct need need_of_mmx(uint8_t op)
{
	if (op == 0x0e || op == 0x0f)
		return (struct need){0, EXT_3DNOW};
	if (is_extended_mmx(op))
		return (struct need){SSE, EXT_MMX};
	if (op == 0xd4 || op == 0xf4 || op == 0xfb)
		return (struct need){SSE2, 0};
	return (struct need){MMX, 0};
}

static bool is_sse3(const struct decoder *d)
{
	uint8_t op = d->opcode;

	return op == 0x7c || op == 0x7d || op == 0xd0 || op == 0xf0 ||
	       ((op == 0x12 || op == 0x16) && d->f3) || (op == 0x12 && d->f2);
}

/* Of those on vectors what SSE has: of single precision. */
static bool is_sse1(const struct decoder *d)
{
	uint8_t op = d->opcode;

	return !d->operand16 && !d->f2 && op != 0x5a && op != 0x5b && op < 0xd0 &&
	       !(op >= 0x60 && op <= 0x7f);
}

static struct need need_of_vector(const struct decoder *d)
{
	if (is_sse3(d))
		return later;
	return (struct need){is_sse1(d) ? SSE : SSE2, 0};
}

/* 0Fh AEh. */
static struct need need_of_group_15(const struct decoder *d)
{
	unsigned reg = d->reg & 7;

	if (!d->memory)
		return reg == 7 ? (struct need){SSE, EXT_MMX} : (struct need){SSE2, 0};
	if (reg < 2)
		return (struct need){FXSR, 0};
	if (reg < 4)
		return (struct need){SSE, 0};
	return reg == 7 ? (struct need){CLFLUSH, 0} : later;
}

static bool is_vector(uint8_t op)
{
	return (op >= 0x10 && op <= 0x17) || (op >= 0x28 && op <= 0x2f) ||
	       (op >= 0x50 && op <= 0x7f) || op == 0xc2 || (op >= 0xc4 && op <= 0xc6) ||
	       (op >= 0xd0 && op <= 0xfe);
}

static struct need need_of_two_byte(const struct decoder *d)
{
	uint8_t op = d->opcode;

	if (decode_is_mmx(d) || (!d->operand16 && (op == 0xc4 || op == 0xc5)))
		return need_of_mmx(op);
	if (is_vector(op))
		return need_of_vector(d);
	if ((op & 0xf0) == 0x40)
		return (struct need){CMOV, 0};
	switch (op) {
	case 0x05:
	case 0x07:
		return (struct need){0, EXT_SYSCALL};
	case 0x34:
	case 0x35:
		return (struct need){SEP, 0};
	case 0xae:
		return need_of_group_15(d);
	case 0xc3: /* MOVNTI */
		return (struct need){SSE2, 0};
	case 0xc7:
		return (d->reg & 7) == 1 ? (struct need){CX8, 0} : later;
	default:
		return nothing;
	}
}

static struct need need_of(const struct decoder *d)
{
	if (d->vex || d->map == MAP_0F38 || d->map == MAP_0F3A)
		return later;
	return d->map == MAP_TWO ? need_of_two_byte(d) : nothing;
}

void silicon_show_32(struct silicon *s, bool on)
{
	s->own = on ? s->profile->cpuid_32 : NULL;
}

bool silicon_shows_32(const struct silicon *s)
{
	return s->own;
}

bool silicon_has_efer(const struct silicon *s)
{
	return !s->own || s->own->extended_edx & EXT_SYSCALL;
}

bool silicon_executes(const struct silicon *s, const struct decoder *d)
{
	const struct need need = need_of(d);

	return !s->own || need.edx == UINT32_MAX || s->own->edx & need.edx ||
	       s->own->extended_edx & need.extended_edx;
}
