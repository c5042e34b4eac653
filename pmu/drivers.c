/* SPDX-License-Identifier: BSD-2-Clause */
/* The drivers, and the search for what is there. */
#include "pmu.h"

/* Intel SDM vol. 2, CPUID leaf 0AH: others have it, too. */
#define CPUID_PERFMON       0x0au
#define CPUID_A_EAX_VERSION FIELD(7, 0)

#pragma GCC visibility push(hidden)
extern const struct pmu_ops *const __start_pmu_drivers[], *const __stop_pmu_drivers[];
#pragma GCC visibility pop

const struct pmu_ops *pmu_driver(unsigned i)
{
	size_t drivers = (size_t)(__stop_pmu_drivers - __start_pmu_drivers);

	return i < drivers ? __start_pmu_drivers[i] : NULL;
}

/* It is there: does it stay? */
static bool keep(struct pmu_set *set, size_t words)
{
	if (set->count == PMUS_MAX || set->state_used + words > PMU_STATE_WORDS) {
		set->crowded = set->pmu[set->count].ops;
		return false;
	}
	set->count++;
	set->state_used += words;
	return true;
}

static size_t words_of(const struct pmu_ops *ops)
{
	size_t words = (ops->state_size + PMU_STATE_ALIGNMENT - 1) / PMU_STATE_ALIGNMENT *
		       (PMU_STATE_ALIGNMENT / sizeof(uint64_t));

	if (words > PMU_STATE_MOST)
		panic("the driver %s has a state of %u words", ops->name, (unsigned)words);
	return words;
}

static bool probe_one(struct pmu *pmu, const struct pmu_ops *ops, unsigned instance,
		      uint64_t *state, const struct cpu_identity *cpu)
{
	memset(state, 0, words_of(ops) * sizeof(uint64_t));
	*pmu = (struct pmu){.ops = ops, .instance = instance, .state = state};
	fmt_print(pmu->name, sizeof(pmu->name), "%s", ops->name);
	return ops->probe(pmu, cpu);
}

/* False: it is not there, or has no room, and the memory for its state remains free. */
static bool probe(struct pmu_set *set, const struct pmu_ops *ops, unsigned instance,
		  const struct cpu_identity *cpu)
{
	struct pmu *pmu = &set->pmu[set->count];

	if (!probe_one(pmu, ops, instance, set->state + set->state_used, cpu)) {
		if (pmu->silent && ops->uncore)
			set->boxless = (struct pmu_boxless){ops, pmu->silent};
		else if (pmu->silent)
			set->why = pmu->silent;
		return false;
	}
	return keep(set, words_of(ops));
}

static void find(struct pmu_set *set, bool uncore, const struct cpu_identity *cpu)
{
	const struct pmu_ops *ops;

	for (unsigned i = 0; (ops = pmu_driver(i)) != NULL; i++) {
		unsigned instance = 0;

		while (ops->uncore == uncore && probe(set, ops, instance, cpu) && uncore)
			instance++;
	}
}

static bool any_but_meters(const struct pmu_set *set)
{
	for (unsigned i = 0; i < set->count; i++)
		if (set->pmu[i].counting || set->pmu[i].sampler)
			return true;
	return false;
}

/* Why there is none, where no driver has more to say: a processor may promise counters that no
 * driver takes. */
static const char *why_none(struct pmu_set *set)
{
	uint64_t version = field_get(CPUID_A_EAX_VERSION, cpuid_if_there(CPUID_PERFMON, 0).eax);

	if (!version)
		return "no PMU of this processor is known to this program";
	fmt_print(set->undriven, sizeof(set->undriven),
		  "CPUID 0AH promises version %u, but this vendor is not driven",
		  (unsigned)version);
	return set->undriven;
}

static bool has_msrs(void)
{
	return cpuid_if_there(1, 0).edx & CPUID_1_EDX_MSR;
}

bool pmu_find_first(struct pmu *pmu, uint64_t *state)
{
	const struct pmu_ops *ops;
	struct cpu_identity cpu;

	identify_cpu(&cpu);
	for (unsigned i = 0; has_msrs() && (ops = pmu_driver(i)) != NULL; i++)
		if (!ops->uncore && probe_one(pmu, ops, 0, state, &cpu) && pmu->counting)
			return true;
	return false;
}

void pmu_find_all(struct pmu_set *set, bool uncore)
{
	struct cpu_identity cpu;

	set->count = 0;
	set->state_used = 0;
	set->boxless = (struct pmu_boxless){0};
	set->crowded = NULL;
	set->why = why_none(set);
	if (cpuid(0, 0).eax < 1)
		return;
	if (!has_msrs()) {
		set->why =
			"the processor has no model-specific registers (CPUID 1 EDX.MSR), by which "
			"PMUs are driven";
		return;
	}
	identify_cpu(&cpu);
	find(set, false, &cpu);
	/* Meters alone are no PMU: a pass of them would hide that none was found. */
	if (!any_but_meters(set))
		set->count = 0;
	if (uncore)
		find(set, true, &cpu);
}
