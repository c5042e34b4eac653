/* SPDX-License-Identifier: BSD-2-Clause */
/* Instructions: what one is, and what it does when it retires. */
#pragma once

#include "memory.h"

/* General registers by their number in ModRM. */
enum gpr { RAX, RCX, RDX, RBX, RSP, RBP, RSI, RDI, R8, R11 = 11, GPRS = 16 };

/* insn.sub_event: the class of event 0CBh in bits 7:0, segment registers loaded (event 20h of the
 * K7) in bits 15:8, the type of MMX instructions (event B3h of P6) in bits 21:16, each where its
 * unit-mask bit is; and, in bit 22, whether instr_retired of a Pentium D counts it twice. */
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
#define SUB_TWICE SUB_MMX_TYPE(MMX_TYPES)
enum { SUB_BITS = 16 + MMX_TYPES + 1 };

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

/* Things that an instruction makes the processor forget: pages in TLBs, or lines in caches. */
enum forgets { FORGETS_NOTHING, FORGETS_PAGES, FORGETS_LINES };

/* The default size of operands and addresses, or 64-bit mode. */
enum code_size { CODE_64, CODE_32, CODE_16 };

/* The class of an instruction, by its bytes. */
enum insn_class {
	INSN_PLAIN,
	INSN_JCC,
	INSN_JMP,
	INSN_CALL,
	INSN_RET,
	INSN_FAR, /* IRET, far jmp/call/ret */
	INSN_SYSCALL,
	INSN_SYSRET,
	INSN_INT, /* INT n, INT3: delivered by hand; counted by silicon_delivered() */
	INSN_PUSHF,
	INSN_POPF,
	INSN_HLT,
	INSN_STI,
	INSN_MOV_SS,
	INSN_REP_STRING,
};
/* Small, as many of them are looked at in turn. */
struct insn {
	uint64_t address; /* of its first byte; the caller of insn_decode() sets it */
	uint32_t sub_event; /* SUB_* */
	uint16_t reads, writes; /* general registers, as bits */
	enum insn_class class : 8;
	uint8_t length; /* all of it; 0: cut short by available, or no instruction of such code */
	uint8_t loads, stores; /* memory operands */
	uint8_t uops;
	uint8_t width; /* of the memory operand, in bytes */
	enum compute compute : 8;
	uint8_t additions; /* and subtractions, of SSE: of so many numbers */
	enum memory_kind memory : 8;
	enum forgets forgets : 8;
	bool indirect; /* CALL or JMP through a register or memory */
	bool serializing; /* drains the pipeline: CPUID, IRET, WRMSR, MOV CR, LFENCE, ... */
	bool long_latency; /* MUL, DIV: stalls retirement */
	bool locked;
	bool string; /* the operand is at RSI, RDI, or both */
	bool address_prefix; /* 67h */
	bool fuses; /* with a conditional branch behind it, where a processor does that */
};

/* By AMD-V: EFER.SVME is 0; or it is 1, outside of a guest and in it. */
enum world { WORLD_WITHOUT_SVM, WORLD_HOST, WORLD_GUEST };

/* DELIVERY_HARDWARE: of an external interrupt; DELIVERY_SOFTWARE: by INT n. */
enum delivery { DELIVERY_HARDWARE, DELIVERY_NMI, DELIVERY_EXCEPTION, DELIVERY_SOFTWARE };

/* A branch that was taken, or a delivery (INSN_INT). */
struct branch {
	enum insn_class class;
	bool indirect;
	int vector; /* of a delivery, else -1 */
	uint64_t from, to;
	unsigned cpl, before; /* privilege levels: where it went to, and where it came from */
	bool untaken; /* a conditional one, and what follows it is where it went */
	uint64_t ahead; /* the instruction that a conditional one may be fused with; 0: none */
};
