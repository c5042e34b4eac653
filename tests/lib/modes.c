/* SPDX-License-Identifier: BSD-2-Clause */
/* The engine of modes: rows of a covering array, each tried and judged. */
#include "test.h"

struct mode_seen modes_seen(const struct run *t, const struct window *w, unsigned twin,
			    unsigned tested, bool interrupts)
{
	return (struct mode_seen){
		.iterations = w->work.iterations,
		.count = slot_counted(t, &w->c[tested]),
		.twin = slot_counted(t, &w->c[twin]),
		.interrupts = interrupts ? t->log.per_counter[t->counter] : 0,
		.all_interrupts = interrupts ? t->log.count : 0,
		.last_in_ring3 = interrupts && taken_in_ring3(t),
	};
}

/* ---- what is compared with ---- */

static struct known {
	uint8_t mode[COVER_AXES];
	struct mode_seen seen;
} known[128];
static unsigned known_count;

struct mode_seen modes_once(struct run *t, const uint8_t *mode,
			    struct mode_seen (*see)(struct run *t, const uint8_t *mode))
{
	struct known *k = known;

	while (k < known + known_count && memcmp(k->mode, mode, sizeof(k->mode)))
		k++;
	if (k == known + ARRAY_SIZE(known))
		return see(t, mode);
	if (k == known + known_count) {
		known_count++;
		memcpy(k->mode, mode, sizeof(k->mode));
		k->seen = see(t, mode);
	}
	return k->seen;
}

/* ---- rows ---- */

unsigned tries_for(const struct run *t, uint64_t events)
{
	enum { TRIES = 4 };
	const struct pmu_overcount *published = pmu_overcount(t->pmu, events);

	return (published && !published->witness) || t->entries ? TRIES : 1;
}

/* In all rows together some published miscounts come nearly always, but not each time in so few
 * runs of one row. */
static void try_row(struct run *t, const uint8_t *mode,
		    void (*check)(struct run *t, const uint8_t *mode))
{
	const struct run before = *t;
	unsigned tries;

	check(t, mode);
	tries = tries_for(t, t->events);
	if (!t->failed || tries == 1)
		return;
	report_drop_diag();
	*t = before;
	while (--tries && !t->failed) {
		known_count = 0;
		check(t, mode);
	}
}

void modes_run(struct run *t, struct cover rows, unsigned sharers,
	       void (*check)(struct run *t, const uint8_t *mode))
{
	uint8_t mode[COVER_AXES] = {0};
	unsigned met = 0, judged = 0;

	rows.arg = t;
	known_count = 0;
	while (!t->failed && cover_next(&rows, mode))
		if (met++ % sharers == t->counter % sharers) {
			try_row(t, mode, check);
			judged += !t->failed;
		}
	report_diag("%u of %u modes", judged, met);
}
