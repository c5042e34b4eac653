/* SPDX-License-Identifier: BSD-2-Clause */
/* Who leaves out accesses that are settled counts what one counts who is told of all. */
#include "bench.h"

enum { ACCESSES = 200000, LINES_APART = UNCORE_SETS * UNCORE_LINE };

static struct uncore all;

/* Few lines, of which more fall into one set than there is room for; often the last one again. */
static struct memory_access draw_access(void)
{
	static uint64_t physical;
	static const enum memory_kind kinds[] = {
		MEMORY_LOAD,  MEMORY_LOAD,  MEMORY_LOAD,  MEMORY_STORE,    MEMORY_STORE,
		MEMORY_STORE, MEMORY_FLUSH, MEMORY_FLUSH, MEMORY_PREFETCH, MEMORY_STREAM,
	};

	if (!draw(3))
		physical = BASE + draw(12) * LINES_APART + draw(3 * UNCORE_LINE);
	return (struct memory_access){
		.kind = kinds[draw(ARRAY_SIZE(kinds))],
		.physical = physical,
		.size = draw(8) ? 8 : UNCORE_LINE,
		.locked = !draw(8),
	};
}

/* Each slice counts its lookups, the home its requests, and channels reads and writes. */
static void begin_counting(void)
{
	begin();
	for (uint32_t slice = 0; slice < 8; slice++) {
		wr(0xd14 + 0x20 * slice, UINT64_C(0x1f) << 18);
		wr(0xd10 + 0x20 * slice, 0x401134);
		wr(0xd11 + 0x20 * slice, 0x400835);
	}
	set(DF(14, 1), 0xd8, 0x400f01);
	set(DF(16, 0), 0xd8, 0x400304);
	set(DF(16, 1), 0xd8, 0x400c04);
	all = uncore;
}

static bool is_same_box(const struct uncore_box *a, const struct uncore_box *b)
{
	bool same = true;

	for (unsigned i = 0; i < UNCORE_ALL_COUNTERS; i++)
		same = same && a->counter[i].value == b->counter[i].value;
	return same;
}

static bool is_same(void)
{
	const struct uncore_memory *a = &uncore.memory, *b = &all.memory;
	bool same = !memcmp(a->lines, b->lines, sizeof(a->lines)) &&
		    !memcmp(a->core, b->core, sizeof(a->core)) &&
		    !memcmp(a->oldest, b->oldest, sizeof(a->oldest)) &&
		    !memcmp(a->core_oldest, b->core_oldest, sizeof(a->core_oldest)) &&
		    !memcmp(a->wc, b->wc, sizeof(a->wc));

	for (unsigned i = 0; i < uncore.boxes; i++)
		same = same && is_same_box(&uncore.box[0][i], &all.box[0][i]);
	return same;
}

int main(void)
{
	unsigned left_out = 0, same = 0, looks = 0;

	begin_counting();
	for (unsigned i = 0; i < ACCESSES; i++) {
		struct memory_access access = draw_access();

		pass(100);
		all.now = uncore.now;
		uncore_access(&all, &access);
		if (uncore_is_settled(&uncore, &access))
			left_out++;
		else
			uncore_access(&uncore, &access);
		if (i % 64)
			continue;
		looks++;
		same += is_same();
	}
	OK(same == looks);
	OK(left_out > ACCESSES / 20 && left_out < ACCESSES / 2);
	OK(rd(0xd16) > 1000 && ctr(DF(16, 0), 0) > 1000);
	return tap_end();
}
