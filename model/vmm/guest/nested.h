/* SPDX-License-Identifier: BSD-2-Clause */
/* Tables of nested paging: AMD64 APM volume 2, 15.25. */
#pragma once

#include <stdint.h>

enum { NESTED_ENTRIES = 512, NESTED_HOLES = 2 };

/* Aligned to a page. */
struct nested {
	uint64_t pml4[NESTED_ENTRIES], pdpt[NESTED_ENTRIES], pd[NESTED_ENTRIES];
	uint64_t pt[NESTED_HOLES][NESTED_ENTRIES];
	unsigned used; /* of pt */
} __attribute__((aligned(4096)));

/* One to one, with room for holes in the GiB around address. */
void nested_build(struct nested *n, uint64_t address);
/* A hole, at most NESTED_HOLES, each in 2 MiB of its own. */
void nested_leave_out(struct nested *n, uint64_t address, uint64_t size);
