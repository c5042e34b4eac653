/* SPDX-License-Identifier: BSD-2-Clause */
/* Tests of the runner itself: each goes wrong in a way that the runner must survive and report.
 * None of them can pass, so they run only when asked for by name. */
#include "core.h"

#define GROUP  "selftest", ""
#define RUNNER "docs: outcomes"

/* Reset Control Register of Intel's and AMD's south bridges (ICH9 datasheet, 13.7.5). */
#define RESET_CONTROL 0xcf9
#define RESET_SYSTEM  0x02
#define RESET_NOW     0x04

TEST(unexpected_trap, "an exception that nobody expects fails the test", .clause = RUNNER,
     .hidden = true)
{
	(void)t;
	__asm__ volatile("ud2");
}

TEST(stack_overflow, "a stack that is used up is caught by its guard page and fails the test",
     .clause = RUNNER, .hidden = true)
{
	(void)t;
	/* A page fault that finds no stack, either: #DF. */
	__asm__ volatile("1: push $0\n\tjmp 1b" ::: "memory");
}

TEST(user_fault, "a fault in ring 3 fails the test", .clause = RUNNER, .hidden = true)
{
	uintptr_t cr4 = read_cr4();

	(void)t;
	/* The runner puts CR4 back. */
	write_cr4(cr4 & ~CR4_PCE);
	user_call(user_rdpmc, 0, NULL, 0);
}

TEST(user_endless_loop, "ring 3 code that never ends is ended by the watchdog and fails",
     .clause = RUNNER, .hidden = true)
{
	(void)t;
	/* As good as endless: all numbers that a register can count. */
	user_call(payload_chain.entry, 0, user_buffer(), 0);
}

TEST(lost_interrupt, "waiting for an interrupt that never comes is ended and fails",
     .clause = RUNNER, .hidden = true)
{
	(void)t;
	for (;;)
		cpu_pause();
}

TEST(deaf, "a processor that takes in nothing any more is given up by the one that started it",
     .clause = RUNNER, .hidden = true)
{
	SKIP_IF(t, !machine_is_beside_firmware(), "nobody would go on without this processor");
	for (;;)
		__asm__ volatile("cli\n\thlt");
}

TEST(vectors_held, "a test that is ended gives back the vector registers that it has taken",
     .clause = RUNNER, .hidden = true)
{
	static const uint8_t known[VECTORS_SIZE] = {0x86};

	(void)t;
	vectors_load(known, known);
	__asm__ volatile("ud2");
}

TEST(pmi_storm, "interrupts without end are stopped and fail the test", .clause = RUNNER,
     .needs = PMU_INTERRUPT, .hidden = true)
{
	struct window w = {.n = 1,
			   .c = {{.cfg = in_all_rings(EV_INSTRUCTIONS),
				  .from = pmu_mask(t->pmu, t->counter) - 200,
				  /* The handler's own instructions overflow it again. */
				  .rearm_from = pmu_mask(t->pmu, t->counter) - 1}},
			   .work = in_ring0(&payload_chain, 1000),
			   .lvt = VECTOR_PMI};

	w.c[0].cfg.interrupt = true;
	window_run(t, &w);
}

TEST(reset, "a test that resets the machine fails, and the next boot goes on behind it",
     .clause = RUNNER, .hidden = true, .resets = true)
{
	static const struct table_pointer no_handlers = {0};

	(void)t;
	/* A chipset that has no such register leaves the processor to shut down. */
	outb(RESET_CONTROL, RESET_SYSTEM);
	outb(RESET_CONTROL, RESET_SYSTEM | RESET_NOW);
	__asm__ volatile("lidt %0\nud2" : : "m"(no_handlers));
}

TEST(failing_check, "a failed check is reported with both values", .clause = RUNNER, .hidden = true)
{
	CHECK_EQ(t, 2 + 2, 5);
	OF_COUNTER(t, 3, CHECK_IS(t, 2 + 2, >, 5));
	CHECK(t, t->failures == 0);
}
