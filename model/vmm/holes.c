/* SPDX-License-Identifier: BSD-2-Clause */
/* The pages of physical memory that nested paging leaves out, as the model answers for them: buses
 * of configuration space that boxes of some profile are on, windows of their registers, and the
 * local APIC where it has
 * registers that the machine's has not. */
#include "model/vmm/apic/apic.h"
#include "vmm.h"

enum { BUSES = 256, BUSES_LEFT_OUT = 6 };
enum { PLAIN_ASID = 1, NESTED_ASID = 2 };

static struct nested nested;

static unsigned leave_out_buses(void)
{
	uint64_t first, size;
	unsigned holes = 0;

	for (unsigned bus = 0; bus < BUSES && holes < BUSES_LEFT_OUT; bus++)
		if (pci_bus_pages(bus, &first, &size)) {
			nested_leave_out(&nested, first, size);
			holes++;
		}
	return holes;
}

/* With another ASID, so that no translation outlives the change. */
void holes_update(struct vmcb *v)
{
	uint64_t first, size;
	unsigned holes = 0;

	nested_build(&nested);
	if (silicon_has_boxes(&silicon_cpu))
		holes = leave_out_buses();
	if (silicon_window(&silicon_cpu, &first, &size)) {
		nested_leave_out(&nested, first, size);
		holes++;
	}
	if (extended_apic_exists()) {
		nested_leave_out(&nested, apic_find_base(), APIC_SIZE);
		holes++;
	}
	v->nested_cr3 = (uint64_t)(uintptr_t)nested.pml4;
	v->nested_control = holes ? NESTED_ENABLE : 0;
	v->asid = holes ? NESTED_ASID : PLAIN_ASID;
}
