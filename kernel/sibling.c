/* SPDX-License-Identifier: BSD-2-Clause */
/* The sibling: how it is started, what it does, and how it is called. */
#include "state.h"

/* Intel SDM vol. 3A, 8.4.4. */
#define AFTER_INIT_US    10000u
#define AFTER_STARTUP_US 200u
#define START_MS         100u

enum state { STOPPED, STARTING, WAITING, BUSY };

/* The mailbox of the two threads.  A thread writes the state last, so that who reads the state
 * finds the rest written. */
static struct {
	uint32_t state;
	struct sibling_job job;
	bool wake; /* by VECTOR_SIBLING when done */
	bool woken;
	uint64_t result;
	const char *ended; /* why the job was ended early, or NULL */
	uint32_t lvtpc;
	bool lvtpc_new;
	struct sibling_pmis pmis;
} box;

/* Inline: a thread that waits has no return, which its core could count. */
__attribute__((always_inline)) static inline uint32_t get_state(void)
{
	return __atomic_load_n(&box.state, __ATOMIC_ACQUIRE);
}

static void set_state(enum state state)
{
	__atomic_store_n(&box.state, state, __ATOMIC_RELEASE);
}

/* The APIC ID of the other thread, on either thread. */
static uint32_t other_id(void)
{
	return apic_id() ^ 1;
}

/* ---- on the sibling ---- */

static bool note_pmi(struct trap_frame *frame, void *arg)
{
	(void)frame;
	(void)arg;
	box.pmis.lvt = apic_read_lvtpc();
	__atomic_store_n(&box.pmis.count, box.pmis.count + 1, __ATOMIC_RELEASE);
	return true;
}

static void run_job(void *arg)
{
	const struct sibling_job *job = arg;

	box.result = job->ring_3 ? user_call(job->entry, job->di, job->si, 0)
				 : kernel_call(job->entry, job->di, job->si);
}

/* Memory has the same types here: the threads of a core share their MTRRs, and firmware has given
 * all processors the same page attribute table. */
static _Noreturn void sibling_main(void)
{
	context_enter(&machine->sibling);
	apic_open();
	guard_forget();
	trap_set_handler(VECTOR_PMI, note_pmi, NULL);
	set_state(WAITING);
	for (;;) {
		bool wake;

		while (get_state() != BUSY)
			cpu_pause();
		/* user_memory_use() may have changed the page tables. */
		write_cr3(read_cr3());
		if (box.lvtpc_new)
			apic_write_lvtpc(box.lvtpc);
		box.lvtpc_new = false;
		/* There is no watchdog here: the caller's watchdog bounds the job. */
		box.ended = guard_run(run_job, &box.job, 0);
		wake = box.wake;
		set_state(WAITING);
		if (wake)
			apic_send(other_id(), VECTOR_SIBLING);
	}
}

/* ---- starting it ---- */

const char *sibling_missing(void)
{
	if (core_threads() < 2)
		return "the core has one thread";
	if (machine_is_beside_firmware())
		return "the other thread of the core is the firmware's meanwhile";
	if (!apic_present() || apic_is_x2apic())
		return "no local APIC in xAPIC mode, by which the other thread is started";
	if (!acpi_has_processor(machine_table("APIC"), other_id()))
		return "the MADT lists no other thread of this core that is enabled";
	if (startup_missing() != NULL)
		return startup_missing();
	if (!machine->facts.other_thread)
		return "the other thread of the core is started with other-thread=yes only";
	return NULL;
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
	startup_prepare(&machine->sibling, sibling_main);
	set_state(STARTING);
	/* If the first IPI reached the sibling, the second has no effect. */
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

static void begin(const struct sibling_job *job, bool wake)
{
	if (get_state() != WAITING)
		panic("the other thread of the core does not wait for a job: state %u",
		      get_state());
	box.job = *job;
	box.wake = wake;
	set_state(BUSY);
}

static uint64_t end(void)
{
	char *reason = this_processor()->reason;

	if (box.ended == NULL)
		return box.result;
	fmt_print(reason, sizeof(this_processor()->reason), "on the other thread of the core: %s",
		  box.ended);
	guard_abort(reason);
}

uint64_t sibling_call(const struct sibling_job *job)
{
	begin(job, false);
	while (get_state() == BUSY)
		cpu_pause();
	return end();
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
	uintptr_t flags = read_rflags();

	irq_disable();
	trap_set_handler(VECTOR_SIBLING, wake_up, NULL);
	box.woken = false;
	begin(job, true);
	/* No interrupt comes between STI and HLT.  The watchdog's interrupt ends HLT, too. */
	while (!__atomic_load_n(&box.woken, __ATOMIC_RELAXED))
		__asm__ volatile("sti\nhlt\ncli" : : : "memory");
	if ((flags & RFLAGS_IF) != 0)
		irq_enable();
	return end();
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
