/* SPDX-License-Identifier: BSD-2-Clause */
/* The sibling: how it is started, what it does, and how it is called. */
#include "state.h"

/* Intel SDM vol. 3A, 8.4.4. */
#define AFTER_INIT_US    10000u
#define AFTER_STARTUP_US 200u
#define START_MS         100u

/* What the code in sibling.asm loads; the first three are offsets in its page at first. */
struct startup_slots {
	uint32_t to_32;
	uint16_t code_32, unused_1;
	uint32_t to_64;
	uint16_t code_64, gdt_limit;
	uint32_t gdt;
	uint32_t root, efer, unused_2;
	uint64_t stack, entry;
};
_Static_assert(offsetof(struct startup_slots, to_64) == 8 &&
		       offsetof(struct startup_slots, gdt_limit) == 14 &&
		       offsetof(struct startup_slots, gdt) == 16 &&
		       offsetof(struct startup_slots, root) == 20 &&
		       offsetof(struct startup_slots, efer) == 24 &&
		       offsetof(struct startup_slots, stack) == 32 &&
		       offsetof(struct startup_slots, entry) == 40,
	       "layout of sibling.asm");

extern const char startup_code[] __attribute__((visibility("hidden")));
extern const char startup_end[] __attribute__((visibility("hidden")));
extern const struct startup_slots startup_slots __attribute__((visibility("hidden")));

enum state { STOPPED, STARTING, WAITING, BUSY, TRAPPED };

/* Whoever writes the state has written before what the reader then needs. */
static struct {
	uint32_t state;
	uint64_t cr0, cr4;
	struct sibling_job job;
	bool wake; /* by VECTOR_SIBLING when done */
	bool woken;
	uint64_t result;
	uint32_t lvtpc;
	bool lvtpc_new;
	struct sibling_pmis pmis;
	uint64_t trap_vector, trap_rip, trap_cs;
} box;

static uint32_t get_state(void)
{
	return __atomic_load_n(&box.state, __ATOMIC_ACQUIRE);
}

static void set_state(enum state state)
{
	__atomic_store_n(&box.state, state, __ATOMIC_RELEASE);
}

/* Of the other thread, for each of the two. */
static uint32_t other_id(void)
{
	return apic_id() ^ 1;
}

/* ---- on the sibling ---- */

static void finish(enum state state)
{
	bool wake = box.wake;

	set_state(state);
	if (wake)
		apic_send(other_id(), VECTOR_SIBLING);
}

bool sibling_owns(const struct trap_frame *frame)
{
	const struct processor *p = &machine->sibling;
	const uint8_t *at = (const uint8_t *)frame;

	return at >= p->low && at < p->high;
}

void sibling_trap(const struct trap_frame *frame)
{
	if (frame->vector == VECTOR_PMI) {
		box.pmis.lvt = apic_read_lvtpc();
		__atomic_store_n(&box.pmis.count, box.pmis.count + 1, __ATOMIC_RELEASE);
		apic_eoi();
		return;
	}
	box.trap_vector = frame->vector;
	box.trap_rip = frame->rip;
	box.trap_cs = frame->cs;
	finish(TRAPPED);
	for (;;)
		__asm__ volatile("cli\nhlt");
}

static uint64_t run(const struct sibling_job *job)
{
	uint64_t result;

	if (job->interrupts)
		irq_enable();
	result = job->ring_3 ? user_call_on(&machine->sibling, job->entry, job->rdi, job->rsi, 0)
			     : job->entry(job->rdi, job->rsi);
	irq_disable();
	return result;
}

/* Where sibling.asm leads.  The threads of a core share their MTRRs, and firmware has given all
 * processors the same page attribute table, so memory is of the same types here. */
static _Noreturn void sibling_main(void)
{
	write_cr4(box.cr4);
	write_cr0(box.cr0);
	descriptors_load(&machine->sibling);
	__asm__ volatile("fninit");
	apic_open();
	set_state(WAITING);
	for (;;) {
		while (get_state() != BUSY)
			cpu_pause();
		/* The tables may be others by now: user_memory_use(). */
		write_cr3(read_cr3());
		if (box.lvtpc_new)
			apic_write_lvtpc(box.lvtpc);
		box.lvtpc_new = false;
		box.result = run(&box.job);
		finish(WAITING);
	}
}

/* ---- starting it ---- */

static bool is_enabled(uint32_t id)
{
	struct acpi_table madt =
		acpi_find(acpi_identity, (uint64_t)(uintptr_t)machine->facts.rsdp, "APIC");

	return acpi_has_processor(madt, id);
}

const char *sibling_missing(void)
{
	struct cpuid_regs leaf_1 = cpuid(1, 0);

	if (!core_has_two_threads(&leaf_1))
		return "the core has one thread";
	if (!apic_present() || apic_is_x2apic())
		return "no local APIC in xAPIC mode, by which the other thread is started";
	if (!is_enabled(other_id()))
		return "the MADT lists no other thread of this core that is enabled";
	if (machine->facts.startup_page == NULL)
		return "no page below 1 MiB, where the other thread could start";
	if (machine->levels != 4 || (uintptr_t)machine->root > UINT32_MAX)
		return "page tables that cannot be loaded in 32-bit mode";
	if (!machine->facts.other_thread)
		return "the other thread of the core is started with other-thread=yes only";
	return NULL;
}

static void write_page(void)
{
	uint8_t *page = machine->facts.startup_page;
	uint32_t address = (uint32_t)(uintptr_t)page;
	uintptr_t code = (uintptr_t)startup_code;
	struct startup_slots *slots = (void *)(page + ((uintptr_t)&startup_slots - code));

	paging_map_startup(false);
	memcpy(page, startup_code, (uintptr_t)startup_end - code);
	slots->to_32 += address;
	slots->to_64 += address;
	slots->gdt += address;
	slots->root = (uint32_t)(uintptr_t)machine->root;
	slots->efer = (uint32_t)(rdmsr(MSR_EFER) & (EFER_LME | EFER_NXE));
	slots->stack = (uint64_t)(uintptr_t)machine->sibling.stack;
	slots->entry = (uint64_t)(uintptr_t)sibling_main;
	paging_map_startup(true);
}

static bool came_up(void)
{
	uint64_t start = rdtsc();

	while (get_state() != WAITING) {
		if (rdtsc() - start >= START_MS * machine_tsc_per_ms())
			return false;
		cpu_pause();
	}
	return true;
}

const char *sibling_start(void)
{
	uint32_t page = (uint32_t)(uintptr_t)machine->facts.startup_page / PAGE_SIZE;

	apic_send(other_id(), APIC_INIT);
	machine_delay_us(AFTER_INIT_US);
	memset(&box, 0, sizeof(box));
	box.cr0 = read_cr0();
	box.cr4 = read_cr4();
	write_page();
	set_state(STARTING);
	/* If the first one reached it, the second has no effect. */
	for (unsigned i = 0; i < 2; i++) {
		apic_send(other_id(), APIC_STARTUP | page);
		machine_delay_us(AFTER_STARTUP_US);
	}
	if (came_up())
		return NULL;
	sibling_stop();
	return "the other thread of the core does not answer start-up IPIs";
}

void sibling_stop(void)
{
	if (get_state() == STOPPED)
		return;
	apic_send(other_id(), APIC_INIT);
	set_state(STOPPED);
}

/* ---- calling it ---- */

static void end_if_trapped(void)
{
	static char sentence[160];

	if (get_state() != TRAPPED)
		return;
	fmt_print(sentence, sizeof(sentence),
		  "unexpected trap %s on the other thread of the core, in ring %u at %s",
		  dump_vector_name(box.trap_vector), (unsigned)(box.trap_cs & 3),
		  machine_symbol(box.trap_rip));
	guard_abort(sentence);
}

static void begin(const struct sibling_job *job, bool wake)
{
	uint32_t waiting = WAITING;

	box.job = *job;
	box.wake = wake;
	/* An NMI may have stopped it by now. */
	if (__atomic_compare_exchange_n(&box.state, &waiting, BUSY, false, __ATOMIC_RELEASE,
					__ATOMIC_ACQUIRE))
		return;
	end_if_trapped();
	panic("the other thread of the core does not wait for a job: state %u", waiting);
}

static bool is_busy(void)
{
	end_if_trapped();
	return get_state() == BUSY;
}

uint64_t sibling_call(const struct sibling_job *job)
{
	begin(job, false);
	while (is_busy())
		cpu_pause();
	return box.result;
}

static bool wake_up(struct trap_frame *frame, void *arg)
{
	(void)frame;
	(void)arg;
	__atomic_store_n(&box.woken, true, __ATOMIC_RELAXED);
	return true;
}

uint64_t sibling_call_halted(const struct sibling_job *job)
{
	uint64_t flags = read_rflags();

	irq_disable();
	trap_set_handler(VECTOR_SIBLING, wake_up, NULL);
	box.woken = false;
	begin(job, true);
	/* Between STI and HLT no interrupt comes.  The watchdog's may wake, too. */
	while (!__atomic_load_n(&box.woken, __ATOMIC_RELAXED))
		__asm__ volatile("sti\nhlt\ncli" : : : "memory");
	if ((flags & RFLAGS_IF) != 0)
		irq_enable();
	end_if_trapped();
	return box.result;
}

void sibling_set_lvtpc(uint32_t lvt)
{
	box.lvtpc = lvt;
	box.lvtpc_new = true;
}

struct sibling_pmis sibling_pmis(void)
{
	struct sibling_pmis pmis = {.count = __atomic_load_n(&box.pmis.count, __ATOMIC_ACQUIRE)};

	pmis.lvt = box.pmis.lvt;
	return pmis;
}
