/* SPDX-License-Identifier: BSD-2-Clause */
/* Groups of a record of PEBS: where they are, and what is in them. */
#include "intel.h"
#include "kernel/lib/string.h"

#define ADAPTIVE (MODEL_ICELAKE | MODEL_GOLDENCOVE | MODEL_LIONCOVE)

/* Words of an adaptive record: the basic group, of memory, of general registers; of XMM registers
 * and of a branch. */
enum { BASIC = 4, MEMORY = 4, REGISTERS = 18, XMM = 2, LBR = 3 };

/* Of an architectural one: header and basic group, what memory did, general registers and two words
 * more, the header of a group. */
enum { ARCH_BASIC = 8, ARCH_AUX = 8, ARCH_REGISTERS = 20, ARCH_HEADER = 2, LBR_HEADER = 6 };

#define HAS_MEMORY BIT(0)
#define HAS_GPRS   BIT(1)
#define HAS_XMMS   BIT(2)
#define HAS_LBRS   BIT(3)
#define ENTRIES    FIELD(31, 24)
#define ARCH_LBRS  FIELD(41, 40)
#define ARCH_XMMS  BIT(49)
#define ARCH_YMMS  BIT(50)

static void exchanges_memory(struct point *at)
{
	uint64_t group[MEMORY];

	if ((at->record[0] & (HAS_MEMORY | HAS_GPRS)) != (HAS_MEMORY | HAS_GPRS))
		return;
	memcpy(group, at->record + BASIC, sizeof(group));
	memmove(at->record + BASIC, at->record + BASIC + MEMORY, REGISTERS * sizeof(*at->record));
	memcpy(at->record + BASIC + REGISTERS, group, sizeof(group));
}

FAULT_ON(ADAPTIVE, pebs_memory_behind_registers, "*.pebs.adaptive_layout",
	 "the group of memory lies behind that of general registers", .pebs = exchanges_memory);

FAULT_DO_ON(ADAPTIVE, pebs_page_of_operand, "*.pebs.operands",
	    "a record has the page of its operand alone", pebs,
	    if (at->record[0] & HAS_MEMORY) at->record[BASIC] &= ~FIELD(11, 0));
FAULT_DO_ON(ADAPTIVE, pebs_operand_missing, "*.pebs.operands", "a record has no address of memory",
	    pebs, if (at->record[0] & HAS_MEMORY) at->record[BASIC] = 0);

static uint64_t *xmm_of(const struct point *at, unsigned xmm)
{
	const uint64_t has = at->record[0];

	return at->record + BASIC + (has & HAS_MEMORY ? MEMORY : 0) +
	       (has & HAS_GPRS ? REGISTERS : 0) + XMM * xmm;
}

FAULT_DO_ON(ADAPTIVE, pebs_xmm7_cut, "*.pebs.adaptive_layout",
	    "the upper half of XMM7 in a record is 0", pebs,
	    if (at->record[0] & HAS_XMMS) xmm_of(at, 7)[1] = 0);
FAULT_DO_ON(ADAPTIVE, pebs_last_lbr_missing, "*.pebs.adaptive_layout",
	    "the last branch in a record is empty", pebs,
	    if ((at->record[0] & FIELD(5, 3)) == HAS_LBRS)
		    memset(at->record + at->words - LBR, 0, LBR * sizeof(*at->record)));
FAULT_DO_ON(ADAPTIVE, pebs_entries_not_said, "*.pebs.adaptive_layout",
	    "a record does not say how many branches it has", pebs, at->record[0] &= ~ENTRIES);

/* ---- architectural ---- */

FAULT_DO_ON(MODEL_COUGARCOVE, apebs_operand_rounded, "*.pebs.operands",
	    "a record has the line of its operand, not the byte", pebs,
	    if (at->record[0] & BIT(62)) at->record[ARCH_BASIC] &= ~FIELD(5, 0));

static uint64_t *arch_vectors(const struct point *at)
{
	return at->record + ARCH_BASIC + (at->record[0] & BIT(62) ? ARCH_AUX : 0) +
	       (at->record[0] & BIT(61) ? ARCH_REGISTERS : 0);
}

FAULT_DO_ON(MODEL_ARCH_PEBS, apebs_xmm7_cut, "*.pebs.groups_contents",
	    "the upper half of XMM7 in a record is 0", pebs,
	    if (at->record[0] & ARCH_XMMS) arch_vectors(at)[ARCH_HEADER + XMM * 7 + 1] = 0);

static uint64_t *arch_upper(const struct point *at)
{
	return arch_vectors(at) + (at->record[0] & ARCH_XMMS ? ARCH_HEADER + 32 : 0) + ARCH_HEADER;
}

FAULT_DO_ON(MODEL_ARCH_PEBS, apebs_upper_halves_empty, "*.pebs.groups_contents",
	    "upper halves of vector registers in a record are 0", pebs,
	    if (at->record[0] & ARCH_YMMS) memset(arch_upper(at), 0, 32 * sizeof(*at->record)));
FAULT_DO_ON(MODEL_ARCH_PEBS, apebs_ymm7_is_ymm6, "*.pebs.groups_contents",
	    "the upper half of YMM7 in a record is that of YMM6", pebs,
	    if (at->record[0] & ARCH_YMMS)
		    memcpy(arch_upper(at) + XMM * 7, arch_upper(at) + XMM * 6,
			   XMM * sizeof(*at->record)));

static void exchanges_vectors(struct point *at)
{
	enum { GROUP = ARCH_HEADER + 32 };
	uint64_t *first = arch_vectors(at), group[GROUP];

	if ((at->record[0] & (ARCH_XMMS | ARCH_YMMS)) != (ARCH_XMMS | ARCH_YMMS))
		return;
	memcpy(group, first, sizeof(group));
	memcpy(first, first + GROUP, sizeof(group));
	memcpy(first + GROUP, group, sizeof(group));
}

FAULT_ON(MODEL_ARCH_PEBS, apebs_upper_halves_first, "*.pebs.groups_contents",
	 "upper halves of vector registers lie ahead of the lower ones", .pebs = exchanges_vectors);

static uint64_t *arch_lbrs(const struct point *at)
{
	enum { GROUP = ARCH_HEADER + 32 };

	return arch_vectors(at) + (at->record[0] & ARCH_XMMS ? GROUP : 0) +
	       (at->record[0] & ARCH_YMMS ? GROUP : 0);
}

FAULT_DO_ON(MODEL_ARCH_PEBS, apebs_lbr_depth_off, "*.pebs.groups_contents",
	    "a record says a depth of branch records one too small", pebs,
	    if (at->record[0] & ARCH_LBRS) arch_lbrs(at)[2]--);
FAULT_BODY_ON(MODEL_ARCH_PEBS, apebs_lbr_ends_swapped, "*.pebs.groups_contents",
	      "the newest branch in a record has its ends exchanged", pebs)
{
	uint64_t *entry = arch_lbrs(at) + LBR_HEADER, from = entry[0];

	if (!(at->record[0] & ARCH_LBRS))
		return;
	entry[0] = entry[1];
	entry[1] = from;
}

static uint64_t *arch_values(const struct point *at)
{
	static const unsigned entries[] = {0, 8, 16, INTEL_LBR_DEPTH};
	const uint64_t n = field_get(ARCH_LBRS, at->record[0]);

	return arch_lbrs(at) + (n ? LBR_HEADER + LBR * entries[n] : 0);
}

FAULT_DO_ON(MODEL_COUGARCOVE, apebs_metrics_not_said, "*.pebs.groups_contents",
	    "a record does not say that it has PERF_METRICS", pebs,
	    if (at->record[0] & BIT(38)) arch_values(at)[1] = 0);
