/* SPDX-License-Identifier: BSD-2-Clause */
/* The machine while it is ours, and the declarations that the kernel's files share, those for the
 * size of a word among them. */
#pragma once

#include "kernel.h"

#define PAGE_SIZE 4096u

/* The value of a macro, as text. */
#define TEXT_(n) #n
#define TEXT(n)  TEXT_(n)

/* Selectors, with the privilege level requested, in the order that SYSRET and SYSEXIT ask for. */
#define KERNEL_CODE  0x08u
#define KERNEL_DATA  0x10u
#define SYSEXIT_CODE 0x1Bu /* of ring 3, of 32-bit code */
#define USER_DATA    0x23u
#define USER_CODE    0x2Bu
#define SYSEXIT_DATA 0x33u /* of ring 3, of 64-bit code */
#define RING_1_DATA  0x39u
#define RING_1_CODE  0x41u
#define RING_2_DATA  0x4Au
#define RING_2_CODE  0x52u

/* ---- each processor ---- */

#define LVT_ENTRIES      7u
#define LVT_EXTENDED_MAX 4u

struct apic_state {
	uint32_t svr, tpr, lvt[LVT_ENTRIES], divide, initial, current;
	uint32_t extended[LVT_EXTENDED_MAX]; /* entries; there are so many: */
	unsigned extended_entries;
	uint64_t tsc_deadline;
	bool was_disabled; /* and is enabled by us; base: the register that says so, as it was */
	uint64_t base;
};

#define VECTORS 256u

/* What MSRs of an instruction held before it was given an entrance. */
#define ENTRANCE_MSRS 4u
struct kept_msrs {
	bool taken;
	uint64_t value[ENTRANCE_MSRS];
};

struct trap_taker {
	trap_handler *handler; /* NULL: nobody */
	void *arg;
};

/* What vectors_load() has found: an image of XSAVE, of which FXSAVE has the first part. */
enum { VECTORS_IMAGE = 832 };
struct vectors {
	uint8_t found[VECTORS_IMAGE] __attribute__((aligned(64)));
	enum { VECTORS_NONE, VECTORS_ON /* in XCR0 and CR4 */, VECTORS_SAVED } taken;
	bool has_upper;
	uint64_t xcr0;
	uintptr_t cr4;
};

/* All that a processor which runs our code has of its own. */
struct processor {
	struct context *context; /* descriptor tables, and what firmware had in the registers */
	struct apic_state apic; /* of the firmware */
	uint32_t owed; /* vectors from E0h on that waited at take-over, as bits */
	uintptr_t flags; /* at take-over */

	uint8_t *stack, *user_stack; /* their tops */
	struct trap_taker takers[VECTORS];
	uint64_t entrances[VECTORS / 64]; /* as bits: those that lead past the stubs */
	struct kept_msrs syscall, sysenter;
	struct vectors vectors;
	bool draining; /* interrupts are taken in and ignored */
	bool dumping; /* a trap is being reported */
	bool silent; /* it is not, but for its first line: others may be reporting */

	struct guard *guard; /* the innermost; NULL: none */
	char reason[160]; /* why one was ended */
	uint64_t deadline; /* TSC at which the innermost active guard is ended; 0: never */
	uint64_t ticks_per_ms; /* of the local APIC's timer; 0: no watchdog */
};

/* This one, while it is taken over. */
struct processor *this_processor(void);

/* ---- the machine ---- */

/* As many as Linux has room for, MAX_IO_APICS; machines of four sockets have 17. */
#define IO_APICS_MAX 128
#define IO_APIC_PINS 256u

struct io_apic {
	uint64_t base;
	bool masked[IO_APIC_PINS]; /* by us */
};

struct controllers {
	uint8_t pic[2];
	unsigned io_apics, io_apics_listed; /* known ones, and all that there are */
	struct io_apic io_apic[IO_APICS_MAX];
};

/* State that all processors share.  At the start of the arena. */
struct machine {
	struct machine_facts facts;
	struct controllers controllers;
	struct processor self, sibling;
	struct processor *others; /* [facts.others] that run together */

	uint8_t *next, *end; /* pages of the arena not handed out */
	void *guard_pages; /* of the last stack; each holds where the one before it is */
	uint8_t *user_buffer;
	enum user_memory user_memory;
	bool pci_used; /* and what CF8h held before */
	uint32_t pci_address;
};

extern struct machine *machine; /* NULL: not taken over */

/* Each processor that may be taken over, from 0 on; NULL behind the last. */
struct processor *machine_processor(unsigned i);

/* The ACPI table with this signature. */
struct acpi_table machine_table(const char *signature);

/* ---- kernel/paging: pages of the arena ---- */

/* Zeroed pages of the arena; NULL when it is used up. */
void *machine_pages(unsigned count);
/* Top of a new stack with a guard page below it; NULL when the arena is used up. */
uint8_t *machine_stack(unsigned pages);

/* Page tables of all memory; false when the arena is smaller than machine_arena_size(). */
bool memory_build(void);
/* An acpi_memory for the tables of memory_build(), in force or not. */
const void *memory_of_firmware(uint64_t address, uint64_t length);
/* While taken over: the page of 4 KiB at this physical address, uncached at the same virtual one,
 * for good.  False when it is RAM, or the arena is used up. */
bool memory_map_uncached(uint64_t address);
/* The page where another processor starts: writable, or executable. */
void memory_map_startup(bool executable);

/* In page tables where nothing is mapped but RAM, all else below 4 GiB, and the screen: is this
 * mapped?  No answer for the screen. */
bool mapping_has(const struct machine_facts *facts, uint64_t address);

/* user.c: with machine->user_buffer, and the stacks of all processors. */
bool user_build(void);

/* pci.c */
void pci_restore(void);

/* ---- kernel/paging: page tables ---- */

/* Rights of a page: bits of its entry, the same in all formats of page tables, but for
 * PAGE_NO_EXECUTE, which is ignored where the processor has none. */
#define PAGE_PRESENT         BIT(0)
#define PAGE_WRITE           BIT(1)
#define PAGE_USER            BIT(2)
#define PAGE_WRITE_THROUGH   BIT(3) /* PWT: PAT entry 1 */
#define PAGE_UNCACHED_MINUS  BIT(4) /* PCD: PAT entry 2; but write-combining if an MTRR says so */
#define PAGE_UNCACHED        (BIT(3) | BIT(4)) /* PWT and PCD: PAT entry 3 */
#define PAGE_WRITE_PROTECTED (BIT(3) | BIT(7)) /* PWT and PAT: PAT entry 5; of 4 KiB only */
#define PAGE_NO_EXECUTE      BIT(63)
#define MAPPING_DATA         (PAGE_PRESENT | PAGE_WRITE | PAGE_NO_EXECUTE)

/* PAGE_HUGE: the largest there are. */
enum page_size { PAGE_SMALL = 1, PAGE_LARGE, PAGE_HUGE };

extern struct page_tables {
	void *root;
	struct page_format format;
} page_tables;

/* All pages from the one of from to the one below to, one to one, in the largest pages that fit but
 * none larger than size; rights 0: unmaps them. */
bool paging_map(uint64_t from, uint64_t to, enum page_size size, uint64_t rights);

/* ---- traps and guards ---- */

#define STACK_PAGES 16u

#pragma GCC visibility push(hidden)
struct extable_entry {
	int32_t insn, resume; /* from their own place */
};
extern const struct extable_entry extable_start[], extable_end[];

/* By address, one behind the other. */
extern const uint32_t symbol_first; /* offset of the first from image_start */
extern const uint32_t symbol_count;
/* A byte, or two behind one that says so. */
#define SYMBOL_IS_LONG 255u
extern const unsigned char symbol_sizes[];
extern const unsigned char symbol_names[]; /* each ended by NUL */
extern const unsigned char symbol_pairs[][2]; /* that a byte stands for; zeroes: for itself */
/* Of msr_switch_idle(). */
extern const struct code_around idle_around;
#pragma GCC visibility pop

/* True while a guard_run() has not yet left its body. */
bool guard_active(void);

/* Drops all guards: their stack frames are being left. */
void guard_forget(void);

/* Writes the trap and its place, registers and backtrace as diagnostics; returns the first line as
 * a sentence, the processor's reason.  vector: say which. */
const char *dump_trap(const struct trap_frame *frame, const char *what, bool vector);

/* Calls line("symbol+offset") for ip and each frame that the chain from bp leads to. */
void dump_backtrace(uintptr_t ip, uintptr_t bp, void (*line)(const char *place));

/* Lets fixed interrupts that are still waiting come in, and ignores them. */
void trap_drain(void);

/* The innermost active guard is ended at this TSC value; 0: never.  Returns the last one set. */
uint64_t watchdog_set(uint64_t deadline);
void watchdog_calibrate(void);

/* ---- kernel/apic ---- */

void apic_take_over(void);
void apic_give_back(void);
/* At take-over before all else, if the user has asked for it and there is one; and
 * at give-back after all else. */
void apic_enable(void);
void apic_disable(void);
uint64_t apic_base(void); /* of its page of registers; 0: not memory-mapped */
bool apic_in_service(unsigned vector);
void apic_end_in_service(void); /* EOI for all that is in service above TRAP_TPR */
bool apic_pending(void); /* a vector above TRAP_TPR waits */
void apic_note_owed(void); /* vectors above TRAP_TPR that wait are for the firmware */
void apic_pay_owed(void); /* they wait again */
/* In xAPIC mode: sends an INIT or start-up IPI, or a fixed interrupt, to the processor with this
 * ID. */
#define APIC_INIT    0x500u
#define APIC_STARTUP 0x600u /* and the number of the page */
uint32_t apic_id(void); /* of this one */
void apic_send(uint32_t id, uint32_t command);
void apic_open(void); /* after INIT: vectors above TRAP_TPR come */
void apic_timer_start(uint32_t ticks); /* one shot, VECTOR_WATCHDOG */
void apic_timer_stop(void);
uint32_t apic_timer_current(void);

/* The PIC and the I/O APICs. */
void controllers_find(void);
void controllers_mask(void);
void controllers_restore(void);

/* ---- what depends on the size of a word: kernel/x86_64 or x86_32 ---- */

/* Descriptor tables, with a stack for each trap that needs its own; false: the arena is used up. */
bool context_build(struct processor *processor);
/* On it: keeps what firmware has in its registers, and loads ours; and back again. */
void context_take_over(struct processor *processor);
void context_give_back(struct processor *processor);
/* Where the processor that it is loaded on finds the stack of ring 0. */
void *context_entry_stack(struct context *context);
/* On it, once startup_prepare() has had it started: nothing is kept. */
void context_enter(struct processor *processor);

/* The format that page tables here are to have. */
struct page_format paging_format(void);

/* Starts another processor: why that cannot be done, or NULL; then the page where it starts, and
 * from which it comes to entry() on its stack, with this processor's control registers. */
const char *startup_missing(void);
void startup_prepare(struct processor *processor, void (*entry)(void));

/* Leaves the current stack for the frame's, with the registers that are in the frame. */
_Noreturn void trap_resume(const struct trap_frame *frame);

/* Known to trap.asm. */
struct guard {
	uintptr_t sp; /* where guard_enter() goes on */
	uintptr_t active;
	const char *reason;
	struct guard *outer;
};
/* Runs body(arg) with interrupts on; stack NULL: on this one. */
void guard_enter(struct guard *guard, void (*body)(void *arg), void *arg, void *stack);
/* Where an ended guard goes on: DI is the guard, SP its sp, interrupts are off. */
extern const char guard_exit[] __attribute__((visibility("hidden")));

/* All registers, as diagnostics. */
void dump_registers(const struct trap_frame *frame);
