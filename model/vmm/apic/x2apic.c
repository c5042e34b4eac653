/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The stage of a local APIC in x2APIC mode: MSRs 800h to 8FFh stand for the registers in memory,
 * since QEMU's has no such mode.  Intel SDM vol. 3A, 11.12 "Extended XAPIC (x2APIC)".
 */
#include "apic.h"

/* By number in x2APIC mode; in memory 16 bytes each. */
enum {
	ID = 0x02,
	EOI = 0x0b,
	LDR = 0x0d,
	ICR = 0x30,
	ICR_HIGH = 0x31, /* in memory only */
	SELF_IPI = 0x3f,
	EXTENDED = 0x40, /* AMD64 APM vol. 2, 16.12.1 */
	EXTENDED_LAST = 0x53,
};

#define ICR_PENDING (uint32_t) BIT(12) /* in memory only */
#define ICR_SELF    (uint32_t) BIT(18)

/* ID, version, TPR, PPR, LDR, SVR, ISR to IRR, ESR, ICR, LVT but for CMCI, timer. */
static const uint64_t readable = BIT(ID) | BIT(0x03) | BIT(0x08) | BIT(0x0a) | BIT(LDR) |
				 BIT(0x0f) | FIELD(0x28, 0x10) | BIT(ICR) | FIELD(0x39, 0x32) |
				 BIT(0x3e);
static const uint64_t writable = BIT(0x08) | BIT(EOI) | BIT(0x0f) | BIT(0x28) | BIT(ICR) |
				 FIELD(0x38, 0x32) | BIT(0x3e) | BIT(SELF_IPI);

unsigned x2apic_accesses;

static bool is_mine(uint32_t msr)
{
	return apic_stages & STAGE_X2APIC && msr >= MSR_X2APIC_FIRST && msr <= MSR_X2APIC_LAST;
}

static bool has(uint64_t set, uint32_t number)
{
	return number < 64 && set >> number & 1;
}

static bool is_extended(uint32_t number)
{
	return number >= EXTENDED && number <= EXTENDED_LAST && extended_apic_has(16 * number);
}

static uint64_t place(uint32_t number)
{
	return apic_find_base() + 16 * (uint64_t)number;
}

/* The stage has one processor, with ID 0: cluster 0, the first of it. */
static uint64_t read_register(uint32_t number)
{
	uint32_t value = apic_register(16 * number);

	switch (number) {
	case ID:
		return value >> 24;
	case LDR:
		return UINT32_C(1) << (mmio_read32(place(ID)) >> 24);
	case ICR:
		return (uint64_t)(mmio_read32(place(ICR_HIGH)) >> 24) << 32 |
		       (value & ~ICR_PENDING);
	default:
		return value;
	}
}

static void write_icr(uint64_t value)
{
	mmio_write32(place(ICR_HIGH), (uint32_t)(value >> 32) << 24);
	mmio_write32(place(ICR), (uint32_t)value);
}

/* False: what is reserved is not 0. */
static bool write_register(uint32_t number, uint64_t value)
{
	if (number == ICR) {
		write_icr(value);
		return true;
	}
	if (value >> 32 || (number == EOI && value) || (number == SELF_IPI && value >> 8))
		return false;
	if (is_extended(number))
		extended_apic_write(16 * number, (uint32_t)value);
	else if (number == SELF_IPI)
		write_icr(ICR_SELF | value);
	else
		mmio_write32(place(number), (uint32_t)value);
	return true;
}

enum access x2apic_rdmsr(uint32_t msr, uint64_t *value)
{
	if (!is_mine(msr))
		return ACCESS_NOT_MINE;
	if (!has(readable, msr - MSR_X2APIC_FIRST) && !is_extended(msr - MSR_X2APIC_FIRST))
		return ACCESS_GP;
	x2apic_accesses++;
	*value = read_register(msr - MSR_X2APIC_FIRST);
	return ACCESS_DONE;
}

enum access x2apic_wrmsr(uint32_t msr, uint64_t value)
{
	if (!is_mine(msr))
		return ACCESS_NOT_MINE;
	if ((!has(writable, msr - MSR_X2APIC_FIRST) && !is_extended(msr - MSR_X2APIC_FIRST)) ||
	    !write_register(msr - MSR_X2APIC_FIRST, value))
		return ACCESS_GP;
	x2apic_accesses++;
	apic_touched = true;
	return ACCESS_DONE;
}
