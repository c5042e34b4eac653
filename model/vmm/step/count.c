/* SPDX-License-Identifier: BSD-2-Clause */
/* The instruction under way: it is loaded, it is counted, and interrupts and traps come behind it.
 */
#include "model/vmm/apic/apic.h"
#include "stepping.h"

struct under_way under_way;
struct step_tally step_tally;

HOT void step_load(struct guest *g, uint64_t rip)
{
	uint64_t linear = guest_code_address(g, rip);
	const struct known *known;
	unsigned available;

	under_way.loaded = true;
	under_way.rip = rip;
	under_way.code = guest_code(g, linear, &available);
	silicon_fetches(&silicon_cpu, guest_code_uncacheable());
	under_way.iflag = g->vmcb->rflags & RFLAGS_IF;
	under_way.cpl = g->vmcb->cpl;
	if (!native_has_room(RUN_MOST))
		step_forget_code();
	known = native_known(linear, under_way.code, available, g->size);
	under_way.ahead = under_way.insn;
	under_way.insn = &known->insn;
	under_way.plan = &known->plan;
	/* Instructions that the VMM executes itself change no translation. */
	if (under_way.insn->serializing && under_way.plan->kind == PLAN_STEP)
		guest_forget_pages();
}

AT_EXIT const struct insn *step_insn(struct guest *g)
{
	if (!under_way.loaded || under_way.rip != g->vmcb->rip)
		step_load(g, g->vmcb->rip);
	return under_way.insn;
}

void step_forget_code(void)
{
	native_forget();
	run_forget();
}

/* Where the instruction ahead stands, if that and this conditional branch may be one operation;
 * else 0. */
HOT static uint64_t fused_with(void)
{
	const struct insn *ahead = under_way.ahead;

	if (!ahead || !ahead->fuses || ahead->address + ahead->length != under_way.insn->address)
		return 0;
	return under_way.rip - ahead->length;
}

HOT static void report_branch(const struct guest *g)
{
	const struct vmcb *v = g->vmcb;
	enum insn_class class = under_way.insn->class;
	struct branch branch = {
		.class = class,
		.indirect = under_way.insn->indirect,
		.vector = -1,
		.from = under_way.rip,
		.to = v->rip,
		.cpl = v->cpl,
		.before = under_way.cpl,
		.ahead = class == INSN_JCC ? fused_with() : 0,
		.untaken = class == INSN_JCC && v->rip == step_next_rip(),
	};

	if (class >= INSN_JCC && class <= INSN_SYSRET && class != INSN_INT)
		silicon_branched(&silicon_cpu, &branch);
}

enum { DISCARDED_MOST = 8 };

/* The branch under way was mispredicted: reports what the processor began on the wrong path before
 * it knew better. */
COLD static void discard(const struct guest *g)
{
	uint64_t target = (uint64_t)under_way.plan->displacement;
	uint64_t rip = g->vmcb->rip == step_next_rip() ? target : step_next_rip();

	if (under_way.plan->kind != PLAN_JCC)
		return;
	for (unsigned i = 0; i < DISCARDED_MOST; i++) {
		unsigned available;
		const uint8_t *code = guest_code(g, rip, &available);
		struct insn insn;

		insn_decode(code, available, g->size, &insn);
		if (!silicon_discard(&silicon_cpu, &insn))
			return;
		rip = guest_address(g, rip + insn.length);
	}
}

HOT bool step_count(struct guest *g)
{
	struct vmcb *v = g->vmcb;
	bool requested;

	report_branch(g);
	requested = silicon_retire(&silicon_cpu, under_way.insn, v->cpl, v->rip != step_next_rip(),
				   under_way.iflag);
	if (silicon_mispredicted(&silicon_cpu))
		discard(g);
	hold_counted();
	smi_counted();
	if (!silicon_wants_assist(&silicon_cpu))
		return requested;
	assist_do(g, under_way.rip, v->rip == under_way.rip ? step_next_rip() : v->rip);
	return true;
}

/* ---- behind it ---- */

AT_EXIT void step_raise_due(struct guest *g)
{
	if (apic_raise_due())
		g->look = true;
}

AT_EXIT void step_settle(struct guest *g)
{
	if (under_way.tf)
		g->vmcb->dr6 |= DR6_BS;
	if (under_way.tf || under_way.hits)
		deliver(g, VECTOR_DB, 0, DELIVERY_EXCEPTION);
	step_raise_due(g);
}

bool step_interrupt(struct guest *g, unsigned wait)
{
	int vector = vmm_take_interrupt(wait);

	if (vector < 0)
		return false;
	if (vector == VECTOR_NMI && (g->nest.inside || g->nest.deaf)) {
		g->nest.nmi = g->nest.due = g->look = true;
		return false;
	}
	deliver(g, (unsigned)vector, 0, DELIVERY_HARDWARE);
	step_raise_due(g);
	return true;
}

void step_raise(struct guest *g, unsigned vector, uint32_t error)
{
	deliver(g, vector, error, DELIVERY_EXCEPTION);
	step_raise_due(g);
}
