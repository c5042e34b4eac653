/* SPDX-License-Identifier: BSD-2-Clause */
/* The uncore model against the fact sheet: the links between two sockets, and what goes over them.
 */
#include "bench.h"

#define QPI0 (&uncore.box[0][BOX_QPI])

static void test_qpi_match(void)
{
	static const struct uncore_header headers[] = {
		{0x1c00, 0}, {0x1d20, 0}, {0x1800, 0}, {0x0e00, 0}};
	struct uncore_segment segment = {.clocks = 1, .header_count = 2};

	begin();
	set(DF(8, 6), 0x228, 0x1c00);
	set(DF(8, 6), 0x238, 0x1e00);
	set(DF(8, 2), 0xd8, 0x600038);
	set(DF(8, 2), 0xdc, 0x2600038);
	for (unsigned i = 0; i < 4; i += 2) {
		segment.headers = &headers[i];
		uncore_run(&uncore, QPI0, &segment);
	}
	/* Two in the first clock. */
	OK(QPI0->counter[0].value == 2 && QPI0->counter[1].value == 1);
}

static uint64_t ctr_of(unsigned bus, uint8_t df, unsigned i)
{
	return cfg_on((uint8_t)bus, df, (uint16_t)(0xa0 + 8 * i));
}

static void set_both(uint8_t df, uint16_t offset, uint32_t value)
{
	for (unsigned bus = 0x3f; bus <= 0x7f; bus += 0x40) {
		struct pci_access access = {(uint8_t)bus, df, offset, 4};

		uncore_pci_write(&uncore, &access, value);
	}
}

/* Has both sockets' ports 0 count: DRS data and requests received, data responses. */
static void program_links(void)
{
	begin_sockets(NULL, 2);
	set_both(DF(8, 6), 0x228, 0x1c00);
	set_both(DF(8, 6), 0x238, 0x1e00);
	set_both(DF(8, 2), 0xd8, 0x600802);
	set_both(DF(8, 2), 0xdc, 0x600202);
	set_both(DF(8, 2), 0xe0, 0x600038);
	set_both(DF(14, 1), 0xd8, 0x400301);
	set_both(DF(14, 1), 0xdc, 0x40801b);
	set_both(DF(14, 1), 0xe0, 0x40401b);
}

static bool port_counted(unsigned bus, uint64_t data, uint64_t requests, uint64_t responses)
{
	uint8_t df = DF(8, 2);

	return ctr_of(bus, df, 0) == data && ctr_of(bus, df, 1) == requests &&
	       ctr_of(bus, df, 2) == responses;
}

/* The even ones of 64 MiB are the other socket's; every other line goes by port 0. */
static void test_links(void)
{
	program_links();
	touch_all(MEMORY_FLUSH, 1);
	touch_all(MEMORY_LOAD, 8);
	OK(port_counted(0x3f, 8 * LINES / 2, 0, LINES / 2));
	OK(port_counted(0x7f, 0, LINES / 2, 0));
	OK(ctr_of(0x3f, DF(14, 1), 0) == 0 && ctr_of(0x7f, DF(14, 1), 0) == LINES);
	OK(ctr_of(0x7f, DF(14, 1), 1) == LINES && ctr_of(0x7f, DF(14, 1), 2) == 0);
	/* Written back. */
	touch_all(MEMORY_STORE, 8);
	touch_all(MEMORY_FLUSH, 1);
	OK(port_counted(0x3f, 8 * LINES / 2, 0, LINES / 2));
	OK(port_counted(0x7f, 8 * LINES / 2, LINES, LINES / 2));
}

static void test_flits(void)
{
	begin_sockets(NULL, 2);
	set(DF(8, 2), 0xf4, 0x10100);
	set(DF(8, 2), 0xd8, 0x400700);
	set(DF(8, 2), 0xdc, 0x400200);
	set(DF(8, 2), 0xe0, 0x400014);
	set(DF(8, 2), 0xe4, 0x600038);
	set(DF(8, 2), 0xf4, 0x10000);
	pass(96000000000);
	set(DF(8, 2), 0xf4, 0x10100);
	OK(ctr(DF(8, 2), 0) == 2 * ctr(DF(8, 2), 2) && ctr(DF(8, 2), 2) == 40000000000);
	OK(ctr(DF(8, 2), 1) == 8000 && ctr(DF(8, 2), 3) == 5000);
}

/* One before each packet that port 0 of the core's socket receives, for each reason. */
static void test_stalls(void)
{
	static const struct {
		uint32_t umask, reasons;
	} cases[] = {{0xff00, 8}, {0x2000, 1}, {0x8000, 1}, {0xe000, 3}};

	begin_sockets(NULL, 2);
	for (unsigned i = 0; i < ARRAY_SIZE(cases); i++)
		set(DF(8, 2), (uint16_t)(0xd8 + 4 * i), 0x400035 | cases[i].umask);
	touch_all(MEMORY_FLUSH, 1);
	touch_all(MEMORY_LOAD, 8);
	for (unsigned i = 0; i < ARRAY_SIZE(cases); i++)
		OK(ctr_of(0x3f, DF(8, 2), i) == LINES / 2 * cases[i].reasons / 8);
}

int main(void)
{
	test_qpi_match();
	test_links();
	test_flits();
	test_stalls();
	return tap_end();
}
