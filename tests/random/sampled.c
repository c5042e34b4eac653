/* SPDX-License-Identifier: BSD-2-Clause */
/* Samplers with a period of their own, armed while drawn programs run: what each record says of an
 * instruction must be what it is, and what it has done. */
#include "random.h"

#define GROUP "random", "rare"

/* Of as many as are drawn; and each is run so often. */
enum { PROGRAMS = 10, ROUNDS = 16 };
/* Instructions of a run; turns of other code behind it, in which there are several of the shortest
 * periods; and steps of the period. */
enum { INSTRUCTIONS = 1200, BEHIND = 300, STEPS = 48 };
/* A period of ops is over by so many of its instructions, of which two may be one op.  Where the
 * op that was tagged is thrown away, it takes another one. */
enum { DUE = 6 };
/* No instruction of a program is so many ops, with those behind mispredicted branches and all that
 * is around it. */
enum { OPS_EACH = 64 };
enum { TRIES = 3, LINE = 64 };

/* ---- a run ---- */

struct way {
	struct pmu_sampling what;
	enum ring ring;
	uint32_t lvt; /* 0: without interrupts */
	bool due, never;
};

/* Each bit below its highest one may be set, or not. */
static uint64_t draw_long(struct draw *draw, const struct pmu_sampler *sampler)
{
	uint64_t bit = OPS_EACH * TRACE_MAX;

	while (bit * 4 < sampler->longest && draw_below(draw, 3))
		bit *= 2;
	return bit + draw_below(draw, (unsigned)(bit / sampler->step)) * sampler->step;
}

static enum pmu_period draw_of_what(struct draw *draw, uint32_t periods)
{
	uint32_t one = periods & -periods;

	return (enum pmu_period)(periods != one && draw_below(draw, 4) ? periods - one : one);
}

static struct way draw_way(const struct run *t, struct draw *draw)
{
	static const uint32_t lvts[] = {VECTOR_PMI, APIC_LVT_MODE_NMI,
					VECTOR_PMI | APIC_LVT_MASKED};
	const struct pmu_sampler *sampler = t->pmu->sampler;
	struct way way = {.ring = draw_once_in(draw, 3) ? RING_0 : RING_3};
	struct pmu_sampling *what = &way.what;

	what->of = draw_of_what(draw, sampler->periods);
	what->period = sampler->shortest + sampler->step * draw_below(draw, STEPS);
	way.due = what->of == PERIOD_OPS && DUE * what->period <= trace_now.n;
	if (what->of == PERIOD_OPS && draw_once_in(draw, 8)) {
		what->period = draw_long(draw, sampler);
		way.never = true;
		way.due = false;
	}
	if (sampler->presets && what->of == PERIOD_OPS && draw_once_in(draw, 2))
		what->passed = sampler->step * draw_below(draw, 1 << 10);
	what->period += what->passed;
	what->random = sampler->randomizes && draw_once_in(draw, 2);
	if (sampler->entry && draw_once_in(draw, 4))
		way.lvt = lvts[draw_below(draw, ARRAY_SIZE(lvts))];
	return way;
}

/* What is armed reads as it was written, as long as there is no record. */
static void arm(struct run *t, const struct way *way, struct msr_switch *by)
{
	const struct pmu_sampler *sampler = t->pmu->sampler;
	const char *why = sampler->prepare(t->pmu, &way->what, by);
	uint64_t armed;

	if (why)
		test_refused(t, why);
	wrmsr(by->msr, by->on);
	armed = rdmsr(by->msr);
	if (!(armed & sampler->full))
		CHECK_EQ(t, armed & sampler->kept, by->on & sampler->kept);
}

static void execute(enum ring ring)
{
	if (ring == RING_3)
		user_call(trace_entry(), image_now.turns, user_buffer(), 0);
	else
		kernel_call((asm_code *)(uintptr_t)user_code, image_now.turns, user_buffer());
}

/* True: there is a record, and the sampler is still armed. */
static bool run_armed(struct run *t, const struct way *way)
{
	struct msr_switch by;
	bool full;

	image_prepare_buffer();
	arm(t, way, &by);
	execute(way->ring);
	full = rdmsr(by.msr) & t->pmu->sampler->full;
	if (full && way->lvt)
		pmi_settle();
	return full;
}

/* One that comes although there is no record, of a tag that came to nothing, is lawful. */
static bool run_interrupted(struct run *t, const struct way *way)
{
	const uint32_t lvt = way->lvt;
	const unsigned due = !(lvt & APIC_LVT_MASKED);
	bool full;

	pmi_arm_sampler(t, lvt);
	CHECK_EQ(t, apic_read_extended(t->log.entry - 1) & (lvt | APIC_LVT_MASKED), lvt);
	full = run_armed(t, way);
	if (full) {
		CHECK_EQ(t, t->log.count, due);
		CHECK_EQ(t, t->log.full, due);
	}
	return full;
}

static bool run_way(struct run *t, const struct way *way)
{
	bool full;

	if (way->lvt)
		return run_interrupted(t, way);
	irq_disable();
	full = run_armed(t, way);
	irq_enable();
	return full;
}

/* A record comes of the way to here where there was none; behind one that was taken, none does. */
static void end(struct run *t, const struct way *way, bool taken)
{
	const uint64_t written = t->pmu->sampler->disarm(t->pmu);

	if (taken)
		CHECK_EQ(t, written, 0);
	if (way->lvt)
		pmi_disarm(t);
}

/* ---- a round ---- */

/* It stands whatever is executed then. */
static struct pmu_sample take(struct run *t)
{
	const uint64_t behind = (uintptr_t)payload_branches.entry;
	struct pmu_sample sample;

	kernel_call(payload_branches.entry, BEHIND, user_buffer());
	sample = own_take(t);
	CHECK(t, !(sample.has & SAMPLE_EVENT_IP) || sample.event_ip - behind >= LINE);
	CHECK(t, !(sample.has & SAMPLE_LINEAR) || sample.linear - behind >= LINE);
	return sample;
}

static bool got_record(struct run *t, const struct way *way, struct pmu_sample *sample)
{
	unsigned tries = way->due ? TRIES : 1;
	bool full = false;

	while (tries-- && !full) {
		full = run_way(t, way);
		if (full)
			*sample = take(t);
		end(t, way, full);
	}
	CHECK(t, full || !way->due);
	CHECK(t, !full || !way->never);
	return full;
}

/* System management may have been sampled, but not twice in a row. */
static bool judge_round(struct run *t, const struct way *way)
{
	unsigned failures = t->failures;
	struct pmu_sample sample;
	bool full = got_record(t, way, &sample);

	if (full && told_foreign(&sample))
		full = got_record(t, way, &sample);
	if (full)
		told_judge(t, &sample);
	if (t->failures > failures) {
		report_diag("period %llu of %u, in ring %u", (unsigned long long)way->what.period,
			    way->what.of, way->ring == RING_3 ? 3 : 0);
		own_describe(t, failures);
	}
	return full;
}

static unsigned sample_program(struct run *t, unsigned number)
{
	struct draw draw = draw_of(programs_seed(), number);
	const struct program program = program_draw(&draw, 0);
	unsigned failures = t->failures, records = 0;

	image_load(&program);
	REQUIRE(t, trace_run(INSTRUCTIONS));
	for (unsigned i = 0; i < ROUNDS && !t->failed; i++) {
		const struct way way = draw_way(t, &draw);

		records += judge_round(t, &way);
	}
	if (t->failures > failures)
		report_diag("program %u of seed %llu", number, (unsigned long long)programs_seed());
	return records;
}

TEST(sampled, "a record of a drawn program is of an instruction of it, and says what that has done",
     .clause = IBS, .needs = PMU_SAMPLER, .absent = not_of_its_own, .drawn = true)
{
	const unsigned programs = 1 + programs_drawn() / PROGRAMS;
	unsigned records = 0;

	told_begin();
	for (unsigned n = 0; n < programs && !t->failed; n++)
		records += sample_program(t, n);
	REQUIRE_IS(t, records, >, programs);
	if (!t->failed)
		report_diag("seed %llu, %u programs: %u records",
			    (unsigned long long)programs_seed(), programs, records);
	told_end(t);
}
