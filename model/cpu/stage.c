/* SPDX-License-Identifier: BSD-2-Clause */
/* Counters that firmware has left running. */
#include "stage.h"

#include "kernel/lib/bits.h"
#include "state.h"

static const char *const names[] = {
	"counters_running",
	"pmi_pending",
	"interrupts_pending",
	"apic_disabled",
	"apic_soft_disabled",
	"nmi",
	"smi",
	"x2apic",
	"mp_missing",
	"mp_fails",
	"mp_busy",
	"cpu_disabled",
	"cpu_unhealthy",
	"no_boxes",
	"cpu_lost",
};

const char *stage_name(unsigned index)
{
	return index < ARRAY_SIZE(names) ? names[index] : NULL;
}

/* How far counter 0 is from its overflow. */
#define SOON UINT64_C(100)

void stage_counters(struct silicon *s, const struct profile *profile, bool interrupt)
{
	const struct kind_ops *ops = profile->pmus[0].ops;
	struct pmu_register reg;

	for (unsigned i = 0; ops->register_at(core_now(s)->pmu, i, &reg); i++) {
		bool interrupts = interrupt && reg.counter == 0;

		if (reg.cells)
			silicon_wrmsr(s, reg.address, interrupts ? -SOON & reg.bits : 0);
		else if (reg.runs)
			silicon_wrmsr(s, reg.address, reg.runs | (interrupts ? reg.interrupts : 0));
	}
	silicon_leave_boxes_running(s);
}
