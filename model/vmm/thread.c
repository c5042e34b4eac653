/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The two logical processors of a core with Hyper-Threading, on the one CPU of the machine.  Number
 * firmware runs on number 0, with the machine's local APIC.  Number 1 is started by INIT
 * and SIPI.  They take turns: who waits, with PAUSE or HLT, lets the other one go on.
 */
#include "kernel/lib/string.h"
#include "model/vmm/apic/apic.h"
#include "model/vmm/step/step.h"
#include "vmm.h"

enum { THREAD_ASID = 3, FPU_STATE = 512 };

#define SHARED_INTERCEPTS (INTERCEPT_INTR | INTERCEPT_NMI | INTERCEPT_HLT)

/* After INIT: Intel SDM volume 3A, table 10-1. */
#define CR0_ET_NW_CD  UINT64_C(0x60000010)
#define DR6_INIT      UINT64_C(0xffff0ff0)
#define DR7_INIT      UINT64_C(0x400)
#define SEGMENT_CODE  0x9b /* present, readable, accessed */
#define SEGMENT_DATA  0x93
#define SEGMENT_TSS   0x8b
#define SEGMENT_LDT   0x82
#define SEGMENT_LIMIT 0xffff

/* Interrupt command register. */
#define ICR_SHORTHAND   (uint32_t) FIELD(19, 18)
#define ICR_DESTINATION (uint32_t) FIELD(31, 24)

/* A thread while the other one runs. */
static struct context {
	struct vmcb *vmcb, *extra;
	uint64_t gpr[GPRS];
	uint8_t fpu[FPU_STATE] __attribute__((aligned(16)));
} context[THREADS];

static struct {
	struct vmcb vmcb, extra;
	struct nested nested;
} page_aligned __attribute__((aligned(4096)));

static struct threads threads;
static bool was_initialized; /* number 1, by INIT: the next SIPI starts it */
bool thread_started;

unsigned thread_now(void)
{
	return threads.now;
}

/* ---- one and the other ---- */

static void set_state(const struct guest *g, unsigned n, enum thread_state state)
{
	threads.state[n] = state;
	threads.cpl[threads.now] = g->vmcb->cpl;
	thread_started = threads.state[1] != THREAD_WAITS_FOR_SIPI;
	silicon_switch(&silicon_cpu, &threads);
}

/* The VMM controls both in the same way. */
static void hand_over(const struct guest *g, const struct vmcb *from, struct vmcb *to)
{
	to->intercept_exceptions = from->intercept_exceptions;
	to->intercept = from->intercept & ~SHARED_INTERCEPTS;
	if (g->stepping)
		to->intercept |= SHARED_INTERCEPTS;
	to->tsc_offset = from->tsc_offset;
}

static void switch_to(struct guest *g, unsigned n)
{
	struct context *from = &context[threads.now], *to = &context[n];

	__asm__ volatile("fxsave64 %0" : "=m"(from->fpu));
	__asm__ volatile("fxrstor64 %0" : : "m"(to->fpu));
	__asm__ volatile("vmsave" : : "a"(from->extra) : "memory");
	__asm__ volatile("vmload" : : "a"(to->extra) : "memory");
	memcpy(from->gpr, vmm_gpr, sizeof(from->gpr));
	memcpy(vmm_gpr, to->gpr, sizeof(to->gpr));
	hand_over(g, from->vmcb, to->vmcb);
	g->vmcb = to->vmcb;
	g->extra = to->extra;
	guest_forget_pages();
	step_restart(g);
	threads.cpl[threads.now] = from->vmcb->cpl;
	threads.cpl[n] = to->vmcb->cpl;
	threads.now = n;
	g->second = n;
	silicon_switch(&silicon_cpu, &threads);
}

void thread_reset(struct guest *g, bool has_two)
{
	was_initialized = hold_starting = thread_started = g->second = false;
	second_apic_reset(0);
	threads = (struct threads){.state = {THREAD_ACTIVE}};
	context[0].vmcb = g->vmcb;
	context[0].extra = g->extra;
	context[1].vmcb = &page_aligned.vmcb;
	context[1].extra = &page_aligned.extra;
	g->vmcb->intercept &= ~INTERCEPT_PAUSE;
	if (has_two)
		g->vmcb->intercept |= INTERCEPT_PAUSE;
}

/* ---- start and end of number 1 ---- */

static void initialize_segments(struct vmcb *v, unsigned vector)
{
	const struct vmcb_segment data = {.attributes = SEGMENT_DATA, .limit = SEGMENT_LIMIT};

	v->es = v->ss = v->ds = data;
	v->gdtr = v->idtr = (struct vmcb_segment){.limit = SEGMENT_LIMIT};
	v->cs = (struct vmcb_segment){
		.selector = (uint16_t)(vector << 8),
		.attributes = SEGMENT_CODE,
		.limit = SEGMENT_LIMIT,
		.base = (uint64_t)vector << 12,
	};
}

/* The state that VMLOAD loads. */
static void initialize_extra(struct vmcb *extra)
{
	memset(extra, 0, sizeof(*extra));
	extra->fs = extra->gs =
		(struct vmcb_segment){.attributes = SEGMENT_DATA, .limit = SEGMENT_LIMIT};
	extra->tr = (struct vmcb_segment){.attributes = SEGMENT_TSS, .limit = SEGMENT_LIMIT};
	extra->ldtr = (struct vmcb_segment){.attributes = SEGMENT_LDT, .limit = SEGMENT_LIMIT};
}

static void initialize(struct vmcb *v, uint64_t apic_base)
{
	v->cpl = 0;
	v->efer = EFER_SVME;
	v->cr0 = CR0_ET_NW_CD;
	v->cr2 = v->cr3 = v->cr4 = 0;
	v->dr6 = DR6_INIT;
	v->dr7 = DR7_INIT;
	v->rflags = RFLAGS_RESERVED_1;
	v->rip = v->rsp = v->rax = 0;
	v->int_state = 0;
	v->event_inject = 0;
	/* It has a local APIC of its own. */
	nested_build(&page_aligned.nested);
	nested_leave_out(&page_aligned.nested, apic_base, APIC_SIZE);
	v->nested_cr3 = (uint64_t)(uintptr_t)page_aligned.nested.pml4;
	v->nested_control = NESTED_ENABLE;
	v->asid = THREAD_ASID;
}

/* INIT keeps the state of the FPU.  Number 1 had none: it begins with the state of number 0. */
static void start(struct guest *g, unsigned vector, uint64_t apic_base)
{
	struct context *c = &context[1];

	/* Only 64-bit mode can be stepped through, and it starts in another one: nothing counts
	 * until it waits for the first time. */
	hold_starting = true;
	step_update(g);
	was_initialized = false;
	*c->vmcb = *g->vmcb;
	initialize_segments(c->vmcb, vector);
	initialize(c->vmcb, apic_base);
	initialize_extra(c->extra);
	memset(c->gpr, 0, sizeof(c->gpr));
	__asm__ volatile("fxsave64 %0" : "=m"(c->fpu));
	second_apic_reset(apic_base);
	set_state(g, 1, THREAD_ACTIVE);
	switch_to(g, 1);
}

static void stop(struct guest *g)
{
	was_initialized = true;
	if (!thread_started)
		return;
	set_state(g, 1, THREAD_WAITS_FOR_SIPI);
	if (!g->stepping)
		g->vmcb->intercept &= ~SHARED_INTERCEPTS;
}

void thread_end(struct guest *g)
{
	if (threads.now == 1)
		switch_to(g, 0);
	threads.state[0] = THREAD_ACTIVE;
	stop(g);
	was_initialized = false;
}

void thread_look(struct guest *g)
{
	uint64_t base = apic_find_base();
	uint32_t icr = mmio_read32(base + APIC_ICR);
	uint32_t destination = mmio_read32(base + APIC_ICR_HIGH);

	if (icr & ICR_SHORTHAND || field_get(ICR_DESTINATION, destination) != 1)
		return;
	if (field_get(LVT_MODE, icr) == MODE_INIT)
		stop(g);
	else if (field_get(LVT_MODE, icr) == MODE_STARTUP && was_initialized)
		start(g, (unsigned)field_get(LVT_VECTOR, icr), base);
}

/* ---- turns ---- */

/* Number 0 is halted, unless there is an interrupt for it. */
static void wake(struct guest *g, unsigned wait)
{
	bool iflag = context[0].vmcb->rflags & RFLAGS_IF;
	int vector = vmm_take_interrupt(wait | (iflag ? WAIT_INTR : WAIT_NMI));

	if (vector < 0)
		return;
	set_state(g, 0, THREAD_ACTIVE);
	switch_to(g, 0);
	deliver(g, (unsigned)vector, 0, DELIVERY_HARDWARE);
}

static void other_paused(struct guest *g)
{
	if (hold_starting) {
		hold_starting = false;
		step_update(g);
	}
	if (threads.state[0] == THREAD_ACTIVE)
		switch_to(g, 0);
	else
		wake(g, WAIT_NMI);
}

void thread_paused(struct guest *g)
{
	if (threads.now == 1) {
		other_paused(g);
		return;
	}
	thread_look(g);
	if (threads.state[1] == THREAD_HALTED &&
	    second_apic_pending(context[1].vmcb->rflags & RFLAGS_IF) >= 0)
		set_state(g, 1, THREAD_ACTIVE);
	if (threads.now == 0 && threads.state[1] == THREAD_ACTIVE)
		switch_to(g, 1);
}

bool thread_halts(void)
{
	return threads.now == 1 || threads.state[1] == THREAD_ACTIVE;
}

void thread_halted(struct guest *g)
{
	unsigned other = 1 - threads.now;

	if (threads.now == 1 && second_apic_pending(g->vmcb->rflags & RFLAGS_IF) >= 0)
		return;
	set_state(g, threads.now, THREAD_HALTED);
	if (threads.state[other] == THREAD_ACTIVE)
		switch_to(g, other);
	while (threads.state[0] == THREAD_HALTED && threads.state[1] == THREAD_HALTED)
		wake(g, WAIT_HALTED);
}

bool thread_interrupted(struct guest *g)
{
	if (threads.now == 0)
		return false;
	if (threads.state[0] == THREAD_HALTED)
		set_state(g, 0, THREAD_ACTIVE);
	switch_to(g, 0);
	return true;
}

/* ---- before the guest goes on ---- */

void thread_take_interrupt(struct guest *g)
{
	struct vmcb *v = g->vmcb;
	int vector;

	if (threads.now == 0 || hold_starting || v->event_inject & EVENT_VALID ||
	    v->int_state & INT_STATE_SHADOW)
		return;
	vector = second_apic_pending(v->rflags & RFLAGS_IF);
	if (vector < 0)
		return;
	second_apic_take();
	deliver(g, (unsigned)vector, 0, DELIVERY_HARDWARE);
}

/* An interrupt from the machine's local APIC is for number 0, which gets it at once if its IF is
 * set.
 */
void thread_prepare(struct guest *g)
{
	struct vmcb *v = g->vmcb;
	uint32_t own = threads.state[1] == THREAD_ACTIVE ? INTERCEPT_HLT : 0;

	if (g->stepping || threads.now == 1)
		own = SHARED_INTERCEPTS;
	v->intercept = (v->intercept & ~SHARED_INTERCEPTS) | own;
	if (threads.now == 1 && (hold_starting || !(context[0].vmcb->rflags & RFLAGS_IF)))
		v->int_control |= INT_MASKING;
}
