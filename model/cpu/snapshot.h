/* SPDX-License-Identifier: BSD-2-Clause */
/* All registers of the modelled PMU, as the guest would read them, for comparing. */
#pragma once

#include "silicon.h"

enum { SNAPSHOT_MAX = 20480, SNAPSHOT_NAME = 32 };

/* A register of the core or of the uncore: an MSR, in configuration space, or in memory. */
enum snapshot_place { IN_MSRS, IN_PCI, IN_MEMORY };
struct snapshot_entry {
	enum snapshot_place place;
	uint32_t address; /* the MSR; bus 31:24, function 23:16, offset 15:0; or the physical one */
	bool advances; /* it is a counter that runs, or a clock */
	uint64_t value;
};
struct snapshot {
	size_t count;
	struct snapshot_entry entry[SNAPSHOT_MAX];
};

/* Reads them all, in the order of their places, and in each by address. */
void snapshot_take(struct silicon *s, struct snapshot *snapshot);

/* One difference: where reads as "MSR 186h", and so on. */
typedef void snapshot_report(const char *where, uint64_t before, uint64_t after, void *arg);

/* Calls report for each register that is there in both and differs, but for what advanced by itself
 * in before, and for each that is in one only, with 0 for the other.  Returns their number. */
unsigned snapshot_compare(const struct snapshot *before, const struct snapshot *after,
			  snapshot_report *report, void *arg);
