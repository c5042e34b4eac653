/* SPDX-License-Identifier: BSD-2-Clause */
/* Generated faults that no test can see, by what the manuals document, and why. */

#include "generated.h"
#include "kernel/lib/bits.h"
#include "kernel/lib/glob.h"
#include "kernel/lib/string.h"

/* Faults that no test can see, for reasons that no other table of the model tells. */
static const struct exception {
	uint64_t models;
	const char *faults; /* globs of their names */
	const char *why;
} exceptions[] = {
	{~UINT64_C(0), "pmi_delayed-*",
	 "no manual bounds how late an interrupt may come; overflow.skid tells how late"},
	{~UINT64_C(0), "one_more_per_overflow-30b,one_more_per_interrupt-30b",
	 "reference clocks come several at once, and no test of their number is exact to one"},
	{~UINT64_C(0),
	 "lost-30b-8,lost-30b-9,lost-30b-10,rare_lost-30b-*,rare_doubled-30b-8,rare_doubled-30b-9,"
	 "rare_doubled-30b-1?,rare_doubled-30b-20",
	 "the clock of the bus may be spread by 0.5 %"},
	{MODEL_CORE2, "rare_doubled-30b-0,rare_doubled-30b-1,rare_doubled-30b-2",
	 "erratum W145 publishes reference clocks that follow another whole or half multiple of "
	 "the bus"},
	{MODEL_NEHALEM | MODEL_SANDY, "rare_lost-309-*,rare_doubled-309-1?,rare_doubled-309-20",
	 "errata AAJ107 and BJ136 publish that few instructions may be miscounted, and nothing "
	 "tells when"},
	{MODEL_SANDY | MODEL_SANDY_SERVERS,
	 "*_dead-309-any_thread*,*_one_*-309-any_thread*,*_late_*-309-any_thread*",
	 "by erratum BJ091 AnyThread may count retired instructions wrong"},
	{MODEL_PRESCOTT,
	 "ignored-36c-14,ignored-36d-14,ignored-36e-14,ignored-36f-14,ignored-37?-14",
	 "only uop_type, by which tags count, is selected with this bit, and it is not documented "
	 "what a counter does without an ESCR"},
	{MODEL_WILLAMETTE, "*-3a2-17",
	 "no manual says whether streamed lines are write-combining on the bus, and no second ESCR "
	 "tells"},
	{MODEL_SERVERS,
	 "uncore_stuck_0-ubox_fixed_ctr-44,uncore_stuck_0-ubox_fixed_ctr-45,"
	 "uncore_stuck_0-ubox_fixed_ctr-46,uncore_stuck_0-ubox_fixed_ctr-47",
	 "by one page of the manual this counter has 44 bits, by another 48"},
	{MODEL_SERVERS | MODEL_SKYLAKE, "uncore_one_more_per_*-*_fixed_ctr",
	 "a fixed counter's count is known no closer than the accesses that start and stop it "
	 "take"},
	{MODEL_SKYLAKE, "uncore_ignored-cbo?_ctl?-8,uncore_inverted-cbo?_ctl?-8",
	 "how many lines of a slice are found modified is up to the core's own caches"},
	{MODEL_SKYLAKE, "uncore_one_more_per_overflow-*",
	 "nothing stops two counters of a client alone, and one more may be another's"},
	{MODEL_ZHAOXIN,
	 "*-30b,*-30b-*,*-38d-8,*-38d-9,*-38d-10,*-38d-11,ignored-38f-34,inverted-38f-34",
	 "fixed counter 2 counts clocks of the bus, of which nobody says how they go, and is left "
	 "alone"},
	{MODEL_GOLDENCOVE,
	 "share_stands-329-32,share_stands-329-40,share_stands-329-48,share_stands-329-56",
	 "no manual says how large the part is that a share of level 2 has of that of level 1"},
	{MODEL_SKYMONT, "ignored-3f1-36,inverted-3f1-36,ignored-3f2-52",
	 "fixed counter 4 is left alone: in code without mispredictions it counts nothing"},
	{MODEL_AMD, "uncore_one_more_per_overflow-*",
	 "what a counter of AMD's boxes does behind its largest value is not documented"},
	{MODEL_HASWELL_EP, "uncore_*-ubox_ct?0*,uncore_*-ubox_ct?1*",
	 "no event of these counters that a program causes is documented"},
	{MODEL_SKYLAKE_SP,
	 "uncore_ignored-cha?_filter0-18,uncore_ignored-cha?_filter0-19,"
	 "uncore_ignored-cha?_filter0-2?,uncore_inverted-cha?_filter0-18,"
	 "uncore_inverted-cha?_filter0-19,uncore_inverted-cha?_filter0-2?",
	 "which lines the last-level cache has, and in which state, is up to the core's own "
	 "caches"},
	{MODEL_ICELAKE_SP | MODEL_DISCOVERED,
	 "uncore_ignored-cha?_ctl?-12,uncore_ignored-cha?_ctl?-13,uncore_ignored-cha?_ctl?-14,"
	 "uncore_ignored-cha?_ctl?-15,uncore_inverted-cha?_ctl?-12,uncore_inverted-cha?_ctl?-13,"
	 "uncore_inverted-cha?_ctl?-14,uncore_inverted-cha?_ctl?-15",
	 "in which state the last-level cache has a line is up to the core's own caches"},
	{MODEL_SKYLAKE_SP, "uncore_ignored-cha?_filter1-0,uncore_inverted-cha?_filter1-0",
	 "no memory of another socket is looked for: slices tell no nodes apart"},
	{MODEL_IVY_EP, "uncore_*-irp_ct?2*,uncore_*-irp_ct?3*",
	 "no event of these counters is documented, and so none is used"},
};

static bool matches(const char *globs, const char *name)
{
	for (;; globs++) {
		size_t length = 0;

		while (globs[length] && globs[length] != ',')
			length++;
		if (glob_match(globs, length, name))
			return true;
		globs += length;
		if (!*globs)
			return false;
	}
}

const char *generated_unseen(const struct generated_walk *w)
{
	const struct kind_ops *ops = w->profile->pmus[w->part].ops;

	for (size_t i = 0; i < ARRAY_SIZE(exceptions); i++)
		if (exceptions[i].models & w->profile->bit &&
		    matches(exceptions[i].faults, w->name))
			return exceptions[i].why;
	if (generated_is_pair(w))
		return pair_unseen(w);
	if (w->class != GENERATED_IGNORED && w->class != GENERATED_INVERTED)
		return NULL;
	return ops->unseen(w->profile->pmus[w->part].traits, &w->reg, w->one,
			   w->class == GENERATED_INVERTED);
}
