/* SPDX-License-Identifier: BSD-2-Clause */
/* Page tables of three levels where there is PAE, which may have no-execute bits, else of two. */
#include "x86_32.h"

#define CPUID_EXT_FEATURES 0x80000001u
#define CPUID_EXT_EDX_NX   BIT(20)

static bool has_no_execute(void)
{
	return (cpuid_if_there(CPUID_EXT_FEATURES, 0).edx & CPUID_EXT_EDX_NX) != 0;
}

const char *machine_protection(void)
{
	return page_tables.format.no_execute
		       ? "no page is both writable and executable"
		       : "code and constants are write-protected, stacks have guard pages; no page "
			 "is protected from being executed, for this processor has no such bit";
}

struct page_format paging_format(void)
{
	uint32_t features = cpuid(1, 0).edx;

	if ((features & CPUID_1_EDX_PAE) != 0)
		return (struct page_format){.bits = 9,
					    .levels = 3,
					    .largest = 2,
					    .bare_top = true,
					    .no_execute = has_no_execute()};
	return (struct page_format){
		.bits = 10,
		.levels = 2,
		.largest = (features & CPUID_1_EDX_PSE) != 0 ? 2 : 1,
	};
}
