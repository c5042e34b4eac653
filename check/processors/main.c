/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Holds what the program says of recorded processors against what must come out.
 *
 *     processors ERRATA TABLE...
 *
 * Each is met three times: its registers keep what is written, read 0 and forget, and fault.  The
 * exit code is 0 if all is as the tables have it, 1 if not, and 2 where a table is malformed.
 */
#include "processors.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "check/fuzz/fake_machine.h"
#include "kernel/kernel.h"
#include "kernel/lib/bits.h"
#include "pmu/amd/amd.h"
#include "pmu/intel/intel.h"
#include "pmu/pmu.h"

static struct pmu_set set;
static const struct row *at;
static enum registers registers;
static unsigned kinds, wrong;

static __attribute__((format(printf, 1, 2))) void complain(const char *format, ...)
{
	va_list args;

	printf("%s:%u: %s, registers that %s: ", at->file, at->line, at->name,
	       registers_name[registers]);
	va_start(args, format);
	vprintf(format, args);
	va_end(args);
	putchar('\n');
	wrong++;
}

static void must_be(const char *key, int base, long found)
{
	long expected = row_expects_number(at, key, base);

	if (expected != found)
		complain(base == 16 ? "%s is %lx, not %lx" : "%s is %ld, not %ld", key, found,
			 expected);
}

static void must_read(const char *key, const char *found)
{
	char expected[32];

	row_expects(at, key, expected, sizeof(expected));
	if (strcmp(expected, found) != 0)
		complain("%s is %s, not %s", key, found, expected);
}

/* ---- identification ---- */

static void check_identity(void)
{
	struct cpu_identity cpu;
	struct cpu_kind kind;
	const char *core;

	identify_cpu(&cpu);
	identify_kind(&kind);
	core = identify_core(&kind);
	must_be("family", 16, cpu.family);
	must_be("model", 16, cpu.model);
	must_read("core", *core ? core : "-");
}

static void check_threads(void)
{
	if (row_expects_number(at, "threads", 10))
		must_be("threads", 10, core_threads());
}

/* ---- the part: those of one name are one to the driver, and those of two are two ---- */

enum { PARTS_MAX = 64 };
static char part_names[PARTS_MAX][32];

static bool is_like_intel(const struct pmu *pmu)
{
	return pmu->ops == &pmu_intel || pmu->ops->kin == &pmu_intel;
}

/* The driver's own number of it; those of Intel come first. */
static unsigned part_number(const struct pmu *pmu)
{
	struct cpu_identity cpu;

	if (is_like_intel(pmu))
		return ((const struct intel *)pmu->state)->cpu.part;
	identify_cpu(&cpu);
	if (!strcmp(pmu->ops->name, "amd"))
		return PARTS_MAX / 2 + (unsigned)amd_part(cpu.family, cpu.model);
	return PARTS_MAX - 1;
}

static void check_part(const struct pmu *pmu)
{
	unsigned number = part_number(pmu);
	char expected[32];

	row_expects(at, "part", expected, sizeof(expected));
	if (!*part_names[number])
		memcpy(part_names[number], expected, sizeof(expected));
	if (strcmp(part_names[number], expected) != 0)
		complain("the part is that of others which are %s, not %s", part_names[number],
			 expected);
	for (unsigned i = 0; i < PARTS_MAX; i++)
		if (i != number && !strcmp(part_names[i], expected))
			complain("the part is not that of others which are %s, too", expected);
}

/* ---- errata ---- */

static const struct pmu *holder;

static bool applies(const struct pmu *pmu, const char *ids)
{
	for (const struct pmu_erratum *e = pmu->ops->errata; e && e->id; e++)
		if (pmu_erratum_applies(pmu, e) && !strcmp(e->id, ids))
			return true;
	return false;
}

static void must_apply(const char *ids)
{
	if (!applies(holder, ids))
		complain("erratum %s does not apply", ids);
}

static const char *sought;

static void note_published(const char *ids)
{
	if (sought && !strcmp(ids, sought))
		sought = NULL;
}

static void check_errata(const struct pmu *pmu)
{
	uint32_t signature = cpuid(1, 0).eax;
	char part[32];

	row_expects(at, "part", part, sizeof(part));
	holder = pmu;
	errata_of(part, signature, must_apply);
	for (const struct pmu_erratum *e = pmu->ops->errata; e && e->id; e++) {
		if (!pmu_erratum_applies(pmu, e))
			continue;
		sought = e->id;
		errata_of(part, signature, note_published);
		if (sought)
			complain("erratum %s applies, which is not published of it", e->id);
	}
}

/* ---- the PMU ---- */

static void check_intel(const struct pmu *pmu)
{
	const struct intel_cpu *cpu = &((const struct intel *)pmu->state)->cpu;

	must_be("version", 10, cpu->version);
	must_be("counters", 10, cpu->general_promised);
	must_be("fixed", 16, cpu->fixed_promised);
	must_be("driven", 10, pmu->counters);
}

static void check_other(const struct pmu *pmu)
{
	must_be("version", 10, pmu->ops == &pmu_amd_v2 ? 2 : 0);
	must_be("counters", 10, pmu->counters);
	must_be("fixed", 16, 0);
}

static void check_pmu(const struct pmu *pmu)
{
	must_read("driver", pmu->ops->name);
	must_be("width", 10, pmu->counter[0].width);
	if (is_like_intel(pmu))
		check_intel(pmu);
	else
		check_other(pmu);
	check_part(pmu);
	check_errata(pmu);
	check_threads();
}

/* Samplers without counters; there may be none. */
static void check_samplers(void)
{
	char samplers[32] = "";
	size_t length = 0;

	for (unsigned i = 0; i < set.count; i++)
		if (!set.pmu[i].counting && !set.pmu[i].ops->uncore)
			length += fmt_print(samplers + length, sizeof(samplers) - length, "%s%s",
					    length ? "," : "", set.pmu[i].name);
	must_read("samplers", samplers);
}

static void check_found(void)
{
	unsigned cores = 0;

	for (unsigned i = 0; i < set.count; i++)
		cores += set.pmu[i].counting && !set.pmu[i].ops->uncore;
	if (cores)
		check_pmu(&set.pmu[0]);
	else
		must_read("driver", "none");
	check_samplers();
}

/* Behind such registers there is no PMU, of whatever kind. */
static void check_nothing_there(void)
{
	for (unsigned i = 0; i < set.count; i++)
		if (!set.pmu[i].silent)
			complain("%s is found there", set.pmu[i].name);
}

static void meet(const struct row *row, enum registers how)
{
	at = row;
	registers = how;
	machine_build(row, how);
	check_identity();
	pmu_find_all(&set, how != REGISTERS_KEEP);
	if (how == REGISTERS_KEEP)
		check_found();
	else
		check_nothing_there();
	if (!fake_as_noted(~UINT64_C(0)))
		complain("a register is not as it was");
}

static void meet_all(const struct row *row)
{
	for (unsigned how = 0; how < REGISTERS_KINDS; how++)
		meet(row, how);
	kinds++;
}

int main(int argc, char **argv)
{
	if (argc < 3) {
		fprintf(stderr, "processors: expected is: processors ERRATA TABLE...\n");
		return 2;
	}
	errata_read(argv[1]);
	for (int i = 2; i < argc; i++)
		rows_read(argv[i], meet_all);
	printf("%u kinds of processor, each with registers that keep, forget and fault: %u wrong\n",
	       kinds, wrong);
	return wrong ? 1 : 0;
}
