/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * VMLOAD and VMSAVE exchange state of the processor that VMRUN leaves alone.  The guest's is in the
 * processor itself, while the VMM runs, too.  QEMU 7.2 to 11 ends itself where a task register is
 * loaded whose segment is busy, and shows none that is; a processor takes and shows nothing else.
 */
#include "kernel/lib/string.h"
#include "nest.h"

#define TYPE_BUSY (uint16_t) BIT(1)

void extra_load(uint64_t physical)
{
	static struct vmcb copy __attribute__((aligned(4096)));

	memcpy(&copy, (const void *)(uintptr_t)physical, sizeof(copy));
	copy.tr.attributes &= (uint16_t)~TYPE_BUSY;
	__asm__ volatile("vmload" : : "a"(&copy) : "memory");
}

void extra_save(uint64_t physical)
{
	struct vmcb *to = (struct vmcb *)(uintptr_t)physical;

	__asm__ volatile("vmsave" : : "a"(to) : "memory");
	to->tr.attributes |= TYPE_BUSY;
}
