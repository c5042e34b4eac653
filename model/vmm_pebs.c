/* SPDX-License-Identifier: BSD-2-Clause */
/* Records of the guest's registers, written into its memory as PEBS does. */
#include <stddef.h>

#include "string.h"
#include "vmm.h"

_Static_assert(sizeof(struct pebs_record) == 144 && offsetof(struct pebs_record, rsi) == 0x30,
	       "64-bit PEBS record");

static struct pebs_record before;

void pebs_note_registers(const struct guest *g)
{
	const struct vmcb *v = g->vmcb;

	if (!silicon_sampling(&silicon_cpu))
		return;
	before = (struct pebs_record){
		.rflags = v->rflags,
		.rip = v->rip,
		.rax = v->rax,
		.rbx = vmm_gpr[RBX],
		.rcx = vmm_gpr[RCX],
		.rdx = vmm_gpr[RDX],
		.rsi = vmm_gpr[RSI],
		.rdi = vmm_gpr[RDI],
		.rbp = vmm_gpr[RBP],
		.rsp = v->rsp,
	};
	memcpy(before.r8_to_r15, vmm_gpr + R8, sizeof(before.r8_to_r15));
}

/* What is not mapped stays unwritten: the guest has to keep it resident. */
void pebs_write_due(const struct guest *g)
{
	uint64_t ds_area, index, at;
	struct pebs_area area;

	if (!silicon_record_due(&silicon_cpu, &ds_area))
		return;
	at = ds_area + PEBS_AREA_OFFSET;
	if (!guest_read(g, at, &area, sizeof(area)))
		memset(&area, 0, sizeof(area));
	index = area.index;
	silicon_record(&silicon_cpu, &area, &before);
	if (area.index != index && guest_write(g, index, &before, sizeof(before)))
		guest_write(g, at + offsetof(struct pebs_area, index), &area.index,
			    sizeof(area.index));
}
