/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Most instructions only compute, move and jump.  In the VMM, which is in ring 0, they do the same
 * as in the guest, if their memory operand is where the guest has it and the guest may access it.
 * No entry into the guest is needed then, and the entry is the cost of a step.
 */
#include "native.h"
#include "model/vmm/apic/apic.h"
#include "step.h"

enum { PAGE = 4096, STRING_MAX = 16 * 1024 * 1024, PREFIX_FS = 0x64 };

#define MSR_FS_BASE  0xc0000100u
#define MSR_GS_BASE  0xc0000101u

#define CR4_OSFXSR   BIT(9)
#define MXCSR_MASKS  FIELD(12, 7)
#define FLAGS_CF     BIT(0)
#define FLAGS_PF     BIT(2)
#define FLAGS_ZF     BIT(6)
#define FLAGS_SF     BIT(7)
#define FLAGS_DF     BIT(10)
#define FLAGS_OF     BIT(11)
#define CR0_EM_TS    FIELD(3, 2)
#define X87_PENDING  BIT(7) /* status word: an unmasked exception */
#define FLAGS_NATIVE (FLAGS_CF | FLAGS_PF | BIT(4) | FLAGS_ZF | FLAGS_SF | FLAGS_DF | FLAGS_OF)

/* Flags that POPF loads in ring 0: all but VM, RF, VIF and VIP. */
#define FLAGS_POPPED (FLAGS_NATIVE | FIELD(9, 8) | FIELD(14, 12) | BIT(18) | BIT(21))

/* Flags that PUSHF stores as 0. */
#define FLAGS_NOT_PUSHED FIELD(17, 16)

/* Words of the guest's memory are anywhere, and of any type. */
typedef uint64_t word_64 __attribute__((aligned(1), may_alias));
typedef uint32_t word_32 __attribute__((aligned(1), may_alias));

static bool bases_known;

void step_bases_changed(void)
{
	bases_known = false;
}

HOT static bool condition_holds(uint8_t condition, uint64_t flags)
{
	/* With bit 0 of the flags moved away, it says that a comparison was "less". */
	enum { LESS = 1 };
	static const uint16_t any_of[8] = {
		FLAGS_OF << 1, FLAGS_CF << 1, FLAGS_ZF << 1, (FLAGS_CF | FLAGS_ZF) << 1,
		FLAGS_SF << 1, FLAGS_PF << 1, LESS,          LESS | FLAGS_ZF << 1,
	};
	uint64_t less = (flags >> 7 ^ flags >> 11) & 1; /* SF, OF */

	return !!((flags << 1 | less) & any_of[condition >> 1]) != (condition & 1);
}

/* The base of FS or GS, read once between two events that may load them. */
static uint64_t segment_base(const struct plan *plan)
{
	static uint64_t fs, gs;

	if (!bases_known) {
		msr_read(MSR_FS_BASE, &fs);
		msr_read(MSR_GS_BASE, &gs);
		bases_known = true;
	}
	return plan->segment == PREFIX_FS ? fs : gs;
}

HOT uint64_t native_operand(const struct guest *g, const struct plan *plan)
{
	uint64_t address = (uint64_t)plan->displacement;

	if (plan->segment)
		address += segment_base(plan);
	if (plan->base >= 0)
		address += guest_gpr(g, (unsigned)plan->base);
	if (plan->index >= 0)
		address += guest_gpr(g, (unsigned)plan->index) << plan->scale;
	return guest_address(g, address);
}

HOT bool native_may_access(const struct guest *g, const struct plan *plan)
{
	return (!plan->reads && !plan->writes) ||
	       guest_same_address(g, native_operand(g, plan), plan->writes);
}

uint64_t native_written;

/* The same of one that is about to be executed. */
HOT static bool accesses(const struct guest *g, const struct plan *plan)
{
	uint64_t operand;

	if (!plan->reads && !plan->writes)
		return true;
	operand = native_operand(g, plan);
	if (plan->writes)
		native_written = operand;
	return guest_same_address(g, operand, plan->writes);
}

bool native_asks_time(const struct guest *g, const struct plan *plan)
{
	uint64_t linear;

	if (!time_is_own() || !plan->operand || !plan->reads || plan->writes)
		return false;
	linear = native_operand(g, plan);
	return linear % PAGE == APIC_TIMER_COUNT &&
	       guest_same_device(g, linear, apic_find_base(), false);
}

/* A write may let an interrupt through, which comes at once only while stepping. */
static bool may_access_apic(struct guest *g, const struct plan *plan)
{
	if (g->second || (plan->writes && !g->stepping) || native_asks_time(g, plan) ||
	    extended_apic_has((uint32_t)(native_operand(g, plan) % PAGE)) ||
	    !guest_same_device(g, native_operand(g, plan), apic_find_base(), plan->writes))
		return false;
	g->look |= plan->writes;
	apic_touched |= plan->writes;
	return true;
}

/* May it access the range?  It is asked page by page; a longer range is stepped through. */
static bool may_access_range(const struct guest *g, uint64_t first, uint64_t bytes, bool write)
{
	uint64_t page = first & ~(uint64_t)(PAGE - 1);

	if (bytes > STRING_MAX)
		return false;
	for (; page < first + bytes; page += PAGE)
		if (!guest_same_address(g, page, write))
			return false;
	return true;
}

static bool may_run_string(const struct guest *g, const struct plan *plan)
{
	uint64_t bytes = guest_gpr(g, RCX) << plan->scale;

	return !(g->vmcb->rflags & FLAGS_DF) && guest_gpr(g, RCX) <= STRING_MAX &&
	       may_access_range(g, guest_gpr(g, RDI), bytes, true) &&
	       (!plan->reads || may_access_range(g, guest_gpr(g, RSI), bytes, false));
}

/* Neither #UD nor #NM, and #MF or #XM will not come either.  The registers of MMX, x87 and SSE are
 * the guest's: the VMM has no use for them.  But the FPU keeps the address of its last instruction,
 * too (and QEMU that of the FNSTSW here), and a system may show it to its programs. */
static bool fpu_works(const struct guest *g)
{
	uint16_t status;

	if (g->system || g->vmcb->cr0 & CR0_EM_TS)
		return false;
	__asm__ volatile("fnstsw %0" : "=a"(status));
	return !(status & X87_PENDING);
}

bool native_fpu_is_quiet(const struct guest *g)
{
	enum { MASKS = 0x3f };
	uint16_t control;

	__asm__ volatile("fnstcw %0" : "=m"(control));
	return fpu_works(g) && (control & MASKS) == MASKS;
}

static bool sse_works(const struct guest *g)
{
	uint32_t mxcsr;

	__asm__ volatile("stmxcsr %0" : "=m"(mxcsr));
	return !(g->vmcb->cr0 & CR0_EM_TS) && g->vmcb->cr4 & CR4_OSFXSR &&
	       (mxcsr & MXCSR_MASKS) == MXCSR_MASKS;
}

/* The quotient has room, so the divisor is not 0 either. */
static bool can_divide(const struct guest *g, const struct plan *plan)
{
	uint64_t bits = plan->scale == 3 ? UINT64_MAX : UINT32_MAX;

	return (guest_gpr(g, RDX) & bits) < (guest_gpr(g, (unsigned)plan->base) & bits);
}

HOT void native_run(struct guest *g, const uint8_t *slot, uint64_t next)
{
	native_enter(slot, g->vmcb);
	g->vmcb->rip = next;
}

static bool run_slot(struct guest *g, const struct plan *plan, uint64_t next)
{
	native_run(g, plan->slot, next);
	return true;
}

/* A word of the guest, in its memory where that is reached. */
HOT static uint64_t load_word(const struct guest *g, uint64_t address)
{
	const void *at = (const void *)(uintptr_t)address;

	return g->size == CODE_64 ? *(const word_64 *)at : *(const word_32 *)at;
}

HOT static void store_word(const struct guest *g, uint64_t address, uint64_t value)
{
	void *at = (void *)(uintptr_t)address;

	if (g->size == CODE_64)
		*(word_64 *)at = value;
	else
		*(word_32 *)at = (uint32_t)value;
}

static bool move_device(struct guest *g, const struct plan *plan, uint64_t next)
{
	return may_access_apic(g, plan) && run_slot(g, plan, next);
}

HOT static bool load(struct guest *g, const struct plan *plan, uint64_t next)
{
	uint64_t from = native_operand(g, plan);
	const void *at = (const void *)(uintptr_t)from;

	if (!guest_same_address(g, from, false))
		return move_device(g, plan, next);
	guest_set_gpr(g, plan->reg, plan->wide ? *(const word_64 *)at : *(const word_32 *)at);
	g->vmcb->rip = next;
	return true;
}

HOT static bool store(struct guest *g, const struct plan *plan, uint64_t next)
{
	uint64_t to = native_operand(g, plan);
	void *at = (void *)(uintptr_t)to;

	native_written = to;
	if (!guest_same_address(g, to, true))
		return move_device(g, plan, next);
	if (plan->wide)
		*(word_64 *)at = guest_gpr(g, plan->reg);
	else
		*(word_32 *)at = (uint32_t)guest_gpr(g, plan->reg);
	g->vmcb->rip = next;
	return true;
}

HOT static bool push(struct guest *g, uint64_t value, uint64_t rip)
{
	uint64_t rsp = guest_address(g, g->vmcb->rsp - guest_word(g));

	if (!guest_same_address(g, rsp, true))
		return false;
	native_written = rsp;
	store_word(g, rsp, value);
	g->vmcb->rsp = rsp;
	g->vmcb->rip = rip;
	return true;
}

/* POP RSP goes no further. */
HOT static bool pop(struct guest *g, const struct plan *plan, uint64_t next)
{
	uint64_t rsp = g->vmcb->rsp;

	if (!guest_same_address(g, rsp, false))
		return false;
	g->vmcb->rsp = guest_address(g, rsp + guest_word(g));
	guest_set_gpr(g, (unsigned)plan->base, load_word(g, rsp));
	g->vmcb->rip = next;
	return true;
}

static bool cli(struct guest *g, uint64_t next)
{
	if (g->vmcb->cpl != 0)
		return false;
	g->vmcb->rflags &= ~RFLAGS_IF;
	g->vmcb->rip = next;
	return true;
}

/* Interrupts come behind the next instruction, unless they could come before. */
static bool sti(struct guest *g, uint64_t next)
{
	if (g->vmcb->cpl != 0 || !g->stepping)
		return false;
	g->shadow = !(g->vmcb->rflags & RFLAGS_IF);
	g->vmcb->rflags |= RFLAGS_IF;
	g->vmcb->rip = next;
	return true;
}

/* An interrupt that was held up comes at once only while stepping. */
static bool popf(struct guest *g, uint64_t next)
{
	struct vmcb *v = g->vmcb;
	uint64_t value;

	if (v->cpl != 0 || !guest_same_address(g, v->rsp, false))
		return false;
	value = load_word(g, v->rsp);
	if (value & RFLAGS_TF || (value & RFLAGS_IF && !g->stepping))
		return false;
	v->rflags = (v->rflags & ~FLAGS_POPPED & ~RFLAGS_RF) | (value & FLAGS_POPPED);
	v->rsp = guest_address(g, v->rsp + guest_word(g));
	v->rip = next;
	if (value & RFLAGS_IF)
		g->look = true;
	return true;
}

/* False: the operand is out of reach. */
static bool operand_value(const struct guest *g, const struct plan *plan, uint64_t *value)
{
	if (!native_may_access(g, plan))
		return false;
	*value = plan->reads ? load_word(g, native_operand(g, plan))
			     : guest_gpr(g, (unsigned)plan->base);
	return true;
}

HOT static bool ret(struct guest *g)
{
	uint64_t rsp = g->vmcb->rsp;

	if (!guest_same_address(g, rsp, false))
		return false;
	g->vmcb->rip = load_word(g, rsp);
	g->vmcb->rsp = guest_address(g, rsp + guest_word(g));
	return true;
}

/* Executes instructions that do not come often. */
COLD static bool execute_other(struct guest *g, const struct plan *plan, uint64_t next)
{
	struct vmcb *v = g->vmcb;
	uint64_t target;

	switch (plan->kind) {
	case PLAN_FPU:
		return fpu_works(g) && run_slot(g, plan, next);
	case PLAN_SSE:
		return sse_works(g) && run_slot(g, plan, next);
	case PLAN_DIVIDE:
		return can_divide(g, plan) && run_slot(g, plan, next);
	case PLAN_STRING:
		return may_run_string(g, plan) && run_slot(g, plan, next);
	case PLAN_CALL_TO:
		return operand_value(g, plan, &target) && push(g, next, target);
	case PLAN_PUSHF:
		return push(g, v->rflags & ~FLAGS_NOT_PUSHED, next);
	case PLAN_POPF:
		return popf(g, next);
	case PLAN_CLI:
		return cli(g, next);
	case PLAN_STI:
		return sti(g, next);
	case PLAN_PAUSE:
		v->rip = next;
		return true;
	case PLAN_SGDT:
		return native_sgdt(g, plan, next);
	case PLAN_INVLPG:
		return native_invlpg(g, plan, next);
	case PLAN_SEGMENT:
		return native_segment(g, plan, next);
	case PLAN_JMP_TO:
		if (!operand_value(g, plan, &target))
			return false;
		v->rip = target;
		return true;
	case PLAN_SYSCALL:
		return native_syscall(g, next);
	case PLAN_SYSRET:
		return native_sysret(g);
	case PLAN_SYSENTER:
		return native_sysenter(g);
	case PLAN_SYSEXIT:
		return native_sysexit(g);
	default:
		return false;
	}
}

/* Executes instructions that access memory, and all that do not come often. */
HOT __attribute__((noinline)) static bool execute(struct guest *g, const struct plan *plan,
						  uint64_t next)
{
	uint64_t target = (uint64_t)plan->displacement;

	switch (plan->kind) {
	case PLAN_NATIVE:
		return (accesses(g, plan) || may_access_apic(g, plan)) && run_slot(g, plan, next);
	case PLAN_LOAD:
		return load(g, plan, next);
	case PLAN_STORE:
		return store(g, plan, next);
	case PLAN_CALL:
		return push(g, next, target);
	case PLAN_PUSH:
		return operand_value(g, plan, &target) && push(g, target, next);
	case PLAN_POP:
		return pop(g, plan, next);
	case PLAN_RET:
		return ret(g);
	default:
		return execute_other(g, plan, next);
	}
}

HOT PAGED bool native_execute(struct guest *g, const struct plan *plan, unsigned length)
{
	struct vmcb *v = g->vmcb;
	uint64_t next = v->rip + length;

	switch (plan->kind) {
	case PLAN_JCC:
		v->rip = condition_holds(plan->condition, v->rflags) ? (uint64_t)plan->displacement
								     : next;
		return true;
	case PLAN_JMP:
		v->rip = (uint64_t)plan->displacement;
		return true;
	default:
		return execute(g, plan, next);
	}
}
