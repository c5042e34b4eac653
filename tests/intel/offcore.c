/* SPDX-License-Identifier: BSD-2-Clause */
/* Offcore responses: two events, each counted through a filter of its own. */
#include "intel.h"

#define GROUP "offcore", "count"
/* A hypervisor may show fewer counters than have them. */
static unsigned takers(const struct pmu *pmu)
{
	const unsigned general = intel_general(pmu);

	return general < INTEL_OFFCORE_COUNTERS ? general : INTEL_OFFCORE_COUNTERS;
}

static const char *not_offcore(const struct pmu *pmu, unsigned ctr)
{
	if (!intel_offcore(&intel(pmu)->cpu, 0))
		return "no such filters are known here";
	if (takers(pmu) < 2)
		return "there is no other counter that has them";
	return ctr < takers(pmu) ? NULL : "counters 0 to 3 alone have them";
}

#define LOADS  OFFCORE_RSP_DATA_RD
#define STORES OFFCORE_RSP_RFO
#define ANY    OFFCORE_RSP_ANY

/* Both filters, by turns on the counter under test and on the next one, and what then holds: who
 * counts something, as bits; or that both count alike, or the first one more. */
enum { NEITHER, FIRST, ALIKE = 3, MORE };

static const struct row {
	uint32_t filter[2];
	bool stores; /* that miss, or loads */
	uint8_t holds;
} rows[] = {
	{{LOADS, ANY}, false, NEITHER},
	{{STORES, 0}, true, NEITHER},
	{{ANY | LOADS, LOADS}, false, FIRST},
	{{ANY | LOADS, ANY | LOADS}, false, ALIKE},
	{{ANY | STORES, ANY | STORES}, true, ALIKE},
	{{ANY | LOADS | STORES, ANY | LOADS}, true, MORE},
	{{ANY | LOADS | STORES, ANY | STORES}, false, MORE},
};

enum { TURNS = 200 };

static void check_counts(struct run *t, unsigned holds, const uint64_t out[2])
{
	const unsigned counting = (out[0] ? 1u : 0) | (out[1] ? 2u : 0);

	if (holds == MORE)
		CHECK_IS(t, out[0], >, out[1]);
	else
		CHECK_EQ(t, counting, holds);
	if (holds == ALIKE)
		CHECK_EQ(t, out[0], out[1]);
}

/* first: the filter of the counter under test, which is written last. */
static void check_filters(struct run *t, const struct row *f, unsigned first)
{
	const struct work work =
		in_ring3(f->stores ? &payload_store_misses : &payload_misses, TURNS);
	struct select_pair pair = {.next = (t->counter + 1) % takers(t->pmu)};
	uint64_t out[2];

	for (unsigned i = 0; i < 2; i++) {
		unsigned n = first ^ i;

		wrmsr(MSR_OFFCORE_RSP(!n), f->filter[!n]);
		pair.select[i] = intel_offcore(&intel(t->pmu)->cpu, n) | PERFEVTSEL_USR;
	}
	select_pair_run(t, &pair, &work);
	out[first] = pair.out[0];
	out[!first] = pair.out[1];
	check_counts(t, f->holds, out);
}

/* Without a kind of request, or without a kind of response, the count is zero. */
INTEL_TEST(filters, "each filter lets through what it names, and nothing else",
	   .clause = "SDM vol. 3B, 20.3.4.5: Off-core Response",
	   .needs = PMU_SELECT | PMU_USER_ALONE, .per_counter = true, .absent = not_offcore)
{
	uint64_t kept = 0;

	wrmsr_safe(MSR_OFFCORE_RSP(0), ANY);
	rdmsr_safe(MSR_OFFCORE_RSP(0), &kept);
	SKIP_IF(t, !kept && test_in_kvm(), "KVM has none");
	for (unsigned i = 0; i < ARRAY_SIZE(rows); i++)
		for (unsigned first = 0; first < 2 && !t->failed; first++)
			check_filters(t, &rows[i], first);
}
