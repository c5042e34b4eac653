/* SPDX-License-Identifier: BSD-2-Clause */
/* Faults in what version 6 has brought: counters by bit maps, new names, EQ and the second unit
 * mask, auto counter reload. */
#include "intel.h"

#define P_CORE MODEL_LIONCOVE
#define E_CORE (MODEL_SKYMONT | MODEL_DARKMONT)
#define BOTH   (P_CORE | E_CORE)

/* ---- counters by bit maps ---- */

FAULT_ON(P_CORE, v6_counter9_dead, "9.count.instructions", "counter 9 counts nothing",
	 .increment = counts_nothing, .counters = BIT(9));
FAULT_ON(P_CORE, v6_counter8_is_0, "*.access.no_aliasing", "the select of counter 8 is that of 0",
	 .address = answers_for, .registers = BIT(INTEL_EVTSEL), .counters = BIT(8), .arg = 0);
FAULT_DO_ON(P_CORE, v6_rdpmc_9_is_8, "9.access.rdpmc_equals_rdmsr", "RDPMC of 9 reads counter 8",
	    rdpmc, if (at->index == 9) at->value = at->counter[8].value);
FAULT_DO_ON(P_CORE, v6_global_9_is_8, "*.global.gates_each",
	    "the global enable bit of counter 8 is for 9, too", runs,
	    at->enabled &= intel(at)->global_ctrl >> 8 & 1, .counters = BIT(9));
FAULT_ON(E_CORE, v6_fixed6_dead, "*.fixed.equals_general", "fixed counter 6 counts nothing",
	 .increment = counts_nothing, .counters = BIT(INTEL_GENERAL + 6));
FAULT_ON(E_CORE, v6_fixed5_loses_one_in, "*.fixed.equals_general",
	 "fixed counter 5 loses one of 4 slots", .increment = loses_one_in, .arg = 4,
	 .counters = BIT(INTEL_GENERAL + 5));
FAULT_ON(E_CORE, v6_fixed5_enable_dead, "*.fixed.enable_field",
	 "the field of fixed counter 5 enables ring 0 alone",
	 ACTS(INTEL_EVTSEL, .clear = SELECT_USR), .counters = BIT(INTEL_GENERAL + 5));
FAULT_DO_ON(E_CORE, v6_hole_is_read, "*.access.rdpmc_forms",
	    "RDPMC of fixed counter 3, which is not there, reads 0", rdpmc,
	    if (at->index == 0x40000003) at->access = ACCESS_DONE);

static void takes_hole(struct point *at)
{
	if (at->raw & BIT(35) && !(at->raw & ~(intel_counter_bits(intel(at)->traits) | BIT(35))))
		at->access = ACCESS_DONE;
}

FAULT_ON(E_CORE, v6_hole_is_enabled, "*.global.reserved_faults",
	 "the global bit of fixed counter 3, which is not there, can be written",
	 .refused = takes_hole, .registers = BIT(INTEL_GLOBAL_CTRL));

/* ---- new names ---- */

static bool is_new_name(const struct point *at)
{
	return at->reg.alias && at->reg.kind != INTEL_PMC;
}

/* It answers for the next one of its kind. */
#define NEW_NAME_OF_NEXT(kind_, last_)                                                             \
	if (is_new_name(at) && at->reg.kind == (kind_) && at->reg.number < (last_))                \
	at->reg.number++

FAULT_DO_ON(BOTH, v6_select_of_next, "*.access.second_names",
	    "the new name of a select register is that of the next one", address,
	    NEW_NAME_OF_NEXT(INTEL_EVTSEL, 7));
FAULT_DO_ON(BOTH, v6_counter_of_next, "*.access.second_names",
	    "the new name of a general counter is that of the next one", address,
	    NEW_NAME_OF_NEXT(INTEL_A_PMC, 7));
FAULT_DO_ON(BOTH, v6_fixed_of_next, "*.access.second_names",
	    "the new name of fixed counter 1 is that of 2", address,
	    if (is_new_name(at) && at->reg.number == INTEL_GENERAL + 1) at->reg.number++,
	    .registers = BIT(INTEL_FIXED_CTR));
FAULT_DO_ON(BOTH, v6_new_name_missing, "*.access.second_names",
	    "the new name of a select register faults", address,
	    if (is_new_name(at)) at->access = ACCESS_GP, .registers = BIT(INTEL_EVTSEL));
FAULT_DO_ON(BOTH, v6_new_name_extends, "*.access.second_width",
	    "a write by a new name copies bit 31 upwards", kept,
	    if (is_new_name(at)) at->value = (uint64_t)(int32_t)(uint32_t)at->raw & at->mask,
	    .registers = BIT(INTEL_A_PMC) | BIT(INTEL_FIXED_CTR));

static void takes_too_wide(struct point *at)
{
	if (is_new_name(at))
		at->access = ACCESS_DONE;
}

FAULT_ON(BOTH, v6_new_name_cuts, "*.access.second_width",
	 "a new name cuts a value that is too wide", .refused = takes_too_wide,
	 .registers = BIT(INTEL_A_PMC) | BIT(INTEL_FIXED_CTR));

/* ---- EQ and the second unit mask ---- */

FAULT_ON(BOTH, v6_eq_ignored, "*.select.exactly", "EQ has no effect",
	 ACTS(INTEL_EVTSEL, .clear = SELECT_EQ));
FAULT_DO_ON(BOTH, v6_eq_is_at_most, "*.select.exactly",
	    "EQ counts the clocks with CMASK events or fewer", compare,
	    at->now |= at->set->at_most != UINT32_MAX && at->n <= at->set->at_most);
FAULT_ON(BOTH, v6_eq_lost, "*.access.control_bits", "EQ cannot be set",
	 KEEPS(INTEL_EVTSEL, .clear = SELECT_EQ));
FAULT_ON(BOTH, v6_umask2_lost, "*.access.control_bits", "the second unit mask cannot be set",
	 KEEPS(INTEL_EVTSEL, .clear = SELECT_UNIT_MASK_2));
FAULT_ON(P_CORE, v6_umask2_ignored, "*.sub_event.occurs", "the second unit mask has no effect",
	 ACTS(INTEL_EVTSEL, .clear = SELECT_UNIT_MASK_2));

/* ---- auto counter reload ---- */

FAULT_DO_ON(E_CORE, acr_dead, "*.reload.by_others", "no counter is reloaded by another", reload,
	    at->overflowed &= intel_bit(at->ctr));
FAULT_DO_ON(E_CORE, acr_itself_dead, "*.reload.by_itself", "no counter reloads itself", reload,
	    at->overflowed &= ~intel_bit(at->ctr));
FAULT_DO_ON(E_CORE, acr_without_source, "*.reload.by_others",
	    "each overflow reloads all counters, whoever they name", reload, at->overflowed = 1);
FAULT_DO_ON(E_CORE, acr_value_is_0, "*.reload.by_others", "a counter is reloaded with 0", reload,
	    at->value = 0);
FAULT_DO_ON(E_CORE, acr_value_not_extended, "*.reload.by_others",
	    "the value is not extended by its last bit", reload, at->value &= UINT32_MAX);
FAULT_DO_ON(E_CORE, acr_value_of_next, "*.reload.by_others",
	    "a counter is reloaded with the value of the next one", reload,
	    at->value = intel(at)->reload[at->ctr + 1].value, .counters = FIELD(6, 2));
FAULT_DO_ON(E_CORE, acr_adds, "*.reload.by_others", "the value is added to what was counted",
	    reload, at->value += at->old);
FAULT_DO_ON(E_CORE, acr_misses_fixed, "*.reload.by_others",
	    "the overflow of a fixed counter reloads none", reload, at->overflowed &= FIELD(31, 0));
FAULT_DO_ON(E_CORE, acr_fixed1_dead, "*.reload.by_others", "fixed counter 1 is not reloaded",
	    reload, at->overflowed = 0, .counters = BIT(INTEL_GENERAL + 1));
FAULT_DO_ON(E_CORE, acr_shows_itself, "*.reload.by_itself",
	    "a counter that reloads itself sets its status bit", reloads_itself,
	    at->value = at->overflowed);
FAULT_DO_ON(E_CORE, acr_hides_all, "*.reload.by_others",
	    "no overflow that reloads sets a status bit", reloads_itself,
	    for (unsigned i = 0; i < INTEL_COUNTERS; i++) at->value &=
	    ~intel(at)->reload[i].sources);

static void takes_all(struct point *at)
{
	at->access = ACCESS_DONE;
}

FAULT_ON(E_CORE, acr_takes_all_sources, "*.reload.sources", "counter 0 can be named as a source",
	 .refused = takes_all, .registers = BIT(INTEL_CFG_B));
FAULT_ON(E_CORE, acr_source7_lost, "*.reload.sources", "counter 7 cannot be named as a source",
	 KEEPS(INTEL_CFG_B, .clear = BIT(7)));
FAULT_ON(E_CORE, acr_value_bit5_lost, "*.reload.sources", "bit 5 of a value is always 0",
	 KEEPS(INTEL_CFG_C, .clear = BIT(5)));

/* ---- RDPMC user disable, by a leaf 23H that no known part has ---- */

#define DISABLE_FAULT(name_, test_, says_, rdpmc_)                                                 \
	SEEDED(name_, #name_, BOTH, "intel." test_, says_,                                         \
	       DEFECT(.refused = intel_takes_disable, .kept = intel_keeps_disable,                 \
		      .rdpmc = (rdpmc_)),                                                          \
	       .cpuid = &intel_tells_of_disable)

DISABLE_FAULT(disable_dead, "*.access.hidden_from_user",
	      "RDPMC user disable has no effect: ring 3 reads the counter", NULL);

static void hides_from_all(struct point *at)
{
	at->cpl = 3;
	intel_hides(at);
}

DISABLE_FAULT(disable_hides_from_ring0, "*.access.hidden_from_user",
	      "RDPMC user disable hides the counter from ring 0, too", hides_from_all);

static void faults_instead(struct point *at)
{
	uint64_t value = at->value;

	at->value = 1;
	intel_hides(at);
	if (!at->value)
		at->access = ACCESS_GP;
	at->value = value;
}

DISABLE_FAULT(disable_faults, "*.access.hidden_from_user",
	      "RDPMC of a hidden counter faults in ring 3", faults_instead);
