/* SPDX-License-Identifier: BSD-2-Clause */
/* Records of loads: where in memory the load was that a record is of. */
#include "intel.h"
#include "tests/lib/overflow.h"
#include "tests/samples/samples.h"

#define GROUP "pebs", "overflow"

/* Of the P-cores that this program knows, on counters 0 to 3. */
#define MEM_INST_RETIRED_ALL_LOADS 0x81d0u
#define COUNTER                    1u

/* Some 7 loads are in a turn.  With what a record is late, one of two periods that follow each
 * other may be a multiple of them, so that all records are of the same load; the other is none. */
enum { LOADS = 7, TURNS = EVENTS_FOR(ROOM) / LOADS, PERIODS = 2 };

/* Bytes, and words: a record of the basic group and that of memory, and where it has the IP and the
 * address. */
struct place {
	unsigned size, ip, address;
};
static const struct place adaptive = {64, 1, 4}, architectural = {128, 2, 8};

static const char *not_of_loads(const struct pmu *pmu, unsigned ctr)
{
	const struct intel *state = intel(pmu);

	(void)ctr;
	if (!intel_is(&state->cpu, INTEL_ICELAKE, INTEL_COUGAR_COVE))
		return "no event of loads is known of this part";
	if (intel_pebs_is_architectural(state))
		return state->cpu.recorded & BIT(COUNTER) && state->cpu.cfg_c & CFG_C_AUX
			       ? NULL
			       : "PEBS has no group of memory, or not this counter";
	return intel_pebs_is_adaptive(state) ? NULL : "all records are alike";
}

/* The load that overflows the counter, or one behind it. */
static void program_loads(struct run *t, uint64_t preset)
{
	pmu_reset(t->pmu);
	pmu_write(t->pmu, COUNTER, preset);
	pmu_put(t->pmu, t->pmu->counter[COUNTER].ctl,
		MEM_INST_RETIRED_ALL_LOADS | PERFEVTSEL_USR | PERFEVTSEL_OS | PERFEVTSEL_EN |
			(intel_pebs_is_adaptive(intel(t->pmu)) ? PERFEVTSEL_ADAPTIVE : 0));
}

static void run_loads(struct run *t)
{
	own_run_by(t, (struct msr_switch){.msr = MSR_GLOBAL_CTRL, .on = BIT(COUNTER)}, known_mix,
		   TURNS);
}

static struct recorded record_adaptive(struct run *t, uint64_t preset)
{
	struct pmu_sampling sampling = {.counters = BIT(COUNTER), .room = ROOM};

	sampling.preset[COUNTER] = preset;
	t->pmu->sampler->arm(t->pmu, &sampling);
	wrmsr(MSR_PEBS_DATA_CFG, DATA_CFG_MEMORY);
	run_loads(t);
	return (struct recorded){.buffer = intel(t->pmu)->store.records,
				 .written = t->pmu->sampler->disarm(t->pmu)};
}

static struct recorded record_architectural(struct run *t, uint64_t preset)
{
	struct recorded r = {0};

	intel_arch_pebs_ask(t->pmu, COUNTER, CFG_C_AUX, preset);
	r.buffer = intel_arch_pebs_open(INTEL_ARCH_NO_THRESHOLD);
	run_loads(t);
	r.written = intel_arch_pebs_close(t->pmu);
	return r;
}

static bool loads(const struct known *known)
{
	return known &&
	       (known->is == KNOWN_LOAD || known->is == KNOWN_BOTH || known->is == KNOWN_LOCKED);
}

/* Returns how many are of loads: a return loads from the stack. */
static unsigned check_operands(struct run *t, const struct recorded *r, const struct place *place)
{
	unsigned judged = 0;

	for (uint64_t at = 0; at < r->written; at += place->size) {
		const uint8_t *record = r->buffer + at;
		const struct known *known = own_find(record_word(record, place->ip));

		if (!loads(known))
			continue;
		CHECK_EQ(t, record_word(record, place->address),
			 (uintptr_t)user_buffer() + known->where);
		judged++;
	}
	return judged;
}

/* As check_operands(). */
static unsigned check_period(struct run *t, uint64_t period)
{
	const bool arch = intel_pebs_is_architectural(intel(t->pmu));
	const struct place *place = arch ? &architectural : &adaptive;
	const uint64_t preset = preset_for(t, period);
	struct recorded r;

	program_loads(t, preset);
	r = arch ? record_architectural(t, preset) : record_adaptive(t, preset);
	REQUIRE_EQ(t, r.written % place->size, 0);
	return check_operands(t, &r, place);
}

INTEL_TEST(operands, "a record of a load has the address that the instruction loads from",
	   .clause = "SDM vol. 3B, 20.9.3.1: memory access address; MEM_INST_RETIRED.ALL_LOADS",
	   .needs = PMU_SAMPLER, .absent = not_of_loads)
{
	unsigned judged = 0;

	sampler_of(t);
	for (unsigned i = 0; i < PERIODS; i++)
		judged += check_period(t, PERIOD + i);
	CHECK_IS(t, judged, >, 0);
}
