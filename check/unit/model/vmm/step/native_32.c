/* SPDX-License-Identifier: BSD-2-Clause */
/* 32-bit code as the VMM executes it: what it becomes in 64-bit mode, and what is done by hand. */
#include "model/profiles/profiles.h"
#include "model/vmm/apic/apic.h"
#include "model/vmm/step/native.h"
#include "model/vmm/step/step.h"

#include <sys/mman.h>

#include "check/unit/tap.h"

enum { RIP = 0x1000, LONGEST = 15, ROOM = 16 };

static struct vmcb vmcb;
static struct guest guest = {.vmcb = &vmcb, .size = CODE_32, .stepping = true};
static uint32_t *stack; /* below 4 GiB; esp points to its fourth word */
static unsigned entered;

uint64_t vmm_gpr[GPRS];
bool apic_touched;
const uint8_t native_exit[1];

void native_enter(const uint8_t *slot, struct vmcb *v)
{
	entered += slot[0] || v == &vmcb;
}

bool guest_same_address(const struct guest *g, uint64_t linear, bool write)
{
	return g == &guest && linear - (uintptr_t)stack < 64 && (write || linear);
}

bool guest_same_device(const struct guest *g, uint64_t linear, uint64_t device, bool write)
{
	return !g && linear == device && write;
}

bool time_is_own(void)
{
	return false;
}

int msr_read(uint32_t msr, uint64_t *value)
{
	*value = msr;
	return -1;
}

void invlpga(uint64_t address, uint32_t asid)
{
	entered += !address && asid;
}

void guest_forget_pages(void)
{
	entered++;
}

uint64_t apic_find_base(void)
{
	return 0;
}

const uint8_t *guest_code(const struct guest *g, uint64_t linear, unsigned *available)
{
	static const uint8_t none[ROOM];

	*available = g && linear ? 0 : 0;
	return none;
}

bool guest_read(const struct guest *g, uint64_t linear, void *to, size_t size)
{
	return g && linear && to && !size;
}

static const struct known *known_of(const char *hex)
{
	static uint8_t code[ROOM];
	unsigned byte;

	memset(code, 0, sizeof(code));
	for (unsigned n = 0; sscanf(hex + 3 * n, "%2x", &byte) == 1; n++) {
		code[n] = (uint8_t)byte;
		if (strlen(hex) < 3 * (n + 1))
			break;
	}
	native_forget();
	return native_known(RIP, code, LONGEST, CODE_32);
}

/* The code that the VMM executes for it, in hexadecimal; "": none, it is done in guest mode. */
static const char *becomes(const char *hex)
{
	static char text[3 * 32 + 1];
	const struct plan *plan = &known_of(hex)->plan;

	text[0] = '\0';
	for (unsigned n = 0; plan->kind <= PLAN_DIVIDE && plan->kind && n < plan->slot_length; n++)
		sprintf(text + strlen(text), "%s%02x", n ? " " : "", plan->slot[n]);
	return text;
}

static void test_same(void)
{
	SAME(becomes("01 c8"), "01 c8"); /* add eax, ecx */
	SAME(becomes("66 01 c8"), "66 01 c8");
	SAME(becomes("b8 78 56 34 12"), "b8 78 56 34 12");
	SAME(becomes("0f c8"), "0f c8"); /* bswap */
	SAME(becomes("0f fc c1"), "0f fc c1"); /* paddb */
	SAME(becomes("66 0f fc c1"), "66 0f fc c1");
	SAME(becomes("f7 f1"), "f7 f1"); /* div ecx */
}

static void test_other_encodings(void)
{
	SAME(becomes("40"), "ff c0"); /* inc eax */
	SAME(becomes("4f"), "ff cf"); /* dec edi */
	SAME(becomes("66 45"), "66 ff c5"); /* inc bp */
	SAME(becomes("63 c1"), ""); /* arpl */
	SAME(becomes("82 c0 01"), "");
	SAME(becomes("27"), ""); /* daa */
}

static void test_memory(void)
{
	const struct plan *plan;

	SAME(becomes("8b 45 fc"), "67 8b 45 fc"); /* mov eax, [ebp - 4] */
	SAME(becomes("8b 05 00 00 10 00"), "67 8b 04 25 00 00 10 00");
	SAME(becomes("c7 05 00 00 10 00 05 00 00 00"), "67 c7 04 25 00 00 10 00 05 00 00 00");
	SAME(becomes("f0 ff 0d 00 00 10 00"), "67 f0 ff 0c 25 00 00 10 00");
	SAME(becomes("a1 00 00 10 00"), "67 a1 00 00 10 00");
	SAME(becomes("8d 05 00 00 10 00"), "67 8d 04 25 00 00 10 00"); /* lea */
	SAME(becomes("0f b6 05 00 00 10 00"), "67 0f b6 04 25 00 00 10 00");
	SAME(becomes("67 8b 06 00 10"), ""); /* addresses of 16 bits */
	SAME(becomes("64 a1 00 00 10 00"), ""); /* in FS */
	plan = &known_of("a3 78 56 34 12")->plan;
	OK(plan->writes && native_operand(&guest, plan) == 0x12345678);
	plan = &known_of("8b 05 00 00 00 f0")->plan;
	OK(plan->reads && native_operand(&guest, plan) == 0xf0000000);
}

/* Addresses wrap at 4 GiB. */
static void test_operand(void)
{
	const struct plan *plan = &known_of("8b 44 8b 08")->plan; /* mov eax, [ebx + 4 * ecx + 8] */

	vmm_gpr[RBX] = 0x1000;
	vmm_gpr[RCX] = 0xfffffffe;
	OK(native_operand(&guest, plan) == 0x1000);
	OK(known_of("6a 01")->plan.displacement == -4 && known_of("6a 01")->plan.base == RSP);
}

static void test_stack_encodings(void)
{
	SAME(becomes("6a ff"), "67 c7 44 24 fc ff ff ff ff 8d 64 24 fc");
	SAME(becomes("68 78 56 34 12"), "67 c7 44 24 fc 78 56 34 12 8d 64 24 fc");
	SAME(becomes("c9"), "89 ec 67 8b 2c 24 8d 64 24 04"); /* leave */
	SAME(becomes("66 53"), "");
	SAME(becomes("60"), "");
	SAME(becomes("f3 a5"), "67 f3 a5"); /* rep movsd */
}

/* ---- by hand ---- */

static bool done(const char *hex, uint64_t rip)
{
	const struct known *known = known_of(hex);

	vmcb.rip = RIP;
	vmcb.rsp = (uintptr_t)(stack + 4);
	return native_execute(&guest, &known->plan, known->insn.length) && vmcb.rip == rip;
}

static void test_registers(void)
{
	vmm_gpr[RBX] = 0x12345678;
	OK(done("53", RIP + 1) && vmcb.rsp == (uintptr_t)(stack + 3) && stack[3] == 0x12345678);
	OK(done("54", RIP + 1) && stack[3] == (uintptr_t)(stack + 4)); /* as it was before */
	stack[4] = 0xfedcba98;
	OK(done("5b", RIP + 1) && vmcb.rsp == (uintptr_t)(stack + 5) && vmm_gpr[RBX] == 0xfedcba98);
	OK(done("5c", RIP + 1) && vmcb.rsp == 0xfedcba98);
	vmm_gpr[RBP] = (uintptr_t)(stack + 2);
	OK(done("8b 45 08", RIP + 3) && vmcb.rax == 0xfedcba98);
	OK(done("89 45 04", RIP + 3) && stack[3] == 0xfedcba98);
	OK(!done("8b 85 00 10 00 00", RIP + 6) && !done("89 85 00 10 00 00", RIP + 6));
}

static void test_calls(void)
{
	memset(stack, 0xee, 64);
	OK(done("e8 00 01 00 00", RIP + 5 + 0x100));
	OK(vmcb.rsp == (uintptr_t)(stack + 3) && stack[3] == RIP + 5);
	OK(stack[2] == 0xeeeeeeee && stack[4] == 0xeeeeeeee);
	stack[4] = 0x2000;
	OK(done("c3", 0x2000) && vmcb.rsp == (uintptr_t)(stack + 5));
	OK(done("e9 00 f0 ff ff", 5)); /* 1005h - 1000h */
	OK(done("eb fe", RIP));
	OK(done("e9 00 00 ff ff", 0xffff1005)); /* wraps */
	vmm_gpr[RDX] = 0x3000;
	OK(done("ff d2", 0x3000) && stack[3] == RIP + 2);
	OK(done("ff 34 24", RIP + 3)); /* push dword [esp] */
	OK(stack[3] == 0x2000 && vmcb.rsp == (uintptr_t)(stack + 3));
}

static void test_flags(void)
{
	vmcb.rflags = 0x246;
	OK(done("9c", RIP + 1) && stack[3] == 0x246 && vmcb.rsp == (uintptr_t)(stack + 3));
	stack[4] = 0x46;
	OK(done("9d", RIP + 1) && vmcb.rflags == 0x46 && vmcb.rsp == (uintptr_t)(stack + 5));
}

static void test_descriptor_table(void)
{
	stack[4] = stack[5] = 0xeeeeeeee;
	vmcb.gdtr = (struct vmcb_segment){.limit = 0x2f, .base = 0x12345678};
	OK(done("0f 01 04 24", RIP + 4)); /* sgdt [esp] */
	OK(stack[4] == 0x5678002f && stack[5] == 0xeeee1234);
}

/* ---- what the processor lacks ---- */

static void test_undefined(void)
{
	OK(known_of("0f 58 c1")->plan.kind == PLAN_SSE);
	silicon_reset(&silicon_cpu, profile_find("k7"), NULL);
	silicon_show_32(&silicon_cpu, true);
	OK(known_of("0f 58 c1")->plan.kind == PLAN_UNDEFINED);
	OK(known_of("01 c8")->plan.kind == PLAN_NATIVE);
}

int main(void)
{
	silicon_reset(&silicon_cpu, profile_find("zen2"), NULL);
	stack = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_32BIT,
		     -1, 0);
	if (stack == MAP_FAILED)
		return 1;
	test_same();
	test_other_encodings();
	test_memory();
	test_operand();
	test_stack_encodings();
	test_registers();
	test_calls();
	test_flags();
	test_descriptor_table();
	test_undefined();
	return tap_end();
}
