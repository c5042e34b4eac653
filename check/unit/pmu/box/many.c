/* SPDX-License-Identifier: BSD-2-Clause */
/* A made-up part with as many boxes as have room, and with more, where nothing is in the cores:
 * each is found, and one too many is told of. */
#include "check/fuzz/fake_machine.h"

#include "pmu/box/box.h"

#include "check/unit/tap.h"

enum { MOST = PMUS_MAX + 3, MODEL = 0xff };
enum { GATE, CTL, CTR, REGISTERS }; /* MSRs of a box */

static const struct box_event no_events[] = {{0}};
static const struct box_kind kinds[] = {{
	.name = "box",
	.role = BOX_SYSTEM,
	.space = REG_MSR,
	.counters = 1,
	.width = 44,
	.at = {.gate = GATE,
	       .ctl = CTL,
	       .ctr = CTR,
	       .fixed_ctl = NOT_THERE,
	       .fixed_ctr = NOT_THERE},
	.select = &(const struct box_select){.threshold = FIELD(31, 24), .enable = BIT(22)},
	.events = no_events,
}};
static struct box_place places[MOST];

BOX_PART(made_up) = {
	.ops = {BOX_OPS(1), .name = "made_up"},
	.vendors = "GenuineIntel",
	.first_family = 6,
	.last_family = 6,
	.model = MODEL,
	.system = {.id = 1},
	.kinds = kinds,
	.places = places,
	.places_count = MOST,
};

static struct pmu_set set;

/* The first n places have registers. */
static bool finds(unsigned n)
{
	fake_begin(0);
	fake_leaf(0, 0, (struct cpuid_regs){1, 0x756e6547, 0x6c65746e, 0x49656e69});
	fake_leaf(1, 0, (struct cpuid_regs){.eax = 0xf06f0, .edx = CPUID_1_EDX_MSR});
	for (unsigned i = 0; i < n; i++) {
		places[i].count = 1;
		places[i].base = (uint16_t)(0x1000 + i * REGISTERS);
		for (unsigned r = 0; r < REGISTERS; r++)
			fake_msr(places[i].base + r, 0, 0, ~UINT64_C(0));
	}
	pmu_find_all(&set, true);
	return set.count == n && !set.crowded;
}

int main(void)
{
	OK(finds(0));
	OK(finds(1) && !strcmp(set.pmu[0].name, "box"));
	OK(finds(PMUS_MAX));
	OK(!finds(PMUS_MAX + 1) && set.count == PMUS_MAX && set.crowded == &box_part_made_up.ops);
	OK(!finds(MOST) && set.count == PMUS_MAX && set.crowded == &box_part_made_up.ops);
	OK(box_pmu(PMUS_MAX - 1) == &set.pmu[PMUS_MAX - 1] && !box_pmu(PMUS_MAX));
	return tap_end();
}
