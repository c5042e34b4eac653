/* SPDX-License-Identifier: BSD-2-Clause */
/* A box that is caught up with in one leap has counted what it counts segment by segment. */
#include "bench.h"

enum { ROUNDS = 150, LEAPS = 12 };

static struct uncore steps;

static void run_segments(struct uncore_box *box, uint64_t clocks)
{
	bool linked = steps.sockets > 1 && box->kind->linked;
	const struct uncore_pattern *pattern = linked ? box->kind->linked : box->kind->idle;

	while (clocks) {
		struct uncore_segment part = pattern->segments[box->segment];

		part.clocks -= box->passed;
		if (part.clocks > clocks)
			part.clocks = (uint32_t)clocks;
		uncore_run(&steps, box, &part);
		clocks -= part.clocks;
		box->passed += part.clocks;
		if (box->passed == pattern->segments[box->segment].clocks) {
			box->passed = 0;
			box->segment = (box->segment + 1) % pattern->count;
		}
	}
}

static bool is_same(const struct uncore_box *a, const struct uncore_box *b)
{
	bool same = a->clock == b->clock && a->segment == b->segment && a->passed == b->passed;

	for (unsigned i = 0; i < UNCORE_ALL_COUNTERS; i++)
		same = same && a->counter[i].value == b->counter[i].value &&
		       a->counter[i].condition == b->counter[i].condition;
	return same;
}

static uint64_t put(const struct uncore_kind *kind, enum uncore_field field, uint64_t value)
{
	return kind->field[field] ? field_put(kind->field[field], value) : 0;
}

/* An event of the box, and any other bits, with small thresholds. */
static uint64_t draw_control(const struct uncore_kind *kind)
{
	uint64_t kept = ~(kind->field[CTL_EVENT] | kind->field[CTL_EXTENSION] |
			  kind->field[CTL_RESET] | kind->field[CTL_THRESHOLD]);
	unsigned events = 0, code;

	while (kind->events[events].counters)
		events++;
	code = kind->events[draw(events)].code;
	return (draw(UINT64_C(1) << 32) & kept) | put(kind, CTL_EVENT, code & 0xff) |
	       put(kind, CTL_EXTENSION, code / EV_EXT) | put(kind, CTL_THRESHOLD, draw(4)) |
	       (draw(4) ? kind->field[CTL_ENABLE] : 0);
}

static void write_both(struct uncore_box *box, struct reg_id reg, uint64_t value)
{
	uncore_write(&uncore, box, reg, value, false);
	uncore_write(&steps, &steps.box[box->socket][box->place], reg, value, false);
}

static void set_up(struct uncore_box *box)
{
	for (unsigned i = 0; i < UNCORE_ALL_COUNTERS; i++) {
		struct reg_id control = {UNCORE_CTL, i, false};

		if (uncore_has(box->kind, control))
			write_both(box, control, draw_control(box->kind));
	}
	for (unsigned i = 0; i < UNCORE_FILTERS; i++)
		if (box->kind->filter[i])
			write_both(box, (struct reg_id){UNCORE_FILTER, i, false}, draw(1 << 30));
}

/* A clock of traffic in both, behind which the edge detectors know of something else. */
static void disturb(struct uncore_box *a, struct uncore_box *b)
{
	struct uncore_segment segment = {.clocks = 1};

	for (unsigned i = 0; i < UNCORE_SIGNALS; i++)
		segment.n[i] = (uint8_t)draw(3);
	uncore_run(&uncore, a, &segment);
	uncore_run(&steps, b, &segment);
}

/* Steps are as old as leaps: traffic counts in the clock of the box, too. */
static bool leap(struct uncore_box *a, struct uncore_box *b)
{
	static const uint64_t far[] = {3, 300, 30000, 3000000};

	pass(draw(far[draw(ARRAY_SIZE(far))]));
	uncore_advance(&uncore, a);
	if (a->clock > b->clock)
		run_segments(b, a->clock - b->clock);
	steps.now = uncore.now;
	return is_same(a, b);
}

static bool try_box(unsigned sockets)
{
	struct uncore_box *a, *b;
	bool same = true;

	begin_sockets(NULL, sockets);
	steps = uncore;
	a = &uncore.box[0][draw(uncore.boxes)];
	b = &steps.box[0][a->place];
	set_up(a);
	for (unsigned i = 0; i < LEAPS; i++) {
		same = same && leap(a, b);
		if (!draw(3))
			disturb(a, b);
		if (!draw(8))
			set_up(a);
	}
	return same;
}

static void test_part(const struct uncore_part *part)
{
	unsigned same = 0;

	bench_part = part;
	for (unsigned i = 0; i < ROUNDS; i++)
		same += try_box(1 + i % 2);
	OK(same == ROUNDS);
}

/* No pattern is longer than what a counter can know of it. */
static void test_room(const struct uncore_part *part)
{
	for (const struct uncore_kind *kind = part->kinds; kind->boxes; kind++) {
		OK(kind->idle->count <= UNCORE_PATTERN);
		OK(!kind->linked || kind->linked->count <= UNCORE_PATTERN);
	}
}

int main(void)
{
	test_room(&uncore_snbep);
	test_room(&uncore_ivt);
	test_part(&uncore_snbep);
	test_part(&uncore_ivt);
	return tap_end();
}
