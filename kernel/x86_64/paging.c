/* SPDX-License-Identifier: BSD-2-Clause */
/* Page tables of 4 or 5 levels, as the firmware has them. */
#include "x86_64.h"

#define CR4_LA57              BIT(12)

#define CPUID_EXT_FEATURES    0x80000001u
#define CPUID_EXT_EDX_NX      BIT(20)
#define CPUID_EXT_EDX_PAGE_1G BIT(26)

/* Where no-execute is missing the firmware lacks it as well, and its pages are no safer. */
const char *machine_protection(void)
{
	return NULL;
}

struct page_format paging_format(void)
{
	uint32_t features = cpuid(CPUID_EXT_FEATURES, 0).edx;

	return (struct page_format){
		.bits = 9,
		.levels = (read_cr4() & CR4_LA57) != 0 ? 5 : 4,
		.largest = (features & CPUID_EXT_EDX_PAGE_1G) != 0 ? 3 : 2,
		.no_execute = (features & CPUID_EXT_EDX_NX) != 0,
	};
}
