/* SPDX-License-Identifier: BSD-2-Clause */
/* The rows of all parts as docs/uncore.md has them.  With an argument, it prints what that file
 * should hold. */
#include <stdarg.h>
#include <stdlib.h>

#include "check/unit/tap.h"
#include "pmu/box/box.h"

#define TABLE "docs/uncore.md"

static char text[131072];
static size_t length;

static __attribute__((format(printf, 1, 2))) void add(const char *format, ...)
{
	va_list args;

	va_start(args, format);
	length += (size_t)vsnprintf(text + length, sizeof(text) - length, format, args);
	va_end(args);
}

static const struct box_part *part_at(unsigned i)
{
	const struct pmu_ops *ops = pmu_driver(i);

	return ops->probe == box_probe ? (const struct box_part *)ops : NULL;
}

/* ---- kinds ---- */

static void add_role(uint32_t role)
{
	static const char *const roles[] = {
		"memory channel",
		"home agent",
		"link",
		"ring stop of PCIe",
		"ring stop of links",
		"cache slice",
		"system",
		"power control",
		"devices",
		"last-level cache",
		"data fabric",
		"memory controller",
		"northbridge",
		"between rings",
		"cache slice of a client",
		"arbiter",
		"second-level cache",
		"end of a mesh",
		"whole uncore",
		"memory behind a controller",
	};

	add("%s", roles[lowest_bit(role)]);
}

/* Where CPUID says that it is there. */
static void add_promise(const struct box_place *place)
{
	static const char *const perfmon[] = {"", " without PerfMonV2", " with PerfMonV2"};
	const struct box_promise *promise = &place->promise;

	add(" MSR %Xh on, family %02Xh", place->base, promise->first_family);
	if (promise->last_family != promise->first_family)
		add(" to %02Xh", promise->last_family);
	if (promise->bit)
		add(" by 8000_0001h ECX bit %u", promise->bit);
	add("%s%s", perfmon[promise->perfmon],
	    place->by_channel ? ", one for each bit of 8000_0022h ECX" : "");
}

static void add_in_window(const struct box_place *place)
{
	add(" MCHBAR + %Xh", place->base);
	if (place->model)
		add(" of model %02Xh", place->model);
	if (place->optional)
		add(" if it is there");
}

/* Where in memory a function shows so many of them to be. */
static void add_in_block(const struct box_place *place)
{
	add(" %02Xh of %u.%u (%04Xh) + %Xh", place->bar_at, place->device, place->function,
	    place->id, place->base);
	if (place->count > 1)
		add(" + %Xh n, %u", place->step, place->count);
	add(" if it is there");
}

static void add_place(const struct box_place *place)
{
	if (place->promised)
		add_promise(place);
	else if (place->bar_at)
		add_in_block(place);
	else if (place->id)
		add(" %u.%u (%04Xh)%s", place->device, place->function, place->id,
		    place->optional ? " if it is there" : "");
	else if (place->in_window)
		add_in_window(place);
	else if (place->count > 1)
		add(" MSR %Xh + %Xh n, up to %u", place->base, place->step, place->count);
	else
		add(" MSR %Xh", place->base);
	if (place->filter_id)
		add(" with %u.%u (%04Xh)", place->device, place->filter_function, place->filter_id);
}

static void add_places(const struct box_part *part, const struct box_kind *kind)
{
	const char *separator = "";

	if (part->discovery)
		add(" units of type %u", kind->unit);
	for (unsigned i = 0; i < part->places_count; i++) {
		if (&part->kinds[part->places[i].kind] != kind)
			continue;
		add("%s", separator);
		add_place(&part->places[i]);
		separator = ",";
	}
}

/* How many counters it has, CPUID tells. */
static bool is_told(const struct box_part *part, const struct box_kind *kind)
{
	for (unsigned i = 0; i < part->places_count; i++)
		if (&part->kinds[part->places[i].kind] == kind && part->places[i].promised &&
		    part->places[i].promise.counters)
			return true;
	return false;
}

static void add_counters(const struct box_part *part, const struct box_kind *kind)
{
	if (!kind->counters) {
		add(" | none |");
		return;
	}
	add(" | %s%u of %u ", is_told(part, kind) ? "up to " : "", kind->counters, kind->width);
	if (kind->wider)
		add("or %u ", kind->wider);
	add("bits |");
}

static void add_kind(const struct box_part *part, const struct box_kind *kind)
{
	add("| `%s%s` | ", kind->name, kind->numbered ? "N" : "");
	add_role(kind->role);
	add(" |");
	add_places(part, kind);
	add_counters(part, kind);
	if (kind->at.fixed_ctl != NOT_THERE)
		add(" fixed counter of %u bits", kind->fixed_width);
	for (unsigned i = 0; i < BOX_FILTERS_MAX && box_filters(kind)->reg[i].fields; i++)
		add("%s filter %08llXh", i ? "," : "",
		    (unsigned long long)box_filters(kind)->reg[i].fields);
	for (const struct box_meter *row = kind->meters; row && row->name; row++)
		add("%s %s", row == kind->meters ? " counts by itself:" : ",", row->name);
	add(" |\n");
}

/* ---- events ---- */

/* What a line makes of it. */
static void add_lines(const struct box_event *row)
{
	static const char *const uses[LINE_USES] = {NULL, "loaded", "stored to", "flushed",
						    "streamed"};
	const char *separator = "";

	for (unsigned use = LINE_LOADED; use < LINE_USES; use++) {
		if (!row->per_line[use])
			continue;
		add("%s %d %s%s", separator, row->per_line[use] == NONE ? 0 : row->per_line[use],
		    row->or_more ? "or more " : "", uses[use]);
		separator = ",";
	}
}

static void add_event(const struct box_kind *kind, const struct box_event *row)
{
	add("| `%s` | %s | %02Xh | %02llXh |", kind->name, row->name, row->event,
	    (unsigned long long)row->unit_mask);
	if (row->counters)
		add(" %u to %u", row->first, row->first + row->counters - 1u);
	add(" |");
	add_lines(row);
	add(" | %s |\n", row->agree == AGREE              ? "all counters agree"
			 : row->agree == AGREE_BIT_BY_BIT ? "all counters agree, bit by bit"
							  : "");
}

/* Parts may share a table of kinds. */
static bool has(const struct box_part *part, const struct box_kind *kind)
{
	if (part->discovery)
		return true;
	for (unsigned i = 0; i < part->places_count; i++)
		if (&part->kinds[part->places[i].kind] == kind)
			return true;
	return false;
}

static const struct box_kind *last_of(const struct box_part *part)
{
	const struct box_kind *last = part->kinds;

	while (part->discovery && last[1].name)
		last++;
	for (unsigned i = 0; i < part->places_count; i++)
		if (&part->kinds[part->places[i].kind] > last)
			last = &part->kinds[part->places[i].kind];
	return last;
}

static void add_part(const struct box_part *part)
{
	const struct box_kind *last = last_of(part);

	add("\n## `%s`: %s\n\n%s. %s.\n\n", part->ops.name, part->ops.title, part->ops.manual,
	    part->ops.processors);
	add("| in test ids | box | where | counters | besides |\n|---|---|---|---|---|\n");
	for (const struct box_kind *kind = part->kinds; kind <= last; kind++)
		if (has(part, kind))
			add_kind(part, kind);
	add("\n| box | event | number | unit mask | counters | of a line | `event.agree` |\n"
	    "|---|---|---|---|---|---|---|\n");
	for (const struct box_kind *kind = part->kinds; kind <= last; kind++)
		for (const struct box_event *row = kind->events; has(part, kind) && row->name;
		     row++)
			add_event(kind, row);
}

static void test_table(void)
{
	FILE *file = fopen(TABLE, "r");
	static char there[sizeof(text)];

	if (!OK(file))
		return;
	there[fread(there, 1, sizeof(there) - 1, file)] = '\0';
	OK(!strcmp(there, text));
	fclose(file);
}

int main(int argc, char **argv)
{
	(void)argv;
	add("# Boxes outside of the cores, part by part\n\n"
	    "The rows of `pmu/box/parts/`: which boxes there are, where, and the events that tests "
	    "use. After a change,\n`build/host/unit/pmu/box/table print >" TABLE
	    "`. [boxes.md](boxes.md) says what is made of them.\n");
	for (unsigned i = 0; pmu_driver(i); i++)
		if (part_at(i))
			add_part(part_at(i));
	if (argc > 1)
		return fputs(text, stdout) < 0;
	OK(length < sizeof(text) - 1);
	test_table();
	return tap_end();
}
