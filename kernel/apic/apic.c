/* SPDX-License-Identifier: BSD-2-Clause */
/* Local APIC.  AMD64 APM vol. 2 ch. 16; Intel SDM vol. 3 ch. 11. */
#include "apic.h"

#define APIC_BASE_X2APIC  BIT(10)
#define APIC_BASE_ADDRESS FIELD(51, 12)
#define MSR_TSC_DEADLINE  0x6E0u
#define MSR_X2APIC        0x800u

#define APIC_ID           0x20u
#define APIC_TPR          0x80u
#define APIC_EOI          0xB0u
#define APIC_SVR          0xF0u
#define APIC_ISR          0x100u
#define APIC_IRR          0x200u
#define APIC_ICR          0x300u
#define APIC_ICR_HIGH     0x310u
#define APIC_TIMER        0x320u
#define APIC_LVTPC        0x340u
#define APIC_INITIAL      0x380u
#define APIC_CURRENT      0x390u
#define APIC_DIVIDE       0x3E0u

#define XAPIC_ID          FIELD(31, 24) /* in ID and in ICR high */
#define VERSION_MAX_LVT   FIELD(23, 16)
#define SVR_ENABLE        BIT(8)
#define ICR_SELF          BIT(18)
#define ICR_ASSERT        BIT(14)
#define ICR_PENDING       BIT(12) /* xAPIC only */
#define DIVIDE_BY_128     0xAu
#define LVT_MODE          FIELD(10, 8)
#define LVT_MODE_SMI      2u
#define LVT_MODE_NMI      4u
#define LVT_TIMER_MODE    FIELD(18, 17)
#define TIMER_PERIODIC    1u
#define TIMER_DEADLINE    2u

/* All vectors that TRAP_TPR lets pass are in the last of the eight words of ISR and IRR. */
#define WORD_OURS 7u
_Static_assert((TRAP_TPR + 0x10) / 32 == WORD_OURS, "one word");

/* An entry exists if the version register says that the highest entry is at least max_lvt. */
static const struct {
	uint32_t reg, max_lvt;
} lvt_entries[LVT_ENTRIES] = {
	{APIC_TIMER, 0}, {0x350, 0}, {0x360, 0}, {0x370, 3},
	{APIC_LVTPC, 4}, {0x330, 5}, {0x2F0, 6},
};

bool apic_is_x2apic(void)
{
	return (rdmsr(MSR_APIC_BASE) & APIC_BASE_X2APIC) != 0;
}

bool apic_present(void)
{
	return (cpuid(1, 0).edx & BIT(9)) != 0 && (rdmsr(MSR_APIC_BASE) & APIC_BASE_ENABLE) != 0;
}

uint64_t apic_base(void)
{
	return apic_present() && !apic_is_x2apic() ? rdmsr(MSR_APIC_BASE) & APIC_BASE_ADDRESS : 0;
}

static volatile uint32_t *apic_register(uint32_t reg)
{
	return (volatile uint32_t *)(uintptr_t)((rdmsr(MSR_APIC_BASE) & APIC_BASE_ADDRESS) + reg);
}

uint32_t apic_read(uint32_t reg)
{
	return apic_is_x2apic() ? (uint32_t)rdmsr(MSR_X2APIC + reg / 16) : *apic_register(reg);
}

void apic_write(uint32_t reg, uint32_t val)
{
	if (apic_is_x2apic())
		wrmsr(MSR_X2APIC + reg / 16, val);
	else
		*apic_register(reg) = val;
}

uint32_t apic_read_lvtpc(void)
{
	return apic_read(APIC_LVTPC);
}

void apic_write_lvtpc(uint32_t value)
{
	apic_write(APIC_LVTPC, value);
}

void apic_eoi(void)
{
	apic_write(APIC_EOI, 0);
}

/* Microseconds at the most; what does not end by itself must not hang a run. */
enum { LOOKS = 100000 };

static void await_sent(void)
{
	for (unsigned i = 0; i < LOOKS && (apic_read(APIC_ICR) & ICR_PENDING) != 0; i++)
		cpu_pause();
}

/* Sends vector as a fixed interrupt to this processor. */
static void self_ipi(unsigned vector)
{
	apic_write(APIC_ICR, (uint32_t)(ICR_SELF | field_put(FIELD(7, 0), vector)));
	if (!apic_is_x2apic())
		await_sent();
}

/* In xAPIC mode it takes a while to arrive, and from P6 processors it goes by a bus. */
void apic_send_self(unsigned vector)
{
	self_ipi(vector);
	for (unsigned i = 0; i < LOOKS; i++)
		if (apic_read(APIC_IRR + vector / 32 * 16) >> vector % 32 & 1)
			return;
}

uint32_t apic_id(void)
{
	return (uint32_t)field_get(XAPIC_ID, apic_read(APIC_ID));
}

void apic_send(uint32_t id, uint32_t command)
{
	apic_write(APIC_ICR_HIGH, (uint32_t)field_put(XAPIC_ID, id));
	apic_write(APIC_ICR, (uint32_t)ICR_ASSERT | command);
	await_sent();
}

void apic_open(void)
{
	apic_write(APIC_TPR, TRAP_TPR);
	apic_write(APIC_SVR, SVR_ENABLE | VECTOR_SPURIOUS);
}

bool apic_in_service(unsigned vector)
{
	return apic_present() && (apic_read(APIC_ISR + vector / 32 * 16) >> vector % 32 & 1) != 0;
}

void apic_end_in_service(void)
{
	while (apic_present() && apic_read(APIC_ISR + WORD_OURS * 16) != 0)
		apic_eoi();
}

bool apic_pending(void)
{
	return apic_present() && apic_read(APIC_IRR + WORD_OURS * 16) != 0;
}

void apic_note_owed(void)
{
	if (apic_present())
		this_processor()->owed = apic_read(APIC_IRR + WORD_OURS * 16);
}

void apic_pay_owed(void)
{
	uint32_t owed = this_processor()->owed;

	for (unsigned i = 0; i < 32; i++)
		if (owed >> i & 1)
			self_ipi(WORD_OURS * 32 + i);
}

void apic_timer_start(uint32_t ticks)
{
	apic_write(APIC_DIVIDE, DIVIDE_BY_128);
	apic_write(APIC_TIMER, VECTOR_WATCHDOG);
	apic_write(APIC_INITIAL, ticks);
}

void apic_timer_stop(void)
{
	apic_write(APIC_TIMER, VECTOR_WATCHDOG | APIC_LVT_MASKED);
	apic_write(APIC_INITIAL, 0);
}

uint32_t apic_timer_current(void)
{
	return apic_read(APIC_CURRENT);
}

static bool lvt_exists(unsigned entry)
{
	return field_get(VERSION_MAX_LVT, apic_read(APIC_VERSION)) >= lvt_entries[entry].max_lvt;
}

bool apic_lvt_is_ours(uint32_t lvt)
{
	uint64_t mode = field_get(LVT_MODE, lvt);

	return mode != LVT_MODE_NMI && mode != LVT_MODE_SMI;
}

void apic_take_over(void)
{
	struct apic_state *s = &this_processor()->apic;

	apic_enable();
	if (!apic_present())
		return;
	s->tpr = apic_read(APIC_TPR);
	s->svr = apic_read(APIC_SVR);
	s->divide = apic_read(APIC_DIVIDE);
	s->initial = apic_read(APIC_INITIAL);
	s->current = apic_read(APIC_CURRENT);
	apic_write(APIC_TPR, TRAP_TPR);
	for (unsigned i = 0; i < LVT_ENTRIES; i++)
		if (lvt_exists(i))
			s->lvt[i] = apic_read(lvt_entries[i].reg);
	if (field_get(LVT_TIMER_MODE, s->lvt[0]) == TIMER_DEADLINE)
		s->tsc_deadline = rdmsr(MSR_TSC_DEADLINE);
	apic_write(APIC_SVR, SVR_ENABLE | VECTOR_SPURIOUS);
	for (unsigned i = 0; i < LVT_ENTRIES; i++)
		if (lvt_exists(i) &&
		    (lvt_entries[i].reg == APIC_LVTPC || apic_lvt_is_ours(s->lvt[i])))
			apic_write(lvt_entries[i].reg, s->lvt[i] | APIC_LVT_MASKED);
	apic_extended_take_over();
	apic_timer_stop();
}

static void timer_give_back(const struct apic_state *s)
{
	uint64_t mode = field_get(LVT_TIMER_MODE, s->lvt[0]);

	apic_timer_stop();
	apic_write(APIC_DIVIDE, s->divide);
	apic_write(APIC_TIMER, s->lvt[0]);
	if (mode == TIMER_DEADLINE) {
		/* Intel SDM vol. 3A, 11.5.4.1: else it may come ahead of the mode, and be lost.
		 * CPUID serializes, as MFENCE does, which this program must not have in 32 bits. */
		cpuid(0, 0);
		wrmsr(MSR_TSC_DEADLINE, s->tsc_deadline);
	} else if (mode == TIMER_PERIODIC || s->current != 0) {
		/* The write starts the timer: a timer that had run out is left alone. */
		apic_write(APIC_INITIAL, s->initial);
	}
}

void apic_give_back(void)
{
	const struct apic_state *s = &this_processor()->apic;

	if (!apic_present())
		return;
	timer_give_back(s);
	for (unsigned i = 1; i < LVT_ENTRIES; i++)
		if (lvt_exists(i) && apic_read(lvt_entries[i].reg) != s->lvt[i])
			apic_write(lvt_entries[i].reg, s->lvt[i]);
	apic_extended_give_back();
	apic_write(APIC_SVR, s->svr);
	apic_write(APIC_TPR, s->tpr);
	apic_disable();
}
