/* SPDX-License-Identifier: BSD-2-Clause */
/* The watchdog timer of Intel's chipsets (TCO): pure computation on what they are asked. */
#pragma once

#include <stdint.h>

/* How the chipset is asked; it is only read.  function: as kernel.h's PCI_FUNCTION() makes it. */
struct tco_probe {
	uint32_t (*pci_read)(uint16_t function, unsigned offset);
	uint16_t (*inw)(uint16_t port);
};

/*
 * First I/O port of a TCO timer that runs; 0: none is seen.
 *
 * ICH6 to Series 9, function 31.0 (LPC): PMBASE, ACPI_CNTL, and the TCO registers at PMBASE + 60h;
 * such as the ICH9 datasheet (316972), chapter 13.  Series 100 and later, function 31.4 (SMBus):
 * TCOBASE, TCOCTL, and the same registers; Series 100 datasheet vol. 2 (332691).  Which LPC bridges
 * are of the first kind: Linux, drivers/mfd/lpc_ich.c; the second kind:
 * drivers/i2c/busses/i2c-i801.c and coreboot, soc/intel/common/block/smbus.
 */
uint16_t tco_running(const struct tco_probe *probe);
