/* SPDX-License-Identifier: BSD-2-Clause */
/* Access: every register is there, holds what it is given, and is one register of its own. */
#include "core.h"

#define GROUP "access", "alive"
#define REGISTERS                                                                                  \
	"AMD64 APM vol. 2, 13.2: PERF_CTL, PERF_CTR; AMD 22007 appendix D; SDM vol. 3B: "          \
	"CCCR, counters; IA32_PERFEVTSEL, IA32_PMC"
#define RDPMC "AMD64 APM vol. 3, SDM vol. 2: RDPMC"

/* Beyond the last index of every counter block that any processor has. */
#define RDPMC_INVALID 0x7fu

static uint32_t ctl(const struct run *t)
{
	return pmu_number(t->pmu->counter[t->counter].ctl);
}

static uint32_t ctr(const struct run *t)
{
	return pmu_number(t->pmu->counter[t->counter].ctr);
}

TEST(registers_present, "select and counter register can be read and written without a fault",
     .clause = REGISTERS, .per_counter = true)
{
	uint64_t value;

	if (pmu_features(t->pmu, t->counter) & PMU_SELECT) {
		CHECK_RDMSR(t, ctl(t), &value, FAULT_NONE);
		CHECK_WRMSR(t, ctl(t), 0, FAULT_NONE);
	}
	CHECK_RDMSR(t, ctr(t), &value, FAULT_NONE);
	CHECK_WRMSR(t, ctr(t), 0, FAULT_NONE);
}

static uint64_t written_to_counter(const struct run *t, uint64_t value)
{
	wrmsr(ctr(t), value);
	return rdmsr(ctr(t)) & pmu_mask(t->pmu, t->counter);
}

static void check_write(struct run *t, uint64_t value)
{
	if (pmu_can_write(t->pmu, t->counter, value))
		CHECK_EQ(t, written_to_counter(t, value), value);
}

static bool is_cut(const struct run *t, uint64_t value)
{
	return wrmsr_safe(ctr(t), value) == FAULT_NONE &&
	       rdmsr(ctr(t)) == (value & pmu_mask(t->pmu, t->counter));
}

/* AMD and Intel's legacy names cut it; full-width names and fixed counters of Intel refuse it. */
static void check_too_wide(struct run *t)
{
	uint64_t mask = pmu_mask(t->pmu, t->counter), before;

	if (t->pmu->counter[t->counter].vague)
		return;
	if (!t->pmu->counter[t->counter].strict) {
		CHECK_EQ(t, written_to_counter(t, ~UINT64_C(0) - 4), mask - 4);
		return;
	}
	if (t->pmu->counter[t->counter].fixed && is_cut(t, mask + 1) &&
	    is_cut(t, ~UINT64_C(0) - 4) &&
	    test_known_of_kvm(t, "KVM cuts what is written to a fixed counter: Linux, kvm/pmu.c"))
		return;
	before = rdmsr(ctr(t));
	CHECK_WRMSR(t, ctr(t), mask + 1, FAULT_GP);
	CHECK_WRMSR(t, ctr(t), ~UINT64_C(0) - 4, FAULT_GP);
	CHECK_EQ(t, rdmsr(ctr(t)), before);
}

TEST(counter_width,
     "the counter is as wide as documented; a wider value is cut or refused, as documented",
     .clause = REGISTERS, .per_counter = true)
{
	uint64_t top = BIT(t->pmu->counter[t->counter].width - 1),
		 mask = pmu_mask(t->pmu, t->counter);
	struct window w = {.n = 1,
			   .c = {{.ctr = t->counter, .cfg = gated(EV_INSTRUCTIONS)}},
			   .work = in_ring3(&payload_straight, 1)};
	uint64_t once;

	check_write(t, top);
	check_write(t, mask);
	check_write(t, mask - 4);
	check_too_wide(t);
	if (!can_count(t, EV_INSTRUCTIONS))
		return;
	/* All ones, and one event too many: wider registers would show the carry. */
	window_run(t, &w);
	once = w.c[0].out;
	REQUIRE_IS(t, once, >, 0);
	w.c[0].from = mask;
	window_run(t, &w);
	CHECK_COUNT(t, w.c[0].out, once - 1);
}

TEST(counter_bits, "each bit of the counter register can be set and cleared by itself",
     .clause = REGISTERS, .per_counter = true)
{
	uint64_t mask = pmu_mask(t->pmu, t->counter);

	for (unsigned bit = 0; bit < t->pmu->counter[t->counter].width; bit++) {
		check_write(t, BIT(bit));
		check_write(t, mask & ~BIT(bit));
	}
}

/* These bits of the select register of counter c; or want, if an erratum lets it read otherwise. */
static uint64_t read_select(struct run *t, unsigned c, uint64_t bits, uint64_t want)
{
	uint32_t msr = pmu_number(t->pmu->counter[c].ctl);
	uint64_t got = rdmsr(msr) & bits;

	return got != want && test_misread(t, msr) ? want : got;
}

static uint64_t written_to_select(struct run *t, uint64_t value)
{
	wrmsr(ctl(t), value);
	return read_select(t, t->counter, t->pmu->ctl_writable, value);
}

/* With the counter enabled only alone: no random event ever counts. */
TEST(control_bits, "each documented bit of the select register can be set and cleared by itself",
     .clause = REGISTERS, .needs = PMU_SELECT, .per_counter = true)
{
	uint64_t enable = t->pmu->ctl_enable, others = t->pmu->ctl_writable & ~enable;

	for (unsigned bit = 0; bit < 64; bit++) {
		if (!(others & BIT(bit)))
			continue;
		CHECK_EQ(t, written_to_select(t, BIT(bit)), BIT(bit));
		CHECK_EQ(t, written_to_select(t, others & ~BIT(bit)), others & ~BIT(bit));
	}
	CHECK_EQ(t, written_to_select(t, enable), enable);
	CHECK_EQ(t, written_to_select(t, 0), 0);
}

TEST(reserved_bits, "reserved bits of the select register, written as 0, read as 0",
     .clause = REGISTERS, .needs = PMU_SELECT, .per_counter = true)
{
	uint64_t upper;

	wrmsr(ctl(t), 0);
	CHECK_EQ(t, read_select(t, t->counter, t->pmu->ctl_reserved, 0), 0);
	wrmsr(ctl(t), t->pmu->ctl_writable & ~t->pmu->ctl_enable);
	CHECK_EQ(t, read_select(t, t->counter, t->pmu->ctl_reserved, 0), 0);
	wrmsr(ctl(t), 0);
	/* No manual says how a counter reads above its width: reported, not judged. */
	wrmsr(ctr(t), pmu_mask(t->pmu, t->counter));
	upper = rdmsr(ctr(t)) & ~pmu_mask(t->pmu, t->counter);
	if (upper)
		report_diag("CTR[%x] reads as %016llx above its width", ctr(t),
			    (unsigned long long)upper);
}

/* Patterns that no two registers share and that enable nothing: the digits of c + 1 again and
 * again in the bits that may be written. */
static uint64_t select_pattern(const struct pmu *pmu, unsigned c)
{
	uint64_t bits = pmu->ctl_writable & ~pmu->ctl_enable, pattern = 0;
	unsigned digit = 0;

	for (unsigned bit = 0; bit < 64; bit++)
		if (bits & BIT(bit))
			pattern |= (uint64_t)((c + 1) >> digit++ % 5 & 1) << bit;
	return pattern;
}

static uint64_t counter_pattern(const struct pmu *pmu, unsigned c)
{
	(void)pmu;
	return 0x01020304u * (uint64_t)(c + 1);
}

/* Which one is it that has stored it? */
static void check_own(struct run *t, const char *what, unsigned c, uint64_t got,
		      uint64_t (*pattern)(const struct pmu *pmu, unsigned c))
{
	if (CHECK_EQ(t, got, pattern(t->pmu, c)))
		return;
	for (unsigned other = 0; other < t->pmu->counters; other++)
		if (other != c && got == pattern(t->pmu, other))
			report_diag("%s %u holds what %u was given", what, c, other);
}

static void check_alias(struct run *t, uint32_t alias, uint32_t msr)
{
	uint64_t value;

	if (!alias)
		return;
	CHECK_RDMSR(t, alias, &value, FAULT_NONE);
	CHECK_EQ(t, value, rdmsr(msr));
}

TEST(no_aliasing, "each register has storage of its own, and an old name of it means the same",
     .clause = REGISTERS, .min_counters = 2)
{
	const struct pmu *pmu = t->pmu;

	for (unsigned c = 0; c < pmu->counters; c++) {
		if (pmu_features(pmu, c) & PMU_SELECT)
			pmu_put(pmu, pmu->counter[c].ctl, select_pattern(pmu, c));
		pmu_write(pmu, c, counter_pattern(pmu, c));
	}
	for (unsigned c = 0; c < pmu->counters; c++) {
		if (pmu_features(pmu, c) & PMU_SELECT)
			check_own(t, "select", c,
				  read_select(t, c, ~UINT64_C(0), select_pattern(pmu, c)),
				  select_pattern);
		check_own(t, "counter", c, pmu_read(pmu, c), counter_pattern);
		check_alias(t, pmu_number(pmu->counter[c].ctl_alias),
			    pmu_number(pmu->counter[c].ctl));
		check_alias(t, pmu_number(pmu->counter[c].ctr_alias),
			    pmu_number(pmu->counter[c].ctr));
	}
}

TEST(rdpmc_equals_rdmsr, "RDPMC returns what RDMSR of the counter returns", .clause = RDPMC,
     .per_counter = true)
{
	const uint64_t values[] = {0, 1, 0x12345678, UINT64_C(0x123456789abc),
				   UINT64_C(0xdeadbeef)};
	uint32_t index = t->pmu->counter[t->counter].rdpmc;

	for (unsigned i = 0; i < ARRAY_SIZE(values); i++) {
		uint64_t value = values[i] & pmu_mask(t->pmu, t->counter), got;

		if (!pmu_can_write(t->pmu, t->counter, value))
			continue;
		pmu_write(t->pmu, t->counter, value);
		CHECK_RDPMC(t, index, &got, FAULT_NONE);
		CHECK_EQ(t, got, rdmsr(ctr(t)));
		CHECK_EQ(t, got & pmu_mask(t->pmu, t->counter), value);
	}
}

/* The value that a refused RDPMC in ring 3 seems to return. */
#define REFUSED UINTPTR_MAX

static bool refuse(struct trap_frame *frame, void *arg)
{
	unsigned *faults = arg;

	if ((frame->cs & 3) != 3)
		return false;
	++*faults;
	frame->ax = REFUSED;
	frame->ip = (uintptr_t)user_return;
	return true;
}

static uint64_t rdpmc_in_ring3(const struct run *t, bool allowed, unsigned *faults)
{
	uintptr_t cr4 = read_cr4();
	uint64_t value;

	*faults = 0;
	trap_set_handler(FAULT_GP, refuse, faults);
	write_cr4(allowed ? cr4 | CR4_PCE : cr4 & ~CR4_PCE);
	value = user_call(user_rdpmc, t->pmu->counter[t->counter].rdpmc, NULL, 0);
	write_cr4(cr4);
	trap_set_handler(FAULT_GP, NULL, NULL);
	/* The handler sets no more than a word of the value. */
	if (*faults)
		value = (uintptr_t)value;
	return value;
}

TEST(rdpmc_ring3, "ring 3 may use RDPMC when CR4.PCE is set, and gets #GP when it is clear",
     .clause = RDPMC, .per_counter = true)
{
	const uint64_t value = 0x5a345678;
	unsigned faults;

	pmu_write(t->pmu, t->counter, value);
	CHECK_EQ(t, rdpmc_in_ring3(t, false, &faults), REFUSED);
	CHECK_EQ(t, faults, 1);
	CHECK_EQ(t, rdpmc_in_ring3(t, true, &faults), value);
	CHECK_EQ(t, faults, 0);
}

TEST(rdpmc_invalid_index, "RDPMC of a counter that does not exist raises #GP", .clause = RDPMC,
     .min_counters = 1)
{
	uint64_t value;

	CHECK_RDPMC(t, RDPMC_INVALID, &value, FAULT_GP);
}
