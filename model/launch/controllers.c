/* SPDX-License-Identifier: BSD-2-Clause */
/* Interrupt controllers as they were, behind a program that has left them in any state. */
#include "launch.h"
#include "model/vmm/apic/apic.h"
#include "model/vmm/vmm.h"

static bool is_in_service(void)
{
	uint32_t any = 0;

	for (unsigned i = 0; i < 8; i++)
		any |= apic_read(APIC_ISR + 16 * i);
	return any;
}

void controllers_put(const struct controllers *c)
{
	outb(PIC_MASK_1, 0xff);
	outb(PIC_MASK_2, 0xff);
	while (is_in_service())
		apic_write(APIC_EOI, 0);
	apic_write(APIC_TPR, 0);
	vmm_hypercall(HYPERCALL_DRAIN, NULL);
	for (unsigned i = 0; i < IO_APIC_PINS; i++) {
		io_apic_write(IO_APIC_ENTRIES + 2 * i + 1, (uint32_t)(c->io_apic[i] >> 32));
		io_apic_write(IO_APIC_ENTRIES + 2 * i, (uint32_t)c->io_apic[i]);
	}
	io_apic_read(c->io_apic_index); /* selects it */
	apic_put(&c->apic);
	outb(PIC_MASK_1, c->pic_mask[0]);
	outb(PIC_MASK_2, c->pic_mask[1]);
}
