/* SPDX-License-Identifier: BSD-2-Clause */
/* The local APIC of the second logical processor: what a program needs for its performance
 * interrupt, and to call the first one.  Intel SDM volume 3A, chapter 10. */
#include "apic.h"
#include "kernel/lib/string.h"

#define VERSION_VALUE UINT32_C(0x50014) /* six entries */
#define SVR_INIT      UINT32_C(0xff)
#define PRIORITY      FIELD(7, 4)

enum { NONE = 0 };

/* One interrupt of each kind is enough: nobody sends more. */
static struct {
	uint64_t base;
	uint32_t tpr, svr, lvt_pc;
	unsigned requested, in_service; /* vectors */
	bool nmi;
} apic;

void second_apic_reset(uint64_t base)
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
	if (reg >= APIC_ISR && reg < APIC_ISR + 0x80)
		return word(reg, APIC_ISR, apic.in_service);
	if (reg >= APIC_IRR && reg < APIC_IRR + 0x80)
		return word(reg, APIC_IRR, apic.requested);
	switch (reg) {
	case APIC_ID:
		return UINT32_C(1) << 24;
	case APIC_VERSION:
		return VERSION_VALUE;
	case APIC_TPR:
		return apic.tpr;
	case APIC_SVR:
		return apic.svr;
	case APIC_LVT_PC:
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
	case APIC_TPR:
		apic.tpr = value & LVT_VECTOR;
		break;
	case APIC_EOI:
		apic.in_service = NONE;
		break;
	case APIC_SVR:
		apic.svr = value;
		break;
	case APIC_ICR:
		if (field_get(LVT_MODE, value) != MODE_FIXED)
			panic("the second logical processor commands %x", value);
		apic_send_message(value & LVT_VECTOR);
		break;
	case APIC_LVT_PC:
		apic.lvt_pc = value;
		break;
	default:
		break;
	}
	if (!(apic.svr & APIC_SOFTWARE_ENABLE))
		apic.lvt_pc |= LVT_MASKED;
}

bool second_apic_exists(void)
{
	return apic.base;
}

bool second_apic_read(uint64_t physical, uint32_t *value)
{
	if (physical - apic.base >= APIC_SIZE)
		return false;
	*value = get((uint32_t)(physical - apic.base));
	return true;
}

bool second_apic_write(uint64_t physical, uint32_t value)
{
	if (physical - apic.base >= APIC_SIZE)
		return false;
	set((uint32_t)(physical - apic.base), value);
	return true;
}

void second_apic_accept(uint32_t message)
{
	if (field_get(LVT_MODE, message) == MODE_NMI)
		apic.nmi = true;
	else
		apic.requested = message & LVT_VECTOR;
}

int second_apic_pending(bool iflag)
{
	uint64_t priority = field_get(PRIORITY, apic.requested);

	if (apic.nmi)
		return VECTOR_NMI;
	if (!iflag || priority <= field_get(PRIORITY, apic.tpr) ||
	    priority <= field_get(PRIORITY, apic.in_service))
		return -1;
	return (int)apic.requested;
}

void second_apic_take(void)
{
	if (apic.nmi) {
		apic.nmi = false;
		return;
	}
	apic.in_service = apic.requested;
	apic.requested = NONE;
}
