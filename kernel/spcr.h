/* SPDX-License-Identifier: BSD-2-Clause */
/* The ACPI Serial Port Console Redirection table: which port the firmware itself uses. */
#ifndef SPCR_H
#define SPCR_H

#include <stdint.h>

#include "acpi.h"

/* The I/O port of a 16550 that an SPCR names; 0: none, or another kind of port. */
uint16_t spcr_port(struct acpi_table spcr);

#endif
