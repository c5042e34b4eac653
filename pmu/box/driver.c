/* SPDX-License-Identifier: BSD-2-Clause */
/* The driver of boxes: which of them this processor reaches. */
#include "box.h"

static const struct pmu *found[PMUS_MAX];
static unsigned found_count;

const struct pmu *box_pmu(unsigned i)
{
	return i < found_count ? found[i] : NULL;
}

static const struct pmu_box facet = {
	.freeze = box_freeze,
	.run = box_run,
	.each = box_pmu,
};

static void name(struct pmu *pmu, const struct box *box)
{
	char number[4] = "", socket[8] = "";

	if (box->kind->numbered)
		fmt_print(number, sizeof(number), "%u", box->number);
	if (box->socket)
		fmt_print(socket, sizeof(socket), "-s%u", box->socket);
	fmt_print(pmu->name, sizeof(pmu->name), "%s%s%s", box->kind->name, number, socket);
	pmu->kind_name = box->kind->name;
}

enum { VENDOR_LENGTH = 12 };

static bool is_vendor(const char *vendors, const struct cpu_identity *cpu)
{
	for (; *vendors; vendors += VENDOR_LENGTH)
		if (!memcmp(cpu->vendor, vendors, VENDOR_LENGTH))
			return true;
	return false;
}

static bool is_part(const struct box_part *part, const struct cpu_identity *cpu)
{
	bool is_model = part->any_model || cpu->model == part->model;

	for (const uint8_t *model = part->models; *model; model++)
		is_model |= cpu->model == *model;
	return is_model && is_vendor(part->vendors, cpu) && cpu->family >= part->first_family &&
	       cpu->family <= part->last_family;
}

static unsigned find_all(struct pmu *pmu, const struct box_part *part, struct box **boxes)
{
	unsigned count = box_find(part, boxes);

	found_count = 0;
	if (!count && part->system.id)
		pmu->silent = "no PCI function shows it, and no MSR acts as one of it";
	else if (!count && part->model)
		pmu->silent = "no MSR acts as one of it";
	return count;
}

/* Functions of devices are everybody's. */
static enum cpu_common common(const struct box_kind *kind)
{
	if (kind->space != REG_MSR || kind->in_core)
		return COMMON_NOTHING;
	return kind->common ? kind->common : COMMON_DIE;
}

static void describe_box(struct pmu *pmu, const struct box *box)
{
	pmu->kind = box->kind;
	pmu->kinds = box->kind->role | (box->first ? BOX_FIRST((uint64_t)box->kind->role) : 0);
	pmu->of_all_packages = box->kind->space != REG_MSR;
	pmu->common = common(box->kind);
	pmu->box = &facet;
	name(pmu, box);
}

bool box_probe(struct pmu *pmu, const struct cpu_identity *cpu)
{
	/* Boxes of the part that the processor has: no two parts are in one. */
	static struct box *boxes;
	static unsigned count;
	const struct box_part *part = (const struct box_part *)pmu->ops;
	const struct box *box;

	if (!is_part(part, cpu))
		return false;
	if (pmu->instance == 0)
		count = find_all(pmu, part, &boxes);
	if (pmu->instance >= count)
		return false;
	box = &boxes[pmu->instance];
	describe_box(pmu, box);
	if (box->silent[0]) {
		box_fill_silent(pmu, box);
	} else {
		box_fill(pmu, box);
		box_look(pmu, cpu);
		box_fill_meters(pmu, box);
	}
	/* Of counters of the core it is another driver that misses them. */
	if (box->kind->in_core && pmu->silent)
		return false;
	if (found_count < PMUS_MAX)
		found[found_count++] = pmu;
	return true;
}
