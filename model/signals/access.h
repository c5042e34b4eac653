/* SPDX-License-Identifier: BSD-2-Clause */
/* Accesses to registers: the result of one, and the place of one in configuration space. */
#ifndef MODEL_SIGNALS_ACCESS_H
#define MODEL_SIGNALS_ACCESS_H

#include <stdbool.h>
#include <stdint.h>

/* ACCESS_NOT_MINE: let the processor underneath do it.  ACCESS_GP: raise #GP(0). */
enum access { ACCESS_DONE, ACCESS_GP, ACCESS_NOT_MINE };

/* An access to the configuration space, within one dword. */
struct pci_access {
	uint8_t bus, df; /* device << 3 | function */
	uint16_t offset;
	unsigned size; /* 1, 2, 4 */
};

#endif
