/* SPDX-License-Identifier: BSD-2-Clause */
/* Groups of a record of precise event-based sampling: general and vector registers, and branches.
 */
#include "intel.h"
#include "tests/samples/samples.h"

/* Bytes of groups: flags, RIP and sixteen registers; a branch. */
enum { GPRS_SIZE = 18 * 8, LBR_SIZE = 3 * 8 };

uint64_t record_word(const uint8_t *record, unsigned n)
{
	uint64_t value;

	memcpy(&value, record + n * sizeof(value), sizeof(value));
	return value;
}

const uint8_t *check_gprs(struct run *t, const uint8_t *group)
{
	static const struct pmu_sample_layout layout = {INTEL_GPR_GROUP(0)};
	const struct pmu_sample sample = pmu_sample_at(&layout, group);

	check_registers(t, &sample);
	return group + GPRS_SIZE;
}

/* ---- vector registers ---- */

static uint8_t known_lower[VECTORS_SIZE], known_upper[VECTORS_SIZE];
static bool upper_known;

/* Outside of 64-bit mode there are eight; what a record has of the others nobody says. */
#define XMMS_KNOWN (2 * sizeof(void *))

void known_vectors_load(void)
{
	for (unsigned i = 0; i < VECTORS_SIZE; i++) {
		known_lower[i] = (uint8_t)(i ^ 0x5a);
		known_upper[i] = (uint8_t)(i ^ 0xa7);
	}
	upper_known = vectors_load(known_lower, known_upper);
}

const uint8_t *check_xmms(struct run *t, const uint8_t *group)
{
	for (unsigned i = 0; i < 2 * XMMS_KNOWN; i++)
		CHECK_EQ(t, record_word(group, i), record_word(known_lower, i));
	return group + VECTORS_SIZE;
}

const uint8_t *check_upper_halves(struct run *t, const uint8_t *group)
{
	for (unsigned i = 0; upper_known && i < 2 * XMMS_KNOWN; i++)
		CHECK_EQ(t, record_word(group, i), record_word(known_upper, i));
	return group + VECTORS_SIZE;
}

/* ---- branches ---- */

void branches_of_user(struct run *t)
{
	struct pmu_branching what = all_branches;

	what.kernel = false;
	branches_start(t, &what);
}

bool has_branches_of_user(const struct pmu *pmu)
{
	return pmu->branches && pmu->branches->rings;
}

/* The loop has gone round more often than there are entries. */
const uint8_t *check_lbrs(struct run *t, const uint8_t *group, unsigned entries)
{
	for (unsigned i = 0; i < entries; i++, group += LBR_SIZE) {
		CHECK_EQ(t, record_word(group, 0), (uintptr_t)precise_branch);
		CHECK_EQ(t, record_word(group, 1), (uintptr_t)precise_loop);
	}
	return group;
}
