/* SPDX-License-Identifier: BSD-2-Clause */
/* A 16550 UART at an I/O port: found, programmed, written to within bounded time. */
#ifndef SERIAL_H
#define SERIAL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define SERIAL_BAUD_DEFAULT 115200u
#define SERIAL_BAUD_CLOCK   115200u /* rate at divisor 1 */

enum serial_mode { SERIAL_AUTO, SERIAL_NONE, SERIAL_PORT };

struct serial_config {
	enum serial_mode mode;
	uint16_t port; /* SERIAL_PORT only */
	uint32_t baud; /* SERIAL_PORT only: divides SERIAL_BAUD_CLOCK */
};

/*
 * SERIAL_PORT: that port, programmed to baud 8N1.  SERIAL_AUTO: firmware_port, the one that the
 * firmware says it uses (0: it says nothing), left as it is; else COM1, at 115200 8N1.  False: no
 * UART answers there.
 */
bool serial_open(const struct serial_config *config, uint16_t firmware_port);

/* A console sink.  A port that does not take a byte in time is given up, not waited for. */
void serial_write(const char *text, size_t length);

/* A byte that has come in; -1: none. */
int serial_read(void);

/* Waits, within bounds, until the last byte has left, and puts the port's settings back. */
void serial_close(void);

/* The open port; 0: none. */
uint16_t serial_port(void);

#endif
