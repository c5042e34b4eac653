/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Memory while the machine is ours; what others of the kernel need of it is in kernel/state.h.
 *
 * Room: page tables, what is mapped in them, and pages of the arena
 * Uses: kernel, kernel/lib
 */
#pragma once

#include "kernel/lib/ranges.h"
#include "kernel/state.h"

/* ---- paging.c ---- */

/* No page is mapped. */
bool paging_build(void);

/* ---- mapping.c ---- */

/* In page tables where nothing is mapped: RAM, all else below 4 GiB, and the screen. */
bool mapping_build(const struct machine_facts *facts);
/* Pages of tables that this takes, without the screen's. */
uint64_t mapping_tables(const struct machine_facts *facts, const struct page_format *format);
