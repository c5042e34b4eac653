/* SPDX-License-Identifier: BSD-2-Clause */
/* The TCO timer: found where it is documented, told whether it runs, and no other port is read. */
#include "kernel/lib/tco.h"

#include "check/unit/tap.h"

#define ABSENT 0xffffffffu

static uint32_t lpc[0x40], smbus[0x40]; /* configuration space, as dwords */
static uint16_t base, control, count; /* of the timer */
static unsigned reads, strays;

static uint32_t fake_pci(uint16_t function, unsigned offset)
{
	if (function == 31 << 3)
		return lpc[offset / 4];
	return function == (31 << 3 | 4) ? smbus[offset / 4] : ABSENT;
}

static uint16_t fake_inw(uint16_t port)
{
	reads++;
	if (port == base + 8)
		return control;
	strays += port != base;
	return count;
}

static unsigned running(void)
{
	static const struct tco_probe probe = {fake_pci, fake_inw};

	reads = 0;
	strays = 0;
	return tco_running(&probe);
}

static void be_nothing(void)
{
	memset(lpc, 0xff, sizeof(lpc));
	memset(smbus, 0xff, sizeof(smbus));
	control = 0;
	count = 4;
}

/* With bits around the fields, which must not matter. */
static void be_ich(uint32_t device)
{
	be_nothing();
	memset(lpc, 0, sizeof(lpc));
	lpc[0] = device << 16 | 0x8086;
	lpc[0x40 / 4] = 0xabcd0601;
	lpc[0x44 / 4] = 0x80;
	base = 0x660;
}

static void be_series_100(void)
{
	be_nothing();
	memset(smbus, 0, sizeof(smbus));
	lpc[0] = 0xa1438086;
	smbus[0] = 0xa1238086;
	smbus[8 / 4] = 0x0c050031;
	smbus[0x50 / 4] = 0xabcd0401;
	smbus[0x54 / 4] = 0x100;
	base = 0x400;
}

static void test_ich(void)
{
	be_ich(0x2918);
	OK(running() == 0x660 && !strays);
	lpc[0x44 / 4] = ~0x80u;
	OK(!running() && !reads);
	be_ich(0x2918);
	lpc[0x40 / 4] = 0x7f;
	OK(!running() && !reads);
	be_ich(0x2918);
	lpc[0] = 0x29181022;
	OK(!running() && !reads);
}

static void test_bridges(void)
{
	static const uint16_t there[] = {0x2640, 0x27b9, 0x2815, 0x3a16, 0x3b09, 0x1c54,
					 0x1d41, 0x1e49, 0x8c5c, 0x9c45, 0x8cc6, 0x9cc3};
	/* ICH5, a Bay Trail, a Series 100, PIIX4, and the neighbours of ranges. */
	static const uint16_t not_there[] = {0x24d0, 0x0f1c, 0xa143, 0x7110,
					     0x263f, 0x2643, 0x1d42, 0x9cca};

	for (unsigned i = 0; i < sizeof(there) / sizeof(there[0]); i++) {
		be_ich(there[i]);
		OK(running() == 0x660);
	}
	for (unsigned i = 0; i < sizeof(not_there) / sizeof(not_there[0]); i++) {
		be_ich(not_there[i]);
		OK(!running() && !reads);
	}
}

static void test_series_100(void)
{
	be_series_100();
	OK(running() == 0x400 && !strays);
	smbus[0x54 / 4] = ~0x100u;
	OK(!running() && !reads);
	be_series_100();
	smbus[0x50 / 4] = 0x1f;
	OK(!running() && !reads);
	be_series_100();
	smbus[8 / 4] = 0x0c033031; /* USB, as a function 31.4 of old */
	OK(!running() && !reads);
	be_series_100();
	smbus[0] = 0xa1231022;
	OK(!running() && !reads);
}

static void test_state(void)
{
	be_ich(0x2918);
	control = 0x800;
	OK(!running());
	control = (uint16_t)~0x800u;
	OK(running());
	count = 0xfc00; /* no bit of the count */
	OK(!running());
	count = 0x200;
	OK(running());
}

static void test_nothing(void)
{
	be_nothing();
	OK(!running() && !reads);
}

int main(void)
{
	test_ich();
	test_bridges();
	test_series_100();
	test_state();
	test_nothing();
	return tap_end();
}
