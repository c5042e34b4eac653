/* SPDX-License-Identifier: BSD-2-Clause */
/* Taking the machine over from firmware, and giving it back. */
#include "state.h"

#define CR4_CET         BIT(23)
#define MSR_S_CET       0x6A2u
#define S_CET_SH_STK_EN BIT(0)

/* Copied as they lie into registers that go by number. */
_Static_assert(sizeof(struct cpuid_regs) == 4 * sizeof(uint32_t), "EAX, EBX, ECX, EDX");

struct machine *machine;

static const char firmware_shadows[] = "firmware runs with CET shadow stacks";
static const char firmware_stack[] = "the firmware's stack lies where its memory map has no RAM";

struct acpi_table machine_table(const char *signature)
{
	return acpi_find(memory_of_firmware, (uintptr_t)machine->facts.rsdp, signature);
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
	return acpi_pm_timer(machine_table("FACP"));
}

static uint16_t probe_inw(uint16_t port)
{
	return inw(port);
}

uint16_t machine_tco_timer(void)
{
	static const struct tco_probe probe = {.pci_read = pci_read, .inw = probe_inw};

	return tco_running(&probe);
}

static bool processor_build(struct processor *processor)
{
	processor->stack = machine_stack(STACK_PAGES);
	processor->user_stack = machine_stack(1);
	return processor->stack != NULL && processor->user_stack != NULL &&
	       context_build(processor);
}

/* It stays in use while our page tables are in force. */
static bool stack_is_mapped(const struct machine_facts *facts)
{
	return mapping_has(facts, (uintptr_t)__builtin_frame_address(0));
}

struct processor *machine_processor(unsigned i)
{
	struct processor *const ours[] = {&machine->self, &machine->sibling};

	if (i < ARRAY_SIZE(ours))
		return ours[i];
	i -= (unsigned)ARRAY_SIZE(ours);
	return i < machine->facts.others ? &machine->others[i] : NULL;
}

static bool processors_build(void)
{
	size_t size = machine->facts.others * sizeof(*machine->others);
	struct processor *processor;

	machine->others = machine_pages((unsigned)((size + PAGE_SIZE - 1) / PAGE_SIZE));
	if (machine->others == NULL)
		return false;
	for (unsigned i = 0; (processor = machine_processor(i)) != NULL; i++)
		if (!processor_build(processor))
			return false;
	return true;
}

/* Does everything that can fail, and nothing that the firmware could notice. */
static const char *machine_build(const struct machine_facts *facts, unsigned others)
{
	uint8_t *arena = facts->arena;
	unsigned pages = (sizeof(struct machine) + PAGE_SIZE - 1) / PAGE_SIZE;

	if (facts->arena_size < machine_arena_size(facts) || (uintptr_t)arena % PAGE_SIZE != 0)
		return "the arena is too small or not aligned to a page";
	if (!stack_is_mapped(facts))
		return firmware_stack;
	machine = (struct machine *)(void *)arena;
	memset(machine, 0, sizeof(*machine));
	machine->facts = *facts;
	machine->facts.others = others;
	machine->facts.beside_firmware |= others > 0;
	machine->next = arena + (size_t)pages * PAGE_SIZE;
	machine->end = arena + facts->arena_size;
	acpi_set_memory_limit(facts->tables_limit);
	machine->user_buffer = machine_pages(USER_BUFFER_SIZE / PAGE_SIZE);
	if (machine->user_buffer == NULL || !processors_build() || !memory_build() || !user_build())
		return "the arena is too small for page tables of all memory";
	/* It may map the tables that it reads. */
	controllers_find();
	return NULL;
}

/* While it is off, calls are not recorded on the shadow stack: returns would fault once it is on
 * again. */
static bool shadow_stack_on(void)
{
	return (read_cr4() & CR4_CET) != 0 && (rdmsr(MSR_S_CET) & S_CET_SH_STK_EN) != 0;
}

static void probe_cpuid(uint32_t leaf, uint32_t subleaf, uint32_t regs[4])
{
	struct cpuid_regs r = cpuid(leaf, subleaf);

	memcpy(regs, &r, sizeof(r));
}

const char *machine_refusal(void)
{
	static const struct encryption_probe probe = {.cpuid = probe_cpuid, .rdmsr = rdmsr};

	return encryption_of_guest(&probe);
}

/* The processor that this runs on becomes that one. */
static void enter(struct processor *processor)
{
	processor->flags = read_rflags();
	irq_disable();
	context_take_over(processor);
	if (!machine->facts.beside_firmware)
		controllers_mask();
	apic_take_over();
	/* An interrupt that waits would come in the middle of the first test. */
	apic_note_owed();
	trap_drain();
	watchdog_calibrate();
}

/* Interrupts stay off. */
static void leave(struct processor *processor)
{
	vectors_restore();
	irq_disable();
	watchdog_set(0);
	apic_end_in_service();
	trap_drain();
	apic_give_back();
	apic_pay_owed();
	pci_restore();
	if (!machine->facts.beside_firmware)
		controllers_restore();
	context_give_back(processor);
}

static void flags_restore(uintptr_t flags)
{
	if ((flags & RFLAGS_IF) != 0)
		irq_enable();
}

const char *machine_gather(const struct machine_facts *facts, unsigned others)
{
	const char *why;

	if (machine != NULL)
		return "the machine is already taken over";
	why = machine_build(facts, others);
	if (why != NULL)
		machine = NULL;
	return why;
}

const char *machine_take_over(const struct machine_facts *facts)
{
	const char *why;

	if (shadow_stack_on())
		return firmware_shadows;
	why = machine_gather(facts, 0);
	if (why != NULL)
		return why;
	enter(&machine->self);
	return NULL;
}

void machine_give_back(void)
{
	uintptr_t flags = machine->self.flags;

	sibling_stop();
	leave(&machine->self);
	machine = NULL;
	flags_restore(flags);
}

const char *machine_join(unsigned other)
{
	struct processor *processor = &machine->others[other];

	if (shadow_stack_on())
		return firmware_shadows;
	if (!stack_is_mapped(&machine->facts))
		return firmware_stack;
	processor->silent = true;
	enter(processor);
	return NULL;
}

void machine_part(unsigned other)
{
	struct processor *processor = &machine->others[other];

	leave(processor);
	flags_restore(processor->flags);
}

void machine_give_up(void)
{
	if (machine != NULL)
		pci_restore();
	machine = NULL;
}

bool machine_is_beside_firmware(void)
{
	return machine->facts.beside_firmware;
}

const char *machine_note(void)
{
	if (!apic_present())
		return "no enabled local APIC: no watchdog ends a test that hangs";
	if (machine->controllers.io_apics == 0)
		return "no I/O APIC in the ACPI tables: their inputs are not masked, task priority "
		       "alone holds device interrupts back";
	if (machine->controllers.io_apics < machine->controllers.io_apics_listed)
		return "more than " TEXT(IO_APICS_MAX) " I/O APICs in the ACPI tables: the inputs "
						       "of those behind are not masked, task "
						       "priority alone holds their device "
						       "interrupts back";
	return NULL;
}
