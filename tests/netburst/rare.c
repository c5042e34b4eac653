/* SPDX-License-Identifier: BSD-2-Clause */
/* Rare defects of counters of which ordinary code has too few events for tests/core/rare.c. */
#include "netburst.h"
#include "tests/lib/extent.h"

#define GROUP "rare", "interrupt"
#define OFTEN                                                                                      \
	"SDM vol. 3B, events of processors based on NetBurst: uop_queue_writes, "                  \
	"64bit_MMX_uop"

static bool is_rare_in_ordinary_code(unsigned ctr)
{
	return netburst_counters[ctr].group == NB_MS || netburst_counters[ctr].group == NB_FLAME;
}

/* An event that nearly each instruction of payload_mmx causes. */
static struct netburst_config often(unsigned ctr)
{
	return netburst_counters[ctr].group == NB_FLAME ? nb_event(ctr)
							: nb_user(NB_UOP_QUEUE_WRITES, FIELD(2, 0));
}

/* Each from below another bit, above all that the window can reach by itself, into which it carries
 * in the middle. */
static struct window window_of_often(const struct run *t)
{
	uint64_t each = payload_does(&payload_mmx, "mmx");
	struct window w = {NB_WINDOW, .work = in_ring3(&payload_mmx, rare_events() / each + 1)};

	for (unsigned ctr = 0; ctr < t->pmu->counters; ctr++)
		if (is_rare_in_ordinary_code(ctr))
			nb_add(&w, ctr, often(ctr))->from = BIT(28 + ctr) - rare_events() / 2;
	return w;
}

/* All counters of a group have counted the same. */
static void check_alike(struct run *t, const struct window *w)
{
	unsigned first = 0;

	for (unsigned i = 0; i < w->n; i++) {
		if (!nb_same_group(w->c[first].ctr, w->c[i].ctr))
			first = i;
		CHECK_EQ(t, slot_counted(t, &w->c[i]), slot_counted(t, &w->c[first]));
	}
}

NB_TEST(of_vectors, "in a window of millions of MMX instructions no counter misses or invents one",
	.needs = PMU_PRIVILEGE, .rare = true, .clause = OFTEN)
{
	struct window w = window_of_often(t), more;

	window_run(t, &w);
	for (unsigned i = 0; i < w.n; i++)
		CHECK_IS(t, slot_counted(t, &w.c[i]), >=, rare_events());
	check_alike(t, &w);
	more = w;
	more.work.iterations = 1000;
	window_go_on(t, &more);
	for (unsigned i = 0; i < w.n; i++)
		OF_COUNTER(t, w.c[i].ctr, CHECK_IS(t, more.c[i].out, !=, w.c[i].out));
}
