/* SPDX-License-Identifier: BSD-2-Clause */
/* Assists: the modelled processor writes to the guest's memory by itself, after an instruction. */
#include "kernel/lib/string.h"
#include "stepping.h"

static struct registers noted;

static bool read_memory(void *arg, uint64_t linear, void *to, size_t size)
{
	return guest_read(arg, linear, to, size);
}

static bool write_memory(void *arg, uint64_t linear, const void *from, size_t size)
{
	return guest_write(arg, linear, from, size);
}

static void take_registers(const struct guest *g, uint64_t ip, struct registers *to)
{
	to->ip = ip;
	to->flags = g->vmcb->rflags;
	memcpy(to->gpr, vmm_gpr, sizeof(to->gpr));
	to->gpr[RAX] = g->vmcb->rax;
	to->gpr[RSP] = g->vmcb->rsp;
}

void assist_prepare(const struct guest *g)
{
	if (silicon_precise(&silicon_cpu))
		take_registers(g, g->vmcb->rip, &noted);
}

COLD void assist_do(struct guest *g, uint64_t ip, uint64_t next)
{
	struct machine machine = {
		.arg = g,
		.read = read_memory,
		.write = write_memory,
		.before = noted,
		.legacy = !(g->vmcb->efer & EFER_LMA),
		.tsc = time_tsc(g),
	};

	/* No trap follows MOV SS: it may be the instruction after that, with the same registers. */
	machine.before.ip = ip;
	take_registers(g, next, &machine.after);
	silicon_assist(&silicon_cpu, &machine);
}
