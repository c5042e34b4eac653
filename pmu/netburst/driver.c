/* SPDX-License-Identifier: BSD-2-Clause */
/* Intel NetBurst (Pentium 4, Pentium D, Xeon of family 0Fh): identification and the counters. */
#include "wiring.h"

/* ---- counters ---- */

static uint32_t cccr_msr(const struct pmu *pmu, unsigned ctr)
{
	return pmu_number(pmu->counter[ctr].ctl);
}

/* Writing OVF as 0 destroys an overflow that came after the read, and no write can set it again. So
 * each read comes right before its write, although the counters then stop further apart. */
static void stop(const struct pmu *pmu, uint64_t ctrs)
{
	for (uint64_t left = ctrs; left; left &= left - 1) {
		uint32_t msr = cccr_msr(pmu, lowest_bit(left));

		wrmsr(msr, rdmsr(msr) & ~CCCR_ENABLE);
	}
}

bool netburst_ovf(const struct pmu *pmu, unsigned ctr)
{
	return rdmsr(cccr_msr(pmu, ctr)) & CCCR_OVF;
}

void netburst_clear_ovf(const struct pmu *pmu, unsigned ctr)
{
	wrmsr(cccr_msr(pmu, ctr), rdmsr(cccr_msr(pmu, ctr)) & ~CCCR_OVF);
}

/* An interrupt may come with OVF clear (Linux, OProfile): then the top bit tells. */
static uint64_t overflowed(const struct pmu *pmu, uint64_t armed)
{
	const uint64_t top = BIT(NETBURST_COUNTER_WIDTH - 1);
	uint64_t over = 0;

	for (uint64_t left = armed; left; left &= left - 1) {
		unsigned ctr = lowest_bit(left);

		if (netburst_ovf(pmu, ctr) || !(pmu_read(pmu, ctr) & top))
			over |= BIT(ctr);
	}
	return over;
}

static uint64_t flagged(const struct pmu *pmu, uint64_t ctrs)
{
	uint64_t flags = 0;

	for (uint64_t left = ctrs; left; left &= left - 1)
		flags |= (uint64_t)netburst_ovf(pmu, lowest_bit(left)) << lowest_bit(left);
	return flags;
}

static void acknowledge(const struct pmu *pmu, uint64_t ctrs)
{
	for (uint64_t left = ctrs; left; left &= left - 1)
		netburst_clear_ovf(pmu, lowest_bit(left));
}

static void describe(const struct pmu *pmu, unsigned ctr)
{
	const struct netburst_counter *c = &netburst_counters[ctr];
	uint64_t cccr = rdmsr(cccr_msr(pmu, ctr));
	unsigned select = (unsigned)field_get(CCCR_ESCR_SELECT, cccr);
	const struct netburst_escr_pair *pair = &netburst_escr_pairs[c->group][select];
	uint32_t escr = netburst_selected_escr(pmu, c->group, c->half, select);

	if (escr)
		report_diag("counter %u: %s_ESCR%u[%x] = %08llx", ctr, pair->unit,
			    pair->number + c->half, escr, (unsigned long long)rdmsr(escr));
	else
		report_diag("counter %u: no ESCR answers at select %u", ctr, select);
}

static const struct pmu_counting counting = {
	.program = netburst_program_generic,
	.conflict = netburst_conflict,
	.start = pmu_set_enables,
	.stop = stop,
	.overflowed = overflowed,
	.flagged = flagged,
	.acknowledge = acknowledge,
	.describe = describe,
};

/* ---- samples, and replays ---- */

void netburst_tag_replays(const struct pmu *pmu, bool misses, bool loads)
{
	pmu_put(pmu, pmu_msr(MSR_PEBS_MATRIX_VERT), loads ? PEBS_MATRIX_VERT_LOADS : 0);
	pmu_put(pmu, pmu_msr(MSR_PEBS_ENABLE),
		misses ? PEBS_ENABLE_UOP_TAG | PEBS_ENABLE_L1_MISSES : 0);
}

static const struct pmu_sample_layout layout = {
	.size = 0x90,
	PMU_STORE_REGISTERS,
};

/* One passage of the manual calls bit 24 what the others call bit 25. */
static void arm(const struct pmu *pmu, const struct pmu_sampling *what)
{
	struct netburst *state = pmu->state;

	pmu_store_prepare(&state->store, what);
	pmu_store_preset(&state->store, 0, what->preset[lowest_bit(what->counters)]);
	pmu_touch(pmu, pmu_msr(MSR_IA32_DS_AREA));
	pmu_touch(pmu, pmu_msr(MSR_PEBS_ENABLE));
	wrmsr(MSR_IA32_DS_AREA, (uintptr_t)state->store.area);
	wrmsr(MSR_PEBS_ENABLE, PEBS_ENABLE_MY_THR | PEBS_ENABLE_UOP_TAG);
}

static uint64_t disarm(const struct pmu *pmu)
{
	wrmsr(MSR_PEBS_ENABLE, 0);
	return pmu_store_written(&netburst(pmu)->store);
}

static struct pmu_sample take(const struct pmu *pmu, unsigned record)
{
	return pmu_store_take(&netburst(pmu)->store, record);
}

static const struct pmu_sampler *sampler_of(struct netburst *state)
{
	state->sampler = (struct pmu_sampler){.arm = arm, .disarm = disarm, .take = take};
	pmu_store_adopt(&state->store, pmu_store_layout(&layout), &state->sampler);
	return &state->sampler;
}

/* ---- identification ---- */

/* Model 5 was never a product. */
static bool is_netburst(const struct cpu_identity *id)
{
	return !memcmp(id->vendor, "GenuineIntel", 12) && id->family == 0xf && id->model <= 6 &&
	       id->model != 5;
}

/* The manual: cascaded counters do not interrupt on model 2, nor on models 0 and 1 from stepping 10
 * on. */
static bool cascade_interrupts(const struct cpu_identity *id)
{
	return id->model > 2 || (id->model < 2 && id->stepping <= 9);
}

static bool has_pebs(const struct cpuid_regs *leaf_1)
{
	return leaf_1->edx & CPUID_1_EDX_DS &&
	       !(rdmsr(MSR_IA32_MISC_ENABLE) & MISC_ENABLE_PEBS_UNAVAILABLE) &&
	       pmu_has_store(pmu_msr(MSR_IA32_DS_AREA), pmu_msr(MSR_PEBS_ENABLE));
}

static const char *try_registers(void)
{
	uint64_t misc;

	if (rdmsr_safe(MSR_IA32_MISC_ENABLE, &misc) != FAULT_NONE)
		return "RDMSR of IA32_MISC_ENABLE faults: no PMU behind CPUID";
	if (!(misc & MISC_ENABLE_PERFMON))
		return "IA32_MISC_ENABLE bit 7 says that there is no performance monitoring";
	/* These bits enable nothing. */
	return pmu_try(pmu_msr(MSR_CCCR(0)),
		       CCCR_ACTIVE_THREAD | CCCR_THRESHOLD | CCCR_ESCR_SELECT);
}

/* Some bits are in neither mask.  CASCNTxINTOy exists in some CCCRs only.  No manual says what
 * writing 1 to OVF does, nor what values of ACTIVE_THREAD other than 11b do on a core with one
 * thread. */
static void fill_masks(struct pmu *pmu)
{
	const uint64_t ht_only = CCCR_ACTIVE_THREAD | CCCR_OVF_PMI_T1;

	pmu->ctl_writable = CCCR_ENABLE | CCCR_ESCR_SELECT | CCCR_COMPARE | CCCR_COMPLEMENT |
			    CCCR_THRESHOLD | CCCR_EDGE | CCCR_FORCE_OVF | CCCR_OVF_PMI_T0 |
			    CCCR_CASCADE;
	pmu->ctl_reserved = CCCR_RESERVED;
	if (pmu->features & PMU_HT)
		pmu->ctl_writable |= ht_only;
	else
		pmu->ctl_reserved |= CCCR_OVF_PMI_T1;
	pmu->ctl_enable = CCCR_ENABLE;
}

static unsigned features(const struct cpu_identity *id)
{
	unsigned f = PMU_SELECT | PMU_THRESHOLD | PMU_EDGE | PMU_PRIVILEGE | PMU_USER_ALONE |
		     PMU_LVT_MASKS;

	if (apic_present())
		f |= PMU_INTERRUPT;
	if (core_threads() > 1)
		f |= PMU_HT;
	if (id->model >= 2)
		f |= PMU_XCASCADE;
	if (cascade_interrupts(id))
		f |= PMU_CASCADE_PMI;
	return f;
}

static void fill_counters(struct pmu *pmu)
{
	struct netburst *netburst = pmu->state;

	for (unsigned i = 0; i < NETBURST_COUNTERS; i++)
		netburst->counter[i] = (struct pmu_counter){
			.ctl = pmu_msr(MSR_CCCR(i)),
			.ctr = pmu_msr(MSR_COUNTER(i)),
			.enable = CCCR_ENABLE,
			.rdpmc = i,
			.width = NETBURST_COUNTER_WIDTH,
			.write_bits = NETBURST_COUNTER_WIDTH,
			/* Errata N15, O8: an event during the write can carry from the old low half
			 * into the new upper bits, even of a stopped counter.  Below a low half of
			 * 0 there is nothing to carry; writing the value itself twice would not
			 * do, as a preset just short of overflow carries again. */
			.zero_first = true,
		};
	pmu->counter = netburst->counter;
	pmu->counters = NETBURST_COUNTERS;
}

/* Registers that belong to no counter.  A counter keeps the value that is written to it only while
 * no ESCR holds an event (errata N15, O8).  PEBS_ENABLE and PEBS_MATRIX_VERT decide what
 * replay_event counts, and exist even where PEBS does not. */
static const uint32_t told_by[] = {MSR_IA32_MISC_ENABLE, 0};

static void fill_shared(struct pmu *pmu)
{
	struct netburst *netburst = pmu->state;
	uint32_t escr[NETBURST_ESCRS_MAX];
	unsigned n = netburst_escrs(pmu, escr);

	for (unsigned i = 0; i < n; i++)
		netburst->shared[i] = pmu_msr(escr[i]);
	if (pmu->sampler)
		netburst->shared[n++] = pmu_msr(MSR_IA32_DS_AREA);
	netburst->shared[n++] = pmu_msr(MSR_PEBS_MATRIX_VERT);
	netburst->shared[n++] = pmu_msr(MSR_PEBS_ENABLE);
	netburst->bank.shared = netburst->shared;
	netburst->bank.shared_count = n;
	netburst->bank.saved = netburst->saved;
	pmu->bank = &netburst->bank;
}

static void fill(struct pmu *pmu, const struct cpu_identity *id, const struct cpuid_regs *leaf_1)
{
	struct netburst *netburst = pmu->state;

	netburst->model = (uint8_t)id->model;
	netburst->stepping = (uint8_t)id->stepping;
	pmu->revision = id->signature;
	pmu->events = netburst_generic_events;
	pmu->features = features(id);
	if (pmu->features & PMU_HT)
		netburst->thread = !!(leaf_1->ebx & CPUID_1_EBX_APIC_ID_T1);
	pmu->counting = &counting;
	if (has_pebs(leaf_1))
		pmu->sampler = sampler_of(pmu->state);
	pmu->max_threshold = (unsigned)field_max(CCCR_THRESHOLD) + 1;
	pmu->interrupt_after = 1;
	fill_counters(pmu);
	pmu->told_by = told_by;
	fill_shared(pmu);
	fill_masks(pmu);
}

static bool probe(struct pmu *pmu, const struct cpu_identity *id)
{
	struct cpuid_regs leaf_1 = cpuid(1, 0);

	if (!is_netburst(id))
		return false;
	pmu->silent = try_registers();
	if (!pmu->silent)
		fill(pmu, id, &leaf_1);
	return !pmu->silent;
}

const struct pmu_ops pmu_netburst = {
	.name = "netburst",
	.title = "Intel NetBurst counters",
	.manual = "SDM vol. 3B (253669), 18.15 and tables 19-28 to 19-33",
	.processors = "Pentium 4, Pentium D and Xeon of family 0Fh: 18 counters, 45 ESCRs",
	.errata = netburst_errata,
	.state_size = sizeof(struct netburst),
	.probe = probe,
	.reset = pmu_reset_touched, /* of 83 registers few are in use at a time */
};
PMU_DRIVER(pmu_netburst);
