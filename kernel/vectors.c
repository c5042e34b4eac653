/* SPDX-License-Identifier: BSD-2-Clause */
/* Vector registers.  Intel SDM vol. 1, 10.5 and 13.4: the images of FXSAVE and XSAVE. */
#include "control.h"
#include "state.h"

#define CPUID_1_ECX_XSAVE BIT(26)
#define CPUID_1_ECX_AVX   BIT(28)
#define CPUID_XSAVE       0xdu

/* Components, as bits of XCR0 and of an image's header. */
#define XCR0_SSE BIT(1)
#define XCR0_AVX BIT(2)

/* Places in an image. */
enum { IMAGE_LOWER = 160, IMAGE_HEADER = 512, IMAGE_UPPER = 576 };
_Static_assert(IMAGE_UPPER + VECTORS_SIZE == VECTORS_IMAGE, "upper halves end it");

static bool has_upper(void)
{
	const uint32_t ecx = cpuid(1, 0).ecx;

	return (ecx & CPUID_1_ECX_XSAVE) != 0 && (ecx & CPUID_1_ECX_AVX) != 0 &&
	       (cpuid(CPUID_XSAVE, 0).eax & XCR0_AVX) != 0;
}

static uint64_t read_xcr0(void)
{
	uint32_t low, high;

	__asm__ volatile("xgetbv" : "=a"(low), "=d"(high) : "c"(0));
	return (uint64_t)high << 32 | low;
}

static void write_xcr0(uint64_t value)
{
	__asm__ volatile("xsetbv" : : "a"((uint32_t)value), "d"((uint32_t)(value >> 32)), "c"(0));
}

static void save(const struct vectors *v, uint8_t *image)
{
	if (v->has_upper)
		__asm__ volatile("xsave (%0)"
				 :
				 : "r"(image), "a"((uint32_t)(XCR0_SSE | XCR0_AVX)), "d"(0)
				 : "memory");
	else
		__asm__ volatile("fxsave (%0)" : : "r"(image) : "memory");
}

static void load(const struct vectors *v, const uint8_t *image)
{
	if (v->has_upper)
		__asm__ volatile("xrstor (%0)"
				 :
				 : "r"(image), "a"((uint32_t)(XCR0_SSE | XCR0_AVX)), "d"(0)
				 : "memory");
	else
		__asm__ volatile("fxrstor (%0)" : : "r"(image) : "memory");
}

/* Each step is noted before the next: a trap may end a test in between. */
static void take(struct vectors *v)
{
	v->has_upper = has_upper();
	v->cr4 = read_cr4();
	if (v->has_upper) {
		write_cr4(v->cr4 | (uintptr_t)CR4_OSXSAVE);
		v->xcr0 = read_xcr0();
		v->taken = VECTORS_ON;
		write_xcr0(v->xcr0 | XCR0_SSE | XCR0_AVX);
	}
	save(v, v->found);
	v->taken = VECTORS_SAVED;
}

bool vectors_load(const uint8_t lower[VECTORS_SIZE], const uint8_t upper[VECTORS_SIZE])
{
	static uint8_t image[VECTORS_IMAGE] __attribute__((aligned(64)));
	struct vectors *v = &this_processor()->vectors;

	take(v);
	memcpy(image, v->found, sizeof(image));
	image[IMAGE_HEADER] |= (uint8_t)(XCR0_SSE | XCR0_AVX);
	memcpy(image + IMAGE_LOWER, lower, VECTORS_SIZE);
	memcpy(image + IMAGE_UPPER, upper, VECTORS_SIZE);
	load(v, image);
	return v->has_upper;
}

void vectors_restore(void)
{
	struct vectors *v = &this_processor()->vectors;

	if (v->taken == VECTORS_SAVED)
		load(v, v->found);
	if (v->taken && v->has_upper) {
		write_xcr0(v->xcr0);
		write_cr4(v->cr4);
	}
	v->taken = VECTORS_NONE;
}
