/* SPDX-License-Identifier: BSD-2-Clause */
/* Architectural PEBS: where the groups of a record are, and what is in them. */
#include "intel.h"
#include "tests/samples/samples.h"

#define GROUP "pebs", "overflow"

/* Bytes: headers of a record and of a group of vectors, the basic group, and so on. */
enum {
	HEADER = 16,
	BASIC = 48,
	AUX = 64,
	MORE_GPRS = 16, /* the shadow stack's pointer, and nothing, behind the registers */
	LBR_HEADER = 48,
	VALUE = 8, /* of a counter */
};

/* IA32_LBR_CTL, IA32_LBR_DEPTH in the words of the former. */
enum { LBR_CTL = 1, LBR_DEPTH = 2 };

/* In the order of a record.  Of branches 8, 16, or all. */
enum {
	ASK_AUX,
	ASK_GPRS,
	ASK_XMMS,
	ASK_YMMS,
	ASK_8_LBRS,
	ASK_16_LBRS,
	ASK_LBRS,
	ASK_VALUES,
	ASK_METRICS,
	ASKS
};

static uint64_t asked(const struct run *t, unsigned ask)
{
	const uint64_t groups[ASKS] = {
		[ASK_AUX] = CFG_C_AUX,
		[ASK_GPRS] = CFG_C_GPRS,
		[ASK_XMMS] = CFG_C_XMMS,
		[ASK_YMMS] = CFG_C_YMMS,
		[ASK_8_LBRS] = field_put(CFG_C_LBRS, 1),
		[ASK_16_LBRS] = field_put(CFG_C_LBRS, 2),
		[ASK_LBRS] = CFG_C_LBRS,
		[ASK_VALUES] = arch_values(t),
		[ASK_METRICS] = CFG_C_METRICS,
	};

	return groups[ask];
}

/* Returns where it ends.  All that is recorded has gone into the group, and is still there. */
static const uint8_t *check_branches(struct run *t, const uint8_t *group, uint64_t groups)
{
	const unsigned depth = t->pmu->branches->entries;
	const unsigned entries[] = {0, 8, 16, depth};

	CHECK_EQ(t, record_word(group, LBR_CTL) & LBR_CTL_EN, LBR_CTL_EN);
	CHECK_EQ(t, record_word(group, LBR_DEPTH), depth);
	return check_lbrs(t, group + LBR_HEADER, entries[field_get(CFG_C_LBRS, groups)]);
}

/* That of the counter under test alone, which allows it.  A record is of whole units of 16 bytes.
 */
static const uint8_t *check_own_value(struct run *t, const uint8_t *group, uint64_t groups)
{
	const bool value = groups & CFG_C_ALLOWS;
	const struct valued what = {value ? pmu_global_bit(t->pmu, t->counter) : 0,
				    groups & CFG_C_METRICS};

	return check_values(t, group, what, t->counter) + (value ? VALUE : 0);
}

/* What memory did is not judged here, but that it has its room. */
static void check_contents(struct run *t, const uint8_t *record, uint64_t groups)
{
	const uint8_t *at = record + HEADER + BASIC;

	if (groups & CFG_C_AUX)
		at += AUX;
	if (groups & CFG_C_GPRS)
		at = check_gprs(t, at) + MORE_GPRS;
	if (groups & CFG_C_XMMS)
		at = check_xmms(t, at + HEADER);
	if (groups & CFG_C_YMMS)
		at = check_upper_halves(t, at + HEADER);
	if (groups & CFG_C_LBRS)
		at = check_branches(t, at, groups);
	if (groups & (CFG_C_ALLOWS | CFG_C_METRICS))
		at = check_own_value(t, at, groups);
	CHECK_EQ(t, record_word(record, 0) & FIELD(15, 0), (uint64_t)(at - record));
}

static void check_set(struct run *t, uint64_t groups)
{
	const unsigned failures = t->failures;
	struct recorded r;

	if (groups & ~intel(t->pmu)->cpu.cfg_c ||
	    (groups & CFG_C_LBRS && !has_branches_of_user(t->pmu)))
		return;
	known_vectors_load();
	r = arch_record(t,
			&(struct recording){CFG_C_RECORDS | groups, EVENTS_FOR(2), .off = false});
	vectors_restore();
	if (CHECK_IS(t, r.written, >, 0))
		check_contents(t, r.buffer, groups);
	if (t->failures > failures)
		report_diag("groups %016llx", (unsigned long long)groups);
}

static const char *not_recorded(const struct pmu *pmu, unsigned ctr)
{
	(void)ctr;
	return intel_pebs_is_architectural(intel(pmu)) && intel(pmu)->cpu.recorded & BIT(0)
		       ? NULL
		       : "PEBS is not architectural, or not of counter 0";
}

/* Two depths exclude each other: both bits of the field are the third. */
INTEL_TEST(groups_contents,
	   "each group of a record is behind those before it, and has the registers and branches "
	   "that it is of",
	   .clause = "Intel Architecture Instruction Set Extensions reference 319433: "
		     "IA32_PMC_GPn_CFG_C; Linux, arch/x86/include/asm/perf_event.h: struct "
		     "arch_pebs_xmm, struct arch_lbr_entry",
	   .needs = PMU_SAMPLER, .absent = not_recorded)
{
	uint64_t all = 0;

	for (unsigned a = 0; a < ASKS; a++) {
		all |= asked(t, a);
		for (unsigned b = a; b < ASKS; b++)
			check_set(t, asked(t, a) | asked(t, b));
	}
	check_set(t, all & intel(t->pmu)->cpu.cfg_c);
}
