/* SPDX-License-Identifier: BSD-2-Clause */
/* The thread filter of the cache slices. */
#include "traffic.h"

#define GROUP     "traffic"

#define THREADS   16u
#define NO_THREAD 0x10u /* of the field tid: what belongs to none */

static const struct traffic slices = {
	.kind = SNBEP_CBO,
	.n = 2,
	.cfg = {{CBO_TOR_INSERTS_MISS_ALL}, {CBO_TOR_INSERTS_MISS_ALL}},
	.load = memory_load_slowly,
};

/* Of the same requests counter ctr counts what goes through the filter, and the other one all. */
static void run_filtered(struct run *t, unsigned ctr, uint32_t tid)
{
	struct traffic traffic = slices;

	traffic.cfg[ctr].tid = true;
	traffic.filter[0] = (uint32_t)field_put(CBO_FILTER_TID, tid);
	traffic_run(t, &traffic);
}

/* Half of it: what others have to do with a slice in so short a time is far less. */
static bool goes_through(const struct pmu *pmu, unsigned ctr)
{
	return pmu_read(pmu, ctr) > pmu_read(pmu, !ctr) / 2;
}

/* The numbers, as bits, by which the first slice lets the requests of this thread through. */
static uint32_t find_numbers(struct run *t)
{
	uint32_t numbers = 0;

	for (uint32_t tid = 0; tid < THREADS; tid++) {
		run_filtered(t, 0, tid);
		numbers |= (uint32_t)goes_through(t->pmu, 0) << tid;
	}
	return numbers;
}

static void check_slices(struct run *t, unsigned ctr, uint32_t tid, bool want)
{
	const struct pmu *pmu;

	run_filtered(t, ctr, tid);
	for (unsigned i = 0; (pmu = traffic_box(&slices, &i));)
		if (!CHECK(t, goes_through(pmu, ctr) == want))
			report_diag("%s: counter %u, tid %u: %llu, of %llu requests", pmu->name,
				    ctr, tid, (unsigned long long)pmu_read(pmu, ctr),
				    (unsigned long long)pmu_read(pmu, !ctr));
}

/* How cores are numbered is not documented, but a thread has one number.  From it, others differ in
 * each bit. */
SNBEP_TEST(tid_filter, "the thread filter lets a thread's requests through by its own number alone",
	   .clause = "Intel 327043-001, 2.3: CBo events TOR_INSERTS; tid_en; filter tid",
	   .kinds = SNBEP_FIRST(SNBEP_CBO))
{
	uint32_t numbers = find_numbers(t), own;

	REQUIRE(t, numbers && !(numbers & (numbers - 1)));
	own = (uint32_t)__builtin_ctz(numbers);
	for (unsigned ctr = 0; ctr < slices.n; ctr++) {
		check_slices(t, ctr, own, true);
		for (uint32_t bit = 1; bit <= NO_THREAD; bit *= 2)
			check_slices(t, ctr, own ^ bit, false);
	}
}
