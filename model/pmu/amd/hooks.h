/* SPDX-License-Identifier: BSD-2-Clause */
/* Where seeded faults reach into the AMD core counters. */
#ifndef FAULTS_AMD_H
#define FAULTS_AMD_H

#include "amd.h"

/*
 * Hook points, in the order in which an access or a clock passes them; NULL: healthy.  ctr is the
 * number of the counter.
 */
struct amd_hooks {
	/* -- registers -- */
	/* A register name was decoded; false: the access faults. */
	bool (*address)(struct reg *reg);
	/* A select register is written: value is what reached it, returns what it keeps. */
	uint64_t (*keep_select)(unsigned ctr, uint64_t value);
	/* It was taken apart into set. */
	void (*setting)(struct setting *set);
	/* A register was written, all else is done. */
	void (*written)(struct pmu_amd *p, const struct reg *reg, uint64_t old);
	/* A command to PerfCntrGlobalStatus made status of old. */
	uint64_t (*status_written)(uint64_t old, uint64_t status);
	/* The healthy outcome of RDPMC is in *access and *value. */
	void (*rdpmc)(const struct pmu_amd *p, uint32_t index, unsigned cpl, enum access *access,
		      uint64_t *value);

	/* -- one clock of one counter -- */
	/* PerfCntrGlobalCtl enables the counter, or not. */
	bool (*globally)(unsigned ctr, bool enabled);
	/* Occurrences n of the selected event in this clock. */
	unsigned (*occurrences)(const struct setting *set, const struct clock *clock, unsigned n);
	/* The threshold comparison (threshold > 0) came out as result. */
	bool (*compare)(const struct setting *set, unsigned n, bool result);
	/* The edge detector, for the condition in the clock before and now; passes: in this mode.
	 */
	bool (*edge)(const struct setting *set, bool passes, bool before, bool now);
	/* Amount about to be added to counter ctr. */
	unsigned (*increment)(struct pmu_amd *p, unsigned ctr, const struct clock *clock,
			      unsigned amount);
	/* The cells of the counter: from old to value by counting, or old == value for a write. */
	uint64_t (*hold)(unsigned ctr, uint64_t old, uint64_t value);
	/* amount was added to old; carry: out of bit 47. */
	bool (*overflow)(struct pmu_amd *p, unsigned ctr, uint64_t old, unsigned amount,
			 bool carry);

	/* The bits of PerfCntrGlobalStatus that the overflow sets. */
	uint64_t (*flag)(unsigned ctr);

	/* -- interrupts -- */
	/* The counters of the mask overflowed in this clock; requests: the healthy number, 0 or 1.
	 */
	unsigned (*requests)(struct pmu_amd *p, const struct clock *clock, uint64_t overflowed,
			     unsigned requests);
	bool masks_lvt; /* delivery sets the mask bit of the LVT entry */
};

#define FAULT(name_, models_, test_, says_, ...)                                                   \
	{                                                                                          \
		.name = #name_, .models = models_, .test = test_, .says = says_,                   \
		.amd = &(const struct amd_hooks)                                                   \
		{                                                                                  \
			__VA_ARGS__                                                                \
		}                                                                                  \
	}

#endif
