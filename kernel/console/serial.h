/* SPDX-License-Identifier: BSD-2-Clause */
/* A 16550 UART, at I/O ports or in memory: found, programmed, written to within bounded time. */
#ifndef SERIAL_H
#define SERIAL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "kernel/lib/acpi.h"

#define SERIAL_BAUD_DEFAULT 115200u
#define SERIAL_BAUD_CLOCK   115200u /* rate at divisor 1 */

enum serial_mode { SERIAL_AUTO, SERIAL_NONE, SERIAL_PORT };

struct serial_config {
	enum serial_mode mode;
	uint16_t port; /* SERIAL_PORT only */
	uint32_t baud; /* SERIAL_PORT only: divides SERIAL_BAUD_CLOCK */
};

/* Where a UART is, and what drives it. */
struct serial_uart {
	uint64_t address; /* 0: nowhere */
	bool memory; /* mapped there, uncached; else I/O ports */
	uint8_t stride, width; /* bytes from one register to the next, and of an access */
	uint32_t baud; /* 0: as it is */
	uint32_t clock; /* Hz, 16 at least to a bit; 0: not known, so the rate stays as it is */
};

/* The 16550 that the ACPI Serial Port Console Redirection table names, which the firmware itself
 * uses: at I/O ports, or below 4 GiB of memory.  Address 0: the table names none, or something
 * else. */
struct serial_uart spcr_uart(struct acpi_table spcr);

/*
 * SERIAL_PORT: that port.  SERIAL_AUTO: firmware's, the one that the firmware says it uses, if a
 * UART answers there; else COM1, at 115200.  All 8N1.  False: no UART answers.
 */
bool serial_open(const struct serial_config *config, const struct serial_uart *firmware);

/* A console sink.  A port that does not take a byte in time is given up, not waited for. */
void serial_write(const char *text, size_t length);

/* A byte that has come in; -1: none. */
int serial_read(void);

/* Waits, within bounds, until the last byte has left, and puts the port's settings back. */
void serial_close(void);

/* The open one; NULL: none. */
const struct serial_uart *serial_opened(void);

#endif
