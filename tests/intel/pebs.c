/* SPDX-License-Identifier: BSD-2-Clause */
/* Precise event-based sampling: one record per overflow, in memory, of the state of the machine. */
#include "intel.h"

#define GROUP "pebs"
#define PEBS  "Intel SDM vol. 3B, 20.3.1.1, 20.9: precise event based sampling"

/* Its low six bits are zero, and it is long enough for every part that has trouble with less. */
#define PERIOD 128u
/* So that the last period but one ends in the middle of the next. */
#define RECORDS     5u
#define EVENTS      ((2 * RECORDS + 1) * (PERIOD + 1) / 2)
#define RECORD_MAX  200u
#define BUFFER_SIZE (8 * RECORD_MAX)
#define NO_PMI      (BUFFER_SIZE + 1)

#pragma GCC visibility push(hidden)
extern const char precise_loop[], precise_branch[], precise_end[];
#pragma GCC visibility pop

/* SDM vol. 3B, DS save area in its 64-bit layout. */
static struct {
	uint64_t bts_base, bts_index, bts_absolute_maximum, bts_interrupt_threshold;
	uint64_t base, index, absolute_maximum, interrupt_threshold;
	uint64_t reset[32 + 16];
} ds __attribute__((aligned(64)));

static uint8_t buffer[BUFFER_SIZE] __attribute__((aligned(64)));

/* Where what is in a record; 0: nowhere. */
struct layout {
	uint16_t size, ip, rax, rbx, rcx, rdx, eventing_ip, counters;
};

#define GENERAL 0x08, 0x10, 0x18, 0x20, 0x28

static const struct layout formats[] = {
	{0x90, GENERAL, 0, 0},
	{0xb0, GENERAL, 0, 0},
	{0xc0, GENERAL, 0xb0, 0},
	{0xc8, GENERAL, 0xb0, 0x90},
};

/* Adaptive: the basic group and that of the general registers. */
static const struct layout adaptive = {0xb0, 0x28, 0x30, 0x48, 0x38, 0x40, 0x08, 0x10};
#define DATA_CFG_GPRS BIT(1)

static bool is_adaptive(uint64_t capabilities)
{
	return capabilities & PERF_CAPABILITIES_PEBS_BASELINE;
}

/* NULL: a format that this program does not know. */
static const struct layout *layout(void)
{
	struct intel_cpu cpu = this_cpu();
	uint64_t capabilities = intel_capabilities(&cpu);
	uint64_t format = field_get(PERF_CAPABILITIES_PEBS_FMT, capabilities);

	if (is_adaptive(capabilities))
		return &adaptive;
	return format < ARRAY_SIZE(formats) ? &formats[format] : NULL;
}

/* Of instructions where that is precise on counter 0, else of branches. */
static uint64_t precise_event(bool *branches)
{
	*branches = false;
	switch (this_cpu().part) {
	case INTEL_NEHALEM:
		return 0x01c0;
	case INTEL_SANDY_BRIDGE:
	case INTEL_IVY_BRIDGE:
		*branches = true;
		return 0x04c4;
	default:
		return 0x00c0;
	}
}

struct sampled {
	const struct layout *layout;
	uint64_t written; /* bytes */
	uint64_t counter; /* what counter 0 was left with */
	uint64_t status;
	uint64_t total; /* events of the window */
	bool branches;
};

static uint64_t iterations(bool branches)
{
	return branches ? EVENTS
			: EVENTS / (uint64_t)payload_precise.per_iteration.instructions + 1;
}

static void prepare(const struct layout *l, uint64_t limit, uint64_t threshold)
{
	memset(buffer, 0, sizeof(buffer));
	memset(&ds, 0, sizeof(ds));
	ds.base = ds.index = (uintptr_t)buffer;
	ds.absolute_maximum = ds.base + limit * l->size;
	ds.interrupt_threshold =
		threshold == NO_PMI ? ds.absolute_maximum + l->size : ds.base + threshold * l->size;
	ds.reset[0] = (uint64_t) - (int64_t)PERIOD;
	wrmsr(MSR_IA32_DS_AREA, (uintptr_t)&ds);
}

/* Stopped by the global register alone: a record may be late. */
static const char *program_select(const struct pmu *pmu, const struct slot *slot)
{
	wrmsr(pmu->counter[slot->ctr].ctl.address, slot->select);
	return NULL;
}

static const struct window_ops by_select = {.program = program_select};

/* Room for so many records, and an interrupt at the threshold-th. */
static void sample(struct run *t, uint64_t limit, uint64_t threshold, struct sampled *s)
{
	struct intel_cpu cpu = this_cpu();
	bool extended = is_adaptive(intel_capabilities(&cpu));
	struct window w = {.ops = &by_select, .n = 1};

	s->layout = layout();
	SKIP_IF(t, !s->layout, "records of a format that this program does not know");
	w.c[0].select = precise_event(&s->branches) | PERFEVTSEL_USR | PERFEVTSEL_EN;
	w.work = in_ring3(&payload_precise, iterations(s->branches));
	window_run(t, &w);
	s->total = w.c[0].out;
	prepare(s->layout, limit, threshold);
	if (extended) {
		wrmsr(MSR_PEBS_DATA_CFG, DATA_CFG_GPRS);
		w.c[0].select |= PERFEVTSEL_ADAPTIVE;
	}
	wrmsr(MSR_PEBS_ENABLE, 1);
	w.c[0].from = preset_for(t, PERIOD);
	window_run(t, &w);
	s->counter = w.c[0].out;
	machine_delay_us(1);
	wrmsr(MSR_PEBS_ENABLE, 0);
	s->status = rdmsr(MSR_GLOBAL_STATUS);
	s->written = ds.index - ds.base;
}

static uint64_t field_of(const struct sampled *s, unsigned record, unsigned offset)
{
	uint64_t value;

	memcpy(&value, &buffer[record * s->layout->size + offset], sizeof(value));
	return value;
}

INTEL_TEST(record_count, "each overflow writes one record and no interrupt", .clause = PEBS,
	   .needs = PMU_PEBS, .counts = EV_INSTRUCTIONS)
{
	struct sampled s;

	sample(t, 8, NO_PMI, &s);
	/* One more or less: where in the next event the window ends. */
	CHECK(t, s.written >= (RECORDS - 1) * s.layout->size);
	CHECK(t, s.written <= (RECORDS + 1) * s.layout->size);
	CHECK_EQ(t, s.written % s.layout->size, 0);
	CHECK_EQ(t, s.status & (GLOBAL_OVF_DS_BUFFER | 1), 0);
}

static bool in_loop(uint64_t ip)
{
	return ip >= (uintptr_t)precise_loop && ip < (uintptr_t)precise_end;
}

/* The instruction of the event is the one before that which the record would go on with. */
static bool follows(uint64_t ip, uint64_t eventing_ip)
{
	uint64_t branch = (uintptr_t)precise_branch, dec = branch - 3;

	if (eventing_ip == branch)
		return ip == (uintptr_t)precise_loop;
	return ip == (eventing_ip == dec ? branch : eventing_ip + 1);
}

static void check_record(struct run *t, const struct sampled *s, unsigned i)
{
	const struct layout *l = s->layout;
	uint64_t ip = field_of(s, i, l->ip);

	CHECK(t, in_loop(ip));
	CHECK_EQ(t, field_of(s, i, l->rax), 0xa1a1a1a1);
	CHECK_EQ(t, field_of(s, i, l->rbx), 0xb2b2b2b2);
	CHECK_EQ(t, field_of(s, i, l->rcx), 0xc3c3c3c3);
	CHECK_EQ(t, field_of(s, i, l->rdx), 0xd4d4d4d4);
	if (l->counters)
		CHECK_EQ(t, field_of(s, i, l->counters), 1);
	if (!l->eventing_ip)
		return;
	CHECK(t, in_loop(field_of(s, i, l->eventing_ip)));
	/* Of adaptive records the manual does not say which of the two it is. */
	if (l != &adaptive)
		CHECK(t, follows(ip, field_of(s, i, l->eventing_ip)));
	else
		CHECK_EQ(t, field_of(s, i, 0) >> 48, l->size);
}

INTEL_TEST(record_contents, "a record says where in the payload it was taken, with which registers",
	   .clause = PEBS, .needs = PMU_PEBS, .counts = EV_INSTRUCTIONS)
{
	struct sampled s;

	sample(t, 8, NO_PMI, &s);
	for (unsigned i = 0; i < s.written / s.layout->size && i < 8; i++)
		check_record(t, &s, i);
}

/* A record takes the period and one event more, as it is of the event after the overflow, but the
 * period alone where counter 0 records the overflowing one.  What is missing passed before the
 * record was armed; more events than there were cannot be used up. */
static uint64_t events_per_record(void)
{
	enum intel_part part = this_cpu().part;

	return part > INTEL_UNKNOWN && part < INTEL_GOLDEN_COVE ? PERIOD + 1 : PERIOD;
}

INTEL_TEST(reset_value, "each record puts the reset value of its counter back", .clause = PEBS,
	   .needs = PMU_PEBS, .counts = EV_INSTRUCTIONS)
{
	struct sampled s;
	uint64_t since;

	sample(t, 8, NO_PMI, &s);
	since = (s.counter + PERIOD) & pmu_mask(t->pmu, t->counter);
	CHECK(t, since <= PERIOD);
	CHECK(t, s.written / s.layout->size * events_per_record() + since <= s.total);
}

INTEL_TEST(threshold,
	   "the record that fills the buffer up to its threshold interrupts, and it alone",
	   .clause = PEBS, .needs = PMU_PEBS | PMU_INTERRUPT, .counts = EV_INSTRUCTIONS)
{
	struct sampled s;

	pmi_arm(t, VECTOR_PMI, 0);
	sample(t, 3, 3, &s);
	pmi_disarm(t);
	CHECK_EQ(t, s.written, 3 * s.layout->size);
	CHECK_EQ(t, t->log.count, 1);
	CHECK_EQ(t, s.status & GLOBAL_OVF_DS_BUFFER, GLOBAL_OVF_DS_BUFFER);
}

/* ---- the groups of adaptive records ---- */

/* Of the basic group alone. */
#define BASIC_SIZE        0x20u

#define RESET_FIXED       8u
#define RESET_FIXED_LATER 32u /* formats 5 and later have more general counters */

static unsigned reset_slot(const struct pmu *pmu, unsigned ctr)
{
	struct intel_cpu cpu = this_cpu();
	bool later = field_get(PERF_CAPABILITIES_PEBS_FMT, intel_capabilities(&cpu)) > 4;

	if (ctr < intel_general(pmu))
		return ctr;
	return (later ? RESET_FIXED_LATER : RESET_FIXED) + intel_fixed_index(pmu, ctr);
}

static uint64_t adaptive_bit(const struct pmu *pmu, unsigned ctr)
{
	return ctr < intel_general(pmu) ? PERFEVTSEL_ADAPTIVE
					: FIXED_CTRL_ADAPTIVE(intel_fixed_index(pmu, ctr));
}

/* IA32_PEBS_ENABLE, as the record, has the counters' bits of the global registers. */
static void record_with(struct run *t, unsigned ctr, bool all_groups)
{
	/* A clock may take some instructions, and the reference clock be a slow one. */
	struct window w = {.n = 1,
			   .c = {{.ctr = ctr,
				  .cfg = gated(first_event(t->pmu, ctr)),
				  .from = preset_for(t, PERIOD),
				  .extra = all_groups ? adaptive_bit(t->pmu, ctr) : 0}},
			   .work = in_ring3(&payload_precise, 4 * iterations(false))};

	pmu_reset(t->pmu);
	prepare(&adaptive, 8, NO_PMI);
	ds.reset[reset_slot(t->pmu, ctr)] = preset_for(t, PERIOD);
	wrmsr(MSR_PEBS_DATA_CFG, DATA_CFG_GPRS);
	window_program(t, &w);
	wrmsr(MSR_PEBS_ENABLE, pmu_global_bit(t->pmu, ctr));
	window_open(t, &w);
	work_do(&w.work);
	window_close(t, &w);
	machine_delay_us(1);
	wrmsr(MSR_PEBS_ENABLE, 0);
}

static void check_groups(struct run *t, unsigned ctr, bool all_groups)
{
	const struct sampled s = {.layout = &adaptive};
	uint64_t size = all_groups ? adaptive.size : BASIC_SIZE, written;

	record_with(t, ctr, all_groups);
	written = ds.index - ds.base;
	if (!CHECK(t, written > 0 && written % size == 0) ||
	    !CHECK_EQ(t, field_of(&s, 0, 0) >> 48, size) ||
	    !CHECK_EQ(t, field_of(&s, 0, adaptive.counters), pmu_global_bit(t->pmu, ctr)))
		report_diag("counter %u, %s", ctr, all_groups ? "all groups" : "the basic group");
}

INTEL_TEST(adaptive_groups, "a counter asks for more than the basic group, or does not",
	   .clause = "Intel SDM vol. 3B, 20.9.3.1: Adaptive_Record", .needs = PMU_PEBS)
{
	struct intel_cpu cpu = this_cpu();

	SKIP_IF(t, !is_adaptive(intel_capabilities(&cpu)),
		"no PEBS_BASELINE: all records are alike");
	for (unsigned c = 0; c < t->pmu->counters; c++) {
		check_groups(t, c, false);
		check_groups(t, c, true);
	}
}
