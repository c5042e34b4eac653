/* SPDX-License-Identifier: BSD-2-Clause */
/* Instructions on a register in memory: the VMM does what the processor of this machine does. */
#include "model/vmm/operate.h"

#include "check/unit/tap.h"

#include <stdlib.h>
#include <sys/mman.h>

#define COMPUTED (BIT(0) | BIT(2) | BIT(6) | BIT(7) | BIT(11)) /* AF is undefined behind AND */

enum { ROUNDS = 200 };
uint64_t vmm_gpr[GPRS];
static struct vmcb vmcb;
static struct guest guest = {.vmcb = &vmcb};
static uint8_t *code;

static uint32_t draw(void)
{
	static const uint32_t ends[] = {0, 1, INT32_MAX, 0x80000000, UINT32_MAX};

	return random() % 4 ? (uint32_t)random() << 1 ^ (uint32_t)random() : ends[random() % 5];
}

/* Of registers 0 to 2, RDI pointing to memory. */
struct state {
	uint64_t gpr[3], flags;
	uint32_t memory;
};

static void execute_here(struct state *s)
{
	uint64_t a = s->gpr[0], c = s->gpr[1], d = s->gpr[2], flags = s->flags;

	__asm__ volatile("lea -128(%%rsp), %%rsp\n\tpush %[flags]\n\tpopf\n\tcall *%[code]\n\t"
			 "pushf\n\tpop %[flags]\n\tlea 128(%%rsp), %%rsp"
			 : "+a"(a), "+c"(c), "+d"(d), [flags] "+&b"(flags)
			 : "D"(&s->memory), [code] "S"(code)
			 : "memory", "cc");
	*s = (struct state){{a, c, d}, flags, s->memory};
}

static bool execute_in_vmm(unsigned length, struct state *s)
{
	struct decoder d;
	struct operation op;
	uint32_t result;

	decode_raw(&d, code, length, CODE_64);
	for (unsigned i = 0; i < 3; i++)
		guest_set_gpr(&guest, i, s->gpr[i]);
	vmcb.rflags = s->flags;
	if (d.at != length || !operation_of(&guest, &d, &op))
		return false;
	result = operation_do(&op, &guest, operation_reads(&op) ? s->memory : 0x5aa5);
	if (operation_writes(&op))
		s->memory = result;
	for (unsigned i = 0; i < 3; i++)
		s->gpr[i] = guest_gpr(&guest, i);
	s->flags = vmcb.rflags;
	return true;
}

/* The bytes, ModRM of [RDI] with this register or extension of the opcode, and an immediate. */
static unsigned encode(uint8_t opcode, unsigned reg, unsigned size)
{
	const uint32_t value = draw();

	code[0] = opcode;
	code[1] = (uint8_t)(reg << 3 | 7);
	memcpy(code + 2, &value, 4);
	code[2 + size] = 0xc3; /* RET */
	return 2 + size;
}

static bool is_alike(uint8_t opcode, unsigned reg, unsigned size)
{
	const struct state before = {{draw(), draw() | (uint64_t)draw() << 32, draw()},
				     (draw() & COMPUTED) | BIT(1) | BIT(9),
				     draw()};
	struct state here = before, there = before;

	if (!execute_in_vmm(encode(opcode, reg, size), &there))
		return false;
	execute_here(&here);
	return !memcmp(here.gpr, there.gpr, sizeof(here.gpr)) && here.memory == there.memory &&
	       !((here.flags ^ there.flags) & COMPUTED);
}

static bool all_alike(uint8_t opcode, unsigned first, unsigned last, unsigned size)
{
	for (unsigned reg = first; reg <= last; reg++)
		for (unsigned i = 0; i < ROUNDS; i++)
			if (!is_alike(opcode, reg, size)) {
				printf("# opcode %02x /%u\n", opcode, reg);
				return false;
			}
	return true;
}

static void test_alike(void)
{
	for (unsigned row = 0; row < 0x40; row += 8) {
		OK(all_alike((uint8_t)(row + 1), 0, 2, 0));
		OK(all_alike((uint8_t)(row + 3), 0, 2, 0));
	}
	OK(all_alike(0x81, 0, 7, 4));
	OK(all_alike(0x83, 0, 7, 1));
	OK(all_alike(0x85, 0, 2, 0));
	OK(all_alike(0x87, 0, 2, 0));
	OK(all_alike(0x89, 0, 2, 0));
	OK(all_alike(0x8b, 0, 2, 0));
	OK(all_alike(0xc7, 0, 0, 4));
	OK(all_alike(0xf7, 0, 0, 4));
}

static bool is_refused(uint64_t bytes)
{
	struct decoder d;
	struct operation op;

	decode_raw(&d, (const uint8_t *)&bytes, sizeof(bytes), CODE_64);
	return !operation_of(&guest, &d, &op);
}

/* Of 8, 16 and, but for MOV, 64 bits; NOT, NEG, INC; of two bytes. */
static void test_refused(void)
{
	OK(is_refused(0x0788) && is_refused(0x078966) && is_refused(0x070148) &&
	   is_refused(0x07c748));
	OK(is_refused(0x17f7) && is_refused(0x1ff7) && is_refused(0x07ff));
	OK(is_refused(0x07b60f));
	OK(!is_refused(0x0789));
}

static bool is_wide(uint64_t bytes, bool to_register, unsigned reg)
{
	struct decoder d;
	struct operation op;

	decode_raw(&d, (const uint8_t *)&bytes, sizeof(bytes), CODE_64);
	return operation_of(&guest, &d, &op) && op.wide && op.what == OPERATE_MOV &&
	       op.to_register == to_register && op.reg == reg;
}

static void test_wide(void)
{
	OK(is_wide(0x0f8b48, true, 1) && is_wide(0x0f894c, false, 9));
	OK(!is_wide(0x0f8b, true, 1));
}

int main(void)
{
	code = mmap(NULL, 4096, PROT_READ | PROT_WRITE | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1,
		    0);
	if (!OK(code != MAP_FAILED))
		return tap_end();
	test_alike();
	test_refused();
	test_wide();
	return tap_end();
}
