/* SPDX-License-Identifier: BSD-2-Clause */
/* The bench of the unit tests of the uncore: one uncore, its registers, and clocks to feed it. */
#pragma once

#include "check/unit/tap.h"
#include "model/box/parts/parts.h"
#include "model/faults/faults.h"
#include "model/profiles/profiles.h"

/* The TSC runs at 2.4 GHz: one tick is one UCLK. */
#define TSC_HZ UINT64_C(2400000000)

/* Places of boxes of the Xeon E5-2600 in a socket. */
enum { BOX_CBO = 0, BOX_PCU = 9, BOX_HA, BOX_IMC, BOX_QPI = 15 };

static const struct uncore_part *bench_part = &uncore_snbep;
static struct uncore uncore;

static inline void begin_sockets(const char *fault, unsigned sockets)
{
	struct boxes_config config = {.sockets = sockets, .tsc_hz = TSC_HZ, .tsc = 1000};

	uncore_reset(&uncore, bench_part, fault ? fault_find(fault) : NULL);
	uncore_configure(&uncore, &config);
}

static inline void begin(void)
{
	begin_sockets(NULL, 1);
}

static inline void pass(uint64_t ticks)
{
	uncore.now += ticks;
}

static inline bool wr(uint32_t msr, uint64_t value)
{
	return uncore_wrmsr(&uncore, msr, value) == ACCESS_DONE;
}

/* All ones where the read faults. */
static inline uint64_t rd(uint32_t msr)
{
	uint64_t value;

	return uncore_rdmsr(&uncore, msr, &value) == ACCESS_DONE ? value : ~UINT64_C(0);
}

static inline uint32_t cfg_on(uint8_t bus, uint8_t df, uint16_t offset)
{
	struct pci_access access = {bus, df, offset, 4};
	uint32_t value;

	return uncore_pci_read(&uncore, &access, &value) ? value : 0xdeadbeef;
}

/* The bus of a function of the first socket. */
static inline uint8_t bus_of(uint8_t df)
{
	for (const struct uncore_function *f = uncore.part->functions; f->id; f++)
		if ((uint8_t)f->df == df)
			return uncore.part->bus[f->df >> 8];
	return uncore.part->bus[0];
}

static inline uint32_t cfg(uint8_t df, uint16_t offset)
{
	return cfg_on(bus_of(df), df, offset);
}

static inline void set(uint8_t df, uint16_t offset, uint32_t value)
{
	struct pci_access access = {bus_of(df), df, offset, 4};

	uncore_pci_write(&uncore, &access, value);
}

static inline uint64_t ctr(uint8_t df, unsigned i)
{
	uint16_t low = (uint16_t)(0xa0 + 8 * i);

	return (uint64_t)cfg(df, (uint16_t)(low + 4)) << 32 | cfg(df, low);
}

/* Donald Knuth's MMIX generator; its high bits. */
static inline uint64_t draw(uint64_t below)
{
	static uint64_t seed = 1;

	seed = seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
	return (seed >> 20) % below;
}

/* A clock in which signal s of the box is n. */
static inline void tick(struct uncore_box *box, unsigned s, uint8_t n)
{
	struct uncore_segment segment = {.clocks = 1};

	segment.n[s] = n;
	uncore_run(&uncore, box, &segment);
}

/* ---- memory ---- */

enum { LINES = 1024, BASE = 0x100000 };

static inline void touch(enum memory_kind kind, uint64_t address, uint64_t size)
{
	struct memory_access access = {.kind = kind, .physical = address, .size = size};

	pass(500);
	uncore_access(&uncore, &access);
}

static inline void touch_all(enum memory_kind kind, uint64_t size)
{
	for (uint64_t i = 0; i < LINES; i++)
		touch(kind, BASE + i * UNCORE_LINE, size);
	uncore_flush_buffers(&uncore);
	OK(uncore_drain(&uncore) < uncore.now + 1000);
	pass(1000);
}
