/* SPDX-License-Identifier: BSD-2-Clause */
/* Which instructions a processor has, by what its CPUID says: Intel SDM volume 2, and AMD64 APM
 * volume 3, appendix D. */
#include "kernel/lib/bits.h"
#include "kernel/lib/string.h"
#include "model/decode/decode.h"
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
/* Leaf 1 ECX.  Whoever has any of what came later has SSE3, too. */
#define SSE3    (uint32_t) BIT(0)
#define MONITOR (uint32_t) BIT(3)
#define POPCNT  (uint32_t) BIT(23)
#define XSAVE   (uint32_t) BIT(26)
#define AVX     (uint32_t) BIT(28)
/* Leaf 8000_0001h EDX, ECX. */
#define EXT_SYSCALL (uint32_t) BIT(11)
#define EXT_MMX     (uint32_t) BIT(22)
#define EXT_RDTSCP  (uint32_t) BIT(27)
#define EXT_3DNOW   (uint32_t) BIT(31)
#define EXT_SVM     (uint32_t) BIT(2)
#define EXT_APIC    (uint32_t) BIT(3)
#define EXT_SSE4A   (uint32_t) BIT(6)
#define EXT_MWAITX  (uint32_t) BIT(29)

/* Words of CPUID.  Any bit of what an instruction needs is enough; none: each processor has it. */
struct features {
	uint32_t edx, ecx, extended_edx, extended_ecx;
};

static const struct features always = {0};
static const struct features later = {.ecx = SSE3};

/* MMX instructions that came with SSE, which AMD had before. */
static bool is_extended_mmx(uint8_t op)
{
	return op == 0x70 || op == 0xc4 || op == 0xc5 || op == 0xd7 || op == 0xda || op == 0xde ||
	       op == 0xe0 || op == 0xe3 || op == 0xe4 || op == 0xe7 || op == 0xea || op == 0xee ||
	       op == 0xf6 || op == 0xf7;
}

static struct features need_of_mmx(uint8_t op)
{
	if (op == 0x0e || op == 0x0f)
		return (struct features){.extended_edx = EXT_3DNOW};
	if (is_extended_mmx(op))
		return (struct features){.edx = SSE, .extended_edx = EXT_MMX};
	if (op == 0xd4 || op == 0xf4 || op == 0xfb)
		return (struct features){.edx = SSE2};
	return (struct features){.edx = MMX};
}

static bool is_sse3(const struct decoder *d)
{
	uint8_t op = d->opcode;

	return op == 0x7c || op == 0x7d || op == 0xd0 || op == 0xf0 ||
	       ((op == 0x12 || op == 0x16) && d->f3) || (op == 0x12 && d->f2);
}

/* EXTRQ, INSERTQ; MOVNTSS, MOVNTSD. */
static bool is_sse4a(const struct decoder *d)
{
	uint8_t op = d->opcode;

	return op == 0x78 || op == 0x79 || (op == 0x2b && (d->f2 || d->f3));
}

/* Is the instruction on vectors one of SSE: of single precision? */
static bool is_sse1(const struct decoder *d)
{
	uint8_t op = d->opcode;

	return !d->operand16 && !d->f2 && op != 0x5a && op != 0x5b && op < 0xd0 &&
	       !(op >= 0x60 && op <= 0x7f);
}

static struct features need_of_vector(const struct decoder *d)
{
	if (is_sse3(d))
		return later;
	if (is_sse4a(d))
		return (struct features){.extended_ecx = EXT_SSE4A};
	return (struct features){.edx = is_sse1(d) ? SSE : SSE2};
}

/* 0Fh 01h with registers: MONITOR and MWAIT, XGETBV and XSETBV, those of SVM, RDTSCP, MONITORX and
 * MWAITX.  VMMCALL calls the model. */
static struct features need_of_group_7(const struct decoder *d)
{
	static const uint8_t vmmcall = 0xd9;
	uint8_t modrm = d->bytes[d->opcode_at + 1];

	if (d->memory || modrm == vmmcall)
		return always;
	if (modrm == 0xc8 || modrm == 0xc9)
		return (struct features){.ecx = MONITOR};
	if (modrm == 0xd0 || modrm == 0xd1)
		return (struct features){.ecx = XSAVE};
	if (modrm >= 0xd8 && modrm <= 0xdf)
		return (struct features){.extended_ecx = EXT_SVM};
	if (modrm == 0xf9)
		return (struct features){.extended_edx = EXT_RDTSCP};
	if (modrm == 0xfa || modrm == 0xfb)
		return (struct features){.extended_ecx = EXT_MWAITX};
	return always;
}

/* 0Fh AEh. */
static struct features need_of_group_15(const struct decoder *d)
{
	unsigned reg = d->reg & 7;

	if (!d->memory && d->f3)
		return later;
	if (!d->memory && reg == 7)
		return (struct features){.edx = SSE, .extended_edx = EXT_MMX};
	if (!d->memory)
		return (struct features){.edx = SSE2};
	if (reg < 2)
		return (struct features){.edx = FXSR};
	if (reg < 4)
		return (struct features){.edx = SSE};
	if (reg == 7)
		return (struct features){.edx = CLFLUSH};
	return (struct features){.ecx = XSAVE};
}

static bool is_vector(uint8_t op)
{
	return (op >= 0x10 && op <= 0x17) || (op >= 0x28 && op <= 0x2f) ||
	       (op >= 0x50 && op <= 0x7f) || op == 0xc2 || (op >= 0xc4 && op <= 0xc6) ||
	       (op >= 0xd0 && op <= 0xfe);
}

static struct features need_of_two_byte(const struct decoder *d)
{
	uint8_t op = d->opcode;

	if (decode_is_mmx(d) || (!d->operand16 && (op == 0xc4 || op == 0xc5)))
		return need_of_mmx(op);
	if (is_vector(op))
		return need_of_vector(d);
	if ((op & 0xf0) == 0x40)
		return (struct features){.edx = CMOV};
	switch (op) {
	case 0x01:
		return need_of_group_7(d);
	case 0x05:
	case 0x07:
		return (struct features){.extended_edx = EXT_SYSCALL};
	case 0x34:
	case 0x35:
		return (struct features){.edx = SEP};
	case 0xae:
		return need_of_group_15(d);
	case 0xb8:
		return (struct features){.ecx = POPCNT};
	case 0xc3: /* MOVNTI */
		return (struct features){.edx = SSE2};
	case 0xc7:
		if ((d->reg & 7) == 1)
			return (struct features){.edx = CX8};
		return later;
	default:
		return always;
	}
}

static struct features need_of(const struct decoder *d)
{
	if (d->vex)
		return (struct features){.ecx = AVX};
	if (d->map == MAP_0F38 || d->map == MAP_0F3A)
		return later;
	return d->map == MAP_TWO ? need_of_two_byte(d) : always;
}

void silicon_show_32(struct silicon *s, bool on)
{
	s->own = on;
}

bool silicon_shows_32(const struct silicon *s)
{
	return s->own && cpuid_is_32(s->profile);
}

bool silicon_has_efer(const struct silicon *s)
{
	const struct cpuid_leaf *extended = cpuid_find(s->profile, 0x80000001, 0);

	return !silicon_shows_32(s) || (extended && extended->r[3] & EXT_SYSCALL);
}

bool silicon_may_lend_svm(const struct profile *profile)
{
	const struct cpuid_leaf *extended = cpuid_find(profile, 0x80000001, 0);

	return cpuid_is_amd(profile) && extended && extended->r[2] & EXT_SVM;
}

void silicon_lend_svm(struct silicon *s)
{
	s->svm = true;
}

bool silicon_lends_svm(const struct silicon *s)
{
	return s->svm && !s->locks_svm;
}

bool silicon_has_extended_apic(const struct silicon *s)
{
	uint32_t r[4] = {0};

	cpuid_answer(s->profile, s->own, 0x80000001, 0, r);
	return cpuid_is_amd(s->profile) && r[2] & EXT_APIC;
}

void features_lend(const struct silicon *s, uint32_t leaf, uint32_t r[4])
{
	if (s->svm && leaf == 0x80000001)
		r[2] |= EXT_SVM;
}

/* A leaf as CPUID leaves it of a processor underneath that has everything: an instruction that the
 * real one has not raises #UD of itself. */
static void answer(const struct silicon *s, uint32_t leaf, uint32_t r[4])
{
	memset(r, 0xff, 4 * sizeof(*r));
	cpuid_answer(s->profile, s->own, leaf, 0, r);
	features_lend(s, leaf, r);
}

/* SYSENTER and SYSEXIT in long mode. */
static bool is_intels(const struct decoder *d)
{
	return !d->vex && d->map == MAP_TWO && (d->opcode == 0x34 || d->opcode == 0x35) &&
	       d->size == CODE_64;
}

bool silicon_executes(const struct silicon *s, const struct decoder *d)
{
	const struct features need = need_of(d);
	uint32_t basic[4], extended[4];

	if (is_intels(d) && cpuid_is_amd(s->profile))
		return false;
	if (!(need.edx | need.ecx | need.extended_edx | need.extended_ecx))
		return true;
	answer(s, 1, basic);
	answer(s, 0x80000001, extended);
	return (basic[3] & need.edx) | (basic[2] & need.ecx) | (extended[3] & need.extended_edx) |
	       (extended[2] & need.extended_ecx);
}
