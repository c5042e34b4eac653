/* SPDX-License-Identifier: BSD-2-Clause */
/* Overflows of a counter that write records while drawn programs run: each record must be of a
 * state that the program goes through. */
#include "random.h"

#define GROUP "random", "rare"

/* Of as many as are drawn. */
enum { PROGRAMS = 15 };
/* Instructions of a run, and where one in several counts; and 64 times this many periods, as
 * Broadwell wants them (PERIOD). */
enum { INSTRUCTIONS = 2400, OF_BRANCHES = 3800, STEP = 64, STEPS_LEAST = 4, STEPS = 8 };

_Static_assert((int)STEPS_LEAST *(int)STEP > 2 * (int)ARMING, "long beside ARMING");

/* ---- a window ---- */

struct way {
	unsigned ctr;
	uint64_t period;
	bool interrupts; /* at the last record */
};

static struct {
	uint64_t total; /* events without records, */
	uint64_t written, records, counter; /* and with them */
} seen;

static void run_now(void)
{
	image_prepare_buffer();
	user_call(trace_entry(), image_now.turns, user_buffer(), 0);
}

static struct window window_of(struct run *t, const struct way *way, uint64_t from)
{
	return (struct window){
		.n = 1, .c = {sampled_slot(t, way->ctr, from)}, .work = {.act = run_now}};
}

static void record(struct run *t, const struct way *way, unsigned room, unsigned interrupt_at)
{
	const uint64_t preset = preset_for(t, way->period);
	struct pmu_sampling what = {
		.counters = BIT(way->ctr), .room = room, .interrupt_at = interrupt_at};
	struct window w = window_of(t, way, preset);

	what.preset[way->ctr] = preset | ~pmu_mask(t->pmu, way->ctr);
	seen.written = sampled_run(t, &w, &what);
	seen.records = seen.written / t->pmu->sampler->size;
	seen.counter = w.c[0].out;
	pmu_acknowledge(t->pmu, BIT(way->ctr));
}

/* ---- laws ---- */

static struct wrong wrong_if(bool is, const char *what, uint64_t got, uint64_t least, uint64_t most)
{
	return (struct wrong){is ? what : NULL, .got = got, .least = least, .most = most};
}

/* As samples.reset_value has it. */
static struct wrong law_of_count(struct run *t, const struct way *way)
{
	const uint64_t since = (seen.counter + way->period) & pmu_mask(t->pmu, way->ctr);
	const uint64_t each = way->period + t->pmu->sampler->late;
	const uint64_t most = seen.total / each, least = seen.total / (way->period + ARMING);
	struct wrong wrong = wrong_if(seen.written % t->pmu->sampler->size || seen.records > most ||
					      seen.records < least,
				      "records", seen.records, least, most);

	if (wrong.what)
		return wrong;
	return wrong_if(since > way->period + ARMING || seen.records * each + since > seen.total ||
				seen.records * (way->period + ARMING) + since < seen.total,
			"events since the last record", since,
			seen.total - seen.records * (way->period + ARMING),
			seen.total - seen.records * each);
}

/* Which address is whose no manual says of some records. */
static bool is_there(const struct pmu_sampler *sampler, const struct pmu_sample *r, unsigned i)
{
	const uint64_t after = (uintptr_t)user_code + trace_now.at[i];
	const uint64_t before = (uintptr_t)user_code + trace_now.at[i - 1];

	if (sampler->has & SAMPLE_NEXT_IP || !(sampler->has & SAMPLE_EVENT_IP))
		return r->ip == after &&
		       (!(sampler->has & SAMPLE_EVENT_IP) || r->event_ip == before);
	return (r->ip == after || r->ip == before) &&
	       (r->event_ip == after || r->event_ip == before);
}

/* The state behind one instruction, later than those of older records. */
static unsigned state_of(const struct pmu_sampler *sampler, const struct pmu_sample *r,
			 unsigned from)
{
	const uint32_t state = trace_state(r->gpr, r->flags);

	for (unsigned i = from + 1; i < trace_now.n; i++)
		if (trace_now.state[i] == state && is_there(sampler, r, i))
			return i;
	return 0;
}

/* The way out of ring 3 is none of the program. */
static bool is_of_program(const struct pmu_sample *r)
{
	return r->ip - (uintptr_t)user_code < AT_ENTRY;
}

static struct wrong law_of_record(struct run *t, const struct way *way, unsigned record,
				  unsigned *at)
{
	const struct pmu_sampler *sampler = t->pmu->sampler;
	const struct pmu_sample r = sampler->take(t->pmu, record);
	const uint64_t counters = pmu_global_bit(t->pmu, way->ctr);

	if (r.size != sampler->size)
		return wrong_if(true, "the size of a record", r.size, sampler->size, sampler->size);
	if (sampler->has & SAMPLE_COUNTERS && r.counters != counters)
		return wrong_if(true, "whose a record is", r.counters, counters, counters);
	if (!is_of_program(&r))
		return (struct wrong){0};
	*at = state_of(sampler, &r, *at);
	if (!*at)
		return wrong_if(true, "the state of a record", r.ip, (uintptr_t)user_code,
				(uintptr_t)user_code + image_now.size);
	return (struct wrong){0};
}

static struct wrong law_of_interrupts(struct run *t)
{
	const uint64_t most = pmu_effect(t->pmu, INTERRUPTS_TWICE_WHILE_HELD) ? 2 : 1;

	if (t->log.full != 1)
		return wrong_if(true, "interrupts that find the buffer full", t->log.full, 1, 1);
	return wrong_if(t->log.count < 1 || t->log.count > most, "interrupts of records",
			t->log.count, 1, most);
}

/* ---- a program ---- */

static struct wrong judge(struct run *t, const struct way *way)
{
	const unsigned room = 1 + TRACE_MAX / (STEPS_LEAST * STEP);
	struct window plain = window_of(t, way, 0);
	struct wrong wrong;
	unsigned at = 0;

	sampled_run(t, &plain, &(struct pmu_sampling){0});
	seen.total = plain.c[0].out;
	record(t, way, room, 0);
	wrong = law_of_count(t, way);
	for (unsigned i = 0; i < seen.records && !wrong.what; i++)
		wrong = law_of_record(t, way, i, &at);
	if (wrong.what || !way->interrupts || !seen.records)
		return wrong;
	/* No overflow comes when there is no room any more: by BJ101 and BV051 it may interrupt. */
	pmi_arm(t, VECTOR_PMI, 0);
	t->log.samples = true;
	record(t, way, (unsigned)seen.records, (unsigned)seen.records);
	pmi_disarm(t);
	return law_of_interrupts(t);
}

static struct way draw_way(struct run *t, struct draw *draw)
{
	const uint64_t all = sampler_of(t)->counters;
	struct way way = {.period = STEP * (STEPS_LEAST + draw_below(draw, STEPS))};

	do
		way.ctr = draw_below(draw, t->pmu->counters);
	while (!(all >> way.ctr & 1));
	way.interrupts = t->pmu->features & PMU_INTERRUPT && draw_once_in(draw, 4);
	return way;
}

static unsigned judge_program(struct run *t, unsigned number)
{
	struct draw draw = draw_of(programs_seed(), number);
	const struct program program = program_draw(&draw, 0);
	const struct way way = draw_way(t, &draw);
	const bool branches = t->pmu->sampler->event == EV_BRANCHES;
	struct wrong wrong;

	image_load(&program);
	REQUIRE(t, trace_run(branches ? OF_BRANCHES : INSTRUCTIONS));
	t->counter = way.ctr;
	wrong = judge(t, &way);
	if (wrong.what)
		wrong = judge(t, &way);
	if (wrong.what) {
		report_diag("program %u of seed %llu, counter %u, every %llu: %s", number,
			    (unsigned long long)programs_seed(), way.ctr,
			    (unsigned long long)way.period, wrong.what);
		CHECK_IS(t, wrong.got, >=, wrong.least);
		CHECK_IS(t, wrong.got, <=, wrong.most);
		CHECK(t, !wrong.what);
	}
	return (unsigned)seen.records;
}

TEST(recorded_programs, "overflows of drawn programs write records of states that these go through",
     .clause = PEBS, .needs = PMU_SAMPLER | PMU_PRIVILEGE, .counts = EV_INSTRUCTIONS,
     .absent = not_of_counters, .drawn = true)
{
	const unsigned programs = 1 + programs_drawn() / PROGRAMS;
	unsigned records = 0;

	for (unsigned n = 0; n < programs && !t->failed; n++)
		records += judge_program(t, n);
	if (!t->failed)
		report_diag("seed %llu, %u programs: %u records",
			    (unsigned long long)programs_seed(), programs, records);
}
