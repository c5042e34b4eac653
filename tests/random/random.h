/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Programs that nobody has written: drawn by a seed, single-stepped once for what they execute, and
 * then counted by counters that are drawn, too.
 *
 * Room: random programs and their laws
 * Uses: tests/lib, tests/branches, tests/crossings, tests/samples
 */
#pragma once

#include "tests/branches/branches.h"
#include "tests/crossings/crossings.h"
#include "tests/lib/test.h"
#include "tests/samples/samples.h"

/* ---- draw.c: numbers ---- */

struct draw {
	uint64_t state;
};

/* Those of the program of this number: the same on every machine. */
struct draw draw_of(uint64_t seed, unsigned program);
/* Below n, which is not 0. */
unsigned draw_below(struct draw *draw, unsigned n);
/* One of n times. */
static inline bool draw_once_in(struct draw *draw, unsigned n)
{
	return !draw_below(draw, n);
}

/* ---- program.c: what a program is made of ---- */

/* What it does, in the order of its sections: the first is its loop, the others are subroutines,
 * which call those behind them alone. */
enum { SECTIONS = 4, OPS_MAX = 48 };

/* One operation, of one instruction or a few that belong together; .number: in the tables of
 * ops.c.  Whatever stands before and behind it, it can be executed. */
struct op {
	uint8_t section, number;
	uint8_t a, b; /* registers, conditions, sections, or how many operations are jumped over */
	uint32_t value; /* immediate value, or place in the buffer */
};

struct program {
	unsigned ops;
	struct op op[OPS_MAX];
	unsigned turns; /* of its loop */
};

/* ways: the crossings that may be in it, as bits by their places in the table. */
struct program program_draw(struct draw *draw, uint32_t ways);
/* All but n operations from first on. */
struct program program_without(const struct program *program, unsigned first, unsigned n);

/* ---- ops.c: operations ---- */

/* What an instruction is, as its maker knows. */
enum {
	IS_INSTRUCTION = 1,
	IS_CONDITIONAL = 2,
	IS_JUMP = 4,
	IS_CALL = 8,
	IS_RETURN = 16,
	IS_CROSSING = 32, /* goes to ring 0 and comes back behind itself */
	IS_BRANCH = IS_CONDITIONAL | IS_JUMP | IS_CALL | IS_RETURN,
};

struct note {
	uint8_t is, length;
	/* SAMPLE_IS_LOAD and so on; its operand in the buffer, so wide, or 0: it has none there. */
	uint8_t touches, where, width;
};

/* A program as it is executed. */
struct image {
	uint8_t code[USER_CODE_SIZE];
	struct note note[USER_CODE_SIZE]; /* by the place where an instruction begins */
	unsigned size, turns, last; /* the instruction put last */
	unsigned end; /* the RET that ends it, of two bytes */
	unsigned at[OPS_MAX], section_at[SECTIONS]; /* where they begin */
	uint32_t ways; /* in it, as bits by their places in the table of crossings */
};
extern struct image image_now; /* what has been loaded */

/* So many bytes of the buffer a program uses. */
enum { IMAGE_BUFFER = 256 };

/* One that can come in this section; ways: crossings that it may be, as bits. */
struct op op_draw(struct draw *draw, unsigned section, uint32_t ways);
/* Its instructions, behind those that are there. */
void op_place(struct image *image, const struct op *op);
/* It as text, as an assembler has it. */
enum { OP_TEXT = 48 };
void op_text(char text[OP_TEXT], const struct op *op);

/* ---- image.c: code ---- */

/* An instruction, which is this. */
void image_put(struct image *image, unsigned is, const uint8_t *bytes, unsigned length);
/* Says what it does to memory. */
void image_touch(struct image *image, uint8_t touches, uint32_t where, uint8_t width);
/* Says that the last four bytes are a distance, from their end to the begin of a section, or to the
 * operation so many further on in this one. */
void image_aim_at_section(struct image *image, unsigned section);
void image_aim_over(struct image *image, unsigned ops);
/* The same, of an address in 32-bit code: the code will be in user_code[]. */
void image_aim_address(struct image *image, unsigned section);

/* The program in user_code[], where nothing but a RET stands at its end besides. */
void image_load(const struct program *program);
/* From now on UD2 stands there, and as soon as it is executed what was there before, which is
 * executed then. */
void image_break(unsigned place);
/* What the buffer holds before each run: conditions depend on it. */
void image_prepare_buffer(void);
/* Where it is there, a RET alone, and a RET behind each crossing. */
enum { STUB = 16, AT_PROGRAM = 0, AT_RET = USER_CODE_SIZE - STUB * (1 + CROSSINGS_MAX) };
/* Ahead of them, room for trace_entry(). */
enum { AT_ENTRY = AT_RET - 128 };
#define AT_CROSSING(way) (AT_RET + STUB * (1 + (way)))

/* ---- steps.c: truth ---- */

/* What it has executed. */
struct truth {
	int64_t instructions, branches, taken, near_returns, conditional,
		crossings, /* and returns from them, */
		handlers; /* and instructions of ring 0 behind them, */
	bool in_c; /* some of which nobody has counted */
	uint32_t ways; /* that it may have crossed by, */
	uint16_t times[CROSSINGS_MAX]; /* each so often */
};

/* By the trap flag, in this ring.  False: it did not come to its end. */
bool truth_of(struct truth *truth, enum ring ring);
extern const struct truth truth_of_empty;

/* The branches that it has taken, the last ones of so many. */
enum { ROUTE_MAX = 1024 };
struct route {
	unsigned taken;
	struct pmu_branch at[ROUTE_MAX]; /* number n: at n % ROUTE_MAX */
	unsigned place; /* that it has come to */
};
extern struct route route_now;

/* The same up to this place, where it comes there. */
bool truth_up_to(struct truth *truth, enum ring ring, unsigned place);

/* How often the event occurs in it, by itself; -1: nobody knows. */
int64_t truth_of_event(const struct pmu *pmu, unsigned event, const struct truth *truth);

/* ---- shrink.c: the smallest program that shows what was found ---- */

typedef bool program_fails(struct run *t, const struct program *program, const void *trial);
struct program program_shrink(struct run *t, struct program program, program_fails *fails,
			      const void *trial);
void program_report(const struct program *program);

/* What stands there; all 0: no instruction begins there. */
const struct note *note_at(uintptr_t ip);
/* Is that the instruction ahead of a conditional branch, of which its record may be instead where
 * the two are one operation: CMP and JE, say?  APM vol. 2, 13.1.1. */
bool is_fused(uint64_t ip, const struct pmu_branch *branch);

/* ---- trace.c: all that a program goes through ---- */

/* States, each ahead of an instruction, the last one behind all of them. */
enum { TRACE_MAX = 4096 };
struct trace {
	unsigned n;
	uint16_t at[TRACE_MAX]; /* places in user_code[]; elsewhere: all bits set */
	uint32_t state[TRACE_MAX]; /* trace_state() of registers and flags */
};
extern struct trace trace_now;

/* Of what has been loaded, in ring 3, with so many turns that it executes about so many
 * instructions; image_now.turns says how many.  False: it did not come to its end. */
bool trace_run(unsigned instructions);
/* Where it is entered so that all registers are known. */
asm_code *trace_entry(void);
uint32_t trace_state(const uint64_t gpr[SAMPLE_GPRS], uint64_t flags);
/* From that state on, the next one that is ahead of the instruction there; .n: there is none. */
unsigned trace_next(unsigned from, uint64_t ip);
/* Has it gone from one to the other? */
bool trace_goes(uint64_t from, uint64_t to);

/* ---- told.c: what a sampler with a period of its own says ---- */

/* From now on nothing has been judged. */
void told_begin(void);
/* A record of an op, or of a fetch, while image_now was executed as it was traced. */
void told_judge(struct run *t, const struct pmu_sample *sample);
/* It is of nothing of ours at all. */
bool told_foreign(const struct pmu_sample *sample);
/* Has each kind been told of now and then?  Ends the test as known if something was told wrong as
 * an erratum has it. */
void told_end(struct run *t);

/* ---- trial.c: counters ---- */

enum { NO_SLOT = -1 };
/* Two that partition the clocks, and all clocks. */
enum { AT_LEAST, BELOW, CLOCKS, PARTS };

/* Counters for a program. */
struct trial {
	struct window w; /* but for its work, and without interrupts */
	enum ring ring; /* where it is single-stepped, */
	enum ring level; /* and where it is counted: another one that counts as ring 3 does */
	enum ring rdpmc_ring; /* where counters are read, too */
	uint64_t idle; /* a draw: what the registers of all other counters hold */
	bool partitions; /* its first slots are those above */
	/* The slot that interrupts in a second window, and one that does so at the same event, or
	 * NO_SLOT: */
	int interrupter, second;
	enum { SOMEWHERE, AT_THE_LAST, NEVER, MOMENTS } moment;
	uint32_t share; /* somewhere: of 2^16, below half of them */
	uint32_t lvt;
};

bool takes_part(const struct window *w, unsigned ctr);
/* For what executes that in this ring.  filtered: an inverted counter counts nothing in rings that
 * it filters out. */
struct trial trial_draw(struct run *t, struct draw *draw, enum ring ring, bool filtered,
			const struct truth *truth);

/* ---- laws.c ---- */

/* A count that is out of its bounds. */
struct wrong {
	const char *what; /* NULL: nothing is wrong */
	bool is_count; /* of a slot; else of interrupts, flags or registers */
	unsigned slot;
	uint64_t got, least, most;
};

/* What a counter has counted. */
struct seen {
	const struct slot *slot, *empty; /* with the program, and with the RET alone */
	enum ring ring;
	uint64_t interrupts; /* that were taken meanwhile */
	bool late; /* the last of them was taken behind the program */
	const uint64_t *crossed; /* by places: what a crossing adds in ring 3, where that is not
				  * published */
};

/* What the count is to be. */
struct wrong law_of_slot(struct run *t, const struct truth *truth, const struct seen *seen);
/* Of the first slots of a trial that partitions. */
struct wrong law_of_partition(struct run *t, const struct window *w, uint64_t changes);

/* At least so many clocks does a program take that comes back so often. */
uint64_t least_clocks(const struct run *t, const struct pmu_config *cfg, const struct truth *truth,
		      unsigned back);

/* ---- around.c ---- */

/* Counters that do not take part, and their controls, hold anything, and go on to do so. */
void idle_fill(struct run *t, const struct trial *trial);
struct wrong idle_judge(struct run *t, const struct trial *trial);
struct wrong judge_flags(const struct run *t, const struct window *w, uint64_t flagged);
struct wrong judge_names(const struct run *t, const struct trial *trial, const struct window *w);

/* ---- judge.c ---- */

/* Counts what has been loaded. */
struct wrong trial_judge(struct run *t, const struct trial *trial, const struct truth *truth);

/* ---- reach.c: runs that are recorded up to a place ---- */

/* One that is reached; 0: behind all.  route_now leads there.  False: the program did not come to
 * its end. */
bool reach_find(enum ring ring, uint32_t where, unsigned *place);
/* In this ring.  The place has UD2, whose handler ends recording by its first write; in ring 0 the
 * write that starts it is just ahead of the call. */
void reach_run(unsigned place, unsigned ring, const struct msr_switch *by);
/* The first difference is kept. */
void wrong_unless(struct wrong *wrong, const char *what, uint64_t got, uint64_t want);
