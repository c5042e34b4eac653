/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The guest as a 32-bit program without firmware: in the state in which a Multiboot loader leaves
 * the machine to it, until it ends in one of the ways in which such a program can.  Then firmware
 * goes on, as if the program had been a hypercall.
 */
#include "kernel/lib/string.h"
#include "model/vmm/step/step.h"
#include "vmm.h"

#define CR0_ET   BIT(4)
#define DR7_INIT UINT64_C(0x400)

/* Attributes of flat segments: pages, 32 bits, present, accessed; selectors of a loader's. */
#define SEGMENT_CODE 0xc9b
#define SEGMENT_DATA 0xc93
enum { SELECTOR_CODE = 0x08, SELECTOR_DATA = 0x10 };

/* Where a program resets the machine, ends QEMU, or turns the power off (ACPI 6.4, 4.8.3.2.1). */
enum { DEBUG_EXIT = 0xf4, KEYBOARD_COMMAND = 0x64, RESET_CONTROL = 0xcf9 };
enum { KEYBOARD_RESET = 0xfe };
#define RESET_CPU    BIT(2)
#define POWER_ENABLE BIT(13) /* SLP_EN */

static struct program *running;
static struct kept kept;
bool program_entered;

/* ---- begin ---- */

static void load_segments(struct guest *g)
{
	const struct vmcb_segment data = {SELECTOR_DATA, SEGMENT_DATA, UINT32_MAX, 0};
	struct vmcb *v = g->vmcb;

	v->cs = (struct vmcb_segment){SELECTOR_CODE, SEGMENT_CODE, UINT32_MAX, 0};
	v->ds = v->es = v->ss = data;
	v->gdtr = v->idtr = (struct vmcb_segment){0}; /* the program's to load */
	__asm__ volatile("vmsave" : : "a"(g->extra) : "memory");
	g->extra->fs = g->extra->gs = data;
	__asm__ volatile("vmload" : : "a"(g->extra) : "memory");
}

/* Multiboot Specification 0.6.96, 3.2 "Machine state". */
static void load_registers(struct vmcb *v, const struct program *program)
{
	v->cpl = 0;
	v->efer = EFER_SVME;
	v->cr0 = CR0_PE | CR0_ET;
	v->cr2 = v->cr3 = v->cr4 = 0;
	v->dr7 = DR7_INIT;
	v->rflags = RFLAGS_RESERVED_1;
	v->rip = program->entry;
	v->rsp = 0;
	v->rax = program->eax;
	memset(vmm_gpr, 0, sizeof(vmm_gpr));
	vmm_gpr[RBX] = program->ebx;
}

static void watch_ports(bool on)
{
	pci_watch_port(DEBUG_EXIT, on);
	pci_watch_port(KEYBOARD_COMMAND, on);
	pci_watch_port(RESET_CONTROL, on);
	if (running->power_port)
		pci_watch_port(running->power_port, on);
}

static void become(struct guest *g, enum code_size size)
{
	g->size = size;
	silicon_show_32(&silicon_cpu, size == CODE_32);
}

void program_enter(struct guest *g, struct program *program)
{
	running = program;
	program_entered = true;
	keep_state(g, &kept);
	watch_ports(true);
	load_registers(g->vmcb, program);
	load_segments(g);
	become(g, CODE_32);
	guest_forget_pages();
	step_restart(g);
}

/* ---- end ---- */

static void end(struct guest *g, enum program_end how, uint32_t value)
{
	running->end = how;
	running->value = value;
	watch_ports(false);
	program_entered = false;
	thread_end(g);
	g->vmcb->intercept &= ~INTERCEPT_HLT;
	keep_restore(g, &kept);
	become(g, CODE_64);
	step_update(g);
}

static bool is_reset(uint16_t port, uint32_t value)
{
	return (port == KEYBOARD_COMMAND && (value & 0xff) == KEYBOARD_RESET) ||
	       (port == RESET_CONTROL && value & RESET_CPU);
}

bool program_ends_by_port(struct guest *g)
{
	uint64_t info = g->vmcb->exit_info_1;
	uint16_t port = (uint16_t)field_get(IOIO_PORT, info);
	uint32_t value = (uint32_t)g->vmcb->rax;

	if (!program_entered || info & (IOIO_IN | IOIO_STRING))
		return false;
	if (port == DEBUG_EXIT)
		end(g, PROGRAM_EXITED, value);
	else if (is_reset(port, value))
		end(g, PROGRAM_RESET, 0);
	else if (port && port == running->power_port && value & POWER_ENABLE)
		end(g, PROGRAM_POWERED_OFF, 0);
	else
		return false;
	return true;
}

void program_prepare(struct guest *g)
{
	g->vmcb->intercept |= INTERCEPT_HLT;
}

/* Halts while stepping, and where the other thread goes on, are left to others. */
bool program_halts(struct guest *g)
{
	int vector;

	if (!program_entered || g->stepping || (thread_started && thread_halts()))
		return false;
	if (!(g->vmcb->rflags & RFLAGS_IF)) {
		end(g, PROGRAM_HALTED, 0);
		return true;
	}
	g->vmcb->rip++;
	g->vmcb->int_state = 0;
	vector = vmm_take_interrupt(WAIT_HALTED | WAIT_INTR);
	guest_forget_pages();
	if (vector >= 0)
		deliver(g, (unsigned)vector, 0, DELIVERY_HARDWARE);
	return true;
}

bool program_shuts_down(struct guest *g)
{
	if (!program_entered)
		return false;
	end(g, PROGRAM_SHUT_DOWN, 0);
	return true;
}
