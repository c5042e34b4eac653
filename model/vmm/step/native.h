/* SPDX-License-Identifier: BSD-2-Clause */
/* Native execution: the VMM executes harmless instructions itself, far faster than a step through
 * the guest. */
#pragma once

#include "model/vmm/guest/guest.h"

enum plan_kind {
	PLAN_STEP, /* only the guest mode can execute it */
	PLAN_NATIVE, /* runs from its slot, with the guest's registers */
	PLAN_LOAD, /* the same; or, as it is MOV of 32 or 64 bits, the VMM does it, which is faster
		    */
	PLAN_STORE,
	PLAN_STRING, /* the same for REP MOVS and REP STOS */
	PLAN_FPU, /* the same where MMX and x87 instructions do not fault, but for a system */
	PLAN_SSE, /* the same where SSE instructions do not fault */
	PLAN_DIVIDE, /* the same where DIV by the base does not fault */
	PLAN_PUSH, /* the operand */
	PLAN_POP, /* to the base */
	PLAN_PUSHF,
	PLAN_SGDT,
	PLAN_INVLPG,
	PLAN_SEGMENT, /* DS or ES is loaded with the value that it has */
	PLAN_JCC, /* the first that goes elsewhere */
	PLAN_JMP,
	PLAN_CALL,
	PLAN_JMP_TO, /* the address in the operand */
	PLAN_CALL_TO,
	PLAN_RET, /* the last of these */
	PLAN_CLI,
	PLAN_STI,
	PLAN_POPF,
	PLAN_SYSCALL, /* by the VMM alone: their way with TF is one of their own */
	PLAN_SYSRET,
	PLAN_SYSENTER, /* likewise: QEMU's processor, which is AMD's, has none in 64-bit code */
	PLAN_SYSEXIT,
	PLAN_PAUSE, /* which does nothing, and exits where there are two threads */
	PLAN_CPUID, /* exits anyway */
	PLAN_RDMSR,
	PLAN_WRMSR,
	PLAN_RDPMC,
	PLAN_RDTSC, /* may exit while stepping */
	PLAN_PORT, /* IN, OUT; only some ports exit */
	PLAN_INT, /* INT n exits while stepping */
	PLAN_UNDEFINED, /* the modelled processor raises #UD */
};

/* How an instruction at a certain address is executed. */
struct plan {
	enum plan_kind kind;
	int base,
		index; /* of the memory operand: register number, or -1; of PLAN_SEGMENT: its own */
	unsigned scale; /* shift count; of strings and divisors: of the size */
	int64_t displacement; /* with base -1: the address itself; of branches: the target */
	uint8_t condition; /* of JCC: low four bits of the opcode */
	uint32_t port; /* of IN and OUT: EXITINFO1, but for the port */
	bool reads, writes; /* memory */
	uint8_t segment; /* of the operand: 64h of FS, 65h of GS, 0: base 0 */
	/* PLAN_NATIVE on registers alone: nothing can keep it from being executed; or PLAN_FPU,
	 * which only the FPU's state can. */
	bool straight;
	uint8_t reg; /* of PLAN_LOAD and PLAN_STORE */
	bool wide; /* they are of 64 bits */
	bool operand; /* base, index, scale and displacement describe a memory operand */
	uint8_t *slot; /* executable room for it */
	uint8_t slot_length; /* of the code there, but for the jump back */
};

/* The 16 bytes from the begin of an instruction, to compare them fast. */
struct code_words {
	uint64_t low, high;
};

/* An instruction met before, at the same address, in code of the same size and with the same bytes.
 */
struct known {
	uint64_t rip;
	enum code_size size;
	uint8_t code[16];
	struct code_words mask; /* which of code is the instruction; the rest is 0 */
	struct insn insn;
	struct plan plan;
	uint32_t stamp; /* another one each time that something else is known here */
};
/* The last stamp: as long as it is this one, nothing else is known of any. */
extern uint32_t native_stamp;

/* ---- forms.c ---- */

struct decoder;

/* A letter for how its opcode is executed; '.': in guest mode alone. */
char form_of(const struct decoder *d);
/* Does it run from a slot, with no more than its registers and one operand in memory? */
bool is_native(const struct decoder *d);

/* May it have a LOCK prefix? */
bool is_lockable(const struct decoder *d);

/* ---- translate.c ---- */

/* Writes to slot the code that does in 64-bit mode what the instruction does; its length, 0: none.
 */
unsigned native_translate(const struct decoder *d, uint8_t *slot);

/* ---- plan.c ---- */

/* plan->slot is given; the rest is filled in for insn at rip, whose bytes are code. */
void native_plan(struct plan *plan, const struct insn *insn, const uint8_t *code, uint64_t rip,
		 enum code_size size);

/* Writes a jump to native_exit to behind, of so many bytes. */
enum { NATIVE_END = 5 };
void native_end(uint8_t *behind);

/* ---- known.c ---- */

/* Can so many more become known?  If not, all must be forgotten first, and so the runs, where none
 * of them is under way. */
bool native_has_room(unsigned count);
/* The instruction at rip, of which so many bytes are available: its length is 0 when it is cut
 * short or unknown.  16 bytes can be read at code; there is room for one. */
const struct known *native_known(uint64_t rip, const uint8_t *code, unsigned available,
				 enum code_size size);
void native_forget(void);

/* ---- run.c: instructions in a row, up to one that goes elsewhere ---- */

/* TRANSLATED: bytes that a straight one may grow by. */
enum { RUN_MOST = BLOCK_MOST, RUN_BYTES = 96, TRANSLATED = 2 };
enum { RUN_SLOTS = RUN_BYTES + (NATIVE_END + TRANSLATED) * RUN_MOST };
/* LOOP_CODE: behind the straight ones of a loop, as loop.c writes it. */
enum { EXCHANGE = 7, ONE_LESS = 6, JUMP = 5, BRANCH = 6 };
enum { LOOP_CODE = BRANCH + 3 * EXCHANGE + ONE_LESS + JUMP + NATIVE_END };
enum { LOOP_SLOT = RUN_BYTES + TRANSLATED * RUN_MOST + LOOP_CODE };

struct insn_run {
	uint64_t rip;
	enum code_size size;
	unsigned count, bytes;
	uint32_t stamp; /* the last one when the pieces were compared with what is known */
	uint8_t code[RUN_BYTES + 16]; /* in which they were found */
	struct piece {
		const struct known *known;
		uint32_t stamp; /* of known */
		unsigned straight; /* so many in a row, from this one on, are straight: */
		const uint8_t
			*slot; /* they, if the one before is not, and the address behind them */
		uint64_t behind;
		bool changes; /* one that is not straight: it may write to memory */
	} piece[RUN_MOST];
	bool fpu; /* some straight ones are of the FPU, and wait for native_fpu_is_quiet() */
	uint8_t slots[RUN_SLOTS];
	bool loops; /* it is a loop, as loop.c has it, */
	uint8_t loop[LOOP_SLOT]; /* of this code */
	struct block block; /* all of it */
};

/* The run of instructions that begins at rip, all in its page; none so near to the page's end that
 * not even the longest instruction would fit, and none that the VMM cannot execute; none at all
 * where there is no room for as many as may become known. */
const struct insn_run *run_find(const struct guest *g, uint64_t rip);
void run_forget(void);
/* Executes the first count straight instructions of a run, from this one on. */
void run_straight(struct guest *g, const struct piece *first, unsigned count);
/* For run_other(): may the piece, which has changed memory, have written to the code of the run?
 * Then: is the code another one now, or not known to be the same? */
bool run_may_be_overwritten(const struct insn_run *run, const struct plan *plan);
bool run_is_overwritten(const struct guest *g, const struct insn_run *run);

/* ---- loop.c ---- */

/* Sets run->loops and run->loop of a run whose pieces are all known. */
void loop_join(struct insn_run *run);
/* Executes at most so many turns, at least 1, of a loop; returns how many.  Behind the last of them
 * the guest is at the begin of the run, or has left it. */
unsigned loop_run(struct guest *g, const struct insn_run *run, unsigned most);

/* ---- native.c ---- */

/* The linear address of the plan's operand. */
uint64_t native_operand(const struct guest *g, const struct plan *plan);

/* Does it load the rest of the local APIC's timer, which only time.c knows? */
bool native_asks_time(const struct guest *g, const struct plan *plan);
/* Is the memory operand of a PLAN_NATIVE in RAM, where the guest has it, and may the guest access
 * it? */
bool native_may_access(const struct guest *g, const struct plan *plan);

/* Can no instruction of the FPU, on registers alone, fault? */
bool native_fpu_is_quiet(const struct guest *g);
/* Executes the code at slot, which ends in a jump to native_exit, with the guest's registers; the
 * guest goes on at next. */
void native_run(struct guest *g, const uint8_t *slot, uint64_t next);

/* ---- system.c: false: it faults, or the guest mode must tell ---- */

bool native_sgdt(struct guest *g, const struct plan *plan, uint64_t next);
bool native_invlpg(struct guest *g, const struct plan *plan, uint64_t next);
/* PLAN_SEGMENT */
bool native_segment(struct guest *g, const struct plan *plan, uint64_t next);
bool native_syscall(struct guest *g, uint64_t next);
bool native_sysret(struct guest *g);
bool native_sysenter(struct guest *g);
bool native_sysexit(struct guest *g);

/* ---- native.c ---- */

/* Where the last instruction that was executed, and that writes memory, has written, unless it was
 * a string instruction. */
extern uint64_t native_written;
/* Executes one PLAN_NATIVE to PLAN_PAUSE; false: it needs the guest mode, nothing was done. */
bool native_execute(struct guest *g, const struct plan *plan, unsigned length);

/* The same of a piece of a run that is not straight; overwritten: it has written to the code of the
 * run.  Inlined: it is in the model's innermost loop. */
static inline bool run_other(struct guest *g, const struct insn_run *run, const struct piece *piece,
			     bool *overwritten)
{
	const struct known *known = piece->known;

	if (!native_execute(g, &known->plan, known->insn.length))
		return false;
	*overwritten = piece->changes && run_may_be_overwritten(run, &known->plan) &&
		       run_is_overwritten(g, run);
	return true;
}

/* entry.asm: runs the code at slot with the guest's registers and arithmetic flags; it ends in a
 * jump to native_exit. */
void native_enter(const uint8_t *slot, struct vmcb *vmcb);
extern const uint8_t native_exit[] __attribute__((visibility("hidden")));
