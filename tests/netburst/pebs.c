/* SPDX-License-Identifier: BSD-2-Clause */
/* PEBS: overflows write records of the registers to memory instead of interrupting. */
#include "tag.h"

#define GROUP "tag"

/* In IA-32e mode of this layout, whether DTES64 is set or not. */
struct ds_area {
	uint64_t bts[4];
	uint64_t base, index, maximum, threshold, reset;
	uint64_t reserved;
};
_Static_assert(offsetof(struct ds_area, base) == 0x20 && offsetof(struct ds_area, reset) == 0x40 &&
		       sizeof(struct ds_area) == 0x50,
	       "DS management area");

struct record {
	uint64_t rflags, rip, rax, rbx, rcx, rdx, rsi, rdi, rbp, rsp, r8_to_r15[8];
};
_Static_assert(sizeof(struct record) == 144 && offsetof(struct record, rsi) == 0x30, "PEBS record");

/* Events in a window, and from preset to overflow. */
#define EVENTS   UINT64_C(12)
#define PERIOD   3u
#define CAPACITY 16u /* records */

/* One window; the record after which an interrupt is due; returns how many there are.  The payload
 * touches its stack only, so the buffer it is given can hold them. */
static uint64_t window(struct run *t, struct ds_area *ds, unsigned threshold)
{
	const struct netburst_config upstream = nb_tagger(NB_64BIT_MMX_UOP, 1);
	struct window w =
		nb_window(netburst(t->pmu)->thread ? 17 : 16, nb_user(NB_EXECUTION_EVENT, NBOGUS0),
			  in_ring3(&payload_spaced, EVENTS));

	nb_feed(&w, NB_FEEDER);
	w.c[0].from = 0 - (uint64_t)PERIOD;
	memset(user_buffer(), 0, USER_BUFFER_SIZE);
	ds->index = ds->base;
	ds->threshold = ds->base + threshold * sizeof(struct record);
	nb_upstream(t, 0, &upstream);
	/* One passage of the manual calls bit 24 what the others call bit 25. */
	wrmsr(MSR_PEBS_ENABLE, PEBS_ENABLE_MY_THR | PEBS_ENABLE_UOP_TAG);
	window_run(t, &w);
	wrmsr(MSR_PEBS_ENABLE, 0);
	pmi_settle();
	/* Preset again by each record: never far from its preset, nor past 0. */
	CHECK(t, ((w.c[0].out + PERIOD) & pmu_mask(t->pmu, t->counter)) <= PERIOD);
	return (ds->index - ds->base) / sizeof(struct record);
}

static void check_records(struct run *t, const struct record *r, uint64_t n)
{
	uint64_t left = EVENTS + 1;

	for (uint64_t i = 0; i < n && i < CAPACITY; i++) {
		CHECK(t, r[i].rip >= (uintptr_t)user_text_start &&
				 r[i].rip < (uintptr_t)user_text_end);
		/* The payload keeps the one and counts the other down to 0. */
		CHECK_EQ(t, r[i].rsi, (uintptr_t)user_buffer());
		CHECK(t, r[i].rdi < left);
		left = r[i].rdi;
	}
}

static void check_pebs(struct run *t, struct ds_area *ds)
{
	const uint64_t base = (uintptr_t)user_buffer();
	uint64_t n;

	pmi_arm(t, VECTOR_PMI, BIT(t->counter));
	t->log.leaves_masked = true;
	*ds = (struct ds_area){.base = base,
			       .maximum = base + CAPACITY * sizeof(struct record),
			       .reset = nb_before_overflow(t, PERIOD)};
	n = window(t, ds, CAPACITY - 1);
	/* A record comes with the event after the overflow; whether that one counts for the next
	 * period is not documented. */
	CHECK(t, n >= EVENTS / (PERIOD + 1) && n <= EVENTS / PERIOD);
	check_records(t, (const struct record *)base, n);
	CHECK_EQ(t, t->log.count, 0);
	window(t, ds, 2);
	CHECK_EQ(t, t->log.count, 1);
}

NB_TEST(pebs, "an overflow writes a record and presets the counter; so many records interrupt once",
	.clause = "Intel SDM vol. 3B, 18.15: Precise Event-Based Sampling (PEBS)",
	.needs = PMU_INTERRUPT | PMU_PEBS)
{
	static struct ds_area ds;
	uint64_t firmware;

	firmware = rdmsr(MSR_IA32_DS_AREA);
	wrmsr(MSR_IA32_DS_AREA, (uintptr_t)&ds);
	check_pebs(t, &ds);
	wrmsr(MSR_IA32_DS_AREA, firmware);
}
