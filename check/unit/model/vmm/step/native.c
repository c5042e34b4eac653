/* SPDX-License-Identifier: BSD-2-Clause */
/* Instructions that the VMM executes itself, which do as the guest would, and those that it leaves
 * to guest mode. */
#include "model/profiles/profiles.h"

#include "bench.h"

/* Addresses so far apart share a slot. */
enum { SLOTS = 524288 };

#define FLAG_CF BIT(0)
#define FLAG_TF BIT(8)
#define FLAG_RF BIT(16)
#define CR0_TS  BIT(3)

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

/* A system may look at where the FPU's last instruction was. */
static void test_fpu_of_a_system(void)
{
	guest.system = true;
	OK(left("d9 ee") && left("0f fe c1") && ran("66 0f fe c1"));
	guest.system = false;
}

/* Some opcodes are of SSE registers alone, or of others too, or of no shift. */
static void test_mmx(void)
{
	OK(ran("0f 60 c1") && ran("66 0f 60 c1") && left("0f 6c c1") && left("0f 6e c1"));
	OK(ran("0f 71 f1 01") && ran("0f 72 e1 01") && ran("0f 73 d1 01"));
	OK(left("0f 71 c9 01") && left("0f 73 e1 01") && left("66 0f 73 f9 01"));
	OK(ran("0f 76 c1") && ran("0f d5 c1") && ran("0f ef c1") && ran("0f f6 c1"));
	OK(left("0f d6 c1") && left("0f e7 01") && left("0f f7 c1") && left("0f ff c1"));
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

/* The slot is within 2 GiB of the operand, or the operand is named, or the guest mode must execute
 * the instruction. */
static void test_rip_relative(void)
{
	OK(moves("48 8d 05 10 00 00 00", 0, 3) && moves("80 05 10 00 00 00 01", 0, 2));
	OK(moves("48 8d 05 10 00 00 00", BIT(30), 3) && moves("48 8d 05 10 00 00 00", -BIT(30), 3));
	OK(!moves("48 8d 05 10 00 00 00", BIT(32), 3) &&
	   !moves("48 8d 05 10 00 00 00", -BIT(32), 3));
	OK(ran("48 8d 05 10 00 00 00") && left("80 05 10 00 00 00 01"));
}

/* A kernel's are named by their addresses, which are negative numbers of 32 bits. */
static void test_rip_relative_kernel(void)
{
	/* ADD BYTE [-10000000h], 1 */
	static const uint8_t add[] = {0x80, 0x04, 0x25, 0x00, 0x00, 0x00, 0xf0, 0x01};
	unsigned length;
	const struct plan *plan =
		&known_at(UINT64_C(0xffffffffeffffff0), "80 05 09 00 00 00 01", &length)->plan;

	OK(plan->kind == PLAN_NATIVE && plan->displacement == -0x10000000);
	OK(plan->slot_length == sizeof(add) && !memcmp(plan->slot, add, sizeof(add)));
	OK(plan->slot[sizeof(add)] == 0xe9);
}

/* The operand of ADD EAX, [RCX + 8] behind each prefix of a segment; only those of FS and GS count.
 */
static void test_segment_prefixes(void)
{
	static const struct {
		const char *hex;
		uint64_t operand;
	} moves[] = {
		{"03 41 08", 0x108},        {"64 03 41 08", 0x1108}, {"65 03 41 08", 0x2108},
		{"3e 03 41 08", 0x108},     {"2e 03 41 08", 0x108},  {"65 48 03 41 08", 0x2108},
		{"65 66 03 41 08", 0x2108},
	};
	unsigned length;

	begin();
	step_bases_changed();
	msrs[MSR_FS_BASE] = 0x1000;
	msrs[MSR_GS_BASE] = 0x2000;
	vmm_gpr[RCX] = 0x100;
	for (unsigned i = 0; i < ARRAY_SIZE(moves); i++) {
		const struct plan *plan = &known_at(RIP, moves[i].hex, &length)->plan;

		OK(plan->kind == PLAN_NATIVE && native_operand(&guest, plan) == moves[i].operand);
	}
	msrs[MSR_GS_BASE] = 0x3000;
	step_bases_changed();
	OK(native_operand(&guest, &known_at(RIP, "65 8b 41 08", &length)->plan) == 0x3108);
}

/* RBX points to eight bytes of 11h. */
static void begin_move(void)
{
	begin();
	memset(room, 0x11, 8);
	vmm_gpr[RBX] = (uintptr_t)room;
	vmm_gpr[RCX] = ~UINT64_C(0);
}

static uint64_t moved(void)
{
	uint64_t value;

	memcpy(&value, room, sizeof(value));
	return value;
}

/* An operand of 32 bits clears the upper half of a register, and leaves the bytes behind it in
 * memory. */
static void test_moves(void)
{
	begin_move();
	OK(done("4c 8b 03") && vmm_gpr[R8] == UINT64_C(0x1111111111111111));
	begin_move();
	OK(done("8b 0b") && vmm_gpr[RCX] == 0x11111111);
	begin_move();
	OK(done("48 8b 03") && vmcb.rax == UINT64_C(0x1111111111111111));
	begin_move();
	OK(done("89 0b") && moved() == UINT64_C(0x11111111ffffffff));
	begin_move();
	OK(done("48 89 0b") && moved() == ~UINT64_C(0) && !entered);
	begin_move();
	vmm_gpr[RBX] = 0;
	OK(!done("8b 0b") && !done("89 0b") && vmm_gpr[RCX] == ~UINT64_C(0));
}

static void test_stack(void)
{
	begin_move();
	vmcb.rsp = (uintptr_t)room + 8;
	vmm_gpr[R8] = 0x22;
	OK(done("41 50") && vmcb.rsp == (uintptr_t)room && moved() == 0x22);
	begin_move();
	stack = 0x33;
	OK(done("41 58") && vmcb.rsp == (uintptr_t)(&stack + 1) && vmm_gpr[R8] == 0x33);
	begin_move();
	OK(done("5c") && vmcb.rsp == 0x33 && !entered);
	begin_move();
	vmcb.rsp = 0x1000;
	OK(!done("50") && !done("58") && vmcb.rsp == 0x1000);
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

static void test_invlpg(void)
{
	begin();
	vmcb.asid = 2;
	vmm_gpr[RCX] = 0x5000;
	OK(done("0f 01 79 08") && forgotten == 0x5008 + 1);
	begin();
	vmcb.cpl = 3;
	OK(!done("0f 01 79 08") && forgotten == 0x5008 + 1);
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
	begin();
	guest.second = true;
	vmm_gpr[RCX] = APIC + 0xb0;
	OK(!done("8b 01"));
	guest.second = false;
}

/* Only the VMM knows what the timer has left, where time is the model's. */
static void test_apic_timer(void)
{
	begin();
	vmm_gpr[RCX] = APIC + APIC_TIMER_COUNT;
	OK(done("8b 01"));
	own_time = true;
	OK(!done("8b 01"));
	vmm_gpr[RCX] = APIC + APIC_TIMER_COUNT - 4;
	vmcb.rip = RIP;
	OK(done("8b 01"));
	own_time = false;
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

int main(void)
{
	silicon_reset(&silicon_cpu, profile_find("zen2"), NULL);
	test_opcodes();
	test_mmx();
	test_fpu_of_a_system();
	test_moves();
	test_stack();
	test_rip_relative();
	test_rip_relative_kernel();
	test_segment_prefixes();
	test_floating_point();
	test_pending_exceptions();
	test_divide();
	test_cli();
	test_sti();
	test_sgdt();
	test_invlpg();
	test_apic();
	test_apic_timer();
	test_popf();
	return tap_end();
}
