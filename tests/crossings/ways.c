/* SPDX-License-Identifier: BSD-2-Clause */
/* The table of crossings, and how they are opened. */
#include "crossings.h"

#define IS_64_BIT (sizeof(void *) == 8)

enum { VECTOR_DE = 0, VECTOR_BP = 3, VECTOR_UD = 6, VECTOR_GP = 13, VECTOR_PF = 14 };
/* Vectors of interrupts that nothing here uses. */
enum { VECTOR_OWN = 0x82, VECTOR_SENDS, VECTOR_SLEEPS };

#pragma GCC visibility push(hidden)
extern const char crossing_trap[], crossing_fault[], crossing_division[], crossing_protected[],
	crossing_page[], crossing_syscall[], crossing_sysenter[], crossing_far[];
#pragma GCC visibility pop

/* ---- in C ---- */

static bool wake(struct trap_frame *frame, void *arg)
{
	(void)frame;
	(void)arg;
	return true;
}

/* The interrupt comes as soon as ring 3 is back. */
static bool send(struct trap_frame *frame, void *arg)
{
	(void)frame;
	(void)arg;
	apic_send_self(VECTOR_SELF);
	return true;
}

/* The interrupt ends HLT; or an NMI does, and then it comes behind that. */
static bool sleep(struct trap_frame *frame, void *arg)
{
	send(frame, arg);
	__asm__ volatile("sti\n\thlt\n\tcli" ::: "memory");
	return true;
}

/* ---- the table ---- */

/* No page is at address 0.  The same seven bytes are mov eax, [0] in 64-bit code, and with another
 * operand in 32-bit code, where the first one is a prefix. */
#define EITHER(of_64, of_32) (IS_64_BIT ? (of_64) : (of_32))
#define PLACE(place)         (place) & 0xff, (place) >> 8

static const struct crossing ways[] = {
	{"int n",
	 {0xcd, VECTOR_OWN},
	 2,
	 .vector = VECTOR_OWN,
	 .open = true,
	 .returns = 1,
	 .handler = 1,
	 .entry = crossing_trap},
	{"int3",
	 {0xcc},
	 1,
	 .vector = VECTOR_BP,
	 .open = true,
	 .returns = 1,
	 .handler = 1,
	 .entry = crossing_trap},
	{"ud2",
	 {0x0f, 0x0b},
	 2,
	 .vector = VECTOR_UD,
	 .faults = true,
	 .returns = 1,
	 .handler = 2,
	 .entry = crossing_fault},
	{"div by 0",
	 {0xf7, 0xb6, PLACE(CROSSING_ZERO)},
	 6,
	 .vector = VECTOR_DE,
	 .faults = true,
	 .returns = 1,
	 .handler = 2,
	 .entry = crossing_division},
	{"hlt",
	 {0xf4},
	 1,
	 .vector = VECTOR_GP,
	 .faults = true,
	 .returns = 1,
	 .handler = 3,
	 .entry = crossing_protected},
	{"load of no page",
	 {EITHER(0x8b, 0x3e), EITHER(0x04, 0x8b), EITHER(0x25, 0x05)},
	 7,
	 .vector = VECTOR_PF,
	 .faults = true,
	 .returns = 1,
	 .handler = 3,
	 .entry = crossing_page},
	{"syscall",
	 {0x0f, 0x05},
	 2,
	 .by = BY_SYSCALL,
	 .returns = 1,
	 .handler = 1,
	 .entry = crossing_syscall},
	/* mov rcx, rsp; lea rdx, [rip + 2]; sysenter.  mov ecx, esp; mov edx, address; sysenter. */
	{"sysenter",
	 {EITHER(0x48, 0x89), EITHER(0x89, 0xe1), EITHER(0xe1, 0xba), EITHER(0x48, 0),
	  EITHER(0x8d, 0), EITHER(0x15, 0), EITHER(2, 0), EITHER(0, 0x0f), EITHER(0, 0x34), 0,
	  EITHER(0x0f, 0), EITHER(0x34, 0)},
	 EITHER(12, 9),
	 .setup = {EITHER(3, 2), EITHER(7, 5)},
	 .behind = EITHER(0, 7),
	 .by = BY_SYSENTER,
	 .returns = 1,
	 .handler = 2,
	 .entry = crossing_sysenter},
	/* call far [esi + place] */
	{"far call",
	 {0xff, 0x9e, PLACE(CROSSING_FAR)},
	 6,
	 .by = BY_CALL_GATE,
	 .returns = 1,
	 .handler = 1,
	 .entry = crossing_far},
	{"int n, interrupt",
	 {0xcd, VECTOR_SENDS},
	 2,
	 .vector = VECTOR_SENDS,
	 .open = true,
	 .returns = 2,
	 .in_c = send},
	{"int n, hlt",
	 {0xcd, VECTOR_SLEEPS},
	 2,
	 .vector = VECTOR_SLEEPS,
	 .open = true,
	 .returns = 1,
	 .in_c = sleep},
};
_Static_assert(ARRAY_SIZE(ways) <= CROSSINGS_MAX, "there is room for each");

const struct crossing *crossing(unsigned i)
{
	return i < ARRAY_SIZE(ways) ? &ways[i] : NULL;
}

unsigned crossing_put(const struct crossing *way, uint8_t *code, uintptr_t address)
{
	const uint32_t behind = (uint32_t)address + way->length;

	memcpy(code, way->code, way->length);
	if (way->behind)
		memcpy(code + way->behind - sizeof(behind), &behind, sizeof(behind));
	return way->length;
}

bool crossing_is_here(const struct crossing *way)
{
	switch (way->by) {
	case BY_SYSCALL:
		return entrance_has_syscall();
	case BY_SYSENTER:
		return entrance_has_sysenter();
	default:
		return way->handler || apic_present();
	}
}

uint32_t crossings_that_fault(uint32_t all)
{
	uint32_t faults = 0;

	for (unsigned i = 0; i < ARRAY_SIZE(ways); i++)
		faults |= (uint32_t)ways[i].faults << i;
	return all & faults;
}

uint32_t crossings_of(const struct pmu *pmu)
{
	uint32_t here = 0;

	for (unsigned i = 0; i < ARRAY_SIZE(ways); i++)
		here |= (uint32_t)crossing_is_here(&ways[i]) << i;
	return pmu->features & PMU_RETURN_COUNTS ? here : here & ~crossings_that_fault(here);
}

uint32_t crossings_published(const struct pmu *pmu)
{
	uint32_t published = 0;

	for (unsigned i = 0; i < ARRAY_SIZE(ways); i++)
		published |= (uint32_t)(ways[i].by == BY_VECTOR || pmu->features & PMU_TARGET_RING)
			     << i;
	return published & crossings_of(pmu);
}

static void open_way(const struct crossing *way)
{
	switch (way->by) {
	case BY_SYSCALL:
		entrance_set_syscall(way->entry);
		break;
	case BY_SYSENTER:
		entrance_set_sysenter(way->entry);
		break;
	case BY_CALL_GATE:
		entrance_set_call_gate(way->entry);
		break;
	default:
		trap_set_handler(way->vector, way->handler ? NULL : way->in_c, NULL);
		entrance_set(way->vector, way->handler ? way->entry : NULL, way->open);
	}
}

/* A far call is told an offset, which the gate does not ask for, and a selector. */
static void prepare_buffer(void)
{
	uint32_t *buffer = user_buffer();

	buffer[CROSSING_ZERO / sizeof(*buffer)] = 0;
	buffer[CROSSING_FAR / sizeof(*buffer) + 1] = ENTRANCE_CALL_GATE;
}

void crossings_open(uint32_t open)
{
	prepare_buffer();
	trap_set_handler(VECTOR_SELF, wake, NULL);
	for (unsigned i = 0; i < ARRAY_SIZE(ways); i++)
		if (open >> i & 1)
			open_way(&ways[i]);
}

void crossings_close(void)
{
	entrances_restore();
	trap_set_handler(VECTOR_SELF, NULL, NULL);
}
