/* SPDX-License-Identifier: BSD-2-Clause */
/* What the tests of the Intel driver share. */
#include "window.h"

#include "kernel/user.h"

struct intel_cpu this_cpu(void)
{
	struct intel_cpu cpu;

	intel_identify(&cpu);
	return cpu;
}

enum pmu_event_id first_event(const struct pmu *pmu, unsigned ctr)
{
	unsigned event = EV_CYCLES;

	while (event < EV_COUNT && !pmu_can_count(pmu, ctr, (enum pmu_event_id)event))
		event++;
	return event < EV_COUNT ? (enum pmu_event_id)event : EV_NONE;
}

uint64_t select_of(const struct pmu *pmu, enum pmu_event_id event)
{
	return field_put(PERFEVTSEL_EVENT, pmu->events[event].code) |
	       field_put(PERFEVTSEL_UMASK, pmu->events[event].unit_mask) | PERFEVTSEL_USR |
	       PERFEVTSEL_OS;
}

/* Counter 0 last: on P6 its EN starts the others. */
static void open_window(struct run *t, unsigned n, const unsigned *ctr, const uint64_t *ctl,
			uint64_t ctrs)
{
	bool single = t->pmu->features & PMU_SINGLE_ENABLE;
	uint64_t first = single ? PERFEVTSEL_EN : 0;

	for (unsigned i = 0; i < n; i++) {
		uint64_t enable = single && ctr[i] ? t->pmu->ctl_enable : PERFEVTSEL_EN;

		if (ctr[i])
			wrmsr(MSR_IA32_PERFEVTSEL(ctr[i]), ctl[i] | enable);
		else
			first = ctl[i] | enable;
	}
	if (first)
		wrmsr(MSR_IA32_PERFEVTSEL(0), first);
	if (t->pmu->features & PMU_GLOBAL)
		wrmsr(MSR_GLOBAL_CTRL, ctrs);
}

static void close_window(struct run *t, unsigned n, const unsigned *ctr)
{
	if (t->pmu->features & PMU_GLOBAL)
		wrmsr(MSR_GLOBAL_CTRL, 0);
	wrmsr(MSR_IA32_PERFEVTSEL(0), 0);
	for (unsigned i = 0; i < n; i++)
		wrmsr(MSR_IA32_PERFEVTSEL(ctr[i]), 0);
}

void raw_window(struct run *t, unsigned n, const unsigned *ctr, const uint64_t *ctl,
		const struct payload *payload, uint64_t iterations, uint64_t *out)
{
	uint64_t ctrs = 0;

	for (unsigned i = 0; i < n; i++) {
		pmu_write(t->pmu, ctr[i], 0);
		ctrs |= BIT(ctr[i]);
	}
	t->programmed = ctrs;
	open_window(t, n, ctr, ctl, ctrs);
	payload->entry(iterations, user_buffer());
	close_window(t, n, ctr);
	for (unsigned i = 0; i < n; i++)
		out[i] = pmu_read(t->pmu, ctr[i]);
}

void program_all(struct run *t, uint64_t interrupts)
{
	for (unsigned i = 0; i < t->pmu->counters; i++) {
		struct pmu_config cfg = {
			.event = first_event(t->pmu, i),
			.user = true,
			.kernel = true,
			.interrupt = interrupts >> i & 1,
		};

		pmu_program(t->pmu, i, &cfg);
		pmu_write(t->pmu, i, 0);
		t->programmed |= BIT(i);
	}
}

void run_counting(struct run *t, uint64_t ctrs)
{
	pmu_start(t->pmu, ctrs);
	payload_chain.entry(100, user_buffer());
	pmu_stop(t->pmu, ctrs);
}

void check_bits_fault(struct run *t, uint32_t msr, uint64_t bits)
{
	uint64_t before, after;

	REQUIRE_EQ(t, (uint64_t)rdmsr_safe(msr, &before), (uint64_t)FAULT_NONE);
	for (unsigned bit = 0; bit < 64; bit++) {
		if (!(bits & BIT(bit)))
			continue;
		CHECK_EQ(t, (uint64_t)wrmsr_safe(msr, before | BIT(bit)), FAULT_GP);
		rdmsr_safe(msr, &after);
		CHECK_EQ(t, after, before);
	}
}

/* P-cores of hybrid parts may say what their E-cores have; leaf 23H says more. */
uint64_t no_counter_bits(void)
{
	struct intel_cpu cpu = this_cpu();
	uint64_t counters = (uint64_t)cpu.fixed_promised << 32;

	if (cpu.hybrid || cpu.perfmon_ext || cpu.general_promised >= 32)
		return 0;
	return FIELD(47, 0) & ~(counters | (BIT(cpu.general_promised) - 1));
}
