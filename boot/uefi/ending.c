/* SPDX-License-Identifier: BSD-2-Clause */
/* How the program ends: back to the firmware, or power-off, reset, halt. */
#include "firmware.h"

#include "kernel/cpu.h"
#include "kernel/lib/bits.h"

/* QEMU docs/specs/fw_cfg.rst: item 0 at the selector port reads "QEMU". */
#define FW_CFG_SELECTOR 0x510
#define FW_CFG_DATA     0x511
/* QEMU's isa-debug-exit: ends QEMU with status 2 * value + 1. */
#define DEBUG_EXIT 0xf4

/* Only asked under a hypervisor: on a real board these ports may be anything. */
static bool in_qemu(void)
{
	static const char signature[] = {'Q', 'E', 'M', 'U'};
	bool same = true;
	unsigned i;

	if (!(cpuid(1, 0).ecx >> 31))
		return false;
	outw(FW_CFG_SELECTOR, 0);
	for (i = 0; i < ARRAY_SIZE(signature); i++)
		same &= inb(FW_CFG_DATA) == signature[i];
	return same;
}

static EFI_STATUS exit_status(enum verdict verdict)
{
	switch (verdict) {
	case VERDICT_PASS:
	case VERDICT_SKIP:
		return EFI_SUCCESS;
	case VERDICT_FAIL:
		return EFI_ABORTED;
	default:
		return EFI_DEVICE_ERROR;
	}
}

EFI_STATUS ending_take(const struct firmware *fw, enum ending ending, enum verdict verdict)
{
	EFI_RUNTIME_SERVICES *services = fw->table->RuntimeServices;

	if (ending == ENDING_RETURN)
		return exit_status(verdict);
	if (ending == ENDING_POWEROFF && in_qemu())
		outl(DEBUG_EXIT, verdict);
	if (ending == ENDING_POWEROFF)
		services->ResetSystem(EfiResetShutdown, EFI_SUCCESS, 0, NULL);
	if (ending == ENDING_RESET)
		services->ResetSystem(EfiResetCold, EFI_SUCCESS, 0, NULL);
	/* Asked for, or the firmware failed to do better. */
	irq_disable();
	for (;;)
		__asm__ volatile("hlt");
}
