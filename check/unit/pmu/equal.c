/* SPDX-License-Identifier: BSD-2-Clause */
/* Which boxes are reported as like another: one taken for equal wrongly would be shown less of. */
#include "check/unit/tap.h"
#include "kernel/lib/bits.h"
#include "pmu/pmu.h"

#define KIND  BIT(0)
#define FIRST BIT(8)

static const struct pmu_box kind;
static const struct pmu_ops ops, other_ops;
static const struct pmu_counter counters[] = {{.width = 48, .write_bits = 48}, {.width = 48}};
static const struct pmu_counter narrow[] = {{.width = 48, .write_bits = 48}, {.width = 44}};
static const struct pmu_counter fixed[] = {{.width = 48, .write_bits = 48},
					   {.width = 48, .fixed = true}};
static const struct pmu_counter cut[] = {{.width = 48, .write_bits = 32}, {.width = 48}};

static struct pmu box(void)
{
	return (struct pmu){.ops = &ops,
			    .box = &kind,
			    .kinds = KIND,
			    .counter = counters,
			    .counters = 2,
			    .ctl_writable = 0xff};
}

#define DIFFERS(change)                                                                            \
	do {                                                                                       \
		struct pmu b = box();                                                              \
		b.change;                                                                          \
		OK(!pmu_is_equal(&b, &first));                                                     \
	} while (0)

int main(void)
{
	struct pmu first = box(), same = box();

	OK(pmu_is_equal(&same, &first));
	/* Only the first one of its kind has what is tested once. */
	first.kinds |= FIRST;
	OK(pmu_is_equal(&same, &first) && !pmu_is_equal(&first, &same));
	DIFFERS(ops = &other_ops);
	DIFFERS(box = NULL);
	DIFFERS(kinds = BIT(1));
	DIFFERS(revision = 1);
	DIFFERS(features = PMU_EDGE);
	DIFFERS(max_threshold = 31);
	DIFFERS(ctl_writable = 0x7f);
	DIFFERS(counters = 1);
	DIFFERS(counter = narrow);
	DIFFERS(counter = fixed);
	DIFFERS(counter = cut);
	return tap_end();
}
