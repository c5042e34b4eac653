/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The PMU drivers on whatever CPUID and the MSRs say: what they make of it is consistent, they
 * write no reserved bit, and leave the machine as they found it.  The input is a machine
 * (fake_machine.h); what is left of it chooses what is programmed.
 */
#include "fake_machine.h"

#include <stdio.h>
#include <string.h>

#include "kernel/console/console.h"
#include "kernel/lib/bits.h"
#include "pmu/intel/intel.h"
#include "pmu/netburst/netburst.h"
#include "pmu/pmu.h"

enum { CONFIGS = 4, ROUNDS = 8 };

static struct pmu_set set;
static const struct pmu *programmed; /* the one whose registers are being written */

/* ---- what a probe says ---- */

static uint64_t counters_of(const struct pmu *pmu)
{
	return BIT(pmu->counters) - 1;
}

static void check_counters(const struct pmu *pmu)
{
	MUST(pmu->counters >= 1 && pmu->counters <= PMU_COUNTERS_MAX);
	for (unsigned c = 0; c < pmu->counters; c++) {
		const struct pmu_counter *counter = &pmu->counter[c];

		MUST(counter->width >= 1 && counter->width <= 64);
		MUST(counter->write_bits >= 1 && counter->write_bits <= counter->width);
		/* Fixed ones come last, and not alone. */
		MUST(c ? counter->fixed >= pmu->counter[c - 1].fixed : !counter->fixed);
		MUST(counter->enable);
		MUST(pmu_can_write(pmu, c, 0));
	}
}

static void check_masks(const struct pmu *pmu)
{
	MUST(!(pmu->ctl_writable & pmu->ctl_reserved));
	MUST(!(pmu->ctl_enable & ~pmu->ctl_writable));
	MUST(!(pmu->features & PMU_THRESHOLD) || pmu->max_threshold);
	MUST(!(pmu->features & PMU_STATUS_SET) || pmu->features & PMU_GLOBAL);
	MUST(!(pmu->features & PMU_GLOBAL) || pmu->features & PMU_ATOMIC_START);
	MUST(!(pmu->features & PMU_GLOBAL) || !(pmu->features & PMU_SINGLE_ENABLE));
	MUST(!(pmu->features & PMU_GLOBAL) || pmu->bank->gate.space == REG_MSR);
	MUST(pmu->bank->saved && (pmu->bank->shared || !pmu->bank->shared_count));
}

/* No two names of one register; fixed counters share their control register. */
static void check_addresses(const struct pmu *pmu)
{
	struct pmu_reg all[4 * PMU_COUNTERS_MAX];
	unsigned n = 0;

	for (unsigned i = 0; i < pmu->counters; i++) {
		const struct pmu_counter *c = &pmu->counter[i];
		const struct pmu_reg regs[] = {c->ctr, c->ctr_alias, c->ctl_alias, c->ctl};

		MUST(c->ctl.space != REG_NONE && c->ctr.space != REG_NONE);
		for (unsigned k = 0; k < ARRAY_SIZE(regs) - c->fixed; k++)
			if (regs[k].space != REG_NONE)
				all[n++] = regs[k];
	}
	for (unsigned i = 0; i < n; i++)
		for (unsigned j = 0; j < i; j++)
			MUST(all[i].address != all[j].address);
}

static void check_events(const struct pmu *pmu)
{
	MUST(pmu->events && !pmu->events[EV_NONE].name);
	FOR_EACH_EVENT (pmu, e) {
		const struct pmu_event *event = &pmu->events[e];

		if (!event->name)
			continue;
		must_be_sentence(event->name);
		must_be_sentence(event->why->text);
		MUST(!(event->counters & ~counters_of(pmu)));
	}
}

static void check_found(const struct pmu *pmu)
{
	MUST(memchr(pmu->name, '\0', sizeof(pmu->name)));
	must_be_sentence(pmu->name);
	if (pmu->silent) {
		MUST(pmu->ops->uncore);
		must_be_sentence(pmu->silent);
		return;
	}
	if (!pmu->counting) {
		MUST((pmu->sampler || pmu->meters) && !pmu->counters);
		return;
	}
	check_counters(pmu);
	check_masks(pmu);
	check_addresses(pmu);
	check_events(pmu);
}

/* ---- what the driver then does ---- */

/* The register of NetBurst that has the same number always is there. */
static bool has_data_cfg(void)
{
	uint64_t capabilities;

	return !programmed || programmed->ops != &pmu_intel ||
	       (rdmsr_safe(MSR_IA32_PERF_CAPABILITIES, &capabilities) == FAULT_NONE &&
		capabilities & PERF_CAPABILITIES_PEBS_BASELINE);
}

/* The select registers of counters that have one; the fixed ones' is not the PMU's to describe.
 * Reserved bits that cannot be cleared are kept. */
static void check_write(uint32_t msr, uint64_t now, uint64_t value)
{
	MUST(msr != MSR_PEBS_DATA_CFG || has_data_cfg());
	for (unsigned c = 0; programmed && c < programmed->counters; c++)
		if (programmed->counter[c].ctl.address == msr && !programmed->counter[c].fixed)
			MUST(!(value & ~now & programmed->ctl_reserved));
}

static void take_config(struct input *in, struct pmu_config *cfg)
{
	uint64_t bits = input_number(in, 1);

	*cfg = (struct pmu_config){
		.event = (unsigned)(input_number(in, 1) % (EV_OWN + 1)),
		.at_least = (unsigned)input_number(in, 2),
		.below = (unsigned)input_number(in, 2),
		.edge = bits & 1,
		.user = bits & 2,
		.kernel = bits & 4,
		.interrupt = bits & 8,
		.pin_control = bits & 16,
	};
}

static void try_plan(const struct pmu *pmu, const struct pmu_config *cfg, unsigned first)
{
	const struct pmu_config *cfgs[CONFIGS];
	unsigned ctr[CONFIGS] = {first};
	const char *why;

	for (unsigned i = 0; i < CONFIGS; i++)
		cfgs[i] = &cfg[i];
	why = pmu_plan(pmu, CONFIGS, cfgs, ctr);
	if (why) {
		must_be_sentence(why);
		return;
	}
	for (unsigned i = 0; i < CONFIGS; i++) {
		MUST(ctr[i] < pmu->counters && pmu_can_count(pmu, ctr[i], cfg[i].event));
		for (unsigned j = 0; j < i; j++)
			MUST(ctr[i] != ctr[j]);
	}
}

static void try_counter(const struct pmu *pmu, unsigned ctr, const struct pmu_config *cfg,
			uint64_t value)
{
	const char *why = pmu_program(pmu, ctr, cfg);

	if (why)
		must_be_sentence(why);
	else
		MUST(pmu_can_count(pmu, ctr, cfg->event));
	pmu_start(pmu, BIT(ctr));
	pmu_write(pmu, ctr, value);
	MUST(!(pmu_read(pmu, ctr) & ~pmu_mask(pmu, ctr)));
	MUST(fake_forgets() || pmu_read(pmu, ctr) == (value & pmu_mask(pmu, ctr)));
	MUST(!(pmu_overflowed(pmu, BIT(ctr)) & ~BIT(ctr)));
	pmu_stop(pmu, BIT(ctr));
	pmu_acknowledge(pmu, BIT(ctr));
	pmu_describe(pmu, ctr);
}

static void use(const struct pmu *pmu, struct input *in)
{
	struct pmu_config cfg[CONFIGS];

	for (unsigned round = 0; round < ROUNDS && in->left; round++) {
		unsigned ctr = (unsigned)(input_number(in, 1) % pmu->counters);
		uint64_t value = input_number(in, 8);

		for (unsigned i = 0; i < CONFIGS; i++)
			take_config(in, &cfg[i]);
		try_plan(pmu, cfg, ctr);
		try_counter(pmu, ctr, &cfg[0], value);
	}
	pmu_start(pmu, counters_of(pmu));
	pmu_stop(pmu, counters_of(pmu));
}

/* Of a sampler with a period of its own. */
static void try_sampler(const struct pmu *pmu, struct input *in)
{
	const struct pmu_sampler *sampler = pmu->sampler;
	const struct pmu_sampling what = {
		.of = (enum pmu_period)(1 << input_number(in, 1) % 3),
		.period = input_number(in, 4) / sampler->step * sampler->step,
		.passed = input_number(in, 4),
		.random = input_number(in, 1) & 1,
	};
	struct msr_switch by;
	const char *why = sampler->prepare(pmu, &what, &by);

	if (why)
		must_be_sentence(why);
	else
		MUST(by.on & sampler->kept && !(by.on & sampler->full));
	sampler->arm(pmu, &what);
	if (sampler->disarm(pmu))
		sampler->take(pmu, 0);
	sampler->describe(pmu);
}

/* The registers of NetBurst that counters share have 32 bits, and so have controls of boxes outside
 * of the cores, some of which only act when written and read as 0: what is more, nobody puts back.
 */
static bool as_it_was(bool uncore)
{
	const uint64_t acting = BIT(0) | BIT(1) | BIT(17) | BIT(19);
	bool narrow = uncore || set.pmu[0].ops == &pmu_netburst;

	return fake_as_noted((narrow ? FIELD(31, 0) : ~UINT64_C(0)) & ~(uncore ? acting : 0));
}

/* Saving, resetting and restoring must live with registers that fault, all else need not. */
static void live(struct pmu *pmu, bool uncore, struct input *in)
{
	pmu_save(pmu);
	MUST(!(pmu->running_at_entry & ~counters_of(pmu)));
	programmed = pmu;
	pmu_reset(pmu);
	if (!fake_faults() && pmu->counting)
		use(pmu, in);
	else if (!fake_faults() && pmu->sampler)
		try_sampler(pmu, in);
	programmed = NULL;
	pmu_restore(pmu);
	MUST(fake_faults() || as_it_was(uncore));
}

static bool has_drivers(void)
{
	struct cpuid_regs r = cpuid(0, 0);

	return r.ebx == 0x756e6547 || r.ebx == 0x68747541 || r.ebx == 0x6f677948;
}

/* A PMU that CPUID promises, but no driver drives, is told of where there are registers for it. */
static void check_why(void)
{
	uint32_t last = cpuid(0, 0).eax;
	bool promised = last >= 0xa && last < 0x10000 && cpuid(0xa, 0).eax & 0xff &&
			cpuid(1, 0).edx & CPUID_1_EDX_MSR;

	must_be_sentence(set.why);
	MUST(has_drivers() || !strncmp(set.why, "CPUID 0AH promises version ", 27) == promised);
}

static unsigned count_uncore(void)
{
	unsigned uncore = 0, cores = 0;

	for (unsigned i = 0; i < set.count; i++) {
		check_found(&set.pmu[i]);
		uncore += set.pmu[i].ops->uncore;
		cores += set.pmu[i].counting && !set.pmu[i].ops->uncore;
	}
	MUST(cores <= 1);
	return uncore;
}

/* Names tell them apart in the report. */
static void check_names(void)
{
	for (unsigned i = 0; i < set.count; i++)
		for (unsigned j = 0; j < i; j++)
			MUST(strcmp(set.pmu[i].name, set.pmu[j].name));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static char report[REPORT_BUFFER_MIN];
	struct input in = {data, size};
	unsigned uncore;

	report_set_buffer(report, sizeof(report));
	fake_on_write = check_write;
	fake_build(&in);
	fake_note();
	set.pmu[0] = (struct pmu){0};
	pmu_find_all(&set, true);
	uncore = count_uncore();
	/* Boxes were tried even if none is there. */
	MUST((uncore && fake_faults()) || as_it_was(uncore || set.boxless.ops));
	MUST(has_drivers() || !fake_written());
	check_why();
	check_names();
	for (unsigned i = 0; i < set.count; i++)
		if (!set.pmu[i].silent)
			live(&set.pmu[i], uncore, &in);
	return 0;
}
