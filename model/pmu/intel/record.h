/* SPDX-License-Identifier: BSD-2-Clause */
/* A record of PEBS as it is being put together: words of 8 bytes. */
#pragma once

#include "intel.h"
#include "kernel/lib/string.h"

/* The largest one has all groups, all branch records, and a second header. */
enum {
	RECORD_WORDS =
		2 + 2 + 6 + 8 + 20 + 2 * (2 + 32) + 6 + 3 * INTEL_LBR_DEPTH + 2 + INTEL_COUNTERS
};

struct record {
	uint64_t word[RECORD_WORDS];
	unsigned words;
};

static inline void put(struct record *record, uint64_t word)
{
	record->word[record->words++] = word;
}

static inline void put_zeros(struct record *record, unsigned words)
{
	while (words--)
		put(record, 0);
}

/* The group of memory, of so many words: the address of the instruction's operand, and nothing of
 * what the access met. */
static inline void put_memory(struct record *record, const struct machine *machine, unsigned words)
{
	put(record, machine->has_operand ? machine->operand : 0);
	put_zeros(record, words - 1);
}

/* In the order of all records but the oldest. */
static inline void put_gprs(struct record *record, const struct registers *registers)
{
	put(record, registers->flags);
	put(record, registers->ip);
	for (unsigned i = 0; i < GPRS; i++)
		put(record, registers->gpr[i]);
}

/* Sixteen halves of vector registers, of 16 bytes each; NULL: 0. */
static inline void put_halves(struct record *record, const uint8_t *halves)
{
	enum { WORDS = 32 };

	if (halves)
		memcpy(record->word + record->words, halves, WORDS * sizeof(*record->word));
	record->words += WORDS;
}

/* So many branch records, if there are, from the newest on. */
static inline void put_lbrs(const struct pmu_intel *p, struct record *record, unsigned entries)
{
	unsigned depth =
		intel_lbr_is_architectural(p->traits) ? intel_lbr_depth(p) : p->traits->lbr.depth;

	for (unsigned i = 0; i < entries && i < depth; i++) {
		const struct intel_lbr *lbr = intel_lbr_of_age(p, i);

		put(record, lbr->from);
		put(record, lbr->to);
		put(record, lbr->info);
	}
}

/* Values of these counters, as bits of the global registers, in their order; and slots, and what
 * became of them.  Which they are is said ahead of them. */
static inline void put_values(const struct pmu_intel *p, struct record *record, uint64_t counters,
			      bool metrics)
{
	put(record, counters);
	put(record, metrics ? 3 : 0);
	for (unsigned i = 0; i < INTEL_COUNTERS; i++)
		if (counters & intel_bit(i))
			put(record, p->core.counter[i].value);
	if (metrics) {
		put(record, p->core.counter[INTEL_SLOTS_COUNTER].value);
		put(record, intel_metrics_shown(p));
	}
}
