/* SPDX-License-Identifier: BSD-2-Clause */
/* The machine while it is ours, and what firmware left in it.  Private to kernel/. */
#ifndef STATE_H
#define STATE_H

#include "kernel.h"

#define CR0_MP          BIT(1)
#define CR0_EM          BIT(2)
#define CR0_TS          BIT(3)
#define CR0_NE          BIT(5)
#define CR0_WP          BIT(16)
#define CR0_AM          BIT(18)

#define CR4_TSD         BIT(2)
#define CR4_PGE         BIT(7)
#define CR4_OSFXSR      BIT(9)
#define CR4_LA57        BIT(12)
#define CR4_SMEP        BIT(20)
#define CR4_SMAP        BIT(21)
#define CR4_PKE         BIT(22)
#define CR4_CET         BIT(23)
#define CR4_PKS         BIT(24)

#define EFER_LME        BIT(8)
#define EFER_NXE        BIT(11)
#define MSR_FS_BASE     0xC0000100u
#define MSR_GS_BASE     0xC0000101u
#define MSR_S_CET       0x6A2u
#define S_CET_SH_STK_EN BIT(0)

#define SEGMENT_REGISTER(name)                                                                     \
	static inline uint16_t read_##name(void)                                                   \
	{                                                                                          \
		uint16_t v;                                                                        \
                                                                                                   \
		__asm__ volatile("mov %%" #name ", %0" : "=r"(v));                                 \
		return v;                                                                          \
	}                                                                                          \
	static inline void write_##name(uint16_t v)                                                \
	{                                                                                          \
		__asm__ volatile("mov %0, %%" #name : : "r"(v) : "memory");                        \
	}
SEGMENT_REGISTER(ds)
SEGMENT_REGISTER(es)
SEGMENT_REGISTER(fs)
SEGMENT_REGISTER(gs)
SEGMENT_REGISTER(ss)

static inline uint16_t read_cs(void)
{
	uint16_t v;

	__asm__ volatile("mov %%cs, %0" : "=r"(v));
	return v;
}

/* A far return is the one way to load CS in 64-bit mode that every CPU has. */
static inline void write_cs(uint16_t v)
{
	uint64_t target;

	__asm__ volatile("lea 1f(%%rip), %0\n"
			 "push %1\n"
			 "push %0\n"
			 "lretq\n"
			 "1:\n"
			 : "=&r"(target)
			 : "r"((uint64_t)v)
			 : "memory");
}

#define PAGE_SIZE   4096u

#define KERNEL_CODE 0x08u
#define KERNEL_DATA 0x10u
#define USER_DATA   0x1Bu /* requested privilege level 3 */
#define USER_CODE   0x23u
#define TSS         0x28u
#define GDT_ENTRIES 7u

/* AMD64 APM vol. 2, 12.2.5: the 64-bit task state segment. */
struct tss {
	uint32_t reserved0;
	uint64_t rsp[3];
	uint64_t reserved1;
	uint64_t ist[7];
	uint64_t reserved2;
	uint16_t reserved3;
	uint16_t io_map;
} __attribute__((packed));

struct gate {
	uint16_t offset_low, selector, type, offset_mid;
	uint32_t offset_high, reserved;
};

struct segments {
	struct table_pointer gdt, idt;
	uint16_t cs, ds, es, fs, gs, ss, tr;
	uint64_t fs_base, gs_base;
};

#define LVT_ENTRIES 7u

struct apic_state {
	uint32_t svr, tpr, lvt[LVT_ENTRIES], divide, initial, current;
	uint64_t tsc_deadline;
};

#define IO_APICS_MAX 16u
#define IO_APIC_PINS 256u

struct io_apic {
	uint64_t base;
	bool masked[IO_APIC_PINS]; /* by us */
};

struct controllers {
	uint8_t pic[2];
	unsigned io_apics;
	struct io_apic io_apic[IO_APICS_MAX];
};

/* What each processor that runs our code has of its own. */
struct processor {
	uint64_t gdt[GDT_ENTRIES];
	struct tss tss;
	uint8_t *stack, *user_stack; /* their tops */
	uint8_t *low, *high; /* all its stacks lie between */
};

#define VECTORS    256u
#define STACKS_MAX 10u

struct trap_taker {
	trap_handler *handler; /* NULL: nobody */
	void *arg;
};

/* At the start of the arena. */
struct machine {
	uint8_t fpu[512] __attribute__((aligned(16))); /* of the firmware */
	struct machine_facts facts;
	struct segments segments; /* of the firmware, and so on */
	struct apic_state apic;
	struct controllers controllers;
	uint64_t cr0, cr3, cr4, efer, rflags;

	struct processor processor, sibling;
	struct gate *idt;
	struct trap_taker takers[VECTORS];
	uint8_t *next, *end; /* pages of the arena not handed out */
	uint64_t *root; /* page table of the highest level */
	unsigned levels;
	uint64_t no_execute; /* bit 63 where the CPU has it */
	uint64_t guard_pages[STACKS_MAX];
	unsigned stacks;
	uint8_t *user_buffer;
	enum user_memory user_memory;
	uint32_t owed; /* vectors from E0h on that waited at take-over, as bits */
	bool pci_used; /* and what CF8h held before */
	uint32_t pci_address;
};

extern struct machine *machine; /* NULL: not taken over */

/* Zeroed pages of the arena; NULL when it is used up. */
void *machine_pages(unsigned count);
/* Top of a new stack with a guard page below it; NULL when the arena is used up. */
uint8_t *machine_stack(unsigned pages);

/* ---- the image ---- */

#pragma GCC visibility push(hidden)
struct extable_entry {
	int32_t insn, resume; /* from their own place */
};
extern const struct extable_entry extable_start[], extable_end[];

/* By address, one behind the other. */
extern const uint32_t symbol_first; /* offset of the first from image_start */
extern const uint32_t symbol_count;
extern const uint16_t symbol_sizes[];
extern const char symbol_names[]; /* each ended by NUL */
#pragma GCC visibility pop

/* ---- traps and guards ---- */

/* trap.asm: leaves the current stack for the frame's. */
_Noreturn void trap_resume(const struct trap_frame *frame);

/* True while a guard_run() has not yet left its body. */
bool guard_active(void);

/* Drops all guards: their stack frames are being left. */
void guard_forget(void);

/* dump.c: what and where, registers and backtrace as diagnostics; returns the first as a sentence
 * that stays valid until the next call.  vector: say which. */
const char *dump_trap(const struct trap_frame *frame, const char *what, bool vector);

/* "#GP" and the like. */
const char *dump_vector_name(uint64_t vector);

/* Calls line("symbol+offset") for rip and each frame that the chain from rbp leads to. */
void dump_backtrace(uint64_t rip, uint64_t rbp, void (*line)(const char *place));

/* Lets fixed interrupts that are still waiting come in, and ignores them. */
void trap_drain(void);

/* The innermost active guard is ended at this TSC value; 0: never.  Returns the last one set. */
uint64_t watchdog_set(uint64_t deadline);

/* ---- the rest ---- */

/* descriptors.c */
bool descriptors_build(void);
bool processor_build(struct processor *processor); /* its stacks and TSS */
void descriptors_save(void);
void descriptors_load(struct processor *processor); /* on it */
void descriptors_restore(void);

/* paging.c: false when the arena is too small for memory_top */
bool paging_build(void);
/* While taken over: the page of 4 KiB at this physical address, uncached at the same virtual one,
 * for good.  False when the arena is used up. */
bool paging_map_uncached(uint64_t address);

/* The page where another processor starts: writable, or executable. */
void paging_map_startup(bool executable);

/* pci.c */
void pci_restore(void);

/* apic.c */
void apic_take_over(void);
void apic_give_back(void);
uint64_t apic_base(void); /* of its page of registers; 0: not memory-mapped */
bool apic_in_service(unsigned vector);
void apic_end_in_service(void); /* EOI for all that is in service above TRAP_TPR */
bool apic_pending(void); /* a vector above TRAP_TPR waits */
void apic_note_owed(void); /* vectors above TRAP_TPR that wait are for the firmware */
void apic_pay_owed(void); /* they wait again */
/* In xAPIC mode: sends a fixed interrupt, or one of these, to the processor with this ID. */
#define APIC_INIT    0x500u
#define APIC_STARTUP 0x600u /* and the number of the page */
uint32_t apic_id(void); /* of this one */
void apic_send(uint32_t id, uint32_t command);
void apic_open(void); /* that of a processor after INIT: vectors above TRAP_TPR come */
void apic_timer_start(uint32_t ticks); /* one shot, VECTOR_WATCHDOG */
void apic_timer_stop(void);
uint32_t apic_timer_current(void);

/* controllers.c: the PIC and the I/O APICs */
void controllers_find(void);
void controllers_mask(void);
void controllers_restore(void);

/* watchdog.c */
void watchdog_calibrate(void);

/* user.c */
bool user_build(void);
/* As user_call(), on this processor. */
uint64_t user_call_on(struct processor *processor, uint64_t (*entry)(uint64_t rdi, void *rsi),
		      uint64_t rdi, void *rsi, uint64_t extra_rflags);

/* sibling.c */
bool sibling_owns(const struct trap_frame *frame); /* the trap came on the sibling */
void sibling_trap(const struct trap_frame *frame); /* there: counts VECTOR_PMI, stops for others */

#endif
