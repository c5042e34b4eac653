/* SPDX-License-Identifier: BSD-2-Clause */
/* The uncore model against the fact sheet: where registers are, and what they hold. */
#include "bench.h"

#include "model/cpu/cpu.h"
#include "model/launch/config.h"
#include "model/profiles/profiles.h"

static void test_msrs(void)
{
	begin();
	for (uint32_t n = 0; n < 8; n++) {
		uint32_t base = 0xd00 + 0x20 * n;

		OK(rd(base + 4) == 0 && rd(base + 0x13) == 0 && rd(base + 0x14) == 0);
		OK(wr(base + 0x19, n + 1) && wr(base + 0x13, 0xff0cffff));
		OK(!wr(base + 5, 0) && !wr(base + 0x15, 0) && !wr(base + 0x1a, 0));
	}
	for (uint32_t n = 0; n < 8; n++)
		OK(rd(0xd19 + 0x20 * n) == n + 1);
	OK(rd(0xc00) == ~UINT64_C(0) && !wr(0xc01, 0) && !wr(0xc06, 0) && !wr(0xc15, 0));
	OK(!wr(0xc35, 0) && !wr(0xc12, 0) && !wr(0xc04, 0));
	OK(wr(0xc17, 7) && rd(0xc17) == 7 && rd(0xc16) == 0);
	OK(wr(0xc39, 9) && rd(0xc39) == 9 && wr(0xc34, 0xffffffff) && rd(0xc34) == 0xffffffff);
	OK(rd(0x186) == ~UINT64_C(0) &&
	   uncore_rdmsr(&uncore, 0x186, &uncore.now) == ACCESS_NOT_MINE);
}

/* Reserved bits by WRMSR raise #GP, in PCI they are ignored. */
static void test_reserved_bits(void)
{
	begin();
	OK(!wr(0xd10, 0x100000) && !wr(0xd10, 0x10000) && !wr(0xd10, 0x200000));
	OK(!wr(0xd10, UINT64_C(0x100000000)) && wr(0xd10, 0xff8cffff));
	OK(!wr(0xd04, 0x20000) && !wr(0xd04, 4) && wr(0xd04, 0x10103) && rd(0xd04) == 0x10100);
	OK(!wr(0xd14, 0x20) && !wr(0xd14, 0x800000000) && wr(0xd14, 0xfffffc1f));
	OK(!wr(0xc30, 0x100) && !wr(0xc30, 0x20000000) && !wr(0xc30, 0x80000));
	OK(wr(0xc30, 0xdfe6c0ff) && rd(0xc30) == 0xdfe4c0ff);
	OK(!wr(0xc10, 0x20000000) && !wr(0xc10, 0x80000) && wr(0xc10, 0x1fc4ffff));
	set(DF(14, 1), 0xd8, 0xffffffff);
	set(DF(16, 4), 0xd8, 0xffffffff);
	set(DF(8, 2), 0xd8, 0xffffffff);
	set(DF(19, 1), 0xe4, 0xffffffff);
	set(DF(19, 5), 0xe0, 0xffffffff);
	OK(cfg(DF(14, 1), 0xd8) == 0xffc4ffff && cfg(DF(16, 4), 0xd8) == 0xffc4ffff);
	OK(cfg(DF(8, 2), 0xd8) == 0xffe4ffff && cfg(DF(19, 1), 0xe4) == 0xffc4ffff);
	OK(cfg(DF(19, 5), 0xe0) == 0xffc4ffff);
	/* No fourth counter, no status, no fifth control. */
	set(DF(19, 5), 0xe4, 0xffffffff);
	set(DF(19, 5), 0xb8, 0xffffffff);
	set(DF(16, 0), 0xf8, 0xffffffff);
	set(DF(16, 0), 0xe8, 0xffffffff);
	OK(cfg(DF(19, 5), 0xe4) == 0 && cfg(DF(19, 5), 0xb8) == 0);
	OK(cfg(DF(16, 0), 0xf8) == 0 && cfg(DF(16, 0), 0xe8) == 0);
}

static void test_widths(void)
{
	static const struct {
		uint8_t df;
		uint32_t high;
	} boxes[] = {
		{DF(14, 1), 0xffff}, {DF(16, 0), 0xffff}, {DF(16, 1), 0xffff}, {DF(16, 4), 0xffff},
		{DF(16, 5), 0xffff}, {DF(8, 2), 0xffff},  {DF(9, 2), 0xffff},  {DF(19, 1), 0xfff},
		{DF(19, 5), 0xfff},  {DF(19, 6), 0xfff},
	};

	begin();
	for (unsigned i = 0; i < ARRAY_SIZE(boxes); i++) {
		set(boxes[i].df, 0xa8, 0x1000 + i);
		set(boxes[i].df, 0xac, 0xffffffff);
	}
	for (unsigned i = 0; i < ARRAY_SIZE(boxes); i++)
		OK(cfg(boxes[i].df, 0xa8) == 0x1000 + i && cfg(boxes[i].df, 0xac) == boxes[i].high);
	OK(wr(0xd17, ~UINT64_C(0)) && rd(0xd17) == UINT64_C(0xfffffffffff));
	OK(wr(0xc16, ~UINT64_C(0)) && rd(0xc16) == UINT64_C(0xfffffffffff));
	OK(wr(0xc37, ~UINT64_C(0)) && rd(0xc37) == UINT64_C(0xffffffffffff));
}

static void test_filters(void)
{
	begin();
	set(DF(14, 1), 0x40, 0xffffffff);
	set(DF(14, 1), 0x44, 0xffffffff);
	set(DF(14, 1), 0x48, 0xffffffff);
	OK(cfg(DF(14, 1), 0x40) == 0xffffffc0 && cfg(DF(14, 1), 0x44) == 0x3fff);
	OK(cfg(DF(14, 1), 0x48) == 0x3f);
	for (uint16_t offset = 0x228; offset <= 0x23c; offset += 4)
		set(DF(9, 6), offset, 0xffffffff);
	OK(cfg(DF(9, 6), 0x228) == 0x8003fff8 && cfg(DF(9, 6), 0x22c) == 0xf000f);
	OK(cfg(DF(9, 6), 0x238) == 0x8003fff8 && cfg(DF(9, 6), 0x23c) == 0xf000f);
	OK(cfg(DF(9, 6), 0x230) == 0 && cfg(DF(8, 6), 0x228) == 0 && cfg(DF(8, 2), 0x228) == 0);
	/* rst_ctrl keeps the filters. */
	wr(0xd14, 0xc1000000);
	wr(0xd04, 1);
	OK(rd(0xd14) == 0xc1000000);
}

static void test_functions(void)
{
	uint32_t value;
	struct pci_access access = {0x3f, DF(16, 0), 2, 2};

	begin();
	OK(cfg(DF(14, 1), 0) == 0x3c468086 && cfg(DF(16, 5), 0) == 0x3cb58086);
	OK(cfg(DF(8, 2), 0) == 0x3c418086 && cfg(DF(9, 2), 0) == 0x3c428086);
	OK(cfg(DF(8, 6), 0) == 0x3c868086 && cfg(DF(9, 6), 0) == 0x3c968086);
	OK(cfg(DF(19, 1), 0) == 0x3c438086 && cfg(DF(19, 6), 0) == 0x3c458086);
	OK(cfg(DF(11, 0), 0) == 0x3ce08086 && cfg(DF(18, 0), 0) == 0xffffffff);
	OK(cfg(DF(19, 5), 8) == 0x11010007 && cfg(DF(19, 6), 8) == 0x08800007);
	OK(cfg(DF(8, 0), 0xd4) == 5 && cfg(DF(11, 0), 0x40) == 0 && cfg(DF(11, 0), 0x54) == 0);
	OK(cfg_on(0x7f, DF(11, 0), 0) == 0xdeadbeef && cfg_on(0, DF(11, 0), 0) == 0xdeadbeef);
	OK(uncore_pci_read(&uncore, &access, &value) && value == 0x3cb0);
	begin_sockets(NULL, 2);
	OK(cfg_on(0x7f, DF(11, 0), 0x40) == 1 && cfg(DF(11, 0), 0x54) == 8);
	set(DF(16, 0), 0xa0, 5);
	OK(cfg_on(0x7f, DF(16, 0), 0xa0) == 0);
}

static void test_hidden(void)
{
	struct boxes_config config = {
		.sockets = 2, .hidden = {DF(8, 2), DF(9, 6)}, .hidden_count = 2, .tsc_hz = TSC_HZ};

	begin();
	uncore_configure(&uncore, &config);
	OK(cfg(DF(8, 2), 0) == 0xffffffff && cfg_on(0x7f, DF(9, 6), 0) == 0xffffffff);
	OK(cfg(DF(8, 6), 0) == 0x3c868086);
	set(DF(8, 2), 0xd8, 0x400014);
	OK(cfg(DF(8, 2), 0xd8) == 0xffffffff && uncore.box[0][BOX_QPI].counter[0].control == 0);
}

static void test_misc(void)
{
	begin();
	OK(wr(0x1a4, 0xf) && rd(0x1a4) == 0xf && !wr(0x1a4, 0x10));
	pass(1000);
	OK(rd(0x3fc) == 0 && rd(0x3fd) == 0 && !wr(0x3fc, 0) &&
	   !uncore_msr_advances(&uncore, 0x3fd));
	OK(uncore_is_msr(&uncore_snbep, 0xc08) && uncore_is_msr(&uncore_snbep, 0xdf9) &&
	   uncore_is_msr(&uncore_snbep, 0x3fd));
	OK(!uncore_is_msr(&uncore_snbep, 0xc00) && !uncore_is_msr(&uncore_snbep, 0xd05));
}

static void test_foreign(void)
{
	const struct pci_access access = {0x3f, DF(14, 1), 0, 4};
	struct silicon *cpu = &silicon_cpu;
	uint64_t msr;
	uint32_t value;

	/* A processor without an uncore has none of all this. */
	silicon_reset(cpu, profile_find("sandybridge"), NULL);
	OK(!silicon_pci_read(cpu, &access, &value));
	OK(silicon_rdmsr(cpu, 0xc08, &msr) == ACCESS_NOT_MINE);
	OK(silicon_is_foreign_msr(cpu, 0xc08) && silicon_is_foreign_bus(cpu, 0x3f));
	silicon_reset(cpu, profile_find("sandybridge-ep"), NULL);
	OK(silicon_pci_read(cpu, &access, &value));
	OK(!silicon_is_foreign_msr(cpu, 0xc08));
}

/* ---- the words of silicon.cfg ---- */

static struct config_run run;
static char error[CONFIG_ERROR_SIZE];

static bool configures(const char *line)
{
	return config_next(&line, &run, error) == CONFIG_RUN;
}

static bool refuses(const char *line, const char *why)
{
	return config_next(&line, &run, error) == CONFIG_ERROR && strstr(error, why);
}

static void test_config(void)
{
	OK(configures("model=sandybridge-ep") && run.setup.boxes.sockets == 1 &&
	   !run.setup.boxes.hidden_count);
	OK(configures("hide=8.2,9.2,8.6,9.6 sockets=2 model=sandybridge-ep -- tests=*"));
	OK(run.setup.boxes.sockets == 2 && run.setup.boxes.hidden_count == 4);
	OK(run.setup.boxes.hidden[0] == DF(8, 2) && run.setup.boxes.hidden[3] == DF(9, 6));
	OK(refuses("model=sandybridge-ep sockets=3", "3: no number of sockets"));
	OK(refuses("model=sandybridge-ep hide=8", "8: no list of functions"));
	OK(refuses("model=sandybridge-ep hide=8.2,", "no list of functions"));
	OK(refuses("model=sandybridge-ep hide=18.0", "functions of the uncore"));
	OK(refuses("model=sandybridge-ep hide=40.8", "no list of functions"));
	OK(refuses("model=k7 sockets=1", "no uncore") && refuses("model=k7 hide=8.2", "no uncore"));
}

static void test_profile(void)
{
	const struct profile *profile = profile_find("sandybridge-ep");

	OK(profile && profile->pmus[1].ops && profile->signature == 0x206d7);
	OK(profile->pmus[0].traits == profile_find("sandybridge")->pmus[0].traits);
	OK(!profile_find("sandybridge")->pmus[1].ops);
}

int main(void)
{
	test_msrs();
	test_reserved_bits();
	test_widths();
	test_filters();
	test_functions();
	test_hidden();
	test_misc();
	test_foreign();
	test_config();
	test_profile();
	return tap_end();
}
