/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Room: single-stepping, while a counter is enabled: each instruction is executed by the guest with
 * the trap flag, or by the VMM itself, and reported to the modelled processor.
 * Uses: kernel/lib
 * Uses: model/vmm/apic, model/vmm/guest
 */
#pragma once

#include "model/vmm/guest/guest.h"

/* ---- trap.c, count.c, shortcut.c ---- */

/* Since the last HYPERCALL_RESET. */
struct step_tally {
	uint64_t entries; /* of the guest, while stepping */
	uint64_t tsc; /* ticks from the begin of stepping to its end */
};
extern struct step_tally step_tally;

/* Exceptions that exit while not stepping: for #DB, see repeat.c, for #UD step_lend(). */
#define UNSTEPPED_EXCEPTIONS (uint32_t)(BIT(VECTOR_DB) | BIT(VECTOR_UD) | BIT(VECTOR_GP))

/* Starts or ends stepping, as silicon_counting() and hold.c say. */
void step_update(struct guest *g);
/* The guest becomes another world: it is no longer stepped through, nor told of clocks, until
 * step_update(). */
void step_suspend(struct guest *g);
/* The instruction at RIP, which has exited: as it was looked at for this very execution, if it was.
 */
const struct insn *step_insn(struct guest *g);

/* How the instruction at RIP goes on: the guest must be entered; or it is done; or it exits, as the
 * VMCB says, without the guest having run. */
enum step { STEP_ENTER, STEP_DONE, STEP_EXIT };
/* While stepping: before vmm_enter(), and after it.  In between RFLAGS.TF of the VMCB is ours, else
 * the guest's. */
enum step step_prepare(struct guest *g);
void step_leave(struct guest *g);
/* While not stepping: executes what stands between two exits without entering the guest. */
enum step step_ahead(struct guest *g);

/* The bases of FS and GS may have been loaded: by each entry, by each MSR written for the guest. */
void step_bases_changed(void);

/* Reports the current instruction, which the VMM executes for the guest, as retired.  False:
 * neither an interrupt request nor a record is under way. */
bool step_count(struct guest *g);
/* Settles that instruction, which is done: the interrupts and the trap that follow it. */
void step_settle(struct guest *g);
/* At a #UD exit while not stepping: executes the instruction at RIP if the modelled processor has
 * it and the one underneath has not; false: it does not. */
bool step_lend(struct guest *g);
/* Raises an exception at the current instruction. */
void step_raise(struct guest *g, unsigned vector, uint32_t error);
/* The guest is another one: nothing is under way. */
void step_restart(struct guest *g);
/* What is known of instructions is forgotten. */
void step_forget_code(void);
/* Takes the interrupt that waits, of enum wait; false: none does. */
bool step_interrupt(struct guest *g, unsigned wait);
/* Handles exits that only stepping intercepts; false: not one of them. */
bool step_exit(struct guest *g);

/* ---- repeat.c ---- */

/* At a #DB exit: a repeated string instruction at RIP that has just done its last iteration ends.
 */
void repeat_end(struct guest *g);

/* ---- breakpoint.c: the guest's own, in its debug registers ---- */

static inline bool breakpoint_is_set(const struct guest *g)
{
	return g->vmcb->dr7 & FIELD(7, 0);
}

/* If there is one: around each entry. */
void breakpoint_enter(const struct guest *g);
void breakpoint_leave(void);
/* MOV to that debug register, which is neither DR4 nor DR5; false: #GP. */
bool breakpoint_write(struct guest *g, unsigned number, uint64_t value);

/* ---- coast.c: an operating system whose counters count each clock alike ---- */

/* While coasting, at each exit: the clocks that have passed are counted. */
void coast_pass(struct guest *g);
/* Handles exits that coasting intercepts, and HLT, which always exits in a system; false: not one
 * of them. */
bool coast_exit(struct guest *g);

/* ---- frequency.c: MPERF, APERF and IRPERF ---- */

/* The guest is a new one. */
void frequency_start(void);
/* If msr is one of them or HWCR, which the part has: value becomes what it reads, or it is written
 * to. */
void frequency_rdmsr(const struct guest *g, uint32_t msr, uint64_t *value);
void frequency_wrmsr(const struct guest *g, uint32_t msr, uint64_t value);

/* ---- hold.c: when counters stand still ---- */

/* The second thread is on its way to 64-bit mode, which alone is stepped through. */
extern bool hold_starting;
/* The IDT of the firmware, which is not stepped through behind a program that had another one, as
 * that would take minutes.  0: it is.  left_running: nor is it before, nor are long stretches of
 * the program before it has written to an MSR. */
void hold_firmware(uint64_t idt, bool left_running);
bool hold_is_on(const struct guest *g);
/* The guest has accessed an MSR: may that end it, or begin it? */
bool hold_accessed(bool write);
/* An instruction was counted. */
void hold_counted(void);
/* May they stand still behind any instruction?  Else they do behind one that loads the IDT. */
bool hold_may_begin(void);

/* ---- linger.c ---- */

/* While stepping: is it time to look whether that is to end?  step_update() does. */
bool linger_is_over(void);

/* ---- smi.c ---- */

/* From now on system management interrupts come while instructions are counted, and stall the
 * processor; stall: for so many ticks of the TSC, 0: none come. */
void smi_stage(uint64_t stall, uint32_t seed);
bool smi_is_staged(void);

/* ---- time.c ---- */

/* Before the counters are reset: the rate of the TSC. */
void time_start(struct guest *g, uint64_t tsc_hz);
void time_stop(struct guest *g);
/* The TSC that RDTSC reads while stepping. */
uint64_t time_tsc(const struct guest *g);
/* The time of the boxes outside of the core: for a system the same, else the machine's time. */
uint64_t time_of_boxes(const struct guest *g);
/* The power management timer that the guest reads where the machine's reads as machine. */
uint32_t time_pm_timer(const struct guest *g, uint32_t machine);
/* Does time go by the model?  Then what the timer of the local APIC has left. */
bool time_is_own(void);
uint32_t time_apic_count(const struct guest *g);
/* So many ticks of the TSC as counts of that timer. */
uint32_t time_to_apic(uint64_t tsc);
