/* SPDX-License-Identifier: BSD-2-Clause */
/* CNT_MASK, INV, E, privilege and overflow by worked examples: streams of clocks into one counter.
 */
#include "model/cpu/hierarchy.h"
#include "model/pmu/amd/amd.h"
#include "model/profiles/profiles.h"

#include "check/unit/tap.h"

#define EVENT 0x0c0u
#define EN    UINT64_C(0x00430000) /* EN, USR, OS */
#define CTL   UINT32_C(0xc0010000)
#define CTR   UINT32_C(0xc0010004)

static struct pmu_amd pmu;

struct stream {
	unsigned clocks;
	uint8_t n[12];
};

static const struct stream S1 = {10, {0, 1, 2, 3, 0, 0, 3, 3, 1, 0}};
static const struct stream S2 = {8, {1, 1, 1, 1, 1, 1, 1, 1}};
static const struct stream S3 = {12, {0, 0, 3, 0, 0, 3, 0, 3, 3, 0, 1, 0}};
static const struct stream S4 = {12, {8, 0, 6, 6, 1, 0, 7, 8, 4, 0, 0, 2}};
static const struct stream S5 = {5, {0}};
static const struct stream S6 = {6, {3, 3, 3, 3, 3, 3}};
static const struct stream S7 = {10, {1, 0, 1, 0, 1, 0, 1, 0, 1, 0}};
static const struct stream S8 = {10, {2, 2, 0, 2, 2, 2, 0, 0, 2, 0}};

static uint64_t select_of(unsigned mask, bool invert, bool edge)
{
	return EN | EVENT | (uint64_t)mask << 24 | (invert ? SELECT_INV : 0) |
	       (edge ? SELECT_EDGE : 0);
}

static void start(uint64_t select, uint64_t from)
{
	pmu_amd_ops.reset(&pmu, profile_find("k7")->pmus[0].traits, NULL);
	pmu_amd_ops.wrmsr(&pmu, CTR, from);
	pmu_amd_ops.wrmsr(&pmu, CTL, select);
}

static unsigned clock_in(unsigned cpl, unsigned n)
{
	struct clock clock = {.cpl = cpl};

	clock.n[SIGNAL_CYCLES] = 1;
	clock.n[SIGNAL_INSTRUCTIONS] = (uint8_t)n;
	return pmu_amd_ops.core->clock(&pmu, &clock);
}

static uint64_t value(void)
{
	uint64_t v;

	pmu_amd_ops.rdmsr(&pmu, CTR, &v);
	return v;
}

static uint64_t count(const struct stream *s, unsigned mask, bool invert, bool edge)
{
	start(select_of(mask, invert, edge), 0);
	for (unsigned i = 0; i < s->clocks; i++)
		clock_in(0, s->n[i]);
	return value();
}

/* Final values, in columns INV0 E0, INV1 E0, INV0 E1, INV1 E1. */
static const struct row {
	const struct stream *stream;
	const char *name;
	unsigned mask;
	uint64_t want[4];
} rows[] = {
	{&S1, "S1", 0, {13, 13, 2, 2}}, {&S1, "S1", 1, {6, 4, 2, 3}},
	{&S1, "S1", 2, {4, 6, 2, 3}},   {&S1, "S1", 3, {3, 7, 2, 3}},
	{&S1, "S1", 4, {0, 10, 0, 1}},  {&S2, "S2", 0, {8, 8, 1, 1}},
	{&S2, "S2", 1, {8, 0, 1, 0}},   {&S2, "S2", 2, {0, 8, 0, 1}},
	{&S3, "S3", 0, {13, 13, 4, 4}}, {&S3, "S3", 1, {5, 7, 4, 5}},
	{&S3, "S3", 2, {4, 8, 3, 4}},   {&S3, "S3", 3, {4, 8, 3, 4}},
	{&S4, "S4", 0, {42, 42, 4, 4}}, {&S4, "S4", 1, {8, 4, 4, 3}},
	{&S4, "S4", 2, {7, 5, 4, 3}},   {&S4, "S4", 3, {6, 6, 3, 3}},
	{&S4, "S4", 4, {6, 6, 3, 3}},   {&S4, "S4", 5, {5, 7, 3, 3}},
	{&S4, "S4", 6, {5, 7, 3, 3}},   {&S4, "S4", 7, {3, 9, 2, 2}},
	{&S4, "S4", 8, {2, 10, 2, 2}},  {&S4, "S4", 9, {0, 12, 0, 1}},
	{&S5, "S5", 0, {0, 0, 0, 0}},   {&S5, "S5", 1, {0, 5, 0, 1}},
	{&S5, "S5", 3, {0, 5, 0, 1}},   {&S6, "S6", 0, {18, 18, 1, 1}},
	{&S6, "S6", 1, {6, 0, 1, 0}},   {&S6, "S6", 3, {6, 0, 1, 0}},
	{&S6, "S6", 4, {0, 6, 0, 1}},   {&S7, "S7", 0, {5, 5, 5, 5}},
	{&S7, "S7", 1, {5, 5, 5, 5}},   {&S7, "S7", 2, {0, 10, 0, 1}},
	{&S8, "S8", 0, {12, 12, 3, 3}}, {&S8, "S8", 1, {6, 4, 3, 3}},
	{&S8, "S8", 2, {6, 4, 3, 3}},   {&S8, "S8", 3, {0, 10, 0, 1}},
};

static void test_final_values(void)
{
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++)
		for (unsigned column = 0; column < 4; column++) {
			uint64_t got = count(rows[i].stream, rows[i].mask, column & 1, column & 2);

			if (!OK(got == rows[i].want[column]))
				printf("#   %s mask %u column %u: %llu\n", rows[i].name,
				       rows[i].mask, column, (unsigned long long)got);
		}
}

/* S1 with mask 2, the totals after each clock. */
static void test_trace(void)
{
	static const uint64_t want[4][10] = {
		{0, 0, 1, 2, 2, 2, 3, 4, 4, 4},
		{1, 2, 2, 2, 3, 4, 4, 4, 5, 6},
		{0, 0, 1, 1, 1, 1, 2, 2, 2, 2},
		{1, 1, 1, 1, 2, 2, 2, 2, 3, 3},
	};

	for (unsigned column = 0; column < 4; column++) {
		start(select_of(2, column & 1, column & 2), 0);
		for (unsigned i = 0; i < 10; i++) {
			clock_in(0, S1.n[i]);
			OK(value() == want[column][i]);
		}
	}
}

/* wrap: the clock that requests the interrupt, first is 1; 0: none. */
static bool overflows(uint64_t from, const struct stream *s, unsigned clocks, uint64_t settings,
		      unsigned wrap, uint64_t last)
{
	unsigned at = 0, requests = 0;

	start(EN | EVENT | SELECT_INT | settings, from);
	for (unsigned i = 0; i < clocks; i++)
		if (clock_in(0, s->n[i])) {
			at = i + 1;
			requests++;
		}
	return at == wrap && requests == (wrap != 0) && value() == last;
}

static void test_overflow(void)
{
	const uint64_t mask1 = UINT64_C(1) << 24, mask4 = UINT64_C(4) << 24;

	OK(overflows(UINT64_C(0xfffffffffffb), &S2, 8, 0, 5, 3)); /* O1 */
	OK(overflows(UINT64_C(0xfffffffffffe), &S1, 10, 0, 3, 0xb)); /* O2 */
	OK(overflows(UINT64_C(0xffffffffffec), &S4, 12, 0, 4, 0x16)); /* O3 */
	OK(overflows(UINT64_C(0xffffffffffec), &S4, 12, mask4, 0, UINT64_C(0xfffffffffff2)));
	OK(overflows(UINT64_C(0xfffffffffffd), &S3, 12, mask1 | SELECT_EDGE, 8, 1)); /* O5 */
	OK(overflows(UINT64_C(0xffffffffffff), &S6, 4, 0, 1, 0xb)); /* O6 */
	OK(overflows(UINT64_C(0xfffffffffffd), &S6, 4, 0, 1, 9)); /* O7 */
	OK(overflows(UINT64_C(0xfffffffffffc), &(struct stream){6, {0}}, 6, mask1 | SELECT_INV, 4,
		     2)); /* O8 */
	OK(overflows(UINT64_C(0x800000000000), &S2, 4, 0, 0, UINT64_C(0x800000000004))); /* O9 */
	OK(overflows(UINT64_C(0x7ffffffffffe), &S2, 4, 0, 0, UINT64_C(0x800000000002))); /* O10 */
	/* The value skips 0 in O2: 1 after the third clock. */
	start(EN | EVENT, UINT64_C(0xfffffffffffe));
	for (unsigned i = 0; i < 3; i++)
		OK(clock_in(0, S1.n[i]) == 0); /* and INT is clear */
	OK(value() == 1);
}

/* Two counters that overflow in the same clock share one request. */
static void test_merged_request(void)
{
	start(EN | EVENT | SELECT_INT, AMD_COUNTER_MASK);
	pmu_amd_ops.wrmsr(&pmu, CTR + 1, AMD_COUNTER_MASK);
	pmu_amd_ops.wrmsr(&pmu, CTL + 1, EN | EVENT | SELECT_INT);
	OK(clock_in(0, 1) == 1);
	OK(clock_in(0, 1) == 0);
}

/* One stream of pairs: privilege level, occurrences. */
static uint64_t count_p1(bool usr, bool os, unsigned mask, bool invert)
{
	static const unsigned p1[8][2] = {{0, 2}, {0, 1}, {3, 3}, {3, 0},
					  {3, 2}, {0, 1}, {3, 1}, {1, 1}};

	start((select_of(mask, invert, false) & ~(SELECT_USR | SELECT_OS)) |
		      (usr ? SELECT_USR : 0) | (os ? SELECT_OS : 0),
	      0);
	for (unsigned i = 0; i < 8; i++)
		clock_in(p1[i][0], p1[i][1]);
	return value();
}

static void test_privilege(void)
{
	static const uint64_t want[4][3] = {{0, 0, 0}, {7, 4, 1}, {4, 3, 0}, {11, 7, 1}};

	for (unsigned i = 0; i < 4; i++) {
		OK(count_p1(i & 1, i & 2, 0, false) == want[i][0]);
		OK(count_p1(i & 1, i & 2, 1, false) == want[i][1]);
		OK(count_p1(i & 1, i & 2, 1, true) == want[i][2]);
	}
}

/* On the profile that has the two bits. */
static bool counts_as(uint64_t bits, enum world world)
{
	pmu_amd_ops.reset(&pmu, profile_find("zen2")->pmus[0].traits, NULL);
	pmu_amd_ops.wrmsr(&pmu, CTL, EN | EVENT | bits);
	pmu_amd_ops.core->enter_world(&pmu, world);
	clock_in(0, 1);
	return value() == 1;
}

static void test_guest_host(void)
{
	static const struct {
		uint64_t bits;
		bool in[3];
	} wanted[] = {
		{0, {true, true, true}},
		{SELECT_GUEST, {false, false, true}},
		{SELECT_HOST, {false, true, false}},
		{SELECT_GUEST | SELECT_HOST, {false, true, true}},
	};

	for (unsigned i = 0; i < ARRAY_SIZE(wanted); i++)
		for (enum world world = WORLD_WITHOUT_SVM; world <= WORLD_GUEST; world++)
			OK(counts_as(wanted[i].bits, world) == wanted[i].in[world]);
}

/* Of a counter that runs, and in whatever world. */
static bool counts_guests_with(uint64_t bits)
{
	pmu_amd_ops.reset(&pmu, profile_find("zen2")->pmus[0].traits, NULL);
	pmu_amd_ops.wrmsr(&pmu, CTL, EVENT | bits);
	pmu_amd_ops.core->enter_world(&pmu, WORLD_GUEST);
	return pmu_amd_ops.core->counts_guests(&pmu);
}

static void test_guests_alone(void)
{
	OK(counts_guests_with(EN | SELECT_GUEST) && !counts_guests_with(SELECT_GUEST));
	OK(!counts_guests_with(EN) && !counts_guests_with(EN | SELECT_HOST | SELECT_GUEST));
}

static uint64_t read_msr(uint32_t msr)
{
	uint64_t v = ~UINT64_C(0);

	pmu_amd_ops.rdmsr(&pmu, msr, &v);
	return v;
}

/* GlobalCtl, Status and the first two counters are these. */
static bool v2_is(uint64_t ctl, uint64_t status, uint64_t ctr0, uint64_t ctr1)
{
	return read_msr(0xc0000301) == ctl && read_msr(0xc0000300) == status &&
	       read_msr(0xc0010201) == ctr0 && read_msr(0xc0010203) == ctr1;
}

static void v2_write(uint32_t msr, uint64_t to)
{
	pmu_amd_ops.wrmsr(&pmu, msr, to);
}

/* Two counters of PerfMonV2, step by step. */
static void test_global(void)
{
	pmu_amd_ops.reset(&pmu, profile_find("zen4")->pmus[0].traits, NULL);
	OK(v2_is(0x3f, 0, 0, 0));
	v2_write(0xc0000301, 0);
	v2_write(0xc0010201, UINT64_C(0xfffffffffffe));
	v2_write(0xc0010200, EN | EVENT | SELECT_INT);
	v2_write(0xc0010202, EN | EVENT);
	OK(!pmu_amd_ops.core->counting(&pmu));
	for (unsigned i = 0; i < 5; i++)
		OK(!clock_in(0, 1));
	OK(v2_is(0, 0, UINT64_C(0xfffffffffffe), 0));
	v2_write(0xc0000301, 1);
	OK(!clock_in(0, 1) && v2_is(1, 0, UINT64_C(0xffffffffffff), 0));
	v2_write(0xc0000301, 3);
	OK(clock_in(0, 1) == 1 && !clock_in(0, 1));
	OK(v2_is(3, 1, 1, 2));
	v2_write(0xc0000302, 2);
	OK(v2_is(3, 1, 1, 2));
	v2_write(0xc0000302, 1);
	OK(v2_is(3, 0, 1, 2));
	v2_write(0xc0000303, 2);
	OK(v2_is(3, 2, 1, 2));
	v2_write(0xc0010202, EVENT);
	for (unsigned i = 0; i < 3; i++)
		clock_in(0, 1);
	OK(v2_is(3, 2, 4, 2));
}

/* Unit masks that are codes, and events of the memory hierarchy. */
static void test_kinds_of_events(void)
{
	struct clock clock = {.n = {[SIGNAL_COMPUTE + COMPUTE_PACKED_SP] = 1,
				    [SIGNAL_COMPUTE + COMPUTE_PACKED_DP] = 2,
				    [SIGNAL_COMPUTE + COMPUTE_SCALAR_DP] = 4}};

	pmu_amd_ops.reset(&pmu, profile_find("zen4")->pmus[0].traits, NULL);
	v2_write(0xc0010200, EN | 0xf00a);
	v2_write(0xc0010202, EN | 0x700a);
	pmu_amd_ops.core->clock(&pmu, &clock);
	OK(v2_is(0x3f, 0, 3, 0) && !pmu_amd_ops.core->watches_hierarchy(&pmu));

	clock = (struct clock){.n = {[SIGNAL_MET + MET_WC_EVICT] = 2}};
	pmu_amd_ops.reset(&pmu, profile_find("k8")->pmus[0].traits, NULL);
	pmu_amd_ops.wrmsr(&pmu, CTL, EN | 0x8065);
	pmu_amd_ops.core->clock(&pmu, &clock);
	OK(value() == 2 && pmu_amd_ops.core->watches_hierarchy(&pmu));
	pmu_amd_ops.wrmsr(&pmu, CTL, EN | 0x7f65);
	pmu_amd_ops.core->clock(&pmu, &clock);
	OK(value() == 2);
}

/* Piledriver's clocks: on counters 0 to 2 alone.  Instructions: on all. */
static void test_limit(void)
{
	const struct clock clock = {.n = {[SIGNAL_CYCLES] = 1, [SIGNAL_INSTRUCTIONS] = 2}};

	pmu_amd_ops.reset(&pmu, profile_find("piledriver")->pmus[0].traits, NULL);
	for (uint32_t i = 0; i < 6; i++)
		v2_write(0xc0010200 + 2 * i, EN | 0x76);
	pmu_amd_ops.core->clock(&pmu, &clock);
	for (uint32_t i = 0; i < 6; i++)
		OK(read_msr(0xc0010201 + 2 * i) == (i < 3));
	v2_write(0xc001020a, EN | EVENT);
	pmu_amd_ops.core->clock(&pmu, &clock);
	OK(read_msr(0xc001020b) == 2);
}

/* The edge detector's memory: kept from clock to clock, forgotten when the counter is enabled. */
static void test_edge_memory(void)
{
	uint64_t edge = select_of(1, false, true);

	start(edge, 0);
	clock_in(0, 1);
	pmu_amd_ops.wrmsr(&pmu, CTL, edge); /* while enabled */
	clock_in(0, 1);
	OK(value() == 1);
	pmu_amd_ops.wrmsr(&pmu, CTL, edge & ~SELECT_EN);
	clock_in(0, 1);
	OK(value() == 1);
	pmu_amd_ops.wrmsr(&pmu, CTL, edge);
	clock_in(0, 1);
	OK(value() == 2);
	/* Filter first: outside its mode the condition is false. */
	start(edge & ~SELECT_OS, 0);
	clock_in(3, 1);
	clock_in(0, 1);
	clock_in(3, 1);
	OK(value() == 2);
}

int main(void)
{
	test_final_values();
	test_trace();
	test_overflow();
	test_merged_request();
	test_privilege();
	test_guest_host();
	test_guests_alone();
	test_global();
	test_kinds_of_events();
	test_limit();
	test_edge_memory();
	return tap_end();
}
