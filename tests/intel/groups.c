/* SPDX-License-Identifier: BSD-2-Clause */
/* Groups of a record of precise event-based sampling: general and vector registers, and branches.
 */
#include "intel.h"
#include "tests/samples/samples.h"

/* Bytes of groups: flags, RIP and sixteen registers; sixteen registers of 16 bytes; a branch. */
enum { GPRS_SIZE = 18 * 8, XMMS_SIZE = 16 * 16, LBR_SIZE = 3 * 8 };

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

/* ---- vector registers, which no code of this program uses but payloads of their own ---- */

/* An image of FXSAVE, and where XMM0 is in it. */
enum { IMAGE = 512, IMAGE_XMM = 160 };
static uint8_t found[IMAGE] __attribute__((aligned(16)));
static uint8_t known[IMAGE] __attribute__((aligned(16)));

/* Outside of 64-bit mode there are eight; what a record has of the others nobody says. */
#define XMMS_KNOWN (2 * sizeof(void *))

void vectors_load(void)
{
	__asm__ volatile("fxsave %0" : "=m"(found));
	memcpy(known, found, sizeof(known));
	for (unsigned i = 0; i < XMMS_SIZE; i++)
		known[IMAGE_XMM + i] = (uint8_t)(i ^ 0x5a);
	__asm__ volatile("fxrstor %0" : : "m"(known));
}

void vectors_restore(void)
{
	__asm__ volatile("fxrstor %0" : : "m"(found));
}

const uint8_t *check_xmms(struct run *t, const uint8_t *group)
{
	for (unsigned i = 0; i < 2 * XMMS_KNOWN; i++)
		CHECK_EQ(t, record_word(group, i), record_word(known + IMAGE_XMM, i));
	return group + XMMS_SIZE;
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
