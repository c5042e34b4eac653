/* SPDX-License-Identifier: BSD-2-Clause */
/* Taking the machine over from firmware, and giving it back. */
#include "state.h"

struct machine *machine;

void *machine_pages(unsigned count)
{
	uint8_t *pages = machine->next;
	size_t size = (size_t)count * PAGE_SIZE;

	if ((size_t)(machine->end - pages) < size)
		return NULL;
	machine->next = pages + size;
	return memset(pages, 0, size);
}

uint8_t *machine_stack(unsigned pages)
{
	uint8_t *bottom = machine_pages(pages + 1);

	if (bottom == NULL || machine->stacks == STACKS_MAX)
		return NULL;
	machine->guard_pages[machine->stacks++] = (uint64_t)(uintptr_t)bottom;
	return bottom + (size_t)(pages + 1) * PAGE_SIZE;
}

uint64_t machine_tsc_per_ms(void)
{
	return machine->facts.tsc_per_ms;
}

void machine_delay_us(unsigned us)
{
	uint64_t start = rdtsc();

	while (rdtsc() - start < us * machine_tsc_per_ms() / 1000)
		cpu_pause();
}

uint64_t machine_place(unsigned i)
{
	return machine->facts.places[i];
}

uint16_t machine_pm_timer(void)
{
	return acpi_pm_timer(
		acpi_find(acpi_identity, (uint64_t)(uintptr_t)machine->facts.rsdp, "FACP"));
}

uint32_t machine_pm_ticks(uint32_t from, uint32_t to)
{
	return (to - from) & (uint32_t)FIELD(23, 0);
}

/* Everything that can fail, and nothing that firmware could notice. */
static const char *machine_build(const struct machine_facts *facts)
{
	uint8_t *arena = facts->arena;
	unsigned pages = (sizeof(struct machine) + PAGE_SIZE - 1) / PAGE_SIZE;

	if (facts->arena_size < MACHINE_ARENA_SIZE || (uintptr_t)arena % PAGE_SIZE != 0)
		return "the arena is too small or not aligned to a page";
	machine = (struct machine *)(void *)arena;
	memset(machine, 0, sizeof(*machine));
	machine->facts = *facts;
	machine->next = arena + (size_t)pages * PAGE_SIZE;
	machine->end = arena + facts->arena_size;
	controllers_find();
	if (!processor_build(&machine->processor) || !processor_build(&machine->sibling) ||
	    !descriptors_build() || !user_build() || !paging_build())
		return "the arena is too small for page tables of all memory";
	return NULL;
}

/* Control registers as firmware has them, but for what would change the meaning of our pages. */
static void control_load(void)
{
	uint64_t off = CR4_TSD | CR4_PGE | CR4_SMEP | CR4_SMAP | CR4_PKE | CR4_CET | CR4_PKS;

	machine->cr0 = read_cr0();
	machine->cr3 = read_cr3();
	machine->cr4 = read_cr4();
	machine->efer = rdmsr(MSR_EFER);
	if (machine->no_execute != 0)
		wrmsr(MSR_EFER, machine->efer | EFER_NXE);
	/* Without PGE first: firmware's global pages would outlive its CR3. */
	write_cr4((machine->cr4 & ~off) | CR4_OSFXSR);
	write_cr3((uint64_t)(uintptr_t)machine->root);
	write_cr0((machine->cr0 & ~(CR0_EM | CR0_TS | CR0_AM)) | CR0_MP | CR0_NE | CR0_WP);
}

static void control_restore(void)
{
	write_cr3(machine->cr3);
	write_cr0(machine->cr0);
	write_cr4(machine->cr4);
	/* Last: until then there were tables with no-execute bits. */
	wrmsr(MSR_EFER, machine->efer);
}

/* Calls made while it is off would be missing from the shadow stack when it comes back on. */
static bool shadow_stack_on(void)
{
	return (read_cr4() & CR4_CET) != 0 && (rdmsr(MSR_S_CET) & S_CET_SH_STK_EN) != 0;
}

const char *machine_take_over(const struct machine_facts *facts)
{
	uint64_t rflags = read_rflags();
	const char *why;

	if (machine != NULL)
		return "the machine is already taken over";
	if (shadow_stack_on())
		return "firmware runs with CET shadow stacks";
	why = machine_build(facts);
	if (why != NULL) {
		machine = NULL;
		return why;
	}
	irq_disable();
	machine->rflags = rflags;
	descriptors_save();
	control_load();
	descriptors_load(&machine->processor);
	__asm__ volatile("fxsave64 %0\nfninit" : "=m"(machine->fpu));
	apic_take_over();
	controllers_mask();
	/* What waits would come in the middle of the first test. */
	apic_note_owed();
	trap_drain();
	watchdog_calibrate();
	return NULL;
}

void machine_give_back(void)
{
	uint64_t rflags = machine->rflags;

	sibling_stop();
	irq_disable();
	watchdog_set(0);
	apic_end_in_service();
	trap_drain();
	apic_give_back();
	apic_pay_owed();
	pci_restore();
	controllers_restore();
	__asm__ volatile("fxrstor64 %0" : : "m"(machine->fpu));
	control_restore();
	descriptors_restore();
	machine = NULL;
	if ((rflags & RFLAGS_IF) != 0)
		irq_enable();
}

const char *machine_note(void)
{
	if (!apic_present())
		return "no enabled local APIC: no watchdog ends a test that hangs";
	if (machine->controllers.io_apics == 0)
		return "no I/O APIC in the ACPI tables: their inputs are not masked, task priority "
		       "alone holds device interrupts back";
	return NULL;
}
