/* SPDX-License-Identifier: BSD-2-Clause */
/* Lawful variations of boxes outside of the cores. */
#include "lawful.h"
#include "model/box/box.h"

#define LAWFUL_BOXES(models_, name_, says_, what_, ...)                                            \
	ENTERED("lawful", name_, #name_, models_, NULL, says_,                                     \
		.boxes = &(const struct defect){.arg = what_}, __VA_ARGS__)

#define WITH_BOXES                                                                                 \
	(MODEL_NEHALEM | MODEL_PILEDRIVER | MODEL_JAGUAR | MODEL_ZEN2 | MODEL_ZEN3 |               \
	 MODEL_PERFMON_V2)
#define WITH_WINDOW (MODEL_SKYLAKE | MODEL_GOLDENCOVE | MODEL_LIONCOVE)

/* Linux sets frz_en of Haswell-EP's boxes; Ivy Bridge-EP's, of which the guide says so, have none.
 */
LAWFUL_BOXES(MODEL_HASWELL_EP, frz_needs_frz_en, "frz freezes a box only with frz_en",
	     UNCORE_ALLOWED);
/* Linux has found that it may fault, and not always does. */
LAWFUL_BOXES(MODEL_HASWELL_EP, sbo_takes_all,
	     "the box control of boxes between rings takes several bits at once", UNCORE_LENIENT);
/* Linux counts slices by a register, and stacks not at all: what the others' MSRs do nobody says.
 */
LAWFUL_BOXES(MODEL_SCALABLE, missing_boxes_read_0,
	     "MSRs of slices and stacks that are not there read 0, and forget what is written",
	     UNCORE_HOLLOW);
LAWFUL_BOXES(MODEL_SCALABLE, memory_in_clusters,
	     "a socket is split: half of the slices and channels get all lines", UNCORE_CLUSTERS);
LAWFUL_BOXES(WITH_BOXES | WITH_WINDOW, boxes_are_shared,
	     "other cores and devices use caches and memory, too", UNCORE_OTHERS);
/* Intel's list of events has half clocks, its PCM whole ones. */
LAWFUL_BOXES(MODEL_ICELAKE_SP, fixed_counts_each_clock,
	     "fixed counters of channels count each clock, not every other one", UNCORE_WHOLE);
/* FreeBSD's driver has found it on servers of Zen 4 and Zen 5; nobody has said it of all parts. */
LAWFUL_BOXES(MODEL_PERFMON_V2, umc_never_sleeps,
	     "counters of memory controllers take writes while all of them are off", UNCORE_AWAKE);
/* Linux and others know no switch of it, a tool for desktops does. */
LAWFUL_BOXES(MODEL_PERFMON_V2, umc_clock_is_gated,
	     "memory controllers count no clocks, as if these were gated", UNCORE_GATED);
/* Trusted boot may lock registers of the host bridge; and firmware need not open the window. */
LAWFUL_BOXES(WITH_WINDOW | MODEL_ICELAKE_SP, memory_registers_hidden,
	     "registers of memory's controllers read all ones, as firmware may hide them",
	     UNCORE_HIDDEN, .alone = true);
LAWFUL_BOXES(MODEL_ICELAKE_SP, memory_not_shown,
	     "no function shows where registers of memory's controllers are", UNCORE_CLOSED,
	     .alone = true);
LAWFUL_BOXES(MODEL_SAPPHIRE, table_hidden, "the table of discovery reads all ones", UNCORE_HIDDEN,
	     .alone = true);
/* Linux drops what it has met, and what is empty: some firmware lists units more than once. */
LAWFUL_BOXES(MODEL_SAPPHIRE, table_lists_twice,
	     "the table of discovery has each unit twice, and an entry that is empty",
	     UNCORE_TWICE);
LAWFUL_BOXES(WITH_WINDOW, memory_window_closed,
	     "the host bridge has no window of registers of memory's controllers", UNCORE_CLOSED,
	     .alone = true);
