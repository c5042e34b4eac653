/* SPDX-License-Identifier: BSD-2-Clause */
/* Where seeded faults reach into the Intel core PMU. */
#ifndef FAULTS_INTEL_H
#define FAULTS_INTEL_H

#include "intel.h"

/*
 * Hook points, in the order in which an access or a clock passes them; NULL: healthy.  ctr is the
 * number of the counter, fixed counters from INTEL_GENERAL on.
 */
struct intel_hooks {
	/* -- registers -- */
	uint64_t misc_clear; /* bits of IA32_MISC_ENABLE that are clear after reset */
	/* The register that the address reaches; 0: none, the access faults. */
	uint32_t (*address)(const struct pmu_intel *p, uint32_t msr);
	/* A write of value is refused with #GP, or not. */
	bool (*refused)(const struct pmu_intel *p, const struct intel_reg *reg, uint64_t value,
			bool refused);
	/* The value that reaches the register. */
	uint64_t (*keep)(struct pmu_intel *p, const struct intel_reg *reg, uint64_t value);
	/* A control register was taken apart into set. */
	void (*setting)(struct intel_setting *set);
	/* P6: does counter 1 run, by what EN of counter 0 says? */
	bool (*shared_enable)(const struct pmu_intel *p, bool enable);
	/* A register was written, all else is done; old is what it had. */
	void (*written)(struct pmu_intel *p, const struct intel_reg *reg, uint64_t old);
	/* What a read shows. */
	uint64_t (*shown)(const struct pmu_intel *p, const struct intel_reg *reg, uint64_t value);
	/* The healthy outcome of RDPMC is in *access and *value. */
	void (*rdpmc)(const struct pmu_intel *p, uint32_t index, unsigned cpl, enum access *access,
		      uint64_t *value);

	/* -- one clock of one counter -- */
	/* Its enable bits let it count, or not; CTR_Frz stops it, or not. */
	bool (*counts)(const struct pmu_intel *p, unsigned ctr, bool counts);
	bool (*frozen)(const struct pmu_intel *p, unsigned ctr, bool frozen);
	/* Occurrences n of the selected event in this clock. */
	unsigned (*occurrences)(const struct intel_setting *set, const struct clock *clock,
				unsigned n);
	/* The clock is in a mode that counts, or not. */
	bool (*passes)(const struct intel_setting *set, const struct clock *clock, bool passes);
	/* The comparison, of 0 < n where CMASK is 0, came out as result. */
	bool (*compare)(const struct intel_setting *set, unsigned n, bool result);
	/* The edge detector, for the condition in the clock before and now. */
	bool (*edge)(const struct intel_setting *set, bool passes, bool before, bool now);
	/* Amount about to be added to counter ctr. */
	unsigned (*increment)(struct pmu_intel *p, unsigned ctr, const struct clock *clock,
			      unsigned amount);
	/* The cells of the counter: from old to value by counting. */
	uint64_t (*hold)(const struct pmu_intel *p, unsigned ctr, uint64_t old, uint64_t value);
	/* amount was added to old; carry: out of the top bit. */
	bool (*overflow)(struct pmu_intel *p, unsigned ctr, uint64_t old, unsigned amount,
			 bool carry);

	/* -- interrupts -- */
	/* The status bits that the overflows of this clock set. */
	uint64_t (*status)(struct pmu_intel *p, uint64_t overflowed);
	/* The counters of the mask overflowed with their interrupts enabled; requests: 0 or 1. */
	unsigned (*requests)(struct pmu_intel *p, const struct clock *clock, uint64_t overflowed,
			     unsigned requests);
	/* What is frozen now, as bits of IA32_DEBUGCTL. */
	uint64_t (*freeze)(struct pmu_intel *p, uint64_t debugctl);
	bool leaves_lvt; /* delivery does not set the mask bit of the LVT entry */

	/* -- last branches -- */
	bool (*lbr_enabled)(const struct pmu_intel *p, bool enabled);
	/* The filter keeps out what has one of bits. */
	bool (*lbr_passes)(const struct pmu_intel *p, const struct branch *branch, uint64_t bits,
			   bool passes);
	unsigned (*lbr_tos)(const struct pmu_intel *p, unsigned tos);
	void (*lbr_entry)(const struct pmu_intel *p, const struct branch *branch,
			  struct intel_lbr *entry);

	/* -- PEBS -- */
	void (*record)(const struct pmu_intel *p, const struct machine *machine, uint64_t *word,
		       unsigned *words);
	uint64_t (*reload)(const struct pmu_intel *p, unsigned ctr, uint64_t value);
	bool (*threshold)(const struct pmu_intel *p, uint64_t index, uint64_t threshold,
			  bool reached);
	void (*buffer_filled)(struct pmu_intel *p); /* status bit 62 has been set */
};

#define INTEL_FAULT(name_, models_, test_, says_, ...)                                             \
	{                                                                                          \
		.name = #name_, .models = models_, .test = test_, .says = says_,                   \
		.intel = &(const struct intel_hooks)                                               \
		{                                                                                  \
			__VA_ARGS__                                                                \
		}                                                                                  \
	}

#endif
