/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Drawn code, executed as the VMM does it and by the processor of this machine, which a debugger
 * steps through it: registers, flags and memory are the same behind each stretch of straight
 * instructions, each loop of them, and each other instruction.
 */
#define _GNU_SOURCE
#include "model/profiles/profiles.h"

#include "model/vmm/apic/apic.h"
#include "model/vmm/step/native.h"
#include "model/vmm/step/step.h"

#include "check/unit/tap.h"

#include <stdlib.h>
#include <sys/mman.h>

#include "judge.h"

enum { ROUNDS = 3000, HLT = 0xf4, DRAWN = 12 };

/* By which SGDT is left to guest mode. */
#define CR4_UMIP BIT(11)

static unsigned wrong, stretches, others, accesses, loops, turns;

/* ---- what the VMM asks of the guest ---- */

bool apic_touched;

static bool is_within(uint64_t linear, uint64_t first, uint64_t size)
{
	return linear - first < size;
}

bool guest_same_address(const struct guest *g, uint64_t linear, bool write)
{
	bool within = is_within(linear, OPERANDS, OPERANDS_SIZE - 8);

	accesses += within && g && (write || linear);
	return within;
}

bool guest_same_device(const struct guest *g, uint64_t linear, uint64_t device, bool write)
{
	return !g && linear == device && write;
}

const uint8_t *guest_code(const struct guest *g, uint64_t linear, unsigned *available)
{
	*available = g && is_within(linear, CODE, PAGE) ? 15 : 0;
	return (const uint8_t *)(uintptr_t)(*available ? linear : CODE);
}

const uint8_t *guest_code_here(const struct guest *g, uint64_t linear)
{
	unsigned available;
	const uint8_t *at = guest_code(g, linear, &available);

	return available ? at : NULL;
}

bool guest_read(const struct guest *g, uint64_t linear, void *to, size_t size)
{
	memset(to, 0, size);
	return !g && linear;
}

void guest_forget_pages(void)
{
}

uint64_t apic_find_base(void)
{
	return 0;
}

bool time_is_own(void)
{
	return false;
}

/* The VMM's stubs call it. */
void vmm_host_exception(unsigned vector, const uint64_t *frame)
{
	printf("# vector %u, %p\n", vector, (const void *)frame);
	abort();
}

/* ---- what is drawn ---- */

static uint64_t draw(uint64_t end)
{
	return (uint64_t)random() % end;
}

static uint64_t draw_word(void)
{
	return (uint64_t)random() << 42 ^ (uint64_t)random() << 21 ^ (uint64_t)random();
}

/* Most registers point to operands, or are short distances. */
static uint64_t draw_register(void)
{
	uint64_t value = draw_word();

	switch (draw(4)) {
	case 0:
		return guest.size == CODE_64 ? value : (uint32_t)value;
	case 1:
		return draw(64);
	default:
		return OPERANDS + OPERANDS_SIZE / 4 + draw(OPERANDS_SIZE / 2);
	}
}

/* Opcode and prefixes, then bytes for all that may follow. */
static void draw_bytes(uint8_t bytes[15])
{
	uint8_t *to = bytes;

	for (unsigned i = 0; i < 15; i++)
		bytes[i] = (uint8_t)draw(256);
	if (!draw(6))
		*to++ = 0x66;
	if (!draw(12))
		*to++ = 0xf3;
	if (guest.size == CODE_64 && draw(2))
		*to++ = (uint8_t)(0x40 | draw(16));
	if (!draw(3))
		*to++ = 0x0f;
	to[2] = draw(4) ? (uint8_t)draw(16) : to[2]; /* a displacement, perhaps */
}

/* An operand at an address alone, or at a distance from the code, is among the operands. */
static void aim(uint8_t *at, const struct decoder *d)
{
	uint32_t target = (uint32_t)(OPERANDS + draw(OPERANDS_SIZE - 16));
	unsigned modrm = d->opcode_at + 1;

	if (!d->memory || d->mod || (d->rm & 7) != 5)
		return;
	if (d->size == CODE_64)
		target -= (uint32_t)((uintptr_t)at + d->at);
	memcpy(at + modrm + 1, &target, sizeof(target));
}

/* One that the VMM may execute; PUSHF would tell of the debugger, and FS and GS are the machine's.
 */
static unsigned draw_instruction(uint8_t *at)
{
	for (;;) {
		struct decoder d;
		const struct known *known;

		draw_bytes(at);
		decode_raw(&d, at, 15, guest.size);
		if (d.cut || !d.valid || d.segment)
			continue;
		aim(at, &d);
		known = native_known((uintptr_t)at, at, 15, guest.size);
		if (known->plan.kind != PLAN_STEP && known->plan.kind <= PLAN_RET &&
		    known->plan.kind != PLAN_PUSHF)
			return known->insn.length;
	}
}

/* ---- one round ---- */

static void complain(const struct piece *first, unsigned count)
{
	wrong++;
	printf("# other than judged:");
	for (unsigned i = 0; i < count; i++)
		for (unsigned j = 0; j < first[i].known->insn.length; j++)
			printf("%s%02x", j ? " " : " / ", first[i].known->code[j]);
	printf("\n");
}

/* Executes what stands at the piece; how many pieces: 0: none, the guest would be entered. */
static unsigned execute(const struct piece *piece)
{
	const struct known *known = piece->known;

	if (piece->straight) {
		run_straight(&guest, piece, piece->straight);
		stretches++;
		return piece->straight;
	}
	if (!native_execute(&guest, &known->plan, known->insn.length))
		return 0;
	others++;
	return 1;
}

/* Some turns of a loop at once. */
static void compare_loop(const struct insn_run *run)
{
	unsigned n = loop_run(&guest, run, 1 + (unsigned)draw(20));
	bool judged = true;

	loops++;
	turns += n;
	for (unsigned i = 0; i < n * run->count; i++)
		judged &= judge_step(false);
	if (!judge_refused && (!judged || !is_as_judged()))
		complain(run->piece, run->count);
}

static void compare(const struct insn_run *run)
{
	for (unsigned n = 0, count; n < run->count; n += count) {
		const struct piece *piece = &run->piece[n];
		bool judged = true;

		count = execute(piece);
		if (!count || !is_canonical(vmcb.rip))
			return;
		for (unsigned i = 0; i < count; i++)
			judged &= judge_step(piece[i].known->plan.kind == PLAN_STRING);
		if (judge_refused)
			return;
		if (!judged || !is_as_judged()) {
			complain(piece, count);
			return;
		}
	}
}

static void draw_state(uint64_t rip)
{
	for (unsigned i = 0; i < GPRS; i++)
		guest_set_gpr(&guest, i, i < 8 || guest.size == CODE_64 ? draw_register() : 0);
	guest_set_gpr(&guest, RSP, OPERANDS + OPERANDS_SIZE / 2 + draw(64));
	vmcb.rip = rip;
	vmcb.rflags = (draw_word() & FLAGS & ~BIT(10)) | BIT(1);
	for (unsigned i = 0; i < OPERANDS_SIZE; i += 8)
		*(uint64_t *)(uintptr_t)(OPERANDS + i) = draw_word();
}

/* Some instructions on registers alone, and a branch to the first; returns where it ends. */
static uint64_t draw_loop(uint64_t at)
{
	uint64_t end = at;

	for (uint64_t left = draw(4); left;) {
		unsigned length = draw_instruction((uint8_t *)(uintptr_t)end);
		const uint8_t *bytes = (const uint8_t *)(uintptr_t)end;

		if (!native_known(end, bytes, 15, guest.size)->plan.straight)
			continue;
		end += length;
		left--;
	}
	((uint8_t *)(uintptr_t)end)[0] = (uint8_t)(0x70 + draw(16));
	((uint8_t *)(uintptr_t)end)[1] = (uint8_t)(at - end - 2);
	return end + 2;
}

/* In the middle of a page, or so near to its end that not all of it is a run. */
static void round_of(enum code_size size)
{
	uint64_t at = CODE + (draw(2) ? draw(PAGE / 2) : PAGE - 16 - draw(32)), end = at;
	const struct insn_run *run;

	guest.size = size;
	native_forget();
	run_forget();
	if (draw(3))
		for (unsigned i = 0; i < DRAWN; i++)
			end += draw_instruction((uint8_t *)(uintptr_t)end);
	else
		end = draw_loop(at);
	memset((void *)(uintptr_t)end, HLT, 15);
	draw_state(at);
	run = run_find(&guest, at);
	if (!judge_begin())
		wrong++;
	else if (run->loops)
		compare_loop(run);
	else
		compare(run);
}

static void test_alike(enum code_size size)
{
	wrong = stretches = others = accesses = loops = turns = 0;
	for (unsigned i = 0; i < ROUNDS && wrong < 5; i++)
		round_of(size);
	printf("# %u stretches, %u other instructions, %u accesses; %u turns of %u loops\n",
	       stretches, others, accesses, turns, loops);
	OK(!wrong);
	OK(stretches > ROUNDS / 4 && others > ROUNDS / 4 && accesses > ROUNDS / 4);
	/* A third of all are drawn as loops, some of them too near to the end of a page. */
	OK(loops > ROUNDS / 16 && turns > 2 * loops);
}

/* The VMM's slots are data to a program of this machine. */
static bool open_slots(void)
{
	extern char __data_start, _end;
	uintptr_t first = (uintptr_t)&__data_start & ~(uintptr_t)(PAGE - 1);

	return !mprotect((void *)first, (uintptr_t)&_end - first,
			 PROT_READ | PROT_WRITE | PROT_EXEC);
}

static bool map(const struct iovec *room)
{
	return mmap(room->iov_base, room->iov_len, PROT_READ | PROT_WRITE | PROT_EXEC,
		    MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0) == room->iov_base;
}

/* An argument is a seed, by which other code is drawn. */
int main(int argc, char **argv)
{
	srandom(argc > 1 ? (unsigned)atoi(argv[1]) : 1);
	silicon_reset(&silicon_cpu, profile_find("zen4"), NULL);
	vmcb.cpl = 3;
	vmcb.cr4 = CR4_UMIP;
	if (!OK(open_slots() && map(&code) && map(&operands)))
		return tap_end();
	judge_start();
	test_alike(CODE_64);
	if (lacks_32)
		tap_skip("the kernel of this machine runs no 32-bit programs");
	else
		test_alike(CODE_32);
	kill(judge, SIGKILL);
	return tap_end();
}
