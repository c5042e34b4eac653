/* SPDX-License-Identifier: BSD-2-Clause */
/* Windows in which counters write records, and what must be in a record. */
#include "samples.h"

struct work sampled_loop(unsigned event, uint64_t events)
{
	return event == EV_BRANCHES ? in_ring3(&payload_precise, events)
				    : work_for(&payload_precise, events);
}

bool in_loop(uint64_t ip)
{
	return ip >= (uintptr_t)precise_loop && ip < (uintptr_t)precise_end;
}

/* ---- a window ---- */

const char *not_of_counters(const struct pmu *pmu, unsigned ctr)
{
	(void)ctr;
	return pmu->sampler->program ? NULL : "no counter of a generic event writes records here";
}

const struct pmu_sampler *sampler_of(struct run *t)
{
	const struct pmu_sampler *sampler = t->pmu->sampler;
	const char *hindrance = vitals_hinder(t->pmu, 0, BIT(sampler->event));

	SKIP_IF(t, hindrance, hindrance);
	SKIP_IF(t, !sampler->event, "which events this processor records is not known");
	return sampler;
}

bool record_is_due(struct run *t, unsigned ctr, struct pmu_config cfg, struct work work)
{
	return count(t, ctr, cfg, work) >= RECORD_DUE;
}

static const char *program(const struct pmu *pmu, const struct slot *slot)
{
	pmu->sampler->program(pmu, slot->ctr, &slot->cfg);
	return NULL;
}

static const struct window_ops of_sampled = {.program = program, .traits = slot_traits};

struct slot sampled_slot(struct run *t, unsigned ctr, uint64_t from)
{
	return (struct slot){.ctr = ctr, .from = from, .cfg = gated(sampler_of(t)->event)};
}

uint64_t sampled_run(struct run *t, struct window *w, const struct pmu_sampling *what)
{
	w->ops = &of_sampled;
	if (what->counters)
		t->pmu->sampler->arm(t->pmu, what);
	window_run(t, w);
	return what->counters ? t->pmu->sampler->disarm(t->pmu) : 0;
}

/* ---- a record ---- */

#define RFLAGS_CF BIT(0)
#define RFLAGS_1  BIT(1) /* always set */
#define RFLAGS_PF BIT(2)
#define RFLAGS_AF BIT(4)
#define RFLAGS_ZF BIT(6)

/* As DEC RDI leaves them, and STC ahead of the loop.  None above OF is of the payload's making. */
static uint64_t flags_of(uint64_t rdi)
{
	uint64_t flags = RFLAGS_CF | RFLAGS_1 | (read_rflags() & RFLAGS_IF);

	flags |= __builtin_parityll(rdi & 0xff) ? 0 : RFLAGS_PF;
	flags |= (rdi & 0xf) == 0xf ? RFLAGS_AF : 0;
	return flags | (rdi ? 0 : RFLAGS_ZF);
}

void check_registers(struct run *t, const struct pmu_sample *r)
{
	for (unsigned i = 0; i < WORD_GPRS; i++)
		if (i != SAMPLE_RSP && i != SAMPLE_RSI && i != SAMPLE_RDI)
			CHECK_EQ(t, r->gpr[i],
				 (uintptr_t)((0x10 + i) * UINT64_C(0x0101010101010101)));
	CHECK_EQ(t, r->gpr[SAMPLE_RSI], (uintptr_t)user_buffer());
	/* It has been stored there. */
	CHECK_EQ(t, r->gpr[SAMPLE_RSP], *(const uintptr_t *)user_buffer());
	/* It counts down from fewer than all events of any window. */
	CHECK_IS(t, r->gpr[SAMPLE_RDI], <, 8 * EVENTS_FOR(RECORDS));
	CHECK_EQ(t, r->flags & FIELD(11, 0), flags_of(r->gpr[SAMPLE_RDI]));
}

/* The event's instruction comes just before the instruction at which the record goes on. */
static bool follows(uint64_t ip, uint64_t eventing_ip)
{
	uint64_t branch = (uintptr_t)precise_branch;

	if (eventing_ip == branch)
		return ip == (uintptr_t)precise_loop;
	return ip == (eventing_ip == (uintptr_t)precise_dec ? branch : eventing_ip + 1);
}

void check_record(struct run *t, unsigned record, uint64_t counters)
{
	const struct pmu_sampler *sampler = t->pmu->sampler;
	struct pmu_sample r = sampler->take(t->pmu, record);

	CHECK(t, in_loop(r.ip));
	check_registers(t, &r);
	CHECK_EQ(t, r.size, sampler->size);
	if (sampler->has & SAMPLE_COUNTERS)
		CHECK_EQ(t, r.counters, counters);
	if (!(sampler->has & SAMPLE_EVENT_IP))
		return;
	CHECK(t, in_loop(r.event_ip));
	CHECK(t, !(sampler->has & SAMPLE_NEXT_IP) || follows(r.ip, r.event_ip));
}
