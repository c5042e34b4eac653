/* SPDX-License-Identifier: BSD-2-Clause */
/* The local APIC of the second logical processor: what a program needs for its performance
 * interrupt, and to call the first one.  Intel SDM volume 3A, chapter 10. */
#include "kernel/lib/string.h"
#include "thread.h"

enum {
	ID = 0x20,
	VERSION = 0x30,
	TPR = 0x80,
	EOI = 0xb0,
	SVR = 0xf0,
	ISR = 0x100,
	IRR = 0x200,
	ICR = 0x300,
	ICR_HIGH = 0x310,
	LVT_PC = 0x340,
};

#define VERSION_VALUE UINT32_C(0x50014) /* six entries */
#define SVR_INIT      UINT32_C(0xff)
#define SVR_ENABLE    (uint32_t) BIT(8)
#define LVT_MASKED    (uint32_t) BIT(16)
#define MODE          (uint32_t) FIELD(10, 8)
#define VECTOR        (uint32_t) FIELD(7, 0)
#define PRIORITY      FIELD(7, 4)

enum { MODE_FIXED = 0, MODE_NMI = 4, NONE = 0 };

/* One interrupt of each kind is enough: nobody sends more. */
static struct {
	uint64_t base;
	uint32_t tpr, svr, lvt_pc;
	unsigned requested, in_service; /* vectors */
	bool nmi;
} apic;

void thread_apic_reset(uint64_t base)
{
	memset(&apic, 0, sizeof(apic));
	apic.base = base;
	apic.svr = SVR_INIT;
	apic.lvt_pc = LVT_MASKED;
}

/* The word of 32 vectors at reg in which this one's bit may be. */
static uint32_t word(uint32_t reg, uint32_t first, unsigned vector)
{
	bool here = vector != NONE && vector / 32 == (reg - first) / 16;

	return here ? UINT32_C(1) << vector % 32 : 0;
}

static uint32_t get(uint32_t reg)
{
	if (reg >= ISR && reg < ISR + 0x80)
		return word(reg, ISR, apic.in_service);
	if (reg >= IRR && reg < IRR + 0x80)
		return word(reg, IRR, apic.requested);
	switch (reg) {
	case ID:
		return UINT32_C(1) << 24;
	case VERSION:
		return VERSION_VALUE;
	case TPR:
		return apic.tpr;
	case SVR:
		return apic.svr;
	case LVT_PC:
		return apic.lvt_pc;
	case 0x320: /* all other entries stay as INIT leaves them */
	case 0x330:
	case 0x350:
	case 0x360:
	case 0x370:
		return LVT_MASKED;
	default:
		return 0;
	}
}

static void set(uint32_t reg, uint32_t value)
{
	switch (reg) {
	case TPR:
		apic.tpr = value & VECTOR;
		break;
	case EOI:
		apic.in_service = NONE;
		break;
	case SVR:
		apic.svr = value;
		break;
	case ICR:
		if (field_get(MODE, value) != MODE_FIXED)
			panic("the second logical processor commands %x", value);
		apic_send_message(value & VECTOR);
		break;
	case LVT_PC:
		apic.lvt_pc = value;
		break;
	default:
		break;
	}
	if (!(apic.svr & SVR_ENABLE))
		apic.lvt_pc |= LVT_MASKED;
}

bool thread_apic_read(uint64_t physical, uint32_t *value)
{
	if (physical - apic.base >= APIC_SIZE)
		return false;
	*value = get((uint32_t)(physical - apic.base));
	return true;
}

bool thread_apic_write(uint64_t physical, uint32_t value)
{
	if (physical - apic.base >= APIC_SIZE)
		return false;
	set((uint32_t)(physical - apic.base), value);
	return true;
}

void thread_apic_accept(uint32_t message)
{
	if (field_get(MODE, message) == MODE_NMI)
		apic.nmi = true;
	else
		apic.requested = message & VECTOR;
}

int thread_apic_pending(bool iflag)
{
	uint64_t priority = field_get(PRIORITY, apic.requested);

	if (apic.nmi)
		return VECTOR_NMI;
	if (!iflag || priority <= field_get(PRIORITY, apic.tpr) ||
	    priority <= field_get(PRIORITY, apic.in_service))
		return -1;
	return (int)apic.requested;
}

void thread_apic_take(void)
{
	if (apic.nmi) {
		apic.nmi = false;
		return;
	}
	apic.in_service = apic.requested;
	apic.requested = NONE;
}
