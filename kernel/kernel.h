/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The bare machine: taken over from the firmware and given back, with its traps, guarded calls,
 * ring 3, local APIC, PCI configuration space and the other thread of the core.
 *
 * Room: all that drives the machine except PMUs, whatever the size of a word
 * Uses: kernel/console, kernel/lib
 */
#pragma once

#include <word.h>

#include "cpu.h"
#include "entrances.h"
#include "kernel/console/console.h"
#include "kernel/lib/lib.h"
#include "seat.h"
#include "sibling.h"
#include "vectors.h"

/* ---- taking over ---- */

/* Blocks of memory far from each other, for a test that asks which memory controller an address
 * belongs to. */
#define MACHINE_PLACES     8u
#define MACHINE_PLACE_SIZE (512u * 1024u)

/* Separate ranges of RAM that are kept.  Neighbours are one range whatever the firmware uses them
 * for: of the hundreds of entries of a big server's memory map some tens are left. */
#define MACHINE_RAM_RANGES 256

/* Facts that boot/ learnt from the firmware.  No pointer into firmware code. */
struct machine_facts {
	void *arena; /* page-aligned, zeroed, for page tables, stacks and the user window */
	uint64_t arena_size; /* at least machine_arena_size() */
	struct memory_range ram[MACHINE_RAM_RANGES]; /* from machine_set_ram() */
	unsigned ram_ranges;
	struct framebuffer framebuffer;
	struct memory_range uart; /* registers of one above 4 GiB; empty: there is none to map */
	const char *no_framebuffer; /* why there is none, though there is a screen; or NULL */
	const void *rsdp; /* ACPI root pointer, or NULL */
	uint64_t tables_limit; /* ACPI tables lie below */
	/* It runs on another processor than the one that the firmware runs on meanwhile, whose
	 * interrupts stay with it. */
	bool beside_firmware;
	unsigned others; /* for so many is there room in the arena: see machine_gather() */
	bool other_thread; /* the user allows sibling_start() */
	bool enable_apic; /* the user wants a local APIC that the firmware has disabled */
	void *startup_page; /* below A0000h, where another processor may start; or NULL */
	uint64_t tsc_per_ms; /* measured against the firmware's clock */
	uint64_t places[MACHINE_PLACES]; /* page-aligned addresses; 0: none */
};

/* Bytes of the arena that machine_take_over() needs; they depend on the RAM of facts alone. */
uint64_t machine_arena_size(const struct machine_facts *facts);

/* Fills in the RAM: n ranges as the firmware has them, which are merged in place.  NULL, or a
 * sentence saying why they cannot be had. */
const char *machine_set_ram(struct machine_facts *facts, struct memory_range *ranges, unsigned n);

/* The end of the highest range of RAM; 0: there is none. */
uint64_t machine_memory_top(const struct machine_facts *facts);

/*
 * Takes over: own GDT, IDT, TSS with IST stacks, page tables (W^X, guard pages below each stack,
 * user window), CR0/CR4/EFER as needed, PIC and I/O APIC inputs masked unless beside the firmware,
 * TPR raised, local APIC LVT saved.  Interrupts are disabled on return.  NULL, or a sentence saying
 * why it cannot.
 */
const char *machine_take_over(const struct machine_facts *facts);

/* Before take-over: why this machine must be left to its firmware, or NULL.  In a guest with
 * encrypted memory our page tables and traps would end in a silent triple fault.  By CPUID, and by
 * an MSR only where CPUID says that it is there: no trap handler of ours stands by. */
const char *machine_refusal(void);

/* Undoes machine_take_over() to the bit.  Interrupt flag as it was at take-over. */
void machine_give_back(void);

/*
 * Several other processors together, beside the firmware: on the firmware's processor all that can
 * be done for them beforehand, or why it cannot; then on each of them, by a number below that, its
 * take-over, whose trap reports are one line, and its give-back.  machine_give_up() ends it.  They
 * share all memory, the user buffer as well; of the functions that are not about one processor they
 * may call those that only read.
 */
const char *machine_gather(const struct machine_facts *facts, unsigned others);
const char *machine_join(unsigned other);
void machine_part(unsigned other);

/* On the firmware's processor: the one that had taken over beside it does not come back, and its
 * registers are lost. */
void machine_give_up(void);

/* While taken over: is the firmware on another processor? */
bool machine_is_beside_firmware(void);

/* While taken over: what could not be done and the reader of the report should know, or NULL. */
const char *machine_note(void);

/* While taken over: how memory is protected, where that depends on the processor; or NULL. */
const char *machine_protection(void);

/* TSC ticks per millisecond, and a busy wait by it. */
uint64_t machine_tsc_per_ms(void);
void machine_delay_us(unsigned us);

/* Address of place i, MACHINE_PLACE_SIZE bytes for the caller, below MACHINE_PLACES; 0: none. */
uint64_t machine_place(unsigned i);

/* Reads a word of the first I/O APIC, without a side effect; false: none is known. */
bool machine_read_io_apic(void);

/* The I/O port of the ACPI power management timer; 0: there is none. */
uint16_t machine_pm_timer(void);

/* First I/O port of the chipset's watchdog timer (Intel's TCO), when it is seen running; 0: it is
 * not, or none is known.  The timer is only read. */
uint16_t machine_tco_timer(void);

/* "symbol+0x12" for an address in the image, or its offset in the image when unknown. */
const char *machine_symbol(uint64_t address);

/*
 * Where a panic(), declared in kernel/lib, goes once it has reported "Bail out!" and its backtrace:
 * hook is called with interrupts off, on this call's stack, one page below the caller's frame, so
 * the caller's frame and its callers' are whole.  The hook gives the machine back and must not
 * return.  Without a hook panic() halts.
 */
void panic_set_exit(void (*hook)(void));

/* ---- the image, as linker.ld lays it out ---- */

/* Hidden: the addresses must be computed relative to the code, because an image moves. */
#pragma GCC visibility push(hidden)
extern const char image_start[], image_end[];
extern const char text_start[], text_end[];
extern const char user_text_start[], user_text_end[];
extern const char data_start[], data_end[];
#pragma GCC visibility pop

/* ---- which processor this is ---- */

struct cpu_identity {
	char vendor[13];
	char brand[49]; /* without blanks around it; empty: none */
	char hypervisor[13]; /* signature of leaf 4000_0000h; only when .virtual */
	bool virtual; /* CPUID 1 ECX[31], where it is defined */
	unsigned family, model, stepping;
	uint32_t signature; /* CPUID 1 EAX */
};

#define CPU_KIND_SUBLEAVES 6u /* of leaf 23h, from 0 on */

/* By CPUID alone. */
void identify_cpu(struct cpu_identity *identity);

/* Is this a guest of KVM?  By CPUID alone: Linux, Documentation/virt/kvm/x86/cpuid.rst. */
bool identify_is_kvm(const struct cpu_identity *identity);

/* SMIs since reset, modulo 2^32, which some of Intel's family 6 count in MSR 34h.  False: this
 * processor is not known to count them; *count is 0. */
bool identify_smi_count(const struct cpu_identity *identity, uint32_t *count);

/* Values of CPUID that tell kinds of processors of one machine apart: leaf 1 EAX, 0Ah, 1Ah EAX of a
 * hybrid part, 23h with its subleaves, 8000_0022h.  Leaves that are not there are 0. */
struct cpu_kind {
	uint32_t signature, core;
	struct cpuid_regs architectural, extended[CPU_KIND_SUBLEAVES], amd;
};
void identify_kind(struct cpu_kind *kind);
/* "P-core" or "E-core" of a hybrid part; or "": Intel SDM vol. 2, CPUID leaf 1Ah. */
const char *identify_core(const struct cpu_kind *kind);

/* Report header lines.  After take-over: reads MSRs that may fault. */
void identify_report(const struct cpu_identity *identity);
/* The lines among them that CPUID alone answers, at any time. */
void identify_report_cpuid(const struct cpu_identity *identity);
/* The same as facts of who, all of them and those that CPUID alone answers. */
void identify_facts(const char *who, const struct cpu_identity *identity);
void identify_facts_cpuid(const char *who, const struct cpu_identity *identity);
/* leaves.c: every leaf and subleaf of CPUID as a fact of who, but for the serial number. */
void identify_leaves(const char *who, const struct cpu_identity *identity);

/* ---- traps ---- */

/* Registers of the interrupted code that a handler may see and change.  The other general registers
 * lie below the frame on the stack; which they are depends on the size of a word. */
struct trap_frame {
	uintptr_t bp, di, si, ax;
	uintptr_t vector, error;
	uintptr_t ip, cs, flags, sp, ss;
};

/* Vectors that are ours.  Task priority is raised to TRAP_TPR, so of all fixed interrupts only
 * those in classes above it pass; whatever firmware left pending waits until it is given back. */
#define VECTOR_DB       1
#define VECTOR_NMI      2
#define VECTOR_USER     0x81 /* gate with DPL 3: ring 3 returns by INT VECTOR_USER */
#define TRAP_TPR        0xd0
#define VECTOR_PMI      0xe1
#define VECTOR_SIBLING  0xe2 /* the sibling is done */
#define VECTOR_SELF     0xe3 /* apic_send_self(), by tests */
#define VECTOR_WATCHDOG 0xf2
#define VECTOR_OTHER                                                                               \
	0xfe /* for a PMI, too: unlike VECTOR_PMI in all bits that TRAP_TPR leaves free */
#define VECTOR_SPURIOUS 0xff

/*
 * Called with interrupts off on the trap's own stack.  True: handled, resume the frame (which the
 * handler may have changed).  False: the trap is not the handler's, but
 * an unexpected one.
 */
typedef bool trap_handler(struct trap_frame *frame, void *arg);

/* Installs handler for vector on this processor, replacing the one there; NULL removes it.  The
 * caller of a handler sends the EOI after it returns true; NMI and exceptions need none. */
void trap_set_handler(unsigned vector, trap_handler *handler, void *arg);

/* Exceptions have no handlers, and #UD its own gate: whatever has been set for a body is gone. */
void traps_restore(void);

/* NMIs so far that no handler took: from outside, or from a counter that should not have sent one.
 * An NMI in a guarded body ends it; between two bodies it is only counted. */
unsigned trap_stray_nmis(void);

/*
 * Runs body(arg) guarded.  Returns NULL when body returned; else a sentence that says why it was
 * ended early: an unexpected trap (registers and backtrace have then been written with
 * report_diag()), guard_abort(), or the watchdog after timeout_ms.  Interrupts are enabled while
 * body runs unless body disables them, and afterwards as they were before.
 */
const char *guard_run(void (*body)(void *arg), void *arg, unsigned timeout_ms);

/* Ends the innermost guard_run() with this reason (a string that stays valid).  From a trap
 * handler as well as from plain code.  Without a guard: panic. */
_Noreturn void guard_abort(const char *reason);

/* The same from inside a trap handler: rewrites frame so that returning from it ends the guard. */
void guard_abort_frame(struct trap_frame *frame, const char *reason);

/* ---- ring 3 ---- */

/* A window of user pages holds the payload code (section .user.text of the image, mapped read-only
 * and executable for ring 3), one data buffer and one stack. */
#define USER_BUFFER_SIZE WORD_BUFFER_SIZE

/* The buffer that payloads may write, 64-byte aligned, accessible from ring 0 and ring 3. */
void *user_buffer(void);

/* The memory types of this buffer and of the payloads' code: write-back at first. */
enum user_memory {
	USER_WRITE_BACK,
	USER_BUFFER_WRITE_THROUGH,
	USER_BUFFER_WRITE_PROTECTED,
	USER_BUFFER_UNCACHEABLE,
	USER_TEXT_UNCACHEABLE,
};

/* From now on; all caches are emptied.  False, and nothing changed: the page attribute table is not
 * as after a reset.  Intel SDM vol. 3A, 11.12. */
bool user_memory_use(enum user_memory memory);

/*
 * Calls entry in ring 3 (it lies in .user.text) and returns what it returned.
 * The way in is one IRET; the way out, after entry's RET to the return stub in .user.text, is
 * that stub's single INT VECTOR_USER.  Interrupts are enabled in ring 3 when they are here.
 * extra_flags is ORed into the flags loaded by the IRET (0, or RFLAGS_TF).
 * A fault in ring 3 that no handler takes is an unexpected trap and ends the guard.
 */
uint64_t user_call(asm_code *entry, uint64_t di, void *si, uintptr_t extra_flags);
/* The same in ring 1, 2 or 3.  To paging all but ring 3 is the supervisor. */
uint64_t ring_call(unsigned ring, asm_code *entry, uint64_t di, void *si, uintptr_t extra_flags);

/* The return stub: single-stepping code uses it to tell payload from gate. */
extern const char user_return[];

/* A page among the payloads' code for what is made at run time: it now holds this, at most
 * USER_CODE_SIZE bytes, at whose begin it is entered, and INT3 behind it.  No page is ever both
 * writable and executable. */
#define USER_CODE_SIZE 4096u
asm_code *user_code_load(const uint8_t *code, size_t size);
/* Code that has many NOPs in its midst, which take no room in the image.  It must not depend on
 * where it lies. */
struct code_around {
	uint8_t before; /* bytes of code ahead of the NOPs */
	uint8_t behind; /* bytes behind them */
	uint8_t code[]; /* the ones, then the others */
};
/* user_code_nops(): as user_code_load(), such code with so many NOPs; in all at most USER_CODE_SIZE
 * bytes. */
asm_code *user_code_nops(const struct code_around *around, unsigned nops);
extern const char user_code[];

/* Plain RDPMC in ring 3, for user_call(). */
extern asm_code user_rdpmc; /* of the index */

/* ---- what is known to the last instruction ---- */

/* Two writes of an MSR, with something between them.  A write that faults is an unexpected trap.
 * switch.inc has the same layout. */
struct msr_switch {
	uint64_t on; /* the first value */
	uint64_t off; /* the second one */
	uint32_t msr;
};

/* msr_switch_call(): writes s->on, calls entry(di, si) in ring 0, and writes s->off.  Of branches
 * between the writes, one CALL is not entry's own. */
void msr_switch_call(const struct msr_switch *s, asm_code *entry, uint64_t di, void *si);

/* msr_switch_idle(): makes code for kernel_call(), whose di is then a struct msr_switch: it makes
 * both writes, with MSR_SWITCH_NOPS times NOP between them, and no branch.  It overwrites what
 * user_code_load() has put into its page, and is overwritten by that. */
#define MSR_SWITCH_NOPS 4000u
asm_code *msr_switch_idle(void);

/*
 * msr_switch_by_trap(): from now on the entry of this vector, on this processor, makes both writes
 * of s ahead of all else, and goes on to the vector's handler.  Between the writes are three moves
 * and a branch that is not taken; if s->on and s->off are the same, there is but one write.  NULL
 * ends that.  s must stay where it is until then, and only one vector can have one.
 */
void msr_switch_by_trap(unsigned vector, const struct msr_switch *s);
/* msr_switch_trap: the address of that entry. */
extern const char msr_switch_trap[];

/* ---- the local APIC, in xAPIC (memory) or x2APIC (MSR) mode, as the firmware left it ---- */

#define APIC_LVT_VECTOR   UINT32_C(0xff)
#define APIC_LVT_MODE_NMI UINT32_C(0x400)
#define APIC_LVT_MASKED   UINT32_C(0x10000)

/* True when CPUID 1 EDX[9] and APIC_BASE[11] say that there is an enabled local APIC. */
bool apic_present(void);

/* The firmware had it disabled, and it is enabled for as long as the machine is ours. */
bool apic_was_disabled(void);

/* In x2APIC mode its registers are MSRs: Intel SDM vol. 3A, 11.12.  Only where apic_present(). */
bool apic_is_x2apic(void);

/* The performance-counter LVT entry (340h / MSR 834h); only where apic_present(). */
uint32_t apic_read_lvtpc(void);
void apic_write_lvtpc(uint32_t value);

/* AMD's extended entries (500h, 510h and so on / MSR 850h and on), which have the same form: so
 * many there are. */
unsigned apic_extended_entries(void);
uint32_t apic_read_extended(unsigned entry);
void apic_write_extended(unsigned entry, uint32_t value);

void apic_eoi(void);
/* With interrupts off: this vector, above TRAP_TPR, waits for this processor when it returns. */
void apic_send_self(unsigned vector);

/* "#GP", or "vector 32". */
#define TRAP_NAME_SIZE 24
void trap_name(char name[TRAP_NAME_SIZE], uint64_t vector);

/* ---- PCI configuration space of segment 0, while the machine is taken over ---- */

/* PCI Local Bus Specification 3.0, 3.2.2.3.2 (mechanism 1); PCI Express Base Specification, 7.2.2
 * (ECAM); PCI Firmware Specification 3.0, 4.1.2 (MCFG). */

/* Where a function is: as both mechanisms want it, bus in bits 15:8. */
#define PCI_FUNCTION(bus, device, function)                                                        \
	((uint16_t)((unsigned)(bus) << 8 | (unsigned)(device) << 3 | (unsigned)(function)))
#define PCI_BUS(address) ((unsigned)(address) >> 8)

#define PCI_ID           0x00u /* device id in bits 31:16, vendor id in 15:0 */
#define PCI_ABSENT       UINT32_C(0xffffffff)

/* One aligned dword below 100h, by mechanism 1.  A function that is not there reads PCI_ABSENT and
 * ignores writes. */
uint32_t pci_read(uint16_t function, unsigned offset);
void pci_write(uint16_t function, unsigned offset, uint32_t value);

/* The same before the machine is taken over, too: the firmware's selection is there again. */
uint32_t pci_peek(uint16_t function, unsigned offset);

/* All 4 KiB of a function's configuration space, as aligned dwords, mapped uncached.  NULL: no MCFG
 * table that can be believed, the function answers otherwise there than by mechanism 1, or there is
 * no memory left for page tables. */
volatile uint32_t *pci_map(uint16_t function);

/* A register of a device at this physical address, whose page is mapped uncached.  NULL: the
 * processor, or a pointer, has no such address, the firmware's memory map has RAM there, or there
 * is no memory left for page tables. */
volatile uint32_t *device_map(uint64_t address);
