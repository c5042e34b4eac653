/* SPDX-License-Identifier: BSD-2-Clause */
/* The other processors: which there are, and what is planned for each. */
#include "boot.h"

#define NONE ~0u

/* CPUID 1 EAX. */
#define SIGNATURE_FAMILY    (FIELD(27, 20) | FIELD(11, 8))
#define SIGNATURE_FAMILY_15 FIELD(11, 8)

/* ---- which ---- */

const char *processors_refuse(const struct program *program, char sentence[OPTIONS_ERROR_MAX])
{
	const char *cpus = program->options.cpus, *why;
	unsigned count;

	if (!cpus_is_list(cpus))
		return NULL;
	count = firmware_processors(program->fw, &why);
	if (!count)
		return why;
	if (cpus_last(cpus) < count)
		return NULL;
	fmt_print(sentence, OPTIONS_ERROR_MAX,
		  "option \"cpus=%s\": processor %u is not there: allowed are 0 to %u", cpus,
		  cpus_last(cpus), count - 1);
	return sentence;
}

unsigned processors_count(const struct program *program, const char **why)
{
	*why = NULL;
	if (!strcmp(program->options.cpus, "boot"))
		return 0;
	return firmware_processors(program->fw, why);
}

static bool is_first_of_core(const struct processors *all, const struct member *m)
{
	for (const struct member *other = all->member; other < m; other++)
		if (other->is.package == m->is.package && other->is.core == m->is.core)
			return false;
	return true;
}

/* cpus=kinds is known only when each has been asked. */
static bool is_asked_for(const struct processors *all, const struct member *m, const char *cpus)
{
	if (m->is.runs_firmware)
		return false;
	if (cpus_is_list(cpus))
		return cpus_has(cpus, m->number);
	return strcmp(cpus, "cores") != 0 || is_first_of_core(all, m);
}

/* ---- what is planned ---- */

/* The processor that the kind was met on first; NULL: this is it. */
static const struct member *first_like(const struct processors *all, const struct member *m)
{
	for (const struct member *other = all->member; other < all->member + all->count; other++)
		if (other != m && other->kind_number != NONE &&
		    !memcmp(&other->kind, &m->kind, sizeof(m->kind)))
			return other;
	return NULL;
}

static void take_kind(struct processors *all, struct member *m)
{
	const struct member *first = first_like(all, m);

	if (!first && all->kinds == BATTERY_KINDS) {
		member_refuse(m,
			      "there are more kinds of processors than this program tells apart");
		return;
	}
	m->kind_number = first ? first->kind_number : all->kinds++;
	m->gathered = first != NULL;
	all->of_kind[m->kind_number]++;
	if (!first)
		all->first[m->kind_number] = m;
}

/* A full set for the first of a further kind, one result for others. */
static void plan_member(struct processors *all, struct member *m)
{
	if (!m->why && !m->is.enabled)
		member_refuse(m, "the firmware says that it is disabled");
	if (!m->why && !m->is.healthy)
		member_refuse(m, "the firmware says that it is not healthy");
	if (!m->why)
		member_ask_kind(all->program, m);
	m->planned[BATTERY_CORE] = 1;
	if (!m->why)
		take_kind(all, m);
	if (!m->why && !m->gathered)
		m->planned[BATTERY_CORE] = member_count(all->program, m, BATTERY_CORE);
	if (m->why)
		m->planned[BATTERY_CORE] = 1;
}

static bool is_spoken_for(const struct processors *all, unsigned package)
{
	for (unsigned i = 0; i < all->count; i++) {
		const struct member *m = &all->member[i];

		if (m->is.package == package && (m->is.runs_firmware || m->speaks_for_package))
			return true;
	}
	return false;
}

static void plan_boxes(struct processors *all, struct member *m)
{
	if (!m->planned[BATTERY_CORE] || m->why || is_spoken_for(all, m->is.package))
		return;
	m->speaks_for_package = true;
	m->planned[BATTERY_BOXES] = member_count(all->program, m, BATTERY_BOXES);
	if (m->why)
		m->planned[BATTERY_CORE] = 1;
}

static void plan_common(struct processors *all, struct member *m)
{
	if (!m->planned[BATTERY_CORE] || m->why)
		return;
	m->planned[BATTERY_COMMON] = member_count(all->program, m, BATTERY_COMMON);
	if (m->why)
		m->planned[BATTERY_CORE] = 1;
	all->in_common += m->planned[BATTERY_COMMON];
}

/* cpus=kinds: the others of a kind are not asked for. */
static bool is_left_out(const struct member *m, const char *cpus)
{
	return !strcmp(cpus, "kinds") && m->gathered;
}

static bool may_come(const struct processors *all, const struct member *m)
{
	return is_asked_for(all, m, all->program->options.cpus) &&
	       !is_left_out(m, all->program->options.cpus) && !m->why &&
	       company_selected(m->name, program_battery(all->program).filter);
}

/* Threads of a core have its counters in common on NetBurst, family 0Fh; AMD's family 0Fh has no
 * threads. */
static bool has_common_counters(const struct processors *all, const struct member *m)
{
	if ((m->kind.signature & SIGNATURE_FAMILY) != SIGNATURE_FAMILY_15)
		return false;
	for (const struct member *other = all->member; other < m; other++)
		if (other->planned[BATTERY_TOGETHER] && other->is.package == m->is.package &&
		    other->is.core == m->is.core)
			return true;
	return false;
}

/* One alone has no company: the firmware's processor waits meanwhile. */
static void plan_together(struct processors *all)
{
	for (struct member *m = all->member; m < all->member + all->count; m++) {
		m->planned[BATTERY_TOGETHER] = may_come(all, m) && !has_common_counters(all, m);
		all->together += m->planned[BATTERY_TOGETHER];
	}
	if (all->together == 1)
		all->together = 0;
	for (struct member *m = all->member; m < all->member + all->count; m++)
		m->planned[BATTERY_TOGETHER] *= all->together > 0;
	all->planned += all->together;
}

static void know(struct processors *all, unsigned number)
{
	struct member *m = &all->member[number];

	*m = (struct member){.number = number, .kind_number = NONE};
	fmt_print(m->name, sizeof(m->name), "cpu%u", number);
	member_refuse(m, firmware_processor(all->program->fw, number, &m->is));
	if (m->why || !m->is.runs_firmware)
		return;
	all->own = number;
	seat_find(&all->seat);
	identify_kind(&m->kind);
	take_kind(all, m);
}

void processors_plan(struct processors *all)
{
	const char *cpus = all->program->options.cpus;

	for (unsigned i = 0; i < all->count; i++)
		know(all, i);
	if (all->count && !all->kinds) {
		all->missing = "the firmware does not say which processor it runs on";
		all->count = 0;
	}
	for (struct member *m = all->member; m < all->member + all->count; m++) {
		if (!is_asked_for(all, m, cpus))
			continue;
		plan_member(all, m);
		if (is_left_out(m, cpus))
			m->planned[BATTERY_CORE] = 0;
		plan_boxes(all, m);
		plan_common(all, m);
		all->planned += m->planned[BATTERY_CORE] + m->planned[BATTERY_BOXES] +
				m->planned[BATTERY_COMMON];
	}
	plan_together(all);
}

/* ---- the report ---- */

static void report_kind(const struct processors *all, unsigned kind)
{
	const struct member *first = all->first[kind];
	const char *core = identify_core(&first->kind);

	report_header(
		"processor kind %u: %u, the first is cpu%u: package %u core %u thread %u, APIC "
		"ID %xh, CPUID 1 EAX %08x%s%s",
		kind, all->of_kind[kind], first->number, first->is.package, first->is.core,
		first->is.thread, first->is.apic_id, first->kind.signature, *core ? ", " : "",
		core);
}

void processors_report(const struct processors *all)
{
	if (all->missing)
		report_header("processors: this one alone: %s", all->missing);
	if (all->count)
		report_header("processors: %u, the firmware's is cpu%u", all->count, all->own);
	for (unsigned kind = 0; kind < all->kinds; kind++)
		report_kind(all, kind);
}
