/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Room: the hypervisor under the model: its start, the exits of the guest, and what it answers for
 * the machine underneath.
 * Uses: model/decode, kernel/lib
 * Uses: model/vmm/apic, model/vmm/guest, model/vmm/nest, model/vmm/step
 */
#pragma once

#include "model/vmm/guest/guest.h"

/* ---- start.c ---- */

/* Moves the processor into the guest, where it returns.  NULL, or the reason why it cannot.
 * The image must be where it can stay: the VMM's tables and stack are part of it. */
const char *vmm_start(void);

/* ---- hypercalls: number in RAX ---- */

/* Resets the modelled processor.  RBX: struct silicon_setup, with any TSC. */
#define HYPERCALL_RESET UINT64_C(0x70d0757465737438)
/* Brings about the stages of RBX, the same struct silicon_setup; a reset ends them. */
#define HYPERCALL_STAGE UINT64_C(0x70d0757465737439)
/* Reads the PMU into RBX: struct snapshot. */
#define HYPERCALL_SNAPSHOT UINT64_C(0x70d075746573743b)
/* From now on the guest runs on another modelled processor, as after HYPERCALL_RESET; RBX: struct
 * processor_entry.  And on the first one again, whose setup RBX is. */
struct processor_entry {
	const struct silicon_setup *setup;
	/* If it halts with interrupts off, the guest goes on here, with the registers and on the
	 * stack of the hypercall, to which this must not return. */
	void (*lost)(void);
};
#define HYPERCALL_ENTER UINT64_C(0x70d075746573743d)
#define HYPERCALL_LEAVE UINT64_C(0x70d075746573743e)
/* Several others run together, in turns, each as after HYPERCALL_ENTER but with a local APIC of its
 * own; RBX: struct together.  The first one goes on behind it when all of them are over. */
struct together {
	const struct silicon_setup *setup; /* [count], of which the first is number 0 */
	unsigned count;
	uint64_t start; /* as bits: those that do, */
	uint64_t halts; /* and those that halt for good when they wait */
	/* Where each begins, on a stack of its own, of so many bytes; it ends with HYPERCALL_OVER.
	 */
	void (*entry)(void);
	uint8_t *stacks;
	size_t stack_size;
	unsigned now; /* told by the VMM: whose turn it is, */
	uint64_t lost; /* and, as bits, which have halted with interrupts off */
};
#define HYPERCALL_TOGETHER UINT64_C(0x70d0757465737440)
#define HYPERCALL_OVER     UINT64_C(0x70d0757465737441)
/* The guest becomes a 32-bit program until that ends; then it goes on behind the hypercall.  RBX:
 * struct program. */
enum program_end {
	PROGRAM_EXITED, /* QEMU's debug-exit device was told value */
	PROGRAM_HALTED, /* with interrupts off */
	PROGRAM_RESET,
	PROGRAM_POWERED_OFF,
	PROGRAM_SHUT_DOWN, /* triple fault */
};
struct program {
	uint32_t entry; /* EIP */
	uint32_t eax, ebx;
	uint16_t power_port; /* the ACPI PM1a control register; 0: there is none */
	/* Told by the VMM. */
	enum program_end end;
	uint32_t value;
};
#define HYPERCALL_PROGRAM UINT64_C(0x70d075746573743f)
/* Takes in the interrupts that wait above the task priority, and drops them. */
#define HYPERCALL_DRAIN UINT64_C(0x70d075746573743c)

/* What becomes of the turn of one of several that run together.  Nothing was done: it is for others
 * to tell; lost: it is over. */
enum turns_result { TURNS_NOTHING, TURNS_DONE, TURNS_LOST };

/* ---- hypercall.c ---- */

/* At a VMMCALL. */
void hypercall(struct guest *g);
/* What has become of the turn of one of several that run together; true: something has. */
bool hypercall_turned(struct guest *g, enum turns_result result);

/* ---- vmm.c ---- */

_Noreturn void vmm_loop(struct guest *g);
/* The exception instead of the instruction at RIP. */
void vmm_raise(struct guest *g, unsigned vector, uint32_t error);
/* The instruction at RIP, which the VMM has executed, ends: with the trap, if the guest steps. */
void vmm_finish(struct guest *g, const struct insn *insn);

/* ---- registers.c: false: #GP ---- */

bool registers_cpuid(struct guest *g);
bool registers_rdmsr(struct guest *g);
bool registers_wrmsr(struct guest *g);
bool registers_rdpmc(struct guest *g);
bool registers_rdtsc(struct guest *g);
bool registers_rdtscp(struct guest *g);
bool registers_write_debug(struct guest *g);

/* ---- pci.c ---- */

/* Before the first entry of the guest. */
void pci_start(struct vmcb *v);
/* The lines in the log are to be those of one run. */
void pci_begin_log(void);
/* The pages of a bus in memory, of which holes.c may leave some out; false: nobody models it. */
bool pci_bus_pages(unsigned bus, uint64_t *first, uint64_t *size);
/* The port of the ACPI power management timer; 0: there is none. */
void pci_set_pm_timer(uint16_t port);
/* Does an access to that port exit? */
void pci_watch_port(uint16_t port, bool on);
/* The access to a port that exited; true, as registers.c. */
bool pci_port(struct guest *g);
/* A register of the uncore in memory-mapped configuration space; false: not at this address. */
bool pci_read(uint64_t physical, uint32_t *value);
bool pci_write(uint64_t physical, uint32_t value);
/* Says on the serial line that the program touched an uncore that this processor has not.  An
 * operating system may: it looks for devices everywhere. */
void pci_log_foreign(const struct guest *g, const char *what, uint64_t where);

/* ---- holes.c ---- */

/* Before the first entry of the guest, and after the profile has changed: sets up nested paging. */
void holes_update(struct vmcb *v);

/* ---- mmio.c ---- */

/* The access to a page that nested paging leaves out; true, as registers.c. */
bool mmio_fault(struct guest *g);

/* ---- stage.c: what setup->stages asks for, from stage_begin() to stage_end() ---- */

void stage_begin(struct guest *g, const struct silicon_setup *setup);
void stage_end(struct guest *g);
/* From now on counters that the stage has left running stand still while the IDT is firmware's; and
 * those that a fault lets run, when a program has had an IDT of its own. */
void stage_hold(void);
/* After each access of the guest to an MSR that exits. */
void stage_msr_exit(struct guest *g, bool write);

/* ---- keep.c ---- */

struct kept {
	struct vmcb vmcb, extra;
	uint64_t gpr[GPRS];
	uint8_t fpu[512] __attribute__((aligned(16)));
} __attribute__((aligned(4096)));

void keep_state(const struct guest *g, struct kept *kept);
void keep_restore(struct guest *g, const struct kept *kept);

/* ---- program.c: the guest as a 32-bit program ---- */

void program_enter(struct guest *g, struct program *program);
extern bool program_entered; /* the functions below are for that case alone */
/* Before the guest goes on. */
void program_prepare(struct guest *g);
/* At an access to a port, at HLT, at a triple fault; false: that is not its end, nor done. */
bool program_ends_by_port(struct guest *g);
bool program_halts(struct guest *g);
bool program_shuts_down(struct guest *g);

/* ---- processor.c: another processor than the first ---- */

void processor_enter(struct guest *g, const struct processor_entry *entry);
void processor_leave(struct guest *g);
extern bool processor_entered; /* the functions below are for that case alone */
/* Before the guest goes on. */
void processor_prepare(struct guest *g);
/* At HLT; false: it is for others to tell what becomes of it. */
bool processor_halts(struct guest *g);

/* ---- turns.c: other processors that run together ---- */

/* The silicon of all that start must have been set aside; silicon_cpu is number 0's. */
void turns_begin(struct guest *g, struct together *together);
extern bool turns_on; /* the functions below are for that case alone */
/* Before the guest goes on. */
void turns_prepare(struct guest *g);
/* Behind a PAUSE, and at HLT. */
enum turns_result turns_pause(struct guest *g);
enum turns_result turns_halt(struct guest *g);
/* The one that runs is over; true: it was the last. */
bool turns_over(struct guest *g);

/* ---- thread.c: the second logical processor of a core with Hyper-Threading ---- */

/* Number 0 executes, as g; number 1, if there is one, waits for a SIPI. */
void thread_reset(struct guest *g, bool has_two);
extern bool thread_started; /* number 1 is: what follows matters */
unsigned thread_now(void);

/* Has number 0 given a command that starts or ends number 1?  Asked behind each PAUSE, which exits
 * where there are two, and each access to an MSR. */
void thread_look(struct guest *g);
/* Number 1 waits for a SIPI again, and number 0 executes. */
void thread_end(struct guest *g);
/* Behind a PAUSE. */
void thread_paused(struct guest *g);
/* Would a HLT leave the core to the other one?  Then what to do behind it. */
bool thread_halts(void);
void thread_halted(struct guest *g);
/* An interrupt or NMI of the machine made the guest exit; false: it is for the thread that runs. */
bool thread_interrupted(struct guest *g);

/* Before each instruction, and before each entry. */
void thread_take_interrupt(struct guest *g);
void thread_prepare(struct guest *g);
