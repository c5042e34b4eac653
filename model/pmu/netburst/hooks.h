/* SPDX-License-Identifier: BSD-2-Clause */
/* Where seeded faults reach into the NetBurst PMU. */
#ifndef FAULTS_NETBURST_H
#define FAULTS_NETBURST_H

#include "netburst.h"

/*
 * Hook points, in the order in which an access or a clock passes them; NULL: healthy.  ctr is the
 * number of the counter.
 */
struct netburst_hooks {
	/* -- registers -- */
	/* A register name was decoded; false: the access faults. */
	bool (*address)(struct netburst_reg *reg);
	/* raw is written to a register: value is what it would keep of it, returns what it keeps.
	 */
	uint64_t (*keep)(const struct netburst_reg *reg, uint64_t raw, uint64_t value);
	/* A CCCR, an ESCR was taken apart. */
	void (*cccr)(struct cccr *set);
	void (*escr)(struct escr *escr);
	/* The ESCR (-1: none) that the select value reaches. */
	int (*route)(unsigned ctr, unsigned select, int escr);
	/* A register was written, all else is done. */
	void (*written)(struct pmu_netburst *p, const struct netburst_reg *reg, uint64_t old);
	/* A register was read. */
	void (*was_read)(struct pmu_netburst *p, const struct netburst_reg *reg);
	/* The healthy outcome of RDPMC is in *access and *value. */
	void (*rdpmc)(const struct pmu_netburst *p, uint32_t index, bool fast, unsigned cpl,
		      enum access *access, uint64_t *value);

	/* -- one clock of one counter -- */
	/* The run condition came out as runs. */
	bool (*runs)(const struct pmu_netburst *p, unsigned ctr, bool runs);
	/* What upstream ESCRs tag. */
	void (*tags)(struct tags *tags);
	/* The ESCR delivers n to the counter. */
	unsigned (*input)(const struct cccr *set, const struct escr *escr,
			  const struct clock *clock, unsigned n);
	/* The comparison came out as result. */
	bool (*compare)(const struct cccr *set, unsigned n, bool result);
	/* The filters let amount pass; before and now: results of the comparison. */
	unsigned (*filtered)(const struct cccr *set, unsigned n, bool before, bool now,
			     unsigned amount);
	/* amount is about to be added. */
	unsigned (*increment)(struct pmu_netburst *p, unsigned ctr, const struct clock *clock,
			      unsigned amount);
	/* The cells of the counter: from old to value by counting. */
	uint64_t (*hold)(unsigned ctr, uint64_t old, uint64_t value);
	/* amount was added to old; carry: out of bit 39. */
	bool (*overflow)(struct pmu_netburst *p, unsigned ctr, uint64_t old, unsigned amount,
			 bool carry);

	/* -- interrupts -- */
	/* The counter has just set OVF, and armed its interrupt where it should. */
	void (*overflowed)(struct pmu_netburst *p, unsigned ctr);
	/* The event after that has made the counter's request. */
	void (*requested)(struct pmu_netburst *p, unsigned ctr);
	bool pulses; /* a request is not held: it passes once, or not at all */
	/* A record is about to be written. */
	void (*record)(const struct pmu_netburst *p, struct pebs_area *area,
		       struct pebs_record *registers);
	bool leaves_lvt; /* delivery does not set the mask bit of the LVT entry */
};

#define NETBURST_FAULT(name_, models_, test_, says_, ...)                                          \
	{                                                                                          \
		.name = #name_, .models = models_, .test = test_, .says = says_,                   \
		.netburst = &(const struct netburst_hooks)                                         \
		{                                                                                  \
			__VA_ARGS__                                                                \
		}                                                                                  \
	}

#endif
