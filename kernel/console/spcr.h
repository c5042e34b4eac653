/* SPDX-License-Identifier: BSD-2-Clause */
/* The ACPI Serial Port Console Redirection table: which UART the firmware itself uses. */
#ifndef SPCR_H
#define SPCR_H

#include "kernel/lib/acpi.h"
#include "serial.h"

/* The 16550 that an SPCR names, in I/O ports or below 4 GiB of memory.  Address 0: it names none,
 * or something else. */
struct serial_uart spcr_uart(struct acpi_table spcr);

#endif
