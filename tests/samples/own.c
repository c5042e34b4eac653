/* SPDX-License-Identifier: BSD-2-Clause */
/* Records of samplers with a period of their own: how they are made, and of which instruction they
 * are. */
#include "own.h"

/* As known.asm has it. */
struct known_run {
	uint64_t turns; /* of known_mix */
	uint64_t full; /* the bit that says that there is a record */
	uint64_t status; /* what the sampler's MSR held then */
	uint64_t buffer;
};
_Static_assert(offsetof(struct known_run, full) == 8 && offsetof(struct known_run, status) == 16 &&
		       offsetof(struct known_run, buffer) == 24,
	       "known.asm has the same");

const char *not_of_its_own(const struct pmu *pmu, unsigned ctr)
{
	(void)ctr;
	return pmu->sampler->periods ? NULL : "its records are of overflows of counters";
}

const char *not_of_ops(const struct pmu *pmu, unsigned ctr)
{
	const char *why = not_of_its_own(pmu, ctr);

	if (why || pmu->sampler->periods & PERIOD_OPS)
		return why;
	return "this sampler does not count ops";
}

asm_code *known_nops(unsigned nops)
{
	return user_code_nops(&known_around, nops);
}

static struct msr_switch prepare(struct run *t, const struct pmu_sampling *what)
{
	struct msr_switch by;
	const char *why = t->pmu->sampler->prepare(t->pmu, what, &by);

	if (why)
		test_refused(t, why);
	return by;
}

uint64_t own_run_by(struct run *t, struct msr_switch by, asm_code *code, unsigned turns)
{
	struct known_run run = {
		.turns = turns, .full = t->pmu->sampler->full, .buffer = (uintptr_t)user_buffer()};

	kernel_call(code, (uintptr_t)&by, &run);
	return run.status;
}

bool own_run_open(struct run *t, const struct pmu_sampling *what, asm_code *code, unsigned turns)
{
	return own_run_by(t, prepare(t, what), code, turns) & t->pmu->sampler->full;
}

bool own_run(struct run *t, const struct pmu_sampling *what, asm_code *code, unsigned turns)
{
	bool full;

	irq_disable();
	full = own_run_open(t, what, code, turns);
	irq_enable();
	return full;
}

bool own_run_started(struct run *t, const struct pmu_sampling *what, asm_code *code, unsigned turns)
{
	const struct pmu_sampler *sampler = t->pmu->sampler;
	const struct msr_switch start = {.msr = sampler->stopper, .off = sampler->stops};
	struct msr_switch by;

	irq_disable();
	wrmsr(start.msr, start.off);
	by = prepare(t, what);
	wrmsr(by.msr, by.on);
	own_run_by(t, start, code, turns);
	irq_enable();
	return rdmsr(by.msr) & sampler->full;
}

struct pmu_sample own_take(struct run *t)
{
	REQUIRE_EQ(t, t->pmu->sampler->disarm(t->pmu), t->pmu->sampler->size);
	return t->pmu->sampler->take(t->pmu, 0);
}

/* ---- many of them ---- */

/* With 144 and the next 53 multiples of 16 each instruction of a turn comes to be the one. */
enum { ROUNDS = 54, INSTRUCTIONS = 24 /* of a turn */ };
enum { ENOUGH = 6 };

/* Two periods of ops, and more of clocks, as the locked instruction takes long.  Where no record
 * comes all the same, another one does. */
static unsigned turns_of(const struct pmu_sampling *what)
{
	return 2 * (unsigned)what->period / INSTRUCTIONS + 1;
}

const struct known *own_find(uint64_t ip)
{
	const struct known *known = known_rows;

	while (known->at && (uintptr_t)known_first + known->at != ip)
		known++;
	return known->at ? known : NULL;
}

void own_end(struct run *t)
{
	const struct pmu_erratum *mistold = pmu_effect(t->pmu, SAMPLES_MISTOLD);

	if (!t->failed || !mistold)
		test_end();
	t->failed = false;
	test_known(t, mistold->id);
}

void own_describe(struct run *t, unsigned failures)
{
	if (t->failures > failures)
		t->pmu->sampler->describe(t->pmu);
	if (t->failures >= ENOUGH)
		own_end(t);
}

static void judge_one(struct run *t, own_judge *judge)
{
	const struct pmu_sample sample = own_take(t);
	unsigned failures = t->failures;

	if (sample.has & SAMPLE_EVENT_IP)
		judge(t, &sample, own_find(sample.event_ip));
	own_describe(t, failures);
}

static unsigned judge_by(struct run *t, enum pmu_period of, own_judge *judge)
{
	const struct pmu_sampler *sampler = t->pmu->sampler;
	unsigned records = 0;

	for (unsigned i = 0; i < ROUNDS; i++) {
		const struct pmu_sampling what = {.of = of,
						  .period = sampler->shortest + i * sampler->step};

		if (own_run(t, &what, known_mix, turns_of(&what))) {
			judge_one(t, judge);
			records++;
		} else {
			sampler->disarm(t->pmu);
		}
	}
	return records;
}

void own_judge_each(struct run *t, own_judge *judge)
{
	const uint32_t periods = t->pmu->sampler->periods;
	unsigned records = 0;

	for (uint32_t left = periods & (PERIOD_CLOCKS | PERIOD_OPS); left; left &= left - 1)
		records += judge_by(t, (enum pmu_period)(left & -left), judge);
	REQUIRE_IS(t, records, >, 0);
}
