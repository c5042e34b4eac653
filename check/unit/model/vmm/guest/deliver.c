/* SPDX-License-Identifier: BSD-2-Clause */
/* Events delivered by hand, in real mode and in 64-bit code, and those of an inner guest that its
 * host sees first. */
#include "model/vmm/guest/deliver.h"
#include "check/unit/host.h"
#include "model/profiles/profiles.h"

#include "check/unit/tap.h"

static struct vmcb vmcb, extra;
static struct guest guest = {.vmcb = &vmcb, .extra = &extra};

uint64_t vmm_gpr[GPRS];

int msr_read(uint32_t msr, uint64_t *value)
{
	*value = msr;
	return 13;
}

void vmm_flush_translations(void)
{
}

/* Addresses of these are what they are for the guest, too: it has no paging. */
static uint8_t stack[256] __attribute__((aligned(16)));
static uint64_t idt[2 * 32], gdt[4];
static uint16_t vectors[2 * 256];

enum { HANDLER = 0x123456, CODE_SELECTOR = 8 };
#define CR0_PAGING BIT(31)

static void begin(void)
{
	silicon_reset(&silicon_cpu, profile_find("zen2"), NULL);
	memset(&vmcb, 0, sizeof(vmcb));
	memset(stack, 0, sizeof(stack));
	memset(idt, 0, sizeof(idt));
	guest.nest = (struct inner){0};
	guest.look = false;
	vmcb.rflags = RFLAGS_RESERVED_1 | RFLAGS_IF | RFLAGS_TF;
}

static void begin_real(void)
{
	begin();
	guest.size = CODE_16;
	vmcb.rip = 0x1234;
	vmcb.cs = (struct vmcb_segment){.selector = 0xf000, .base = 0xf0000};
	vmcb.ss.base = (uintptr_t)stack;
	vmcb.rsp = 0xabcd0040;
	vmcb.idtr = (struct vmcb_segment){.base = (uintptr_t)vectors, .limit = 0x3ff};
	vectors[2 * 8] = 0x5678;
	vectors[2 * 8 + 1] = 0x9abc;
}

static void test_real(void)
{
	static const uint16_t frame[] = {0x1234, 0xf000, RFLAGS_RESERVED_1 | RFLAGS_IF | RFLAGS_TF};

	begin_real();
	deliver(&guest, 8, 7, DELIVERY_EXCEPTION);
	OK(vmcb.rip == 0x5678 && vmcb.cs.selector == 0x9abc && vmcb.cs.base == 0x9abc0);
	OK(vmcb.rsp == 0xabcd003a && !memcmp(stack + 0x3a, frame, sizeof(frame)));
	OK(vmcb.rflags == RFLAGS_RESERVED_1);
}

static void begin_long(bool inside)
{
	begin();
	guest.size = CODE_64;
	vmcb.efer = EFER_LMA;
	vmcb.cr0 = CR0_PE;
	vmcb.rip = 0x1000;
	vmcb.rsp = (uintptr_t)stack + 200;
	vmcb.cs.attributes = SEGMENT_LONG;
	vmcb.idtr = (struct vmcb_segment){.base = (uintptr_t)idt, .limit = sizeof(idt) - 1};
	vmcb.gdtr = (struct vmcb_segment){.base = (uintptr_t)gdt, .limit = sizeof(gdt) - 1};
	gdt[1] = UINT64_C(0x00209a0000000000);
	for (unsigned vector = 0; vector < 32; vector++)
		idt[2 * vector] = (HANDLER & 0xffff) | CODE_SELECTOR << 16 |
				  UINT64_C(0x8e00) << 32 | (uint64_t)(HANDLER >> 16) << 48;
	guest.nest.inside = inside;
	guest.nest.exceptions = BIT(VECTOR_PF) | BIT(VECTOR_UD);
}

static bool stays(unsigned why)
{
	return vmcb.rip == 0x1000 && vmcb.rsp == (uintptr_t)stack + 200 &&
	       guest.nest.refused.why == why && guest.nest.due && guest.look;
}

static void test_long(void)
{
	begin_long(true);
	deliver(&guest, 0x11, 0, DELIVERY_EXCEPTION);
	OK(vmcb.rip == HANDLER && !guest.nest.due);
	begin_long(false);
	deliver(&guest, VECTOR_UD, 0, DELIVERY_EXCEPTION);
	OK(vmcb.rip == HANDLER && !guest.nest.due);
}

static void test_hosts_first(void)
{
	begin_long(true);
	deliver(&guest, VECTOR_UD, 5, DELIVERY_EXCEPTION);
	OK(stays(REFUSED_FOR_HOST) && guest.nest.refused.vector == VECTOR_UD &&
	   guest.nest.refused.error == 5);
	/* An interrupt of that number is another matter. */
	begin_long(true);
	deliver(&guest, VECTOR_UD, 0, DELIVERY_HARDWARE);
	OK(vmcb.rip == HANDLER && !guest.nest.due);
}

/* A table of pages in which there is none. */
static uint64_t pages[512] __attribute__((aligned(4096)));

static void test_page(void)
{
	begin_long(true);
	vmcb.cr0 |= CR0_PAGING;
	vmcb.cr3 = (uintptr_t)pages;
	guest_forget_pages();
	deliver(&guest, VECTOR_NMI, 0, DELIVERY_HARDWARE);
	OK(stays(REFUSED_FOR_PAGE) && guest.nest.refused.cause == DELIVERY_HARDWARE);
	OK(guest_fault.found && !guest_fault.error &&
	   guest_fault.linear == (uintptr_t)(idt + 2 * VECTOR_NMI));
	/* INT n is executed once more. */
	guest.nest.due = guest.look = false;
	deliver_int(&guest, 0x11, 0x1002);
	OK(stays(REFUSED_FOR_PAGE) && guest.nest.refused.cause == DELIVERY_SOFTWARE);
}

static void shut_down(void *arg)
{
	deliver(arg, 0x11, 0, DELIVERY_EXCEPTION);
}

/* Without a handler for a double fault the inner guest shuts down; else the machine does. */
static void test_shutdown(void)
{
	begin_long(true);
	vmcb.idtr.limit = 0;
	shut_down(&guest);
	OK(stays(REFUSED_FOR_GOOD));
	begin_long(false);
	vmcb.idtr.limit = 0;
	OK(host_panics(shut_down, &guest) && strstr(host_panic, "vector 17"));
}

static void test_possible(void)
{
	begin_real();
	OK(deliver_is_possible(&guest));
	begin_long(true);
	OK(deliver_is_possible(&guest));
	vmcb.efer = 0;
	vmcb.cs.attributes = vmcb.ss.attributes = SEGMENT_BIG;
	OK(deliver_is_possible(&guest));
	vmcb.ss.base = 16;
	OK(!deliver_is_possible(&guest));
	vmcb.ss.base = 0;
	vmcb.rflags |= RFLAGS_VM;
	OK(!deliver_is_possible(&guest));
	vmcb.rflags &= ~RFLAGS_VM;
	vmcb.cs.attributes = 0;
	OK(!deliver_is_possible(&guest));
}

int main(void)
{
	test_real();
	test_long();
	test_hosts_first();
	test_page();
	test_shutdown();
	test_possible();
	return tap_end();
}
