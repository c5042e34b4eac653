/* SPDX-License-Identifier: BSD-2-Clause */
/* The step at hand, for the files of this room. */
#pragma once

#include "native.h"
#include "step.h"

/* The instruction under way, and what it may change of the state before it. */
struct under_way {
	const struct insn *insn;
	const struct insn *ahead; /* the one before, as far as known */
	const struct plan *plan;
	const uint8_t *code;
	uint64_t rip, dr6;
	bool iflag;
	unsigned cpl; /* of the instruction */
	bool tf; /* the guest's own: it expects #DB after this instruction */
	uint64_t hits; /* of its breakpoints, and so after it, too */
	bool loaded; /* the other members are of the instruction at RIP */
	bool device; /* it may store to a device, and so be an EOI */
	unsigned unseen; /* instructions since the guest could last take an interrupt */
};
extern struct under_way under_way;

/* An interrupt from outside waits for at most this many instructions. */
enum { UNSEEN_MAX = 1000 };

/* Behind it. */
static inline uint64_t step_next_rip(void)
{
	return under_way.rip + under_way.insn->length;
}

/* ---- count.c ---- */

/* Looks at the instruction at rip, which is under way now. */
void step_load(struct guest *g, uint64_t rip);
/* Sends what PMIs are due. */
void step_raise_due(struct guest *g);

/* ---- shortcut.c ---- */

/* The instruction under way, without the guest where that can be. */
enum step step_shortcut(struct guest *g);

/* ---- take.c ---- */

/* The run at RIP, up to the first instruction behind which a request or a record may come.
 * STEP_ENTER: nothing was done. */
enum step step_take_run(struct guest *g);
/* ---- breakpoint.c: hits are bits as DR6 has them ---- */

/* While one is set: may the instruction meet one on data, which only guest mode can tell? */
bool breakpoint_watches(const struct guest *g, const struct insn *insn);
/* Those before the instruction at RIP, which is not to be executed then; and those that the step
 * under way has made. */
uint64_t breakpoint_before(const struct guest *g);
uint64_t breakpoint_behind(const struct guest *g);
/* DR6 tells the guest of them, if there are any. */
void breakpoint_show(struct guest *g, uint64_t hits);

/* ---- assist.c ---- */

/* Before each instruction: notes its registers, if an assist may want them. */
void assist_prepare(const struct guest *g);
/* After the instruction at ip, whose successor is at next; silicon_wants_assist() said so. */
void assist_do(struct guest *g, uint64_t ip, uint64_t next);

/* ---- watch.c ---- */

/* Around each instruction: what it does to memory. */
void watch_prepare(const struct guest *g, const struct insn *insn, const struct plan *plan);
void watch_retired(const struct guest *g);

/* ---- smi.c, time.c ---- */

/* After each instruction counted. */
void smi_counted(void);
/* After what may have enabled or stopped a counter. */
void time_update(struct guest *g);
/* The guest has waited, in HLT, for so many ticks of the machine's TSC. */
void time_waited(uint64_t machine);
/* Waits until the time of the boxes is tsc, when the next thing happens. */
void time_await(const struct guest *g, uint64_t tsc);
/* The other way round than time_to_apic(). */
uint64_t time_of_apic(uint32_t count);

/* ---- frequency.c ---- */

/* The guest is stepped through from now on; and no longer. */
void frequency_step(const struct guest *g);
void frequency_run(const struct guest *g);
/* It has halted for so many ticks of its TSC. */
void frequency_halted(uint64_t tsc);

/* ---- coast.c ---- */

/* May it take the place of stepping? */
bool coast_is_possible(const struct guest *g);
void coast_update(struct guest *g, bool on);

/* ---- linger.c: when stepping goes on though no counter runs that it is for ---- */

/* counting: one does. */
bool linger_is_on(const struct guest *g, bool counting);

/* ---- timer.c: the local APIC's timer of a system ---- */

/* From now on it goes by the guest's time; and by the machine's again. */
void timer_take(struct guest *g);
void timer_give(struct guest *g);
/* Now and then, and behind each access to it: takes what the guest has started, and interrupts it
 * if the time has come. */
void timer_look(struct guest *g);
/* The rest of its count; 0: it does not run. */
uint32_t timer_count(const struct guest *g);
