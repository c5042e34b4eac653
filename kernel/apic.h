/* SPDX-License-Identifier: BSD-2-Clause */
/* Local APIC in xAPIC (MMIO) or x2APIC (MSR) mode, whichever the firmware left.
 * AMD64 APM vol. 2 ch. 16; Intel SDM vol. 3 ch. 11. */
#ifndef APIC_H
#define APIC_H

#include <stdbool.h>
#include <stdint.h>

#define APIC_LVT_VECTOR   UINT32_C(0xff)
#define APIC_LVT_MODE_NMI UINT32_C(0x400)
#define APIC_LVT_MASKED   UINT32_C(0x10000)

/* In x2APIC mode its registers are MSRs: Intel SDM vol. 3A, 11.12.  It must be there. */
bool apic_is_x2apic(void);

/* True when CPUID 1 EDX[9] and APIC_BASE[11] say that there is an enabled local APIC. */
bool apic_present(void);

/* The performance-counter LVT entry (340h / MSR 834h); only where apic_present(). */
uint32_t apic_read_lvtpc(void);
void apic_write_lvtpc(uint32_t value);

void apic_eoi(void);

/* Sends vector as a fixed interrupt to this CPU (for tests of interrupt delivery itself). */
void apic_self_ipi(unsigned vector);

#endif
