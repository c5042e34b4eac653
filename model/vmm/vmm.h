/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Room: the hypervisor under the model: it runs the machine as its guest, single-steps it while a
 * counter is enabled, and hands what exits to the modelled processor.
 * Uses: model/cpu, model/signals, kernel/lib
 */
#ifndef VMM_H
#define VMM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "io.h"
#include "model/cpu/cpu.h"
#include "svm.h"

/* The one guest: the firmware and everything that it starts, on the one CPU; what a core with two
 * logical processors has twice is that of the one that executes. */
struct guest {
	struct vmcb *vmcb;
	struct vmcb *extra; /* VMSAVE area: TR, STAR and what else VMRUN does not exchange */
	uint64_t efer_sce; /* the guest's own EFER.SCE */
	bool stepping; /* a counter is enabled: each instruction is reported */
	bool single_step; /* and none is executed by the VMM */
};

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
/* Takes in the interrupts that wait above the task priority, and ends them: for nobody. */
#define HYPERCALL_DRAIN UINT64_C(0x70d075746573743c)

/* ---- vmm.c ---- */

_Noreturn void vmm_loop(struct guest *g);
/* What the exit code in the VMCB asks for. */
void vmm_handle_exit(struct guest *g);
/* Raises an exception in the guest, its RIP being where the VMCB has it. */
void vmm_raise(struct guest *g, unsigned vector, uint32_t error);

/* ---- registers.c: false: #GP ---- */

bool do_cpuid(struct guest *g);
bool do_rdmsr(struct guest *g);
bool do_wrmsr(struct guest *g);
bool do_rdpmc(struct guest *g);
bool do_rdtsc(struct guest *g);

/* ---- step.c, shortcut.c: single-stepping ---- */

/* Since the last HYPERCALL_RESET. */
struct step_tally {
	uint64_t entries; /* of the guest, while stepping */
	uint64_t tsc; /* ticks from the begin of stepping to its end */
};
extern struct step_tally step_tally;

/* Starts or ends stepping, as silicon_counting() says. */
void step_update(struct guest *g);
/* The instruction at RIP, and its bytes, if it was looked at for this very execution; else NULL. */
const struct insn *step_loaded(const struct guest *g, const uint8_t **code);
/* While not stepping: behind an access to an MSR, executes one instruction without entering the
 * guest; false: it must be entered. */
bool step_ahead(struct guest *g);
/* Before and after vmm_enter().  In between them RFLAGS.TF of the VMCB is ours, else the guest's.
 */
/* False: the instruction is done, or is an exit, without the guest having run. */
bool step_prepare(struct guest *g);
void step_leave(struct guest *g);
/* Reports the current instruction, which the VMM executes for the guest, as retired.  False: no
 * interrupt request is under way. */
bool step_count(struct guest *g);
/* That instruction is done: the interrupts and the trap that follow it. */
void step_settle(struct guest *g);
/* Raises an exception at the current instruction. */
void step_raise(struct guest *g, unsigned vector, uint32_t error);
/* An interrupt that waited may have become deliverable: the guest must be entered. */
void step_look(void);
/* The guest is another one: nothing is under way. */
void step_restart(void);
/* Those exits that only stepping intercepts; false: not one of them. */
bool step_exit(struct guest *g);

/* ---- syscall.c: SYSCALL and SYSRET, which fault without EFER.SCE, for the VMM to do ---- */

void emulate_syscall(struct guest *g, uint64_t next_rip);
void emulate_sysret(struct guest *g, bool to_long_mode);

/* ---- deliver.c ---- */

/* Enters the guest's handler as the processor would.  cause as silicon_delivered() wants it. */
void deliver(struct guest *g, unsigned vector, uint32_t error, enum delivery cause);
/* INT n, whose successor is at next_rip. */
void deliver_int(struct guest *g, unsigned vector, uint64_t next_rip);
bool vector_has_error(unsigned vector);

/* ---- tsc.c ---- */

/* After what may have enabled or stopped a counter. */
void tsc_update(struct guest *g);
/* Before the counters are reset. */
void tsc_stop(struct guest *g);
/* What RDTSC reads while stepping. */
uint64_t tsc_read(const struct guest *g);

/* ---- assist.c ---- */

/* Before each instruction: notes its registers, if an assist may want them. */
void assist_prepare(const struct guest *g);
/* After the instruction at ip, whose successor is at next; silicon_wants_assist() said so. */
void assist(struct guest *g, uint64_t ip, uint64_t next);

/* ---- watch.c ---- */

struct plan;
/* Around each instruction while stepping: what it does to memory. */
void watch_prepare(const struct guest *g, const struct insn *insn, const struct plan *plan);
void watch_retired(const struct guest *g);

/* ---- pci.c ---- */

/* Before the first entry of the guest. */
void pci_start(struct vmcb *v);
/* After the profile has changed. */
void pci_update(struct vmcb *v);
/* Are accesses to it intercepted? */
bool port_exits(uint16_t port);
/* The access to a port that exited. */
void do_port(struct guest *g);
/* A register of the uncore in memory-mapped configuration space; false: not at this address. */
bool pci_read(uint64_t physical, uint32_t *value);
bool pci_write(uint64_t physical, uint32_t value);
/* Says on the serial line that the program touched an uncore that this processor has not. */
void log_foreign(const char *what, uint64_t where, uint64_t rip);

/* ---- mmio.c ---- */

/* The access to a page that nested paging leaves out. */
void do_nested_fault(struct guest *g);

/* ---- guest_memory.c ---- */

/* Physical address of linear in the guest; false: not mapped. */
bool guest_translate(const struct guest *g, uint64_t linear, uint64_t *physical);
/* The same for an access to it, with the type of memory. */
bool guest_locate(const struct guest *g, uint64_t linear, struct memory_access *access);
bool guest_read(const struct guest *g, uint64_t linear, void *to, size_t size);
bool guest_write(const struct guest *g, uint64_t linear, const void *from, size_t size);
/* Up to 15 bytes at linear: pointer to them, their number in *available; 16 can be read. */
const uint8_t *guest_code(const struct guest *g, uint64_t linear, unsigned *available);
/* Is the 8-byte operand at linear in RAM at the same physical address, and may the guest access it?
 */
bool guest_same_address(const struct guest *g, uint64_t linear, bool write);
/* May the guest execute what guest_code() found? */
bool guest_code_allowed(const struct guest *g);
/* Is it uncacheable? */
bool guest_code_uncacheable(void);
/* Forgets the translations that are kept. */
void guest_forget_pages(void);

/* ---- apic.c ---- */

/* Raises the performance interrupts that are due through the guest's local APIC; was any delivered?
 */
bool pmi_raise_due(void);

/* Takes in what interrupts wait, and ends them: for nobody.  Those of the PIC must be masked. */
void apic_drain(void);
/* An NMI to the guest, as from outside. */
void apic_send_nmi(void);
/* Where the registers of the machine's local APIC are; and an interrupt through it, by its vector
 * and delivery mode. */
uint64_t apic_find_base(void);
void apic_send_message(uint32_t message);

/* ---- x2apic.c: in x2APIC mode the registers of the local APIC are MSRs ---- */

/* On: nothing has been accessed. */
void x2apic_stage(bool on);
bool x2apic_staged(void);
extern unsigned x2apic_accesses; /* to registers that there are */
/* ACCESS_NOT_MINE: not staged, or another MSR. */
enum access x2apic_rdmsr(uint32_t msr, uint64_t *value);
enum access x2apic_wrmsr(uint32_t msr, uint64_t value);

/* ---- stage.c: what setup->stages asks for, from stage_begin() to stage_end() ---- */

void stage_begin(struct guest *g, const struct silicon_setup *setup);
void stage_end(struct guest *g);
/* From now on counters stand still while the IDT is the one that firmware had: to step through what
 * it does would take minutes. */
void stage_hold(void);
bool stage_holds(const struct guest *g);
/* Must the local APIC look disabled by IA32_APIC_BASE and CPUID?  QEMU could not enable it again.
 */
bool stage_apic_disabled(void);
/* After each access of the guest to an MSR that exits, and after each instruction counted. */
void stage_msr_exit(struct guest *g);
void stage_retired(void);

/* ---- uart.c ---- */

void uart_init(void);
void uart_print(const char *format, ...) __attribute__((format(printf, 1, 2)));
/* Prints "silicon: error: ..." and ends the machine. */
_Noreturn void panic(const char *format, ...) __attribute__((format(printf, 1, 2)));
/* Tells QEMU's debug-exit device; returns where there is none. */
void machine_debug_exit(uint32_t code);

enum { DEBUG_EXIT_DONE = 0x10, DEBUG_EXIT_ERROR = 0x11 };

/* ---- vmm.asm ---- */

/* Runs the guest until it exits. */
void vmm_enter(uint64_t vmcb);
/* The guest's general registers by their number in ModRM; RAX and RSP live in the VMCB. */
extern uint64_t vmm_gpr[GPRS] __attribute__((visibility("hidden")));

/* Lets one pending interrupt reach the VMM's own IDT, which acknowledges it: its vector, or -1. */
enum wait { WAIT_NMI = 0, WAIT_INTR = 1, WAIT_HALTED = 2 };
int vmm_take_interrupt(unsigned wait);

/* Leaves the caller behind in the guest and calls vmm_loop(g) on the VMM's own stack. */
void vmm_launch(struct guest *g, struct vmcb *vmcb, uint64_t cr3, void *stack_top);

/* -1, or the vector that the access raised. */
int msr_read(uint32_t msr, uint64_t *value);
int msr_write(uint32_t msr, uint64_t value);

void vmm_hypercall(uint64_t number, const void *rbx);

/* Entry n of the VMM's IDT is at vmm_stubs + 16 * n. */
extern const uint8_t vmm_stubs[];
/* What the stubs call for an exception in the VMM itself. */
_Noreturn void vmm_host_exception(unsigned vector, const uint64_t *frame);

/* Operands of LGDT and LIDT. */
struct table_register {
	uint16_t limit;
	uint64_t base;
} __attribute__((packed));
extern struct table_register vmm_gdtr, vmm_idtr;

#endif
