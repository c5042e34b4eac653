/* SPDX-License-Identifier: BSD-2-Clause */
/* Which processors have AMD's errata of counts that are too high, and of which events. */
#include "check/unit/tap.h"
#include "pmu/amd/amd.h"

static const struct pmu_event events[PMU_EVENTS_MAX] = {
	[EV_CYCLES] = {.name = "clocks", .code = 0x076},
	[EV_INSTRUCTIONS] = {.name = "instructions", .code = 0x0c0},
	[EV_FAR_TRANSFERS] = {.name = "far transfers", .code = 0x0c6},
	[EV_OWN] = {.name = "x87 and MMX instructions", .code = 0x0cb},
};

static const struct pmu_ops ops = {.errata = amd_errata, .overcounts = amd_overcounts};

static struct pmu pmu_of(uint32_t signature)
{
	return (struct pmu){.ops = &ops, .events = events, .revision = signature};
}

static const char *overcount_of(uint32_t signature, unsigned event)
{
	const struct pmu pmu = pmu_of(signature);
	const struct pmu_overcount *published = pmu_overcount(&pmu, BIT(event));

	return published ? published->erratum : "none";
}

/* Has the part the erratum of retired instructions, and does a counter tell of it? */
static bool has(uint32_t signature, const char *erratum, bool witness)
{
	const struct pmu pmu = pmu_of(signature);

	return !strcmp(overcount_of(signature, EV_INSTRUCTIONS), erratum) &&
	       !pmu_witness(&pmu) == !witness;
}

static void test_parts(void)
{
	OK(has(0x00730f01, "none", false)); /* Puma */
	OK(has(0x00800f11, "1291", true)); /* Zen */
	OK(has(0x00810f10, "1291", true)); /* Raven Ridge */
	OK(has(0x00820f01, "1291", true)); /* Dali */
	OK(has(0x00830f10, "1291", true)); /* Zen 2: Rome */
	OK(has(0x00860f01, "1291", true)); /* Renoir */
	OK(has(0x00870f10, "1291", true)); /* Matisse */
	OK(has(0x008a0f00, "1291", true)); /* Mendocino */
	OK(has(0x00900f02, "1291", true)); /* Hygon */
	OK(has(0x00a00f11, "1292", false)); /* Zen 3: Milan */
	OK(has(0x00a00f12, "1292", false)); /* Milan-X */
	OK(has(0x00a20f10, "none", false)); /* Vermeer */
	OK(has(0x00a10f11, "none", false)); /* Zen 4 */
	OK(has(0x00b00f21, "none", false)); /* Zen 5 */
}

static void test_events(void)
{
	OK(!strcmp(overcount_of(0x00800f11, EV_CYCLES), "none"));
	OK(!strcmp(overcount_of(0x00830f10, EV_FAR_TRANSFERS), "none"));
	OK(!strcmp(overcount_of(0x00a00f11, EV_CYCLES), "none"));
	OK(!strcmp(overcount_of(0x00800f11, EV_OWN), "990"));
	OK(!strcmp(overcount_of(0x00800f12, EV_OWN), "990"));
	OK(!strcmp(overcount_of(0x00800f82, EV_OWN), "990"));
	OK(!strcmp(overcount_of(0x00810f10, EV_OWN), "none"));
	OK(!strcmp(overcount_of(0x00830f10, EV_OWN), "none"));
}

int main(void)
{
	test_parts();
	test_events();
	return tap_end();
}
