/* SPDX-License-Identifier: BSD-2-Clause */
/* Where seeded faults reach into the uncore. */
#ifndef FAULTS_UNCORE_H
#define FAULTS_UNCORE_H

#include "snbep.h"

/* Hook points, in the order in which an access, a clock or a transaction passes them; NULL:
 * healthy. */
struct uncore_hooks {
	unsigned sockets; /* that the fault needs to be seen; 0: one is enough */
	/* -- registers -- */
	/* The register that the address reaches. */
	void (*address)(struct uncore *u, struct uncore_reg *reg);
	/* The value that reaches the register. */
	uint64_t (*keep)(struct uncore *u, const struct uncore_reg *reg, uint64_t value);
	/* A control register was taken apart into set. */
	void (*setting)(const struct uncore_box *box, struct uncore_setting *set);
	/* A register was written with value, all else is done. */
	void (*written)(struct uncore *u, const struct uncore_reg *reg, uint64_t value);
	/* What a read shows. */
	uint64_t (*shown)(struct uncore *u, const struct uncore_reg *reg, uint64_t value);
	/* One half of a counter is written, or read: value is that of all of it. */
	uint64_t (*write_half)(const struct uncore_reg *reg, bool high, uint64_t old,
			       uint64_t value);

	/* -- one stretch of clocks of one counter -- */
	/* The clock of the box. */
	uint64_t (*hz)(const struct uncore_box *box, uint64_t hz);
	/* The counter has the event, or not. */
	bool (*has_event)(const struct uncore_box *box, const struct uncore_setting *set,
			  const struct uncore_event *event, bool has);
	/* The counter, UNCORE_COUNTERS being the fixed one, is frozen, or not. */
	bool (*frozen)(struct uncore *u, const struct uncore_box *box, unsigned ctr, bool frozen);
	/* Occurrences n of the selected event in each clock. */
	unsigned (*occurrences)(const struct uncore_box *box, const struct uncore_setting *set,
				const struct uncore_segment *segment, unsigned n);
	/* The condition, after threshold and inversion. */
	bool (*condition)(const struct uncore_setting *set, unsigned n, bool result);
	/* The edge detector, for the condition in the clock before and now. */
	bool (*edge)(const struct uncore_setting *set, bool before, bool now, bool result);
	/* What one clock adds, without the edge detector. */
	unsigned (*per_clock)(const struct uncore_setting *set, unsigned n, unsigned amount);
	/* Amount about to be added, for a stretch of clocks. */
	uint64_t (*increment)(const struct uncore_box *box, unsigned ctr, uint64_t amount);
	/* The cells of the counter: from old to value by counting. */
	uint64_t (*hold)(const struct uncore_box *box, unsigned ctr, uint64_t old, uint64_t value);
	/* -- filters -- */
	/* The request passes the filter of the CBo, for a lookup or in the TOR. */
	bool (*passes)(const struct uncore_box *box, const struct uncore_setting *set,
		       const struct uncore_request *request, bool passes);
	/* Registers of the filters, as the comparison takes them. */
	void (*filter)(const struct uncore_box *box, const struct uncore_setting *set,
		       uint32_t filter[UNCORE_FILTERS]);

	/* -- traffic -- */
	/* A transaction on its way to box; returns how often it arrives. */
	unsigned (*arrives)(struct uncore *u, struct uncore_box *box,
			    struct uncore_request *request);
	/* A burst, laid out in time for box. */
	void (*pattern)(const struct uncore_box *box, struct uncore_segment *segments,
			unsigned count);
};

#define UNCORE_FAULT(name_, test_, says_, ...)                                                     \
	{                                                                                          \
		.name = "uncore_" #name_, .models = MODEL_SANDY_EP, .test = test_, .says = says_,  \
		.uncore = &(const struct uncore_hooks)                                             \
		{                                                                                  \
			__VA_ARGS__                                                                \
		}                                                                                  \
	}

#endif
