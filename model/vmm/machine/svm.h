/* SPDX-License-Identifier: BSD-2-Clause */
/* The virtual machine control block of AMD-V: AMD64 APM volume 2, appendix B and C. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "kernel/lib/bits.h"

struct vmcb_segment {
	uint16_t selector;
	uint16_t attributes; /* descriptor bits 55:52 and 47:40 */
	uint32_t limit;
	uint64_t base;
};

/* The attributes by a descriptor. */
static inline uint16_t segment_attributes(uint64_t descriptor)
{
	return (uint16_t)((descriptor >> 40 & 0xff) | (descriptor >> 44 & 0xf00));
}

#define SEGMENT_DPL   FIELD(6, 5)
#define SEGMENT_LONG  BIT(9)
#define SEGMENT_BIG   BIT(10) /* 32 bits */
#define SEGMENT_PAGES BIT(11) /* the unit of the limit */

struct vmcb {
	uint16_t intercept_cr_read, intercept_cr_write;
	uint16_t intercept_dr_read, intercept_dr_write;
	uint32_t intercept_exceptions;
	uint32_t intercept, intercept_svm; /* INTERCEPT_* */
	uint8_t reserved_014[0x40 - 0x14];
	uint64_t iopm_base, msrpm_base;
	uint64_t tsc_offset;
	uint32_t asid;
	uint8_t tlb_control, reserved_05d[3];
	uint64_t int_control; /* INT_* */
	uint64_t int_state; /* bit 0: interrupt shadow */
	uint64_t exit_code, exit_info_1, exit_info_2;
	uint32_t exit_int_info, exit_int_error;
	uint64_t nested_control; /* NESTED_* */
	uint8_t reserved_098[0xa8 - 0x98];
	uint32_t event_inject, event_error; /* EVENT_* */
	uint64_t nested_cr3;
	uint8_t reserved_0b8[0x400 - 0xb8];
	struct vmcb_segment es, cs, ss, ds, fs, gs, gdtr, ldtr, idtr, tr;
	uint8_t reserved_4a0[0x4cb - 0x4a0];
	uint8_t cpl;
	uint8_t reserved_4cc[4];
	uint64_t efer;
	uint8_t reserved_4d8[0x548 - 0x4d8];
	uint64_t cr4, cr3, cr0, dr7, dr6, rflags, rip;
	uint8_t reserved_580[0x5d8 - 0x580];
	uint64_t rsp;
	uint8_t reserved_5e0[0x5f8 - 0x5e0];
	uint64_t rax, star, lstar, cstar, sfmask;
	uint8_t reserved_620[0x640 - 0x620];
	uint64_t cr2;
	uint8_t reserved_648[0x668 - 0x648];
	uint64_t g_pat;
	uint8_t reserved_670[0x1000 - 0x670];
};

_Static_assert(offsetof(struct vmcb, iopm_base) == 0x40, "VMCB layout");
_Static_assert(offsetof(struct vmcb, asid) == 0x58, "VMCB layout");
_Static_assert(offsetof(struct vmcb, int_control) == 0x60, "VMCB layout");
_Static_assert(offsetof(struct vmcb, exit_code) == 0x70, "VMCB layout");
_Static_assert(offsetof(struct vmcb, nested_control) == 0x90, "VMCB layout");
_Static_assert(offsetof(struct vmcb, event_inject) == 0xa8, "VMCB layout");
_Static_assert(offsetof(struct vmcb, nested_cr3) == 0xb0, "VMCB layout");
_Static_assert(offsetof(struct vmcb, es) == 0x400, "VMCB layout");
_Static_assert(offsetof(struct vmcb, tr) == 0x490, "VMCB layout");
_Static_assert(offsetof(struct vmcb, cpl) == 0x4cb, "VMCB layout");
_Static_assert(offsetof(struct vmcb, efer) == 0x4d0, "VMCB layout");
_Static_assert(offsetof(struct vmcb, cr4) == 0x548, "VMCB layout");
_Static_assert(offsetof(struct vmcb, rflags) == 0x570, "VMCB layout: also in entry.asm");
_Static_assert(offsetof(struct vmcb, rip) == 0x578, "VMCB layout: also in entry.asm");
_Static_assert(offsetof(struct vmcb, rsp) == 0x5d8, "VMCB layout: also in entry.asm");
_Static_assert(offsetof(struct vmcb, rax) == 0x5f8, "VMCB layout: also in entry.asm");
_Static_assert(offsetof(struct vmcb, star) == 0x600, "VMCB layout");
_Static_assert(offsetof(struct vmcb, cr2) == 0x640, "VMCB layout");
_Static_assert(offsetof(struct vmcb, g_pat) == 0x668, "VMCB layout");
_Static_assert(sizeof(struct vmcb) == 0x1000, "VMCB layout");

#define INTERCEPT_INTR     (uint32_t) BIT(0)
#define INTERCEPT_NMI      (uint32_t) BIT(1)
#define INTERCEPT_SMI      (uint32_t) BIT(2)
#define INTERCEPT_VINTR    (uint32_t) BIT(4)
#define INTERCEPT_RDTSC    (uint32_t) BIT(14)
#define INTERCEPT_RDPMC    (uint32_t) BIT(15)
#define INTERCEPT_CPUID    (uint32_t) BIT(18)
#define INTERCEPT_SWINT    (uint32_t) BIT(21)
#define INTERCEPT_PAUSE    (uint32_t) BIT(23)
#define INTERCEPT_HLT      (uint32_t) BIT(24)
#define INTERCEPT_INVLPGA  (uint32_t) BIT(26)
#define INTERCEPT_IOIO     (uint32_t) BIT(27)
#define INTERCEPT_MSR      (uint32_t) BIT(28)
#define INTERCEPT_SHUTDOWN (uint32_t) BIT(31)

/* VMRUN, VMMCALL, VMLOAD, VMSAVE, STGI, CLGI, SKINIT */
#define INTERCEPT_SVM_ALL (uint32_t) FIELD(6, 0)

#define INT_TPR           FIELD(3, 0)
#define INT_REQUEST       BIT(8) /* of a virtual interrupt: */
#define INT_VECTOR        FIELD(39, 32)
#define INT_MASKING       BIT(24) /* RFLAGS.IF of the host, not of the guest, gates interrupts */

#define NESTED_ENABLE     BIT(0)

#define INT_STATE_SHADOW  BIT(0)

#define EVENT_VECTOR      FIELD(7, 0)
#define EVENT_TYPE        FIELD(10, 8)
#define EVENT_NMI         (2u << 8)
#define EVENT_EXCEPTION   (3u << 8)
#define EVENT_HAS_ERROR   (1u << 11)
#define EVENT_VALID       (1u << 31)

/* EXITINFO1 of EXIT_IOIO. */
#define IOIO_IN     BIT(0)
#define IOIO_STRING BIT(2)
#define IOIO_SIZE   FIELD(6, 4)
#define IOIO_PORT   FIELD(31, 16)

enum exit_code {
	EXIT_READ_CR = 0x00, /* + number */
	EXIT_WRITE_CR8 = 0x18,
	EXIT_READ_DR = 0x20,
	EXIT_WRITE_DR = 0x30,
	EXIT_EXCEPTION = 0x40, /* + vector */
	EXIT_INTR = 0x60,
	EXIT_NMI = 0x61,
	EXIT_SMI = 0x62,
	EXIT_VINTR = 0x64,
	EXIT_RDTSC = 0x6e,
	EXIT_RDPMC = 0x6f,
	EXIT_CPUID = 0x72,
	EXIT_SWINT = 0x75,
	EXIT_PAUSE = 0x77,
	EXIT_HLT = 0x78,
	EXIT_INVLPGA = 0x7a,
	EXIT_IOIO = 0x7b,
	EXIT_MSR = 0x7c,
	EXIT_SHUTDOWN = 0x7f,
	EXIT_VMRUN = 0x80,
	EXIT_VMMCALL = 0x81,
	EXIT_VMLOAD = 0x82,
	EXIT_VMSAVE = 0x83,
	EXIT_STGI = 0x84,
	EXIT_CLGI = 0x85,
	EXIT_SKINIT = 0x86,
	EXIT_NPF = 0x400,
};
#define EXIT_INVALID      UINT64_MAX /* VMRUN refuses the VMCB */

#define MSR_TSC           0x00000010u
#define MSR_APIC_BASE     0x0000001bu
#define APIC_BASE_ENABLE  BIT(11)
#define MSR_X2APIC_FIRST  0x00000800u
#define MSR_X2APIC_LAST   0x000008ffu
#define MSR_MPERF         0x000000e7u
#define MSR_APERF         0x000000e8u
#define MSR_PAT           0x00000277u
#define MSR_EFER          0xc0000080u
#define MSR_MPERF_RO      0xc00000e7u
#define MSR_APERF_RO      0xc00000e8u
#define MSR_IRPERF        0xc00000e9u
#define MSR_TSC_AUX       0xc0000103u
#define MSR_HWCR          0xc0010015u
#define MSR_VM_CR         0xc0010114u
#define MSR_VM_HSAVE_PA   0xc0010117u

#define EFER_LMA          BIT(10)
#define EFER_NXE          BIT(11)
#define EFER_SVME         BIT(12)

#define RFLAGS_RESERVED_1 BIT(1)
#define RFLAGS_TF         BIT(8)
#define RFLAGS_IF         BIT(9)
#define RFLAGS_NT         BIT(14)
#define RFLAGS_RF         BIT(16)
#define RFLAGS_VM         BIT(17)

#define DR6_BS            BIT(14)

#define CR0_PE            BIT(0)
#define CR0_WP            BIT(16)
#define CR0_PG            BIT(31)

#define CR4_DE            BIT(3)
#define CR4_PSE           BIT(4)
#define CR4_PAE           BIT(5)
#define CR4_PCE           BIT(8)
#define CR4_LA57          BIT(12)

enum vector {
	VECTOR_DB = 1,
	VECTOR_NMI = 2,
	VECTOR_BP = 3,
	VECTOR_UD = 6,
	VECTOR_DF = 8,
	VECTOR_TS = 10,
	VECTOR_NP = 11,
	VECTOR_SS = 12,
	VECTOR_GP = 13,
	VECTOR_PF = 14,
	VECTOR_AC = 17,
	VECTOR_CP = 21,
};

/* Does its exception push an error code? */
static inline bool vector_has_error(unsigned vector)
{
	return vector == VECTOR_DF || (vector >= VECTOR_TS && vector <= VECTOR_PF) ||
	       vector == VECTOR_AC || vector == VECTOR_CP;
}
