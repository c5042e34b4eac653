/* SPDX-License-Identifier: BSD-2-Clause */
/* A 16550 UART at an I/O port.  Register names: TI PC16550D data sheet, section 8. */
#include "serial.h"

#include "bits.h"
#include "cpu.h"

#define COM1                 0x3f8

#define UART_RBR             0
#define UART_THR             0
#define UART_DLL             0 /* with LCR_DLAB */
#define UART_DLM             1 /* with LCR_DLAB */
#define UART_IER             1
#define UART_FCR             2
#define UART_LCR             3
#define UART_MCR             4
#define UART_LSR             5
#define UART_SCR             7

#define FCR_ENABLE_AND_CLEAR 0x07
#define LCR_8N1              0x03
#define LCR_DLAB             0x80
#define MCR_DTR_RTS          0x03
#define LSR_DR               0x01
#define LSR_THRE             0x20
#define LSR_TEMT             0x40

/*
 * Polls of LSR before a port counts as dead.  A poll is an I/O bus cycle, near 1 us on hardware:
 * 0.2 s, where the slowest usual line, 1200 baud, needs 9 ms for a byte.
 */
#define SPIN_BUDGET 200000u

struct uart {
	uint16_t port; /* 0: none open */
	bool dead;
	uint8_t ier, lcr, mcr, dll, dlm; /* as found */
};

static struct uart uart;

static uint8_t uart_in(unsigned reg)
{
	return inb((uint16_t)(uart.port + reg));
}

static void uart_out(unsigned reg, uint8_t value)
{
	outb((uint16_t)(uart.port + reg), value);
}

/* An empty port reads FFh everywhere; a UART keeps two patterns in its scratch register. */
static bool uart_answers(uint16_t port)
{
	static const uint8_t patterns[] = {0x5a, 0xa5};
	uint16_t scratch = (uint16_t)(port + UART_SCR);
	uint8_t saved = inb(scratch);
	bool kept = true;
	unsigned i;

	if (inb((uint16_t)(port + UART_LSR)) == 0xff)
		return false;
	for (i = 0; i < ARRAY_SIZE(patterns); i++) {
		outb(scratch, patterns[i]);
		kept &= inb(scratch) == patterns[i];
	}
	outb(scratch, saved);
	return kept;
}

static void uart_save(void)
{
	uart.ier = uart_in(UART_IER);
	uart.mcr = uart_in(UART_MCR);
	uart.lcr = uart_in(UART_LCR) & (uint8_t)~LCR_DLAB;
	uart_out(UART_LCR, uart.lcr | LCR_DLAB);
	uart.dll = uart_in(UART_DLL);
	uart.dlm = uart_in(UART_DLM);
	uart_out(UART_LCR, uart.lcr);
}

static void uart_set_line(uint8_t lcr, unsigned divisor)
{
	uart_out(UART_LCR, lcr | LCR_DLAB);
	uart_out(UART_DLL, (uint8_t)divisor);
	uart_out(UART_DLM, (uint8_t)(divisor >> 8));
	uart_out(UART_LCR, lcr);
}

static bool uart_wait(uint8_t lsr_bit)
{
	uint32_t budget;

	for (budget = SPIN_BUDGET; budget; budget--) {
		if (uart_in(UART_LSR) & lsr_bit)
			return true;
		cpu_pause();
	}
	return false;
}

static bool uart_open(uint16_t port, uint32_t baud)
{
	if (!uart_answers(port))
		return false;
	uart = (struct uart){.port = port};
	uart_save();
	uart_out(UART_IER, 0);
	uart_out(UART_MCR, uart.mcr | MCR_DTR_RTS);
	if (baud) {
		/* What the firmware still sends would be garbled by the new rate. */
		uart_wait(LSR_TEMT);
		uart_set_line(LCR_8N1, SERIAL_BAUD_CLOCK / baud);
		uart_out(UART_FCR, FCR_ENABLE_AND_CLEAR);
	}
	return true;
}

bool serial_open(const struct serial_config *config, uint16_t firmware_port)
{
	switch (config->mode) {
	case SERIAL_PORT:
		return uart_open(config->port, config->baud);
	case SERIAL_AUTO:
		if (firmware_port)
			return uart_open(firmware_port, 0);
		return uart_open(COM1, SERIAL_BAUD_DEFAULT);
	default:
		return false;
	}
}

static void uart_put(uint8_t byte)
{
	if (uart.dead)
		return;
	if (uart_wait(LSR_THRE))
		uart_out(UART_THR, byte);
	else
		uart.dead = true;
}

void serial_write(const char *text, size_t length)
{
	if (!uart.port)
		return;
	for (; length; length--, text++) {
		if (*text == '\n')
			uart_put('\r');
		uart_put((uint8_t)*text);
	}
}

int serial_read(void)
{
	if (!uart.port || uart.dead || !(uart_in(UART_LSR) & LSR_DR))
		return -1;
	return uart_in(UART_RBR);
}

void serial_close(void)
{
	if (!uart.port)
		return;
	if (!uart.dead)
		uart_wait(LSR_TEMT);
	uart_set_line(uart.lcr, uart.dll | (unsigned)uart.dlm << 8);
	uart_out(UART_MCR, uart.mcr);
	uart_out(UART_IER, uart.ier);
	uart.port = 0;
}

uint16_t serial_port(void)
{
	return uart.port;
}
