/* SPDX-License-Identifier: BSD-2-Clause */
/* The watchdog timer of Intel's chipsets (TCO). */
#include "lib.h"

#define LPC            0xf8u /* function 31.0 */
#define SMBUS          0xfcu /* function 31.4 */

#define PCI_ID         0x00u
#define VENDOR         FIELD(15, 0)
#define DEVICE         FIELD(31, 16)
#define VENDOR_INTEL   0x8086u
#define PCI_CLASS      0x08u
#define CLASS          FIELD(31, 16)
#define CLASS_SMBUS    0x0c05u

#define PMBASE         0x40u
#define PMBASE_ADDRESS FIELD(15, 7)
#define PMBASE_TCO     0x60u
#define ACPI_CNTL      0x44u
#define ACPI_EN        BIT(7)

#define TCOBASE        0x50u
#define TCOBASE_PORT   FIELD(15, 5)
#define TCOCTL         0x54u
#define TCO_BASE_EN    BIT(8)

#define TCO_RLD        0x00u
#define TCO_RLD_COUNT  FIELD(9, 0)
#define TCO1_CNT       0x08u
#define TCO_TMR_HLT    BIT(11)

/* LPC bridges with PMBASE and a TCO timer of ten bits, by device id.  Bridges of Atoms, which have
 * other enable bits, are left out. */
static const struct {
	uint16_t first, last;
} bridges[] = {
	{0x2640, 0x2642}, {0x2670, 0x267f}, {0x27b0, 0x27bd}, /* ICH6, 631xESB, ICH7 */
	{0x2810, 0x2815}, {0x2912, 0x2919}, {0x3a14, 0x3a1a}, /* ICH8, ICH9, ICH10 */
	{0x3b00, 0x3b1f}, {0x1c40, 0x1c5f}, {0x1d40, 0x1d41}, /* Series 5, 6, C600 */
	{0x1e40, 0x1e5f}, {0x8c40, 0x8c5f}, {0x9c40, 0x9c47}, /* Series 7, 8, 8-LP */
	{0x8d40, 0x8d5f}, {0x8cc1, 0x8cc6}, {0x9cc1, 0x9cc9}, /* C610, Series 9, 9-LP */
};

static bool is_bridge(uint32_t id)
{
	uint64_t device = field_get(DEVICE, id);

	for (unsigned i = 0; i < ARRAY_SIZE(bridges); i++)
		if (device >= bridges[i].first && device <= bridges[i].last)
			return field_get(VENDOR, id) == VENDOR_INTEL;
	return false;
}

static uint16_t port_of_lpc(const struct tco_probe *probe)
{
	uint64_t base;

	if (!is_bridge(probe->pci_read(LPC, PCI_ID)) ||
	    (probe->pci_read(LPC, ACPI_CNTL) & ACPI_EN) == 0)
		return 0;
	base = probe->pci_read(LPC, PMBASE) & PMBASE_ADDRESS;
	return base ? (uint16_t)(base + PMBASE_TCO) : 0;
}

/* ICH to Series 9 have their SMBus in function 31.3, so this one is newer. */
static uint16_t port_of_smbus(const struct tco_probe *probe)
{
	if (field_get(VENDOR, probe->pci_read(SMBUS, PCI_ID)) != VENDOR_INTEL ||
	    field_get(CLASS, probe->pci_read(SMBUS, PCI_CLASS)) != CLASS_SMBUS ||
	    (probe->pci_read(SMBUS, TCOCTL) & TCO_BASE_EN) == 0)
		return 0;
	return (uint16_t)(probe->pci_read(SMBUS, TCOBASE) & TCOBASE_PORT);
}

/* One that was never started is not halted after a reset, but stands at 0, as QEMU's does: a
 * running one does so only in the last 0.6 s before it is too late. */
uint16_t tco_running(const struct tco_probe *probe)
{
	uint16_t port = port_of_lpc(probe);

	if (!port)
		port = port_of_smbus(probe);
	if (!port || (probe->inw((uint16_t)(port + TCO1_CNT)) & TCO_TMR_HLT) != 0 ||
	    (probe->inw((uint16_t)(port + TCO_RLD)) & TCO_RLD_COUNT) == 0)
		return 0;
	return port;
}
