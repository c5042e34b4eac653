/* SPDX-License-Identifier: BSD-2-Clause */
/* Reads of a running counter: they neither disturb it nor are torn. */
#include "core.h"

#define GROUP "rare", "interrupt"
#define READS                                                                                      \
	"AMD64 APM vol. 3: RDMSR, RDPMC; SDM vol. 2B: RDMSR, RDPMC; vol. 3B: counters of "         \
	"each family"

asm_code reads_in_ring3; /* times; the index, in whose place the last reading comes */

/* Thousands at the default length, whatever the number of counters. */
static unsigned reads(void)
{
	return rare_events() / 1000;
}

/* Halves of a counter meet at bit 32: a carry into it after so many events, or into a lower bit
 * where no such value can be written. */
static void carry_between_halves(const struct run *t, struct slot *slot, uint64_t after)
{
	if (!slot_carries(t, slot, 32, after))
		slot_carries(t, slot, 31, after);
}

/* ---- ring 0 ---- */

/* The counters that are read there, and the values seen of them. */
static struct {
	const struct pmu *pmu;
	uint64_t ctrs, last[PMU_COUNTERS_MAX];
	unsigned times, falls;
	uint64_t before, after; /* the last fall's */
} reading;

static void note_reading(unsigned ctr, uint64_t value)
{
	if (value < reading.last[ctr]) {
		reading.falls++;
		reading.before = reading.last[ctr];
		reading.after = value;
	}
	reading.last[ctr] = value;
}

static void report_fall(uint64_t before, uint64_t after)
{
	report_diag("after %llx came %llx", (unsigned long long)before, (unsigned long long)after);
}

static void read_all(void)
{
	for (unsigned i = 0; i < reading.times; i++)
		for (unsigned ctr = 0; ctr < reading.pmu->counters; ctr++)
			if (reading.ctrs >> ctr & 1)
				note_reading(ctr, pmu_read(reading.pmu, ctr));
}

/* Counters start one after the other: by so much slot i is ahead of the first that counts the
 * same. */
static uint64_t ahead(const struct run *t, const struct window *w, unsigned i)
{
	unsigned first = 0;

	while (w->c[first].cfg.event != w->c[i].cfg.event)
		first++;
	return slot_counted(t, &w->c[i]) - slot_counted(t, &w->c[first]);
}

/* Every second slot is read, from the first or the second on. */
static void check_reads(struct run *t, unsigned from)
{
	struct window w = window_of_mixed(t, in_all_rings(EV_NONE)), still;

	w.work.act = read_all;
	reading.pmu = t->pmu;
	reading.ctrs = 0;
	for (unsigned i = from; i < w.n; i += 2)
		reading.ctrs |= BIT(w.c[i].ctr);
	reading.times = 0;
	still = w;
	window_run(t, &still);
	memset(reading.last, 0, sizeof(reading.last));
	reading.falls = 0;
	reading.times = 1 + 2 * reads() / w.n;
	for (unsigned i = 0; i < w.n; i++)
		carry_between_halves(t, &w.c[i], reads());
	window_run(t, &w);
	if (!CHECK_EQ(t, reading.falls, 0))
		report_fall(reading.before, reading.after);
	for (unsigned i = 0; i < w.n; i++) {
		if (reading.ctrs >> w.c[i].ctr & 1)
			OF_COUNTER(t, w.c[i].ctr,
				   CHECK_IS(t, reading.last[w.c[i].ctr], <=, w.c[i].out));
		if (slot_is_exact(t, &w.c[i]))
			check_count(t, w.c[i].cfg.event, ahead(t, &w, i), ahead(t, &still, i),
				    slot_counted(t, &w.c[i]));
	}
}

RARE_TEST(reads_by_rdmsr,
	  "thousands of RDMSRs of running counters in ring 0 change and tear nothing", 0,
	  .clause = READS)
{
	check_reads(t, 0);
	check_reads(t, 1);
}

/* ---- ring 3 ---- */

/* A read that goes wrong once in thousands is met in so long on silicon, where others are over at
 * once. */
#define READS_MS 30

/* Checks the reads of one counter, beside all others. */
static void check_reads_of(struct run *t, struct window *w, unsigned slot)
{
	uint64_t times = 1 + reads() / w->n, falls, *last = user_buffer();
	uint32_t index = t->pmu->counter[w->c[slot].ctr].rdpmc;

	/* In the middle of them, if instructions are counted: the loop has eight to eleven. */
	for (unsigned i = 0; i < w->n; i++)
		carry_between_halves(t, &w->c[i], 4 * times);
	window_program(t, w);
	window_open(t, w);
	*last = index;
	falls = user_call(reads_in_ring3, times, last, 0);
	window_close(t, w);
	if (!CHECK_EQ(t, falls, 0))
		report_fall(last[1], last[2]);
	CHECK_IS(t, *last, >=, w->c[slot].from);
	CHECK_IS(t, *last, <=, w->c[slot].out);
	check_peers(t, w);
}

RARE_TEST(reads_by_rdpmc,
	  "thousands of RDPMCs of running counters in ring 3 change and tear nothing", 0,
	  .clause = READS)
{
	struct window w = window_of_mixed(t, gated(EV_NONE));
	const uint64_t begun = rdtsc();

	write_cr4(read_cr4() | CR4_PCE); /* the runner puts it back */
	do
		for (unsigned slot = 0; slot < w.n; slot++)
			check_reads_of(t, &w, slot);
	while (!t->failed && rdtsc() - begun < READS_MS * machine_tsc_per_ms());
}
