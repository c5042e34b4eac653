/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Nehalem and Westmere, clients and two-socket Xeons: SDM volume 3B, 20.3.1.2 and 20.3.2, volume 4,
 * MSR_UNCORE_...  Eight counters of the whole uncore, and UCLK, behind one global control with a
 * bit for each.  No event is UCLK itself: a counter counts clocks that have fewer of another one
 * than its largest threshold.
 */
#include "xeon_e5.h"

#define ALL_CLOCKS .below = 0xff

static const struct box_event events[] = {
	EVENT(BOX_CLOCKS, "GQ_CYCLES_FULL, inverted", 0x00, 0x01, ALL_CLOCKS),
	EVENT(WHOLE_HITS, "LLC_HITS.READ", 0x08, 0x01, AGREES, BY(MEMORY)),
	EVENT(WHOLE_MISSES, "LLC_MISS.ANY", 0x09, 0x03, AGREES_BIT_BY_BIT, BY(MEMORY)),
	EVENT(WHOLE_READS_0, "QMC_NORMAL_READS.CH0", 0x2c, 0x01, BY(MEMORY)),
	EVENT(WHOLE_READS_1, "QMC_NORMAL_READS.CH1", 0x2c, 0x02, BY(MEMORY)),
	EVENT(WHOLE_READS_2, "QMC_NORMAL_READS.CH2", 0x2c, 0x04, BY(MEMORY)),
	EVENT(WHOLE_READS, "QMC_NORMAL_READS.ANY", 0x2c, 0x07, AGREES_BIT_BY_BIT, BY(MEMORY)),
	EVENT(WHOLE_WRITES, "QMC_WRITES.FULL.ANY", 0x2f, 0x07, AGREES_BIT_BY_BIT, BY(MEMORY)),
	{0},
};

#define COUNTERS (FIELD(7, 0) | BIT(32))

static const struct box_interrupts interrupts = {
	.cores = FIELD(51, 48),
	.freezes = BIT(63),
	.overflows = COUNTERS,
	.interrupted = BIT(61),
	.lets_in = {0x1d9, BIT(13)},
};

static const struct box_select select = {E5_SELECT(E5_EVENT, E5_MASK), E5_INVERT, E5_THRESHOLD_8,
					 .interrupt = BIT(20)};

static const struct box_gating gate = {.run = COUNTERS};

static const struct box_kind kinds[] = {{
	.name = "unc",
	.role = BOX_WHOLE,
	.space = REG_MSR,
	.counters = 8,
	.width = 48,
	.fixed_width = 48,
	.at = {.gate = 0x00,
	       .status = 0x01,
	       .clear = 0x02,
	       .fixed_ctr = 0x03,
	       .fixed_ctl = 0x04,
	       .ctr = 0x1f,
	       .ctr_step = 1,
	       .ctl = 0x2f,
	       .ctl_step = 1},
	.select = &select,
	.gate = &gate,
	.interrupts = &interrupts,
	.fixed = {.enable = BIT(0)},
	.queue = WHOLE_MISSES,
	.events = events,
}};

/* A hypervisor may have none. */
static const struct box_place places[] = {{.base = 0x391, .count = 1, .optional = true}};

BOX_PART(nhm) = {
	.ops = {BOX_OPS(8), .name = "nhm", .title = "uncore of Nehalem and Westmere",
		.manual = "SDM vol. 3B, 20.3.1.2",
		.processors = "Intel family 6 models 1Ah, 1Eh, 1Fh, 25h, 2Ch: counters of the "
			      "uncore, UCLK"},
	E5_MODEL(0x1a),
	.models = {0x1e, 0x1f, 0x25, 0x2c},
	.kinds = kinds,
	.places = places,
	.places_count = ARRAY_SIZE(places),
};
