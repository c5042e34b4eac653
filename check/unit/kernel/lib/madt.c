/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * MADTs as firmware writes them: which processors and how many I/O APICs are found.  Sources: boot
 * logs and tables that owners of the machines published; for tables that Linux calls "bogus",
 * arch/x86/kernel/apic/io_apic.c; for structures that no PC has, ACPI specification 6.5, 5.2.12.
 */
#include "check/unit/tap.h"
#include "kernel/lib/acpi.h"
#include "kernel/lib/bits.h"

enum { LOCAL = 0, IO_APIC = 1, OVERRIDE = 2, NMI = 4, X2APIC = 9, X2APIC_NMI = 10, GICC = 11 };
enum { GICD = 12, GIC_MSI = 13, GICR = 14, GIC_ITS = 15, WAKEUP = 16 };
enum { TABLE = 16384, RUNS = 8, IDS = 4, KEPT = 3 };

/* A run of entries of a type, with IDs or addresses that far apart. */
struct entries {
	uint8_t type, n;
	uint32_t first, step;
	bool enabled;
};
#define RUN(type, n, first, step)                                                                  \
	{                                                                                          \
		type, n, first, step, true                                                         \
	}
#define OFF(type, n, first, step)                                                                  \
	{                                                                                          \
		type, n, first, step, false                                                        \
	}

static const struct shape {
	const char *source;
	struct entries runs[RUNS];
	uint32_t has[IDS], lacks[IDS]; /* IDs; 0 ends them, but for the first */
	unsigned io_apics;
	uint64_t last; /* the address of the last of the first KEPT */
} shapes[] = {
	/* clang-format off: a row is a few lines */
	{"a laptop with Meteor Lake: x2APICs with small IDs",
	 {RUN(X2APIC, 1, 0x20, 0), RUN(X2APIC, 2, 0x10, 1), RUN(X2APIC, 2, 0x18, 1),
	  RUN(X2APIC, 1, 0x21, 0), RUN(X2APIC, 8, 0, 2), RUN(X2APIC_NMI, 1, 0, 0),
	  RUN(IO_APIC, 1, 0xfec00000, 0)},
	 {0x20, 0x11, 0x21, 0xe},
	 {1, 0x22, 0x2000, 3},
	 1,
	 0xfec00000},
	{"HPE ProLiant DL560 Gen10, four sockets",
	 {RUN(LOCAL, 144, 0, 1), RUN(IO_APIC, 1, 0xfec00000, 0), RUN(IO_APIC, 1, 0xfec01000, 0),
	  RUN(IO_APIC, 15, 0xfec08000, 0x8000)},
	 {0, 143},
	 {144},
	 17,
	 0xfec08000},
	{"both structures, the second for IDs from 255 on, and what is not there",
	 {RUN(LOCAL, 255, 0, 1), RUN(X2APIC, 250, 255, 1), OFF(LOCAL, 4, 255, 0),
	  OFF(X2APIC, 4, UINT32_MAX, 0), RUN(IO_APIC, 5, 0xf0000000, 0x1000000)},
	 {0, 254, 255, 504},
	 {505, UINT32_MAX},
	 5,
	 0xf2000000},
	{"both structures for the same processors",
	 {RUN(LOCAL, 8, 0, 1), RUN(X2APIC, 8, 0, 1), RUN(IO_APIC, 1, 0xfec00000, 0)},
	 {0, 7},
	 {8},
	 1,
	 0xfec00000},
	{"one of the two says that it is disabled",
	 {OFF(LOCAL, 4, 0, 1), RUN(X2APIC, 2, 0, 1), RUN(IO_APIC, 1, 0xfec00000, 0)},
	 {0, 1},
	 {2, 3},
	 1,
	 0xfec00000},
	{"a bogus I/O APIC at address 0",
	 {RUN(LOCAL, 2, 0, 1), RUN(IO_APIC, 1, 0, 0), RUN(IO_APIC, 1, 0xfec00000, 0)},
	 {0, 1},
	 {2},
	 1,
	 0xfec00000},
	{"more I/O APICs than an ID has bits for",
	 {RUN(X2APIC, 2, 0, 1), RUN(IO_APIC, 255, 0xfec00000, 0x1000),
	  RUN(IO_APIC, 45, 0xfed00000, 0x1000)},
	 {0, 1},
	 {2},
	 300,
	 0xfec02000},
	{"no I/O APIC",
	 {RUN(LOCAL, 1, 0, 0), RUN(OVERRIDE, 3, 0, 1), RUN(NMI, 1, 255, 0)},
	 {0},
	 {1},
	 0,
	 0},
	{"structures of ARM out of place, and a wakeup mailbox",
	 {RUN(GICC, 2, 5, 1), RUN(GICD, 1, 0, 0), RUN(GIC_MSI, 1, 0, 0), RUN(GICR, 1, 0, 0),
	  RUN(GIC_ITS, 1, 0, 0), RUN(WAKEUP, 1, 0, 0), RUN(LOCAL, 2, 0, 1),
	  RUN(IO_APIC, 1, 0xfec00000, 0)},
	 {0, 1},
	 {5, 6},
	 1,
	 0xfec00000},
	/* clang-format on */
};

/* Formats of entries, by type: the length, where the ID or address is and how wide, and the flags;
 * flags 0: it has none. */
static const struct {
	uint8_t length, id, size, flags;
} formats[] = {
	[LOCAL] = {8, 3, 1, 4},  [IO_APIC] = {12, 4, 4, 0}, [OVERRIDE] = {10, 3, 1, 0},
	[NMI] = {6, 2, 1, 0},    [X2APIC] = {16, 4, 4, 8},  [X2APIC_NMI] = {12, 4, 4, 0},
	[GICC] = {80, 4, 4, 12}, [GICD] = {24, 4, 4, 0},    [GIC_MSI] = {24, 4, 4, 0},
	[GICR] = {16, 4, 4, 0},  [GIC_ITS] = {20, 4, 4, 0}, [WAKEUP] = {16, 4, 4, 0},
};

static uint8_t table[TABLE];
static uint32_t used;

static void put(uint8_t *at, uint64_t value, unsigned size)
{
	for (unsigned i = 0; i < size; i++)
		at[i] = (uint8_t)(value >> 8 * i);
}

static void put_run(const struct entries *run)
{
	for (unsigned i = 0; i < run->n; i++, used += formats[run->type].length) {
		uint8_t *entry = table + used;

		entry[0] = run->type;
		entry[1] = formats[run->type].length;
		put(entry + formats[run->type].id, run->first + i * run->step,
		    formats[run->type].size);
		if (formats[run->type].flags)
			entry[formats[run->type].flags] = run->enabled;
	}
}

static struct acpi_table write_table(const struct shape *shape)
{
	memset(table, 0, sizeof(table));
	used = 44;
	for (unsigned i = 0; i < RUNS; i++)
		put_run(&shape->runs[i]);
	return (struct acpi_table){table, used};
}

static unsigned count(struct acpi_table madt, const uint32_t ids[IDS], bool has)
{
	unsigned n = 0;

	for (unsigned i = 0; i < IDS && (!i || ids[i]); i++)
		n += acpi_has_processor(madt, ids[i]) != has;
	return n;
}

int main(void)
{
	for (size_t i = 0; i < ARRAY_SIZE(shapes); i++) {
		const struct shape *shape = &shapes[i];
		struct acpi_table madt = write_table(shape);
		uint64_t kept[KEPT] = {0};
		unsigned n;

		printf("# %s\n", shape->source);
		OK(count(madt, shape->has, true) == 0);
		OK(count(madt, shape->lacks, false) == 0);
		OK(acpi_io_apics(madt, kept, KEPT) == shape->io_apics);
		n = shape->io_apics < KEPT ? shape->io_apics : KEPT;
		OK(!n || kept[n - 1] == shape->last);
	}
	return tap_end();
}
