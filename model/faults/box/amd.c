/* SPDX-License-Identifier: BSD-2-Clause */
/* Seeded faults of AMD's boxes: caches, data fabric, memory controllers, northbridge. */
#include "box.h"

/* ---- whose requests a cache counts ---- */

/* Another slice, or thread, passes: those that it names do not. */
static void lets_others_pass(struct point *at)
{
	at->value ^= field_at(at, at->defect->field);
}

BOX_FAULT(l3_slices_inverted, CACHES, "l3.*.traffic.slices",
	  "a bit of the slice mask keeps its slice out, and lets others pass",
	  .acts = lets_others_pass, .field = CTL_SLICES);
static void lets_next_pass(struct point *at)
{
	uint64_t mask = field_at(at, CTL_SLICES);

	at->value = (at->value & ~mask) | ((at->value & mask) >> 1 & mask);
}
BOX_FAULT(l3_slices_shifted, CACHES, "l3.*.traffic.slices",
	  "a bit of the slice mask lets the slice below pass", .acts = lets_next_pass,
	  .field = CTL_SLICES);
BOX_FAULT(l3_slices_ignored, CACHES, "l3.*.traffic.slices", "the slice mask lets all slices pass",
	  SETS(acts, CTL_SLICES, ALL_OF_IT));
BOX_FAULT(l3_slice_ignored, CACHES, "l3.*.traffic.slices", "a number of a slice means all of them",
	  SETS(acts, CTL_ALL_SLICES, ALL_OF_IT));
BOX_FAULT(l3_slice_bit_2_dead, CACHES, "l3.*.traffic.slices",
	  "bit 2 of the number of a slice counts for nothing", CLEARS(acts, CTL_SLICE, BIT(2)));
BOX_FAULT(l3_all_slices_dead, CACHES, "l3.*.traffic.lookups,l3.*.traffic.misses",
	  "all slices are slice 0 alone", CLEARS(acts, CTL_ALL_SLICES, ALL_OF_IT));
BOX_FAULT(l3_threads_ignored, CACHES, "l3.*.traffic.threads",
	  "the thread mask lets all threads pass", SETS(acts, CTL_THREADS, ALL_OF_IT));
BOX_FAULT(l3_threads_inverted, CACHES, "l3.*.traffic.threads",
	  "a bit of the thread mask keeps its thread out, and lets others pass",
	  .acts = lets_others_pass, .field = CTL_THREADS);
BOX_FAULT(l3_core_ignored, CACHES, "l3.*.traffic.threads", "a number of a core means all of them",
	  SETS(acts, CTL_ALL_CORES, ALL_OF_IT));
BOX_FAULT(l3_core_bit_1_dead, CACHES, "l3.*.traffic.threads",
	  "bit 1 of the number of a core counts for nothing", CLEARS(acts, CTL_CORE, BIT(1)));

/* ---- events ---- */

enum { L3_MISS = 0x01 }; /* unit mask */

static bool is_miss(const struct point *at)
{
	return arrival(at) && arrival(at)->miss;
}

BOX_FAULT_DO(l3_misses_are_hits, CACHES, "l3.*.traffic.misses", "a lookup that misses is a hit",
	     occurrences, at->n = selection_of(at)->umask == L3_MISS ? 0 : at->n);
BOX_FAULT_DO(l3_misses_twice, CACHES, "l3.*.traffic.lookups",
	     "a lookup that misses counts twice by itself, and once among all", occurrences,
	     at->n *= selection_of(at)->umask == L3_MISS && is_miss(at) ? 2 : 1, .field = CTL_CORE);
BOX_FAULT(l3_umask_is_all, CACHES, "l3.*.traffic.lookups",
	  "any unit mask of a cache means all of it", SETS(acts, CTL_UMASK, ALL_OF_IT));
BOX_FAULT(l3_loses_every_512th, CACHES, "l3.*.count.counters_agree",
	  "counter 2 of a cache loses one in 512", .increment = loses_one_in, .arg = 512,
	  .counters = BIT(2));
BOX_FAULT(df_loses_every_64th, FABRICS, "df.*.count.counters_agree",
	  "counter 1 of the data fabric loses one in 64", .increment = loses_one_in, .arg = 64,
	  .counters = BIT(1));
BOX_FAULT(df_instance_bit_0_dead, FABRICS, "df.*.traffic.channels",
	  "bit 0 of the instance counts for nothing", CLEARS(acts, CTL_EVENT, BIT(6)));
SEEDED(df_high_instances_dead, "uncore_df_high_instances_dead", MODEL_ZEN2 | MODEL_ZEN4,
       "df.*.traffic.channels", "the event select above bit 7 counts for nothing",
       .boxes = &(const struct defect){FABRICS, ACTS(UNCORE_CTL, .clear = FIELD(35, 32))});
/* Which instance is a channel is published of servers alone. */
HOOK(swap_directions, request_of(at)->write = !request_of(at)->write)
SEEDED(df_directions_swapped, "uncore_df_directions_swapped", MODEL_ZEN4,
       "df.*.traffic.reads,df.*.traffic.writes", "reads are counted as writes, and writes as reads",
       .boxes = &(const struct defect){FABRICS, .arrives = do_swap_directions});
BOX_FAULT(df_local_is_both, FABRICS, "df.*.traffic.sockets",
	  "what goes to this socket's memory counts as another's, too",
	  ACTS(UNCORE_CTL, .when = BIT(27), .set = BIT(26)));
BOX_FAULT(df_both_is_local, FABRICS, "df.*.traffic.sockets",
	  "what goes to both sockets' memory is what goes to neither",
	  ACTS(UNCORE_CTL, .when = FIELD(27, 26), .clear = BIT(26)));
BOX_FAULT(umc_masks_swapped, CONTROLLERS, "umc*.traffic.reads,umc*.traffic.writes",
	  "reads are left out instead of writes, and writes instead of reads",
	  EXCHANGES(UNCORE_CTL, BIT(8), BIT(9)));
BOX_FAULT(umc_mask_ignored, CONTROLLERS, "umc*.traffic.commands",
	  "neither reads nor writes can be left out", CLEARS(acts, CTL_UMASK, ALL_OF_IT));
BOX_FAULT_DO(umc_3_deaf, CONTROLLERS, "umc*.traffic.reads", "controller 3 counts no traffic",
	     arrives, at->n = 0, ONLY(3));
BOX_FAULT_DO(umc_1_slow, CONTROLLERS, "umc*.traffic.clocks_agree",
	     "controller 1 counts four clocks in five", rate, at->value = at->value / 5 * 4,
	     ONLY(1));
BOX_FAULT(nb_conflicts_lost, NORTHBRIDGES, "nb.*.traffic.pages",
	  "conflicts of pages are lost where others are counted with them",
	  ACTS(UNCORE_CTL, .some = FIELD(9, 8), .clear = BIT(10)));
BOX_FAULT(nb_event_bit_5_dead, NORTHBRIDGES, "nb.*.traffic.pages",
	  "bit 5 of the event select counts for nothing", CLEARS(acts, CTL_EVENT, BIT(5)));

/* ---- registers ---- */

BOX_FAULT(amd_en_ignored, CACHES, "l3.*.count.enable_alone", "counters count without EN",
	  SETS(acts, CTL_ENABLE, ALL_OF_IT));
BOX_FAULT(df_en_ignored, FABRICS, "df.*.count.enable_alone", "counters count without EN",
	  SETS(acts, CTL_ENABLE, ALL_OF_IT));
BOX_FAULT(umc_counter_2_dead, CONTROLLERS, "umc0.*.count.enable_alone", "counter 2 never counts",
	  CLEARS(acts, CTL_ENABLE, ALL_OF_IT), .counters = BIT(2));
BOX_FAULT(l3_counter_5_is_4, CACHES, "l3.*.access.no_alias", "counter 5 is counter 4",
	  .address = answers_for, .arg = 4, .registers = BIT(UNCORE_CTR), .counters = BIT(5));
BOX_FAULT(df_select_3_is_2, FABRICS, "df.*.access.no_alias", "select 3 is select 2",
	  .address = answers_for, .arg = 2, .registers = BIT(UNCORE_CTL), .counters = BIT(3));
BOX_FAULT_DO(umc_1_is_0, CONTROLLERS, "umc*.access.no_alias",
	     "controller 1 has the registers of controller 0", address,
	     at->box = box_beside(at, -1), ONLY(1));
BOX_FAULT_DO(l3_rdpmc_low32, CACHES, "l3.*.access.rdpmc", "RDPMC returns bits 31:0 only", rdpmc,
	     at->value = (uint32_t)at->value);
BOX_FAULT_DO(df_rdpmc_refused, FABRICS, "df.*.access.rdpmc",
	     "RDPMC of counter 1 of the data fabric faults", rdpmc,
	     at->access = at->index == 7 ? ACCESS_GP : at->access);
BOX_FAULT(l3_threads_lost, CACHES, "l3.*.access.control_holds", "the thread mask cannot be set",
	  CLEARS(kept, CTL_THREADS, ALL_OF_IT));
BOX_FAULT(df_event_bit_8_lost, FABRICS, "df.*.access.control_holds",
	  "a bit of the event select above bit 7 cannot be set",
	  KEEPS(UNCORE_CTL, .clear = BIT(32)), .field = CTL_EVENT);
BOX_FAULT(umc_writes_lost, CONTROLLERS, "umc*.access.counter_holds",
	  "counters cannot be written, whether a control is on or not", .counters = BIT(1),
	  KEEPS(UNCORE_CTR, .clear = FIELD(47, 0)));
BOX_FAULT(l3_carry_into_32_lost, CACHES, "l3.*.count.carries", "a carry into bit 32 is lost",
	  .hold = carry_lost, .arg = FIELD(31, 0));
BOX_FAULT(df_carry_into_40_lost, FABRICS, "df.*.count.carries", "a carry into bit 40 is lost",
	  .hold = carry_lost, .arg = FIELD(39, 0));
BOX_FAULT(nb_carry_into_16_lost, NORTHBRIDGES, "nb.*.count.carries", "a carry into bit 16 is lost",
	  .hold = carry_lost, .arg = FIELD(15, 0));

/* ---- the second-level cache of family 16h ---- */

BOX_FAULT_DO(l2_hits_miss, L2S, "l2i.*.traffic.l2_lines", "each request misses", occurrences,
	     at->n = arrival(at) && selection_of(at)->umask & L2_DATA && !arrival(at)->write);
BOX_FAULT_DO(l2_misses_lost, L2S, "l2i.*.traffic.l2_lines", "no request misses", occurrences,
	     at->n = counts(at, COUNTS_L2, L2_MISSES) ? 0 : at->n);
BOX_FAULT(l2_data_dead, L2S, "l2i.*.count.enable_alone,l2i.*.traffic.l2_lines",
	  "the unit mask's bit of data is dead", CLEARS(acts, CTL_UMASK, BIT(1)));
BOX_FAULT(l2_en_ignored, L2S, "l2i.*.count.enable_alone", "counters count without EN",
	  SETS(acts, CTL_ENABLE, ALL_OF_IT));
BOX_FAULT(l2_select_2_is_1, L2S, "l2i.*.access.no_alias", "select 2 is select 1",
	  .address = answers_for, .arg = 1, .registers = BIT(UNCORE_CTL), .counters = BIT(2));
BOX_FAULT(l2_event_bit_8_lost, L2S, "l2i.*.access.control_holds",
	  "a bit of the event select above bit 7 cannot be set",
	  KEEPS(UNCORE_CTL, .clear = BIT(32)), .field = CTL_EVENT);
BOX_FAULT(l2_carry_into_24_lost, L2S, "l2i.*.count.carries", "a carry into bit 24 is lost",
	  .hold = carry_lost, .arg = FIELD(23, 0));
BOX_FAULT_DO(l2_rdpmc_next, L2S, "l2i.*.access.rdpmc", "RDPMC reads another counter", rdpmc,
	     at->value ^= BIT(20));

/* ---- interrupts ---- */

BOX_FAULT_DO(nb_interrupt_lost, NORTHBRIDGES, "nb.*.interrupt.to_this_core",
	     "an overflow of counter 1 interrupts no core", requests, at->requests = 0,
	     .counters = BIT(1));
BOX_FAULT_DO(nb_interrupt_doubled, NORTHBRIDGES, "nb.*.interrupt.to_this_core",
	     "an overflow of counter 3 interrupts the core twice", requests, at->requests *= 2,
	     .counters = BIT(3));
BOX_FAULT_DO(nb_interrupts_all, NORTHBRIDGES, "nb.*.interrupt.to_other_cores",
	     "an overflow interrupts all cores", requests, at->requests = 1);
BOX_FAULT(nb_int_core_sel_bit_2_dead, NORTHBRIDGES, "nb.*.interrupt.to_other_cores",
	  "bit 2 of the number of the core counts for nothing", CLEARS(acts, CTL_OF_CORE, BIT(2)));
BOX_FAULT(nb_int_stuck, NORTHBRIDGES, "nb.*.interrupt.to_nobody",
	  "an overflow interrupts core 0 without Int", SETS(acts, CTL_INTERRUPT, ALL_OF_IT));

/* ---- whose they are ---- */

APART_FAULT(l3, CACHES, "the counters of the cache");
APART_FAULT(l2i, L2S, "the counters of the cache");
APART_FAULT(df, FABRICS, "the counters of the data fabric");
APART_FAULT(umc, CONTROLLERS, "the counters of the memory's controllers");
APART_FAULT(nb, NORTHBRIDGES, "the counters of the northbridge");
