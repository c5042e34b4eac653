/* SPDX-License-Identifier: BSD-2-Clause */
/* Seeded faults of controllers of memory, which count lines by themselves. */
#include "box.h"

/* Is it the meter of these lines? */
static bool meters(const struct point *at, unsigned lines)
{
	return box_of(at)->kind->meters[at->ctr].lines == lines;
}

static uint64_t now(const struct point *at)
{
	return ((const struct uncore *)at->pmu)->now;
}

BOX_FAULT_DO(memory_reads_stand, MEMORIES, "mc*.traffic.lines_read",
	     "reads of memory are not counted", shown,
	     at->value = meters(at, LINES_READ) ? 0x1234 : at->value, ON_METERS);
BOX_FAULT_DO(memory_reads_halved, MEMORIES, "mc*.traffic.lines_read",
	     "two reads of memory count as one", shown,
	     at->value >>= meters(at, LINES_READ) ? 1 : 0, ON_METERS);
BOX_FAULT_DO(memory_carry_into_10_lost, MEMORIES, "mc*.traffic.lines_read",
	     "a carry into bit 10 of reads of memory is lost", shown,
	     at->value &= meters(at, LINES_READ) ? FIELD(9, 0) : UINT64_MAX, ON_METERS);
BOX_FAULT_DO(memory_reads_are_writes, MEMORIES, "mc*.traffic.lines_read",
	     "the register of reads of memory is that of writes", address,
	     at->reg.number += meters(at, LINES_READ), ON_METERS);
BOX_FAULT_DO(memory_writes_are_reads, MEMORIES, "mc*.traffic.lines_written",
	     "the register of writes to memory is that of reads", address,
	     at->reg.number -= meters(at, LINES_WRITTEN), ON_METERS);
BOX_FAULT_DO(memory_loses_one_in_16, MEMORIES, "mc*.traffic.lines_read,mc*.traffic.lines_written",
	     "one line of memory in 16 is not counted", arrives,
	     at->n = request_of(at)->address / UNCORE_LINE / 2 % 16 != 0, ON_METERS);
BOX_FAULT_DO(memory_1_deaf, MEMORIES, "mc*.traffic.lines_read,mc*.traffic.lines_written",
	     "the second controller of memory counts no lines", arrives, at->n = 0, ONLY(1),
	     ON_METERS);
/* Servers do not count them. */
HOOK(memory_requests_stand, at->value = meters(at, LINES_READ | LINES_WRITTEN) ? 0 : at->value)
SEEDED(memory_requests_stand, "uncore_memory_requests_stand",
       MODEL_SKYLAKE | MODEL_GOLDENCOVE | MODEL_LIONCOVE, "mc*.traffic.lines_asked_for",
       "requests for memory are not counted",
       .boxes = &(const struct defect){MEMORIES, .shown = do_memory_requests_stand, ON_METERS});
BOX_FAULT_DO(memory_goes_back, MEMORIES, "mc*.meters.forward",
	     "bit 20 of what is counted of memory is inverted at times", shown,
	     at->value ^= now(at) & BIT(16) ? BIT(20) : 0, ON_METERS);
BOX_FAULT_DO(memory_fast, MEMORIES, "mc*.meters.bounded",
	     "lines of memory are counted many times in each clock", shown,
	     at->value += 8 * now(at), ON_METERS);

/* ---- of servers, beside channels ---- */

#define SERVER_FAULT_DO(name_, boxes_, test_, says_, hook_, statement_, ...)                       \
	HOOK(name_, statement_)                                                                    \
	SEEDED(uncore_##name_, "uncore_" #name_, MODEL_ICELAKE_SP, test_, says_,                   \
	       .boxes = &(const struct defect){boxes_, .hook_ = do_##name_, __VA_ARGS__})

SERVER_FAULT_DO(memory_clocks_stand, MEMORIES, "mc*.meters.moves",
		"a memory controller's meter of clocks stands still", shown,
		at->value = box_of(at)->kind->meters[at->ctr].clocks ? 0x1234 : at->value,
		ON_METERS);
SERVER_FAULT_DO(memory_too_wide, MEMORIES, "mc*.meters.in_width",
		"a memory controller's meters have a bit too many", shown, at->value |= BIT(48),
		ON_METERS);
SERVER_FAULT_DO(memory_channel_1_twice, MEMORIES, "mc*.traffic.lines_of_channels",
		"a memory controller counts each line of its second channel twice", arrives,
		at->n += request_of(at)->channel, ON_METERS);
SERVER_FAULT_DO(memory_writes_are_both, MEMORIES, "mc*.traffic.lines_of_channels",
		"the second memory controller counts each write as a read, too", arrives,
		request_of(at)->partial |= request_of(at)->write, ONLY(1), ON_METERS);
SEEDED(uncore_channel_half_clocks_lost, "uncore_channel_half_clocks_lost", MODEL_ICELAKE_SP,
       "imc0.*.count.fixed_matches", "a channel's fixed counter loses every eighth of its clocks",
       .boxes = &(const struct defect){CHANNELS, .increment = loses_one_in, .arg = 8,
				       .counters = BIT(UNCORE_FIXED)});
SERVER_FAULT_DO(channel_5_is_4, CHANNELS, "imc*.access.no_alias",
		"the second channel of the third controller is its first one", address,
		at->box = box_beside(at, -1), ONLY(5));

/* ---- counters ---- */

enum { CAS_RD = 0x22, CAS_WR = 0x23 };

BOX_FAULT(memory_deaf_to_freeze, MEMORIES, "mc*.freeze.stops_all",
	  "a memory controller that is frozen counts on", CLEARS(acts, GATE_FREEZE, ALL_OF_IT));
BOX_FAULT(memory_rst_ctrs_dead, MEMORIES, "mc*.access.clears",
	  "box control of a memory controller clears no counter",
	  CLEARS(kept, GATE_RESET_COUNTERS, ALL_OF_IT));
BOX_FAULT(memory_rst_ctrl_dead, MEMORIES, "mc*.access.clears",
	  "box control of a memory controller clears no control register",
	  CLEARS(kept, GATE_RESET_CONTROLS, ALL_OF_IT));
BOX_FAULT(memory_counter_3_loses, MEMORIES, "mc*.count.counters_agree,mc*.event.agree",
	  "counter 3 of a memory controller loses one in 64", .increment = loses_one_in, .arg = 64,
	  .counters = BIT(3));
BOX_FAULT(memory_thresh_bit_7_lost, MEMORIES, "mc*.access.control_holds",
	  "the top bit of a memory controller's threshold cannot be set",
	  CLEARS(kept, CTL_THRESHOLD, BIT(7)));
BOX_FAULT_DO(memory_nothing_is_clocks, MEMORIES, "mc*.count.no_event",
	     "a counter of a memory controller without an event counts clocks", acts,
	     at->value |= at->value & FIELD(7, 0) ? 0 : 1, .registers = BIT(UNCORE_CTL));
BOX_FAULT_DO(memory_cas_rd_is_wr, MEMORIES, "mc*.traffic.cas_read",
	     "a memory controller counts writes for reads", occurrences,
	     at->n = at->event == CAS_RD ? signal(at, MEMORY_WRITES) : at->n, .event = CAS_RD);
BOX_FAULT_DO(memory_cas_wr_halved, MEMORIES, "mc*.traffic.cas_written",
	     "a memory controller counts no write to every other one of its lines", arrives,
	     at->n = !request_of(at)->write || request_of(at)->address / UNCORE_LINE / 2 % 2,
	     .event = CAS_WR);
BOX_FAULT_DO(memory_1_is_0, MEMORIES, "mc*.access.no_alias",
	     "the second memory controller has the control registers of the first", address,
	     at->box = box_beside(at, -1), .registers = BIT(UNCORE_CTL), ONLY(1));
