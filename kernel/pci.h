/* SPDX-License-Identifier: BSD-2-Clause */
/* PCI configuration space of segment 0.  PCI Local Bus Specification 3.0, 3.2.2.3.2 (mechanism 1);
 * PCI Express Base Specification, 7.2.2 (ECAM); PCI Firmware Specification 3.0, 4.1.2 (MCFG).
 * Only while the machine is taken over; CF8h is put back when it is given back. */
#ifndef PCI_H
#define PCI_H

#include <stdint.h>

/* Where a function is: as both mechanisms want it, bus in bits 15:8. */
#define PCI_FUNCTION(bus, device, function)                                                        \
	((uint16_t)((unsigned)(bus) << 8 | (unsigned)(device) << 3 | (unsigned)(function)))
#define PCI_BUS(address) ((unsigned)(address) >> 8)

#define PCI_ID           0x00u /* device id in bits 31:16, vendor id in 15:0 */
#define PCI_ABSENT       UINT32_C(0xffffffff)

/* One aligned dword below 100h, by mechanism 1.  A function that is not there reads PCI_ABSENT and
 * ignores writes. */
uint32_t pci_read(uint16_t function, unsigned offset);
void pci_write(uint16_t function, unsigned offset, uint32_t value);

/* All 4 KiB of a function's configuration space, as aligned dwords, mapped uncached.  NULL: no MCFG
 * table that can be believed, the function answers otherwise there than by mechanism 1, or there is
 * no memory left for page tables. */
volatile uint32_t *pci_map(uint16_t function);

#endif
