/* SPDX-License-Identifier: BSD-2-Clause */
/* What the VMM executes itself, and what it leaves to the guest mode: as the conditions, so the
 * deed. */
#include "model/vmm/step/native.h"
#include "model/profiles/profiles.h"
#include "model/vmm/apic/apic.h"

#include "check/unit/tap.h"

/* SLOTS: addresses so far apart share one. */
enum { RIP = 0x1000, LONGEST = 15, ROOM = 16, SLOTS = 32768 };

#define FLAG_CF  BIT(0)
#define FLAG_TF  BIT(8)
#define FLAG_IF  BIT(9)
#define FLAG_RF  BIT(16)
#define CR0_TS   BIT(3)
#define CR4_OSFX BIT(9)

/* A descriptor: attributes A93h (pages, 64 bits, DPL 0, data, accessed) or CF3h (DPL 3). */
#define KERNEL_DATA UINT64_C(0x00af93000000ffff)
#define USER_DATA   UINT64_C(0x00cff3000000ffff)

static struct vmcb vmcb;
static struct guest guest = {.vmcb = &vmcb};
static uint64_t stack, gdt[4];
static unsigned entered;

/* Where the operand of SGDT may be, and the page of the local APIC. */
static uint8_t room[16];
enum { APIC = 0x7000 };

uint64_t vmm_gpr[GPRS];
bool apic_touched;
const uint8_t native_exit[1];

void native_enter(const uint8_t *slot, uint64_t *flags)
{
	entered += slot[0] || *flags;
}

bool guest_same_address(const struct guest *g, uint64_t linear, bool write)
{
	return g == &guest && ((linear == (uintptr_t)&stack && !write) ||
			       linear == (uintptr_t)room || linear == (uintptr_t)room + 2);
}

bool guest_same_device(const struct guest *g, uint64_t linear, uint64_t device, bool write)
{
	return g == &guest && linear - device < 0x1000 && (write || linear);
}

uint64_t apic_find_base(void)
{
	return APIC;
}

bool second_apic_exists(void)
{
	return false;
}

/* The code of a run: without the last of these it is known as another one. */
static uint8_t program[4096];

const uint8_t *guest_code(const struct guest *g, uint64_t linear, unsigned *available)
{
	*available = g == &guest ? 15 : 0;
	return program + linear % sizeof(program);
}

bool guest_read(const struct guest *g, uint64_t linear, void *to, size_t size)
{
	if (g != &guest || linear + size > sizeof(gdt))
		return false;
	memcpy(to, (const uint8_t *)gdt + linear, size);
	return true;
}

/* Ring 0 of a program that counts, interrupts and SSE on. */
static void begin(void)
{
	memset(&vmcb, 0, sizeof(vmcb));
	memset(vmm_gpr, 0, sizeof(vmm_gpr));
	vmcb.rip = RIP;
	vmcb.rsp = (uintptr_t)&stack;
	vmcb.cr4 = CR4_OSFX;
	vmcb.rflags = FLAG_IF | RFLAGS_RESERVED_1;
	guest.stepping = true;
	gdt[1] = KERNEL_DATA;
	gdt[2] = USER_DATA;
	vmcb.gdtr.limit = sizeof(gdt) - 1;
	entered = 0;
	guest.look = guest.shadow = false;
}

static const struct known *known_at(uint64_t rip, const char *hex, unsigned *length)
{
	uint8_t code[ROOM] = {0};
	unsigned byte;

	for (*length = 0; sscanf(hex + 3 * *length, "%2x", &byte) == 1; ++*length)
		code[*length] = (uint8_t)byte;
	return native_known(rip, code, LONGEST, CODE_64);
}

/* Is the instruction done, and was it that length? */
static bool done(const char *hex)
{
	unsigned length;
	const struct known *known = known_at(RIP, hex, &length);

	return known->insn.length == length && native_execute(&guest, &known->plan, length) &&
	       vmcb.rip == RIP + length;
}

static bool ran(const char *hex)
{
	begin();
	return done(hex) && entered == 1;
}

static bool left(const char *hex)
{
	begin();
	return !done(hex) && !entered && vmcb.rip == RIP;
}

static void test_opcodes(void)
{
	OK(ran("0f 58 c0") && ran("66 0f 58 c0") && ran("f3 0f 58 c0") && ran("f2 0f 58 c0"));
	OK(ran("f3 0f 1e fa") && ran("f3 0f bc c2") &&
	   left("f3 0f bd c2")); /* ENDBR64, TZCNT, LZCNT */
	OK(ran("0f 57 c0") && ran("66 44 0f 57 c0") && ran("66 0f fe c1") && ran("0f fe c1"));
	OK(left("f3 0f 57 c0") && left("f2 0f fe c0") && left("66 f3 0f 58 c0"));
	OK(left("0f 58 00") && left("66 0f fe 00")); /* from memory */
	OK(ran("d9 ee") && ran("d9 d0") && ran("dc c0") && ran("db e3") && ran("0f 77"));
	OK(left("d9 d1") && left("d9 ef") && left("db e4") && left("dc d0") && left("d9 00"));
	OK(ran("01 c0") && left("f0 01 c0")); /* LOCK needs memory */
}

/* LEA RAX, [RIP + 10h], then a byte more: the immediate of an ADD lies behind the distance. */
static bool moves(const char *hex, uint64_t far, unsigned at)
{
	uint64_t slot = (uintptr_t)known_at(RIP, hex, &(unsigned){0})->plan.slot;
	uint64_t rip = slot - slot % SLOTS + RIP + far;
	unsigned length;
	const struct plan *plan = &known_at(rip, hex, &length)->plan;
	int32_t moved;

	memcpy(&moved, plan->slot + at, sizeof(moved));
	return plan->kind == PLAN_NATIVE && plan->displacement == (int64_t)(rip + length + 0x10) &&
	       (uintptr_t)plan->slot + length + (uint64_t)moved == rip + length + 0x10;
}

/* The slot is within 2 GiB of the operand, or the guest mode must execute the instruction. */
static void test_rip_relative(void)
{
	OK(moves("48 8d 05 10 00 00 00", 0, 3) && moves("80 05 10 00 00 00 01", 0, 2));
	OK(moves("48 8d 05 10 00 00 00", BIT(30), 3) && moves("48 8d 05 10 00 00 00", -BIT(30), 3));
	OK(!moves("48 8d 05 10 00 00 00", BIT(32), 3) &&
	   !moves("48 8d 05 10 00 00 00", -BIT(32), 3));
	OK(left("48 8d 05 10 00 00 00") && left("80 05 10 00 00 00 01"));
}

static void test_floating_point(void)
{
	begin();
	vmcb.cr0 = CR0_TS;
	OK(!done("0f 58 c0") && !done("66 0f fe c1") && !done("0f fe c1") && !done("dc c0"));
	begin();
	vmcb.cr4 = 0;
	OK(!done("0f 58 c0") && done("dc c0"));
}

/* The registers are those of the test itself. */
static void test_pending_exceptions(void)
{
	static const uint32_t unmasked = 0x1f00, masked = 0x1f80;
	static const uint16_t divides_trap = 0x037b;

	begin();
	__asm__ volatile("ldmxcsr %0" : : "m"(unmasked));
	OK(!done("0f 58 c0"));
	__asm__ volatile("ldmxcsr %0" : : "m"(masked));
	OK(done("0f 58 c0"));
	begin();
	__asm__ volatile("fninit; fldcw %0; fldz; fld1; fdivp" : : "m"(divides_trap));
	OK(!done("dc c0") && !done("0f fe c1"));
	__asm__ volatile("fninit");
	OK(done("dc c0"));
}

static bool divides(const char *hex, uint64_t high, uint64_t by)
{
	begin();
	vmm_gpr[RDX] = high;
	vmm_gpr[RCX] = by;
	return done(hex) && entered == 1;
}

static void test_divide(void)
{
	OK(divides("f7 f1", 0, 1) && divides("48 f7 f1", 0, 1));
	OK(!divides("f7 f1", 0, 0) && !divides("48 f7 f1", 0, 0));
	OK(divides("f7 f1", 6, 7) && !divides("f7 f1", 7, 7) && !divides("48 f7 f1", 7, 7));
	OK(divides("f7 f1", BIT(32), 1) && !divides("48 f7 f1", BIT(32), 1));
	OK(!divides("f7 f1", 0, BIT(32)) && divides("48 f7 f1", 0, BIT(32)));
	OK(!divides("66 f7 f1", 0, 1));
	OK(left("f7 31") && left("f7 f9")); /* from memory; IDIV */
}

static void test_cli(void)
{
	begin();
	OK(done("fa") && vmcb.rflags == RFLAGS_RESERVED_1 && !guest.look);
	begin();
	vmcb.cpl = 3;
	OK(!done("fa") && vmcb.rflags & FLAG_IF);
}

static void test_sti(void)
{
	begin();
	OK(done("fb") && !guest.shadow);
	begin();
	vmcb.rflags = RFLAGS_RESERVED_1;
	OK(done("fb") && guest.shadow && vmcb.rflags == (FLAG_IF | RFLAGS_RESERVED_1));
	begin();
	vmcb.cpl = 3;
	OK(!done("fb"));
	begin();
	guest.stepping = false;
	OK(!done("fb") && !guest.shadow);
}

static bool stores_gdtr(uint64_t to)
{
	vmcb.gdtr.base = UINT64_C(0x123456789abc);
	vmm_gpr[RCX] = to;
	return done("0f 01 01");
}

static void test_sgdt(void)
{
	static const uint8_t stored[10] = {31, 0, 0xbc, 0x9a, 0x78, 0x56, 0x34, 0x12};

	begin();
	OK(stores_gdtr((uintptr_t)room) && !memcmp(room, stored, sizeof(stored)));
	begin();
	OK(!stores_gdtr(0));
	begin();
	vmcb.cr4 |= BIT(11); /* UMIP */
	OK(!stores_gdtr((uintptr_t)room));
}

/* A write may let an interrupt through, which outside of stepping only the guest mode sees. */
static void test_apic(void)
{
	begin();
	vmm_gpr[RCX] = APIC + 0xb0;
	OK(done("8b 01") && !guest.look);
	begin();
	vmm_gpr[RCX] = APIC + 0xb0;
	OK(done("89 01") && guest.look);
	begin();
	guest.stepping = false;
	vmm_gpr[RCX] = APIC + 0xb0;
	OK(!done("89 01") && done("8b 01"));
	begin();
	vmm_gpr[RCX] = APIC + 0x1000;
	OK(!done("8b 01"));
}

/* NOP, ADD EAX, ECX, LEA EAX, [RCX + RDX]; a load, a store, a jump; and behind it a NOP. */
static const struct run *find_mixed(void)
{
	static const uint8_t code[] = {0x90, 0x01, 0xc8, 0x8d, 0x04, 0x11, 0x8b,
				       0x01, 0x89, 0x01, 0xeb, 0x00, 0x90};

	begin();
	memcpy(program + RIP % sizeof(program), code, sizeof(code));
	return run_find(&guest, RIP);
}

static void test_runs(void)
{
	const struct run *run = find_mixed();

	OK(run->count == 6 && run->bytes == 12 && run->piece[1].known->insn.length == 2);
	OK(run->piece[0].straight == 3 && run->piece[2].straight == 1 && !run->piece[3].straight);
	run_straight(&guest, run->piece, 3);
	OK(entered == 1 && vmcb.rip == RIP + 6);
	begin();
	run_straight(&guest, run->piece, 2);
	OK(entered == 2 && vmcb.rip == RIP + 3);
	memset(program + 0xfe0, 0x90, 32);
	OK(run_find(&guest, 0x1fe0)->count == 16); /* it may cross no page */
}

static void test_runs_that_change(void)
{
	const struct run *run = find_mixed();

	program[RIP % sizeof(program) + 5] = 0x12; /* another LEA */
	OK(run_find(&guest, RIP)->count == 6 && run->code[5] == 0x12);
	program[RIP % sizeof(program) + 1] = 0x03; /* ADD EAX, [RAX] */
	program[RIP % sizeof(program) + 2] = 0x00;
	OK(run_find(&guest, RIP)->count == 6 && run->piece[0].straight == 1);
	program[RIP % sizeof(program)] = 0xfa; /* CLI */
	OK(run_find(&guest, RIP)->count == 0);
	/* The same bytes as when the run was found, but what is known of them is found anew. */
	run = find_mixed();
	program[RIP % sizeof(program)] = 0xf4;
	native_known(RIP, program + RIP % sizeof(program), 15, CODE_64);
	program[RIP % sizeof(program)] = 0x90;
	OK(run_find(&guest, RIP)->piece[0].known->insn.class == INSN_PLAIN);
}

static void test_runs_that_are_written_to(void)
{
	const struct run *run = find_mixed();
	const struct plan *load = &run->piece[3].known->plan, *store = &run->piece[4].known->plan;

	vmm_gpr[RCX] = RIP + 11;
	OK(run_is_overwritten(&guest, run, store) && !run_is_overwritten(&guest, run, load));
	vmm_gpr[RCX] = RIP - 3;
	OK(run_is_overwritten(&guest, run, store));
	vmm_gpr[RCX] = RIP + 12;
	OK(!run_is_overwritten(&guest, run, store));
	vmm_gpr[RCX] = RIP - 17;
	OK(!run_is_overwritten(&guest, run, store));
}

static bool pops(uint64_t flags)
{
	stack = flags;
	return done("9d");
}

static void test_popf(void)
{
	begin();
	vmcb.rflags = FLAG_RF | FLAG_CF | RFLAGS_RESERVED_1;
	OK(pops(FLAG_IF | RFLAGS_RESERVED_1) && vmcb.rflags == (FLAG_IF | RFLAGS_RESERVED_1));
	OK(guest.look && vmcb.rsp == (uintptr_t)&stack + 8);
	begin();
	OK(pops(FLAG_CF | RFLAGS_RESERVED_1 | FIELD(63, 22)));
	OK(vmcb.rflags == (FLAG_CF | RFLAGS_RESERVED_1) && !guest.look);
	begin();
	OK(!pops(FLAG_TF) && vmcb.rflags & FLAG_IF);
	begin();
	vmcb.cpl = 3;
	OK(!pops(0));
	begin();
	vmcb.rsp = 0;
	OK(!pops(0));
	begin();
	guest.stepping = false;
	OK(!pops(FLAG_IF) && vmcb.rip == RIP && pops(0));
}

/* DS has what the selector 8 stands for. */
static void begin_segment(void)
{
	begin();
	vmm_gpr[RCX] = 8;
	vmcb.ds = (struct vmcb_segment){8, 0xa93, UINT32_MAX, 0};
}

static void test_segments(void)
{
	begin_segment();
	OK(done("8e d9") && vmcb.ds.selector == 8);
	OK(!entered && left("8e d1") && left("8e e1") && left("8e 19")); /* SS, FS, from memory */
	begin_segment();
	OK(!done("8e c1")); /* ES has another one */
	begin_segment();
	vmm_gpr[RCX] = 0x10;
	OK(!done("8e d9"));
	begin_segment();
	gdt[1] |= BIT(16); /* base */
	OK(!done("8e d9"));
	begin_segment();
	gdt[1] &= ~BIT(0); /* limit */
	OK(!done("8e d9"));
	begin_segment();
	gdt[1] &= ~BIT(40); /* accessed */
	OK(!done("8e d9"));
	begin_segment();
	vmcb.gdtr.limit = 14;
	OK(!done("8e d9"));
	begin_segment();
	vmcb.cpl = 3;
	OK(!done("8e d9"));
}

static void test_segments_of_users(void)
{
	begin();
	vmcb.cpl = 3;
	vmm_gpr[RCX] = 0x13;
	vmcb.ds = (struct vmcb_segment){0x13, 0xcf3, UINT32_MAX, 0};
	OK(done("8e d9"));
	begin_segment();
	vmm_gpr[RCX] = vmcb.ds.selector = 0xb; /* asks for ring 3 */
	OK(!done("8e d9"));
	begin_segment();
	vmm_gpr[RCX] = vmcb.ds.selector = 0xc; /* of the LDT */
	OK(!done("8e d9"));
	begin();
	vmm_gpr[RCX] = 0;
	OK(!done("8e d9"));
}

int main(void)
{
	silicon_reset(&silicon_cpu, profile_find("zen2"), NULL);
	test_opcodes();
	test_rip_relative();
	test_floating_point();
	test_pending_exceptions();
	test_divide();
	test_cli();
	test_sti();
	test_sgdt();
	test_apic();
	test_runs();
	test_runs_that_change();
	test_runs_that_are_written_to();
	test_popf();
	test_segments();
	test_segments_of_users();
	return tap_end();
}
