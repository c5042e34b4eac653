/* SPDX-License-Identifier: BSD-2-Clause */
/* EFI_MP_SERVICES_PROTOCOL: UEFI Platform Initialization Specification 1.7, vol. 2, 13.4. */
#pragma once

#include <efi.h>

#include "kernel/lib/bits.h"

#define MP_SERVICES_GUID                                                                           \
	{                                                                                          \
		0x3fdda605, 0xa76e, 0x4f46,                                                        \
		{                                                                                  \
			0xad, 0x29, 0x12, 0xf4, 0x53, 0x1b, 0x3d, 0x08                             \
		}                                                                                  \
	}

/* Bits of status. */
#define MP_BSP     BIT(0)
#define MP_ENABLED BIT(1)
#define MP_HEALTHY BIT(2)

typedef void EFIAPI mp_procedure(void *arg);

struct mp_information {
	UINT64 id;
	UINT32 status;
	UINT32 package, core, thread;
	UINT32 extended[6];
};

struct mp_services {
	EFI_STATUS(EFIAPI *get_number)(struct mp_services *s, UINTN *all, UINTN *enabled);
	EFI_STATUS(EFIAPI *get_information)
	(struct mp_services *s, UINTN n, struct mp_information *information);
	EFI_STATUS(EFIAPI *start_all)
	(struct mp_services *s, mp_procedure *call, BOOLEAN single, EFI_EVENT event,
	 UINTN microseconds, void *arg, UINTN **failed);
	EFI_STATUS(EFIAPI *start_this)
	(struct mp_services *s, mp_procedure *call, UINTN n, EFI_EVENT event, UINTN microseconds,
	 void *arg, BOOLEAN *finished);
	EFI_STATUS(EFIAPI *switch_bsp)(struct mp_services *s, UINTN n, BOOLEAN enable);
	EFI_STATUS(EFIAPI *set_enabled)
	(struct mp_services *s, UINTN n, BOOLEAN enable, UINT32 *health);
	EFI_STATUS(EFIAPI *who)(struct mp_services *s, UINTN *n);
};
