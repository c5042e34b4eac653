/* SPDX-License-Identifier: BSD-2-Clause */
/* Runs that are taken: executed and retired, all at once or piece by piece. */
#include "stepping.h"

/* Retires straight instructions before they are executed, as it makes no difference to them: so it
 * is known how many there are before a request or a record.  Returns how many. */
HOT static unsigned take_straight(struct guest *g, const struct piece *first, bool *busy)
{
	unsigned n = 0;

	while (n < first->straight && !*busy)
		*busy = silicon_retire(&silicon_cpu, &first[n++].known->insn, g->vmcb->cpl, false,
				       under_way.iflag);
	run_straight(g, first, n);
	return n;
}

/* Executes and retires one that is not straight; false: it needs guest mode, nothing was done. */
HOT static bool take_other(struct guest *g, const struct insn_run *run, const struct piece *piece,
			   bool *busy)
{
	const struct known *known = piece->known;
	bool overwritten;

	under_way.rip = known->rip;
	under_way.ahead = piece > run->piece ? &piece[-1].known->insn : under_way.insn;
	under_way.insn = &known->insn;
	under_way.plan = &known->plan;
	watch_prepare(g, &known->insn, &known->plan);
	if (!run_other(g, run, piece, &overwritten))
		return false;
	watch_retired(g);
	*busy = step_count(g) || overwritten;
	return true;
}

/* Executes and retires pieces in turn, up to the first behind which a request or a record may come;
 * returns how many instructions. */
HOT static unsigned take_pieces(struct guest *g, const struct insn_run *run, bool *busy)
{
	unsigned n = 0;

	while (n < run->count && !*busy && !g->look) {
		const struct piece *piece = &run->piece[n];

		if (piece->straight)
			n += take_straight(g, piece, busy);
		else if (take_other(g, run, piece, busy))
			n++;
		else
			break;
	}
	return n;
}

/* Executes one that is not straight; false: it needs guest mode, nothing was done. */
HOT static bool execute_other(struct guest *g, const struct insn_run *run,
			      const struct piece *piece, bool watched, bool *busy)
{
	if (watched)
		watch_prepare(g, &piece->known->insn, &piece->known->plan);
	if (!run_other(g, run, piece, busy))
		return false;
	if (watched)
		watch_retired(g);
	return true;
}

/* Executes all pieces, as far as that goes without a look at what came of it; returns how many
 * instructions. */
HOT static unsigned execute_pieces(struct guest *g, const struct insn_run *run, bool *busy)
{
	const struct piece *piece = run->piece, *end = piece + run->count;
	bool watched = silicon_watches_memory(&silicon_cpu);

	while (piece < end && !*busy && !g->look) {
		unsigned count = piece->straight ? piece->straight : 1;

		if (piece->straight)
			native_run(g, piece->slot, piece->behind);
		else if (!execute_other(g, run, piece, watched, busy))
			break;
		if (watched)
			silicon_fetch_block(&silicon_cpu, &run->block,
					    (unsigned)(piece - run->piece), count);
		piece += count;
	}
	return (unsigned)(piece - run->piece);
}

/* Executes and retires as many turns of a loop as may be before a look at interrupts. */
HOT static unsigned take_loop(struct guest *g, const struct insn_run *run)
{
	unsigned most = silicon_block_times(&silicon_cpu, &run->block), turns;
	unsigned unseen = (UNSEEN_MAX + 1 - under_way.unseen) / run->count;

	most = most < unseen ? most : unseen;
	turns = loop_run(g, run, most ? most : 1);
	silicon_retire_loop(&silicon_cpu, &run->block, turns, g->vmcb->rip == run->rip,
			    under_way.iflag);
	return turns * run->count;
}

/* Executes a run of which no request and no record can come, and then retires it. */
HOT static unsigned take_block(struct guest *g, const struct insn_run *run, bool *busy)
{
	unsigned n;

	if (run->loops && !silicon_watches_memory(&silicon_cpu))
		return take_loop(g, run);
	n = execute_pieces(g, run, busy);
	if (n == run->count)
		silicon_retire_block(&silicon_cpu, &run->block,
				     g->vmcb->rip != run->rip + run->bytes, under_way.iflag);
	else
		silicon_retire_part(&silicon_cpu, &run->block, n, under_way.iflag);
	/* It may have unmasked what is held. */
	*busy |= g->look && silicon_requests(&silicon_cpu);
	return n;
}

/* A system's time goes by what has retired, and memory is told the time of each access. */
HOT static bool may_take_block(const struct guest *g, const struct insn_run *run)
{
	return run->count && silicon_takes_block(&silicon_cpu, &run->block, g->vmcb->cpl) &&
	       !(g->system && silicon_watches_memory(&silicon_cpu));
}

/* Nothing of it where a record may come, for which registers are noted ahead of each instruction.
 */
HOT static unsigned take_some(struct guest *g, const struct insn_run *run, bool *busy)
{
	if (may_take_block(g, run))
		return take_block(g, run, busy);
	return silicon_precise(&silicon_cpu) ? 0 : take_pieces(g, run, busy);
}

/* Executes a run, up to the first instruction behind which a request or a record may come. */
HOT PAGED enum step step_take_run(struct guest *g)
{
	const struct insn_run *run = run_find(g, g->vmcb->rip);
	bool busy = false;
	unsigned n;

	/* Else the compiler works out anew where it is each time that it is used. */
	__asm__("" : "+r"(run));
	if (!guest_code_allowed(g) || (run->fpu && !native_fpu_is_quiet(g)))
		return STEP_ENTER;
	silicon_fetches(&silicon_cpu, guest_code_uncacheable());
	n = take_some(g, run, &busy);
	if (!n)
		return STEP_ENTER;
	under_way.unseen += n - 1;
	if (busy)
		step_raise_due(g);
	return STEP_DONE;
}
