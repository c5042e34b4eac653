/* SPDX-License-Identifier: BSD-2-Clause */
/* What the modelled processor does to the guest's memory by itself, after an instruction. */
#include "vmm.h"

static bool read_memory(void *arg, uint64_t linear, void *to, size_t size)
{
	return guest_read(arg, linear, to, size);
}

static bool write_memory(void *arg, uint64_t linear, const void *from, size_t size)
{
	return guest_write(arg, linear, from, size);
}

static uint64_t read_tsc(void)
{
	uint32_t low, high;

	__asm__ volatile("rdtsc" : "=a"(low), "=d"(high));
	return (uint64_t)high << 32 | low;
}

void assist(struct guest *g, uint64_t ip, uint64_t next)
{
	struct machine machine = {
		.arg = g,
		.read = read_memory,
		.write = write_memory,
		.ip = ip,
		.next = next,
		.rflags = g->vmcb->rflags,
		.tsc = read_tsc() + g->vmcb->tsc_offset,
	};

	for (unsigned i = 0; i < GPRS; i++)
		machine.gpr[i] = vmm_gpr[i];
	machine.gpr[RAX] = g->vmcb->rax;
	machine.gpr[RSP] = g->vmcb->rsp;
	silicon_assist(&silicon_cpu, &machine);
}
