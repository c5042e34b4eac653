/* SPDX-License-Identifier: BSD-2-Clause */
/* Groups of a record of precise event-based sampling: general and vector registers, and branches.
 */
#include "intel.h"
#include "tests/samples/samples.h"

/* Bytes of groups: flags, RIP and sixteen registers; sixteen registers of 16 bytes; a branch. */
enum { GPRS_SIZE = 18 * 8, XMMS_SIZE = 16 * 16, LBR_SIZE = 3 * 8 };

uint64_t record_word(const uint8_t *record, unsigned n)
{
	uint64_t value;

	memcpy(&value, record + n * sizeof(value), sizeof(value));
	return value;
}

const uint8_t *check_gprs(struct run *t, const uint8_t *group)
{
	static const struct pmu_sample_layout layout = {INTEL_GPR_GROUP(0)};
	const struct pmu_sample sample = pmu_sample_at(&layout, group);

	check_registers(t, &sample);
	return group + GPRS_SIZE;
}

/* ---- vector registers, which no code of this program uses but payloads of their own ---- */

/* An image of FXSAVE, and where XMM0 is in it. */
enum { IMAGE = 512, IMAGE_XMM = 160 };
static uint8_t found[IMAGE] __attribute__((aligned(16)));
static uint8_t known[IMAGE] __attribute__((aligned(16)));

/* Images of XSAVE, where a processor has the upper halves of YMM registers, and where they are in
 * it.  Firmware may have left them switched off. */
enum { EXTENDED = 832, EXTENDED_HEADER = 512, EXTENDED_UPPER = 576 };
enum { XSAVE_SSE = 1 << 1, XSAVE_AVX = 1 << 2 };
#define LEAF1_XSAVE BIT(26)
#define LEAF1_AVX   BIT(28)
#define CR4_OSXSAVE ((uintptr_t)1 << 18)
static uint8_t found_upper[EXTENDED] __attribute__((aligned(64)));
static uint8_t known_upper[EXTENDED] __attribute__((aligned(64)));
static uintptr_t found_cr4;
static uint64_t found_xcr0;
static bool upper_known;

static bool has_upper_halves(void)
{
	const uint32_t ecx = cpuid(1, 0).ecx;

	return ecx & LEAF1_XSAVE && ecx & LEAF1_AVX && cpuid(0xd, 0).eax & XSAVE_AVX;
}

static void put_xcr0(uint64_t value)
{
	__asm__ volatile("xsetbv" : : "a"((uint32_t)value), "d"((uint32_t)(value >> 32)), "c"(0));
}

static uint64_t get_xcr0(void)
{
	uint32_t low, high;

	__asm__ volatile("xgetbv" : "=a"(low), "=d"(high) : "c"(0));
	return (uint64_t)high << 32 | low;
}

static void save(uint8_t *image)
{
	__asm__ volatile("xsave (%0)"
			 :
			 : "r"(image), "a"(XSAVE_SSE | XSAVE_AVX), "d"(0)
			 : "memory");
}

static void load(const uint8_t *image)
{
	__asm__ volatile("xrstor (%0)"
			 :
			 : "r"(image), "a"(XSAVE_SSE | XSAVE_AVX), "d"(0)
			 : "memory");
}

/* Outside of 64-bit mode there are eight; what a record has of the others nobody says. */
#define XMMS_KNOWN (2 * sizeof(void *))

static void load_upper(void)
{
	found_cr4 = read_cr4();
	write_cr4(found_cr4 | CR4_OSXSAVE);
	found_xcr0 = get_xcr0();
	put_xcr0(found_xcr0 | XSAVE_SSE | XSAVE_AVX);
	save(found_upper);
	memcpy(known_upper, found_upper, sizeof(known_upper));
	known_upper[EXTENDED_HEADER] |= XSAVE_AVX;
	for (unsigned i = 0; i < XMMS_SIZE; i++)
		known_upper[EXTENDED_UPPER + i] = (uint8_t)(i ^ 0xa7);
	load(known_upper);
}

static void restore_upper(void)
{
	load(found_upper);
	put_xcr0(found_xcr0);
	write_cr4(found_cr4);
}

void vectors_load(void)
{
	upper_known = has_upper_halves();
	if (upper_known)
		load_upper();
	__asm__ volatile("fxsave %0" : "=m"(found));
	memcpy(known, found, sizeof(known));
	for (unsigned i = 0; i < XMMS_SIZE; i++)
		known[IMAGE_XMM + i] = (uint8_t)(i ^ 0x5a);
	__asm__ volatile("fxrstor %0" : : "m"(known));
}

void vectors_restore(void)
{
	__asm__ volatile("fxrstor %0" : : "m"(found));
	if (upper_known)
		restore_upper();
}

const uint8_t *check_xmms(struct run *t, const uint8_t *group)
{
	for (unsigned i = 0; i < 2 * XMMS_KNOWN; i++)
		CHECK_EQ(t, record_word(group, i), record_word(known + IMAGE_XMM, i));
	return group + XMMS_SIZE;
}

const uint8_t *check_upper_halves(struct run *t, const uint8_t *group)
{
	for (unsigned i = 0; upper_known && i < 2 * XMMS_KNOWN; i++)
		CHECK_EQ(t, record_word(group, i), record_word(known_upper + EXTENDED_UPPER, i));
	return group + XMMS_SIZE;
}

/* ---- branches ---- */

void branches_of_user(struct run *t)
{
	struct pmu_branching what = all_branches;

	what.kernel = false;
	branches_start(t, &what);
}

bool has_branches_of_user(const struct pmu *pmu)
{
	return pmu->branches && pmu->branches->rings;
}

/* The loop has gone round more often than there are entries. */
const uint8_t *check_lbrs(struct run *t, const uint8_t *group, unsigned entries)
{
	for (unsigned i = 0; i < entries; i++, group += LBR_SIZE) {
		CHECK_EQ(t, record_word(group, 0), (uintptr_t)precise_branch);
		CHECK_EQ(t, record_word(group, 1), (uintptr_t)precise_loop);
	}
	return group;
}
