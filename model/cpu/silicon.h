/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The modelled processor as pure computation: no instruction of this file's code touches hardware,
 * so that the same objects are unit-tested on the host.  The hypervisor (vmm.c) feeds it.
 */
#ifndef SILICON_H
#define SILICON_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct profile; /* one modelled CPU: name, CPUID, registers, pipeline width */
struct fault; /* one seeded defect */
struct silicon; /* state of one modelled logical CPU */

/* ---- catalogue ---- */
const struct profile *profile_find(const char *name); /* NULL: unknown */
const struct fault *fault_find(const char *name);
bool fault_applies(const struct fault *fault, const struct profile *profile);

/* ---- life ---- */
extern struct silicon silicon_cpu; /* the only one: the model is uniprocessor */
/* Power-on state of profile with fault (NULL: none). */
void silicon_reset(struct silicon *s, const struct profile *profile, const struct fault *fault);

/* After silicon_reset(): another lawful processor of the same kind, by seed: see pipeline.c.  0:
 * the one that it is. */
void silicon_vary(struct silicon *s, uint32_t seed);

/* Of the uncore, where the profile has one. */
enum { UNCORE_CONFIG_HIDDEN = 16 };
struct uncore_config {
	unsigned sockets; /* 0: one */
	uint8_t hidden[UNCORE_CONFIG_HIDDEN]; /* functions: device << 3 | function */
	unsigned hidden_count;
	uint64_t tsc_hz, tsc; /* its rate, and what it shows now */
};
/* What one run of the program is to find. */
struct silicon_setup {
	const struct profile *profile;
	const struct fault *fault; /* NULL: none */
	uint32_t seed;
	bool single_step; /* nothing is executed natively (native.c) while a counter runs */
	uint32_t stages; /* STAGE_* */
	struct uncore_config uncore;
};

/* After silicon_reset(). */
void silicon_configure_uncore(struct silicon *s, const struct uncore_config *config);
bool silicon_has_uncore(const struct silicon *s);

/* ---- what the guest sees ---- */
/* r: EAX, EBX, ECX, EDX of the processor underneath on entry, of the modelled one on return.
 * Presents vendor/family/model, hides SVM, sets the hypervisor bit and leaf 4000_0000h. */
void silicon_cpuid(const struct silicon *s, uint32_t leaf, uint32_t subleaf, uint32_t r[4]);

/* ACCESS_NOT_MINE: let the processor underneath do it.  ACCESS_GP: raise #GP(0). */
enum access { ACCESS_DONE, ACCESS_GP, ACCESS_NOT_MINE };
enum access silicon_rdmsr(struct silicon *s, uint32_t msr, uint64_t *value);
enum access silicon_wrmsr(struct silicon *s, uint32_t msr, uint64_t value);
enum access silicon_rdpmc(struct silicon *s, uint32_t index, unsigned cpl, bool cr4_pce,
			  uint64_t *value);
/* MSRs that must be intercepted: the PMU ranges of every vendor. */
bool silicon_intercepts_msr(uint32_t msr);
/* MSR ranges of the PMU in ascending order, by index; false: past the end. */
bool silicon_msr_range(unsigned index, uint32_t *first, uint32_t *last);
/* Does msr read differently a moment later, by itself?  A counter that runs, a clock,
 * a record of branches. */
bool silicon_advances(struct silicon *s, uint32_t msr);
/* Is every counter of the core enabled? */
bool silicon_all_count(const struct silicon *s);
/* A system management interrupt has come and gone: where there is a count of them, it goes on. */
void silicon_smi(struct silicon *s);

/* ---- the uncore; where the profile has none, all of this does nothing ---- */
/* What the TSC shows, before any access below or to an MSR. */
void silicon_set_tsc(struct silicon *s, uint64_t tsc);
/* An access to the configuration space, within one dword. */
struct pci_access {
	uint8_t bus, df; /* device << 3 | function */
	uint16_t offset;
	unsigned size; /* 1, 2, 4 */
};
/* False: the function is not modelled. */
bool silicon_pci_read(struct silicon *s, const struct pci_access *access, uint32_t *value);
/* As silicon_advances(). */
bool silicon_pci_advances(struct silicon *s, const struct pci_access *access);
/* Enables all counters, as firmware may leave them. */
void silicon_leave_uncore_running(struct silicon *s);
bool silicon_pci_write(struct silicon *s, const struct pci_access *access, uint32_t value);
/* A register that only the uncore of a Xeon E5-2600 has, and this profile has not. */
bool silicon_is_foreign_msr(const struct silicon *s, uint32_t msr);
bool silicon_is_foreign_bus(const struct silicon *s, uint8_t bus);
/* One that an uncore has on some profile. */
bool silicon_is_uncore_bus(uint8_t bus);

/* How an instruction accesses its memory operand. */
enum memory_kind {
	MEMORY_NONE,
	MEMORY_LOAD,
	MEMORY_STORE, /* or a load and a store */
	MEMORY_FLUSH, /* CLFLUSH */
	MEMORY_STREAM, /* a non-temporal store */
	MEMORY_FENCE, /* MFENCE, SFENCE */
	MEMORY_PREFETCH,
};
/* Of others each access is taken for write-back, or as its address says. */
enum memory_type {
	MEMORY_WRITE_BACK,
	MEMORY_WRITE_THROUGH,
	MEMORY_WRITE_PROTECTED,
	MEMORY_UNCACHEABLE,
};
struct memory_access {
	enum memory_kind kind;
	uint64_t physical;
	uint64_t size;
	bool locked;
	enum memory_type type;
};
/* True while silicon_memory() drives some event that is selected. */
bool silicon_watches_memory(const struct silicon *s);
/* Does a counter count ticks of the TSC?  Then how many there have been. */
bool silicon_counts_tsc(const struct silicon *s);
uint64_t silicon_tsc_ticks(struct silicon *s);
/* Asked for while it watches memory: is the code that retires next uncacheable? */
void silicon_fetches(struct silicon *s, bool uncacheable);
/* An instruction has accessed memory.  Returns the TSC before which nothing may follow. */
uint64_t silicon_memory(struct silicon *s, const struct memory_access *access);

/* ---- execution ---- */
/* General registers by their number in ModRM. */
enum gpr { RAX, RCX, RDX, RBX, RSP, RBP, RSI, RDI, R8, R11 = 11, GPRS = 16 };

/* True while some counter is enabled or a request held: then every instruction must be reported. */
bool silicon_counting(const struct silicon *s);

/* insn.sub_event: the class of event 0CBh in bits 7:0, segment registers loaded (event 20h of the
 * K7) in bits 15:8, the type of MMX instructions (event B3h of P6) in bits 21:16, each where its
 * unit-mask bit is. */
#define SUB_X87         0x0001u
#define SUB_MMX         0x0002u
#define SUB_SSE         0x0004u /* as from family 10h on */
#define SUB_SEGMENT(n)  (0x0100u << (n)) /* 0 ES, 1 CS, 2 SS, 3 DS, 4 FS, 5 GS */
#define SUB_MMX_TYPE(t) (0x10000u << (t)) /* enum mmx_type */
/* Event B3h of P6: its unit mask has a bit for each. */
enum mmx_type {
	MMX_MULTIPLY,
	MMX_SHIFT,
	MMX_PACK,
	MMX_UNPACK,
	MMX_LOGICAL,
	MMX_ARITHMETIC,
	MMX_TYPES,
};
enum { SUB_BITS = 16 + MMX_TYPES };

/* Whose arithmetic an instruction does, or that it only moves what it would be done with. */
enum compute {
	COMPUTE_OTHER,
	COMPUTE_VECTOR_LOAD, /* into a register of x87, MMX or SSE */
	COMPUTE_VECTOR_MOVE, /* from one: to another or to memory */
	COMPUTE_X87,
	COMPUTE_MMX,
	COMPUTE_INTEGER_128,
	COMPUTE_PACKED_SP,
	COMPUTE_PACKED_DP,
	COMPUTE_SCALAR_SP,
	COMPUTE_SCALAR_DP,
	COMPUTES,
};

/* What the processor forgets by an instruction: pages in TLBs, or lines in caches. */
enum forgets { FORGETS_NOTHING, FORGETS_PAGES, FORGETS_LINES };

/* What one instruction is, by its bytes. */
enum insn_class {
	INSN_PLAIN,
	INSN_JCC,
	INSN_JMP,
	INSN_CALL,
	INSN_RET,
	INSN_FAR, /* IRET, far jmp/call/ret */
	INSN_INT, /* INT n, INT3: delivered by hand; counted by silicon_delivered() */
	INSN_SYSCALL,
	INSN_SYSRET,
	INSN_PUSHF,
	INSN_POPF,
	INSN_HLT,
	INSN_STI,
	INSN_MOV_SS,
	INSN_REP_STRING,
};
struct insn {
	enum insn_class class;
	unsigned
		length; /* all of it; 0: cut short by available, or no instruction of 64-bit mode */
	unsigned loads, stores; /* memory operands */
	unsigned uops;
	bool indirect; /* CALL or JMP through a register or memory */
	bool serializing; /* drains the pipeline: CPUID, IRET, WRMSR, MOV CR, LFENCE, ... */
	bool long_latency; /* MUL, DIV: stalls retirement */
	int source, other_source, destination; /* general registers 0..15, or -1 */
	unsigned sub_event; /* SUB_* */
	enum compute compute;
	enum memory_kind memory;
	unsigned width; /* of the memory operand, in bytes */
	bool locked;
	bool string; /* the operand is at RSI, RDI, or both */
	enum forgets forgets;
	uint64_t address; /* of its first byte, as who decodes it says */
};
/* bytes: up to 15 at the instruction pointer, 64-bit mode. */
void insn_decode(const uint8_t *bytes, unsigned available, struct insn *insn);

/* The logical processors of a core with Hyper-Threading, which executes them by turns. */
enum { THREADS = 2 };
enum thread_state { THREAD_WAITS_FOR_SIPI, THREAD_HALTED, THREAD_ACTIVE };
struct threads {
	unsigned now; /* the one that executes */
	enum thread_state state[THREADS];
	unsigned cpl[THREADS];
};
/* From now on.  After a reset number 0 executes, and the other one waits to be started. */
void silicon_switch(struct silicon *s, const struct threads *threads);
/* Are the modelled counters those of the one that executes?  Else it must not access its own. */
bool silicon_is_own_pmu(const struct silicon *s);

/* insn retired: cpl is the level it went TO, taken whether the next RIP was not the fall-through
 * (meaningful for branches), iflag the IF in force while it executed.  False: no interrupt request
 * is or was under way, silicon_take_pmi() may wait. */
bool silicon_retire(struct silicon *s, const struct insn *insn, unsigned cpl, bool taken,
		    bool iflag);
/* Asked after silicon_retire(); true: that was a mispredicted branch, and what lies on the path
 * that it did not take counts. */
bool silicon_mispredicted(const struct silicon *s);
/* The next instruction of that path.  False: the path ends before it. */
bool silicon_discard(struct silicon *s, const struct insn *insn);
/* An interrupt or exception (hardware true: external or NMI) was delivered; cpl is the new one.
 * Called for INT n too (software). */
enum delivery { DELIVERY_HARDWARE, DELIVERY_EXCEPTION, DELIVERY_SOFTWARE };
void silicon_delivered(struct silicon *s, enum delivery what, unsigned cpl);

/* A branch that was taken, or a delivery (INSN_INT). */
struct branch {
	enum insn_class class;
	bool indirect;
	int vector; /* of a delivery, else -1 */
	uint64_t from, to;
	unsigned cpl; /* where it went TO */
};
/* Called before silicon_retire() or silicon_delivered() for what branched. */
void silicon_branched(struct silicon *s, const struct branch *branch);

struct registers {
	uint64_t ip, flags, gpr[GPRS];
};

/* The machine after an instruction, for what the processor does to memory by itself. */
struct machine {
	void *arg; /* of read and write; false: not mapped */
	bool (*read)(void *arg, uint64_t linear, void *to, size_t size);
	bool (*write)(void *arg, uint64_t linear, const void *from, size_t size);
	/* Around the instruction: before.ip is its own, after.ip that of the next one.  The rest of
	 * before is stale unless silicon_precise() was true then. */
	struct registers before, after;
	uint64_t tsc;
};
/* Asked before each instruction; true: its registers must be noted. */
bool silicon_precise(const struct silicon *s);
/* Asked after each silicon_retire(); true: silicon_assist() must follow. */
bool silicon_wants_assist(const struct silicon *s);
void silicon_assist(struct silicon *s, const struct machine *machine);

/* Does WRMSR take effect before it retires, so that the one that enables a counter is counted? */
bool silicon_writes_first(const struct silicon *s);

/* What the PMU asks of a thread's LVT entry. */
struct pmi {
	unsigned due; /* requests that became due since the last call: 0, or more with a fault */
	bool held; /* one that stands until the guest withdraws it */
	bool masks_lvt; /* delivery sets the mask bit of the LVT entry */
	uint32_t (*lvt)(uint32_t entry); /* how the local APIC takes the entry; NULL: as it is */
};
struct pmi silicon_take_pmi(struct silicon *s, unsigned thread);
/* An interrupt of the PMU was raised. */
void silicon_raised(struct silicon *s);
/* Ends all pending latency: called when counting stops, so a late request still arrives. */
void silicon_flush(struct silicon *s);

/* ---- the tally ---- */

struct silicon_tally {
	uint64_t retired; /* instructions since silicon_reset(), while a counter ran */
	/* FNV-1a, 64 bits, over each register of the core PMU that was read, with its value, and
	 * over how many instructions after an access to a register each interrupt was raised. */
	uint64_t digest;
};
struct silicon_tally silicon_tally(const struct silicon *s);

#endif
