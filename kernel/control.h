/* SPDX-License-Identifier: BSD-2-Clause */
/* Bits of the control registers and of EFER that the processor's state is made of.  AMD64 APM vol.
 * 2, 3.1.1, 3.1.3 and 3.1.7; Intel SDM vol. 3A, 2.5. */
#pragma once

#include "kernel/lib/bits.h"

#define CR0_MP      BIT(1)
#define CR0_EM      BIT(2)
#define CR0_TS      BIT(3)
#define CR0_NE      BIT(5)
#define CR0_WP      BIT(16)
#define CR0_AM      BIT(18)
#define CR0_PG      BIT(31)

#define CR4_TSD     BIT(2)
#define CR4_PSE     BIT(4)
#define CR4_PAE     BIT(5)
#define CR4_PGE     BIT(7)
#define CR4_OSFXSR  BIT(9)
#define CR4_OSXSAVE BIT(18)
#define CR4_SMEP    BIT(20)
#define CR4_SMAP    BIT(21)
#define CR4_PKE     BIT(22)
#define CR4_CET     BIT(23)
#define CR4_PKS     BIT(24)
/* The firmware's bits that must be clear: they would change what our page tables mean, keep its
 * global pages in the TLB, or keep RDTSC from ring 3. */
#define CR4_UNWANTED (CR4_TSD | CR4_PGE | CR4_SMEP | CR4_SMAP | CR4_PKE | CR4_CET | CR4_PKS)

#define EFER_LME     BIT(8)
#define EFER_NXE     BIT(11)
