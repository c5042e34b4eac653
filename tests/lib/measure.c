/* SPDX-License-Identifier: BSD-2-Clause */
/* Measured windows: program, open, run the payload, close, read. */
#include "kernel/lib/bits.h"
#include "kernel/trap.h"
#include "kernel/user.h"
#include "test.h"

void measure_program(struct run *t, unsigned ctr, const struct pmu_config *cfg, uint64_t from)
{
	const char *impossible = pmu_program(t->pmu, ctr, cfg);

	if (impossible) {
		t->refused = true;
		guard_abort(impossible);
	}
	pmu_write(t->pmu, ctr, from);
}

/* Not inlined: both windows of a difference must execute the same instructions. */
__attribute__((noinline)) void measure(struct run *t, unsigned n, const unsigned *ctr,
				       const struct pmu_config *cfg, const uint64_t *from,
				       const struct payload *payload, uint64_t iterations,
				       enum ring ring, uint64_t *out)
{
	const struct pmu *pmu = t->pmu;
	uint64_t ctrs = 0;
	void *buffer = user_buffer();

	for (unsigned i = 0; i < n; i++) {
		measure_program(t, ctr[i], &cfg[i], from ? from[i] : 0);
		ctrs |= BIT(ctr[i]);
	}
	t->programmed = ctrs;
	pmu_start(pmu, ctrs);
	if (ring == RING_3)
		user_call(payload->entry, iterations, buffer, 0);
	else
		payload->entry(iterations, buffer);
	pmu_stop(pmu, ctrs);
	for (unsigned i = 0; i < n; i++)
		out[i] = pmu_read(pmu, ctr[i]);
}

uint64_t measure_difference(struct run *t, unsigned ctr, const struct pmu_config *cfg,
			    const struct payload *payload, uint64_t n, enum ring ring)
{
	uint64_t once, twice;

	measure(t, 1, &ctr, cfg, NULL, payload, n, ring, &once);
	measure(t, 1, &ctr, cfg, NULL, payload, 2 * n, ring, &twice);
	return (twice - once) & pmu_mask(t->pmu, ctr);
}
