/* SPDX-License-Identifier: BSD-2-Clause */
/* Assists: the modelled processor writes to the guest's memory by itself, after an instruction. */
#include "kernel/lib/string.h"
#include "stepping.h"

static struct registers noted;
static uint64_t noted_operand;
static bool has_operand;

static bool read_memory(void *arg, uint64_t linear, void *to, size_t size)
{
	return guest_read(arg, linear, to, size);
}

static bool write_memory(void *arg, uint64_t linear, const void *from, size_t size)
{
	return guest_write(arg, linear, from, size);
}

static void write_physical(void *arg, uint64_t physical, const void *from, size_t size)
{
	(void)arg;
	guest_write_physical(physical, from, size);
}

static bool locate(void *arg, uint64_t linear, struct memory_access *access)
{
	return guest_locate(arg, linear, access);
}

static void take_registers(const struct guest *g, uint64_t ip, struct registers *to)
{
	to->ip = ip;
	to->flags = g->vmcb->rflags;
	memcpy(to->gpr, vmm_gpr, sizeof(to->gpr));
	to->gpr[RAX] = g->vmcb->rax;
	to->gpr[RSP] = g->vmcb->rsp;
}

/* The guest's vector registers are the processor's: the VMM has no use for them. */
static const uint8_t *take_vectors(void)
{
	enum { IMAGE = 512, IMAGE_XMM = 160 };
	static uint8_t image[IMAGE] __attribute__((aligned(16)));

	__asm__ volatile("fxsave64 %0" : "=m"(image));
	return image + IMAGE_XMM;
}

/* Of component 2 of XSAVE, where the guest has switched it on.  The VMM itself has no use for
 * XSAVE.
 */
static const uint8_t *take_upper_halves(const struct guest *g)
{
	enum { CR4_OSXSAVE = 1 << 18, XCR0_AVX = 1 << 2, IMAGE = 832, IMAGE_UPPER = 576 };
	static uint8_t image[IMAGE] __attribute__((aligned(64)));
	uint32_t xcr0, high;
	uint64_t cr4;

	if (!(g->vmcb->cr4 & CR4_OSXSAVE))
		return NULL;
	__asm__ volatile("mov %%cr4, %0" : "=r"(cr4));
	__asm__ volatile("mov %0, %%cr4" : : "r"(cr4 | CR4_OSXSAVE));
	__asm__ volatile("xgetbv" : "=a"(xcr0), "=d"(high) : "c"(0));
	if (xcr0 & XCR0_AVX)
		__asm__ volatile("xsave64 %0" : "+m"(image) : "a"(XCR0_AVX), "d"(0));
	__asm__ volatile("mov %0, %%cr4" : : "r"(cr4));
	return xcr0 & XCR0_AVX ? image + IMAGE_UPPER : NULL;
}

/* No plan tells of memory on the stack, or at RSI and RDI. */
static bool accesses_operand(void)
{
	const struct insn *insn = under_way.insn;

	return under_way.plan->operand && insn->class == INSN_PLAIN && !insn->string &&
	       (insn->memory == MEMORY_LOAD || insn->memory == MEMORY_STORE ||
		insn->memory == MEMORY_STREAM);
}

void assist_prepare(const struct guest *g)
{
	if (!silicon_precise(&silicon_cpu))
		return;
	take_registers(g, g->vmcb->rip, &noted);
	has_operand = accesses_operand();
	if (has_operand)
		noted_operand = native_operand(g, under_way.plan);
}

COLD void assist_do(struct guest *g, uint64_t ip, uint64_t next)
{
	struct machine machine = {
		.arg = g,
		.read = read_memory,
		.write = write_memory,
		.write_physical = write_physical,
		.locate = locate,
		.before = noted,
		.insn = noted.ip == ip ? under_way.insn : NULL,
		.operand = noted_operand,
		.has_operand = has_operand,
		.xmm = take_vectors(),
		.upper = take_upper_halves(g),
		.legacy = !(g->vmcb->efer & EFER_LMA),
		.tsc = time_tsc(g),
	};

	/* No trap follows MOV SS: it may be the instruction after that, with the same registers. */
	machine.before.ip = ip;
	take_registers(g, next, &machine.after);
	silicon_assist(&silicon_cpu, &machine);
}
