/* SPDX-License-Identifier: BSD-2-Clause */
/* A 16550 UART.  Register names: TI PC16550D data sheet, section 8. */
#include "console.h"

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
#define LSR_GARBLED          0x1c /* PE, FE, BI: of the byte that is read next */
#define LSR_THRE             0x20
#define LSR_TEMT             0x40

/*
 * Polls of LSR before a port counts as dead.  A poll is an I/O bus cycle, near 1 us on hardware:
 * 0.2 s, where the slowest usual line, 1200 baud, needs 9 ms for a byte.
 */
#define SPIN_BUDGET 200000u

struct uart {
	struct serial_uart at; /* address 0: none open */
	bool dead;
	uint8_t ier, lcr, mcr, dll, dlm; /* as the firmware left them */
};

static struct uart uart;

static uint64_t register_address(unsigned reg)
{
	return uart.at.address + (uint64_t)reg * uart.at.stride;
}

static uint8_t uart_in(unsigned reg)
{
	uintptr_t address = (uintptr_t)register_address(reg);

	if (!uart.at.memory)
		return inb((uint16_t)address);
	switch (uart.at.width) {
	case 4:
		return (uint8_t) * (const volatile uint32_t *)address;
	case 2:
		return (uint8_t) * (const volatile uint16_t *)address;
	default:
		return *(const volatile uint8_t *)address;
	}
}

static void uart_out(unsigned reg, uint8_t value)
{
	uintptr_t address = (uintptr_t)register_address(reg);

	if (!uart.at.memory)
		outb((uint16_t)address, value);
	else if (uart.at.width == 4)
		*(volatile uint32_t *)address = value;
	else if (uart.at.width == 2)
		*(volatile uint16_t *)address = value;
	else
		*(volatile uint8_t *)address = value;
}

static bool uart_wait(uint8_t lsr_bit)
{
	uint32_t budget;

	for (budget = SPIN_BUDGET; budget; budget--)
		if (uart_in(UART_LSR) & lsr_bit)
			return true;
	return false;
}

/* Without a UART all registers read FFh; a UART comes to the end of what it sends, and keeps what
 * is written to its scratch register.  Nothing is written before it has: at a wrong distance the
 * register would be another one. */
static bool uart_answers(void)
{
	static const uint8_t patterns[] = {0x5a, 0xa5};
	bool kept = true;
	uint8_t saved;
	unsigned i;

	if (uart_in(UART_LSR) == 0xff || !uart_wait(LSR_THRE))
		return false;
	saved = uart_in(UART_SCR);
	for (i = 0; i < ARRAY_SIZE(patterns); i++) {
		uart_out(UART_SCR, patterns[i]);
		kept &= uart_in(UART_SCR) == patterns[i];
	}
	uart_out(UART_SCR, saved);
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

/* 0: the rate stays as it is, not being told, or none that the clock can be divided to is within
 * 3 % of it: with twice as much both ends no longer agree on the last of ten bits. */
static uint32_t wanted_divisor(void)
{
	uint64_t steps = 16 * (uint64_t)uart.at.baud, clock = uart.at.clock, made, off;

	if (!steps)
		return 0;
	made = (clock + steps / 2) / steps * steps;
	off = made > clock ? made - clock : clock - made;
	return 100 * off <= 3 * clock && made / steps <= UINT16_MAX ? (uint32_t)(made / steps) : 0;
}

static void uart_set_up(void)
{
	uint32_t divisor = wanted_divisor();

	uart_out(UART_IER, 0);
	uart_out(UART_MCR, uart.mcr | MCR_DTR_RTS);
	if (!divisor)
		return;
	if (uart.lcr == LCR_8N1 && (uart.dll | (uint32_t)uart.dlm << 8) == divisor)
		return;
	/* The new rate would garble the characters that the firmware still sends. */
	uart_wait(LSR_TEMT);
	uart_set_line(LCR_8N1, divisor);
	uart_out(UART_FCR, FCR_ENABLE_AND_CLEAR);
}

static bool uart_open(const struct serial_uart *at)
{
	uart = (struct uart){.at = *at};
	if (uart_answers()) {
		uart_save();
		uart_set_up();
		return true;
	}
	uart.at.address = 0;
	return false;
}

static bool place_open(const struct serial_uart *at)
{
	const struct serial_uart dwords = serial_dwords(at);

	return uart_open(at) || (at->maybe_dwords && uart_open(&dwords));
}

void serial_add(struct serial_places *places, const struct serial_uart *at)
{
	if (at->address && places->count < SERIAL_PLACES_MAX)
		places->uart[places->count++] = *at;
}

bool serial_open(const struct serial_places *places)
{
	for (unsigned i = 0; i < places->count; i++)
		if (place_open(&places->uart[i]))
			return true;
	return false;
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
	if (!uart.at.address)
		return;
	for (; length; length--, text++) {
		if (*text == '\n')
			uart_put('\r');
		uart_put((uint8_t)*text);
	}
}

int serial_read(void)
{
	uint8_t status, byte;

	if (!uart.at.address || uart.dead)
		return -1;
	status = uart_in(UART_LSR);
	if (!(status & LSR_DR))
		return -1;
	byte = uart_in(UART_RBR);
	return status & LSR_GARBLED ? -1 : byte;
}

void serial_close(void)
{
	if (!uart.at.address)
		return;
	if (!uart.dead)
		uart_wait(LSR_TEMT);
	uart_set_line(uart.lcr, uart.dll | (unsigned)uart.dlm << 8);
	uart_out(UART_MCR, uart.mcr);
	uart_out(UART_IER, uart.ier);
	uart.at.address = 0;
}

const struct serial_uart *serial_opened(void)
{
	return uart.at.address ? &uart.at : NULL;
}
