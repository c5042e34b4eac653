/* SPDX-License-Identifier: BSD-2-Clause */
/* Which exits of an inner guest are its host's, by worked examples of both maps. */
#include "model/vmm/nest/nest.h"

#include "check/unit/tap.h"

static struct vmcb host, inner;
static uint8_t msrs[MSR_MAP] __attribute__((aligned(4096)));
static uint8_t ports[PORT_MAP] __attribute__((aligned(4096)));

static void begin(void)
{
	memset(&host, 0, sizeof(host));
	memset(msrs, 0, sizeof(msrs));
	memset(ports, 0, sizeof(ports));
	/* The low 12 bits of the addresses are ignored. */
	host.msrpm_base = (uintptr_t)msrs | 0x123;
	host.iopm_base = (uintptr_t)ports | 0xfff;
}

static bool wants(uint64_t code)
{
	inner.exit_code = code;
	return wants_exit(&host, &inner, 0);
}

static void test_controls(void)
{
	begin();
	OK(!wants(0x00) && !wants(0x1f) && !wants(0x20) && !wants(0x3f));
	host.intercept_cr_read = BIT(0);
	host.intercept_cr_write = BIT(15);
	host.intercept_dr_read = BIT(7);
	host.intercept_dr_write = BIT(0);
	OK(wants(0x00) && !wants(0x10) && wants(0x1f) && !wants(0x0f));
	OK(wants(0x27) && !wants(0x37) && wants(0x30) && !wants(0x20));
}

static void test_exceptions(void)
{
	begin();
	host.intercept_exceptions = BIT(14) | (uint32_t)BIT(31);
	OK(wants(0x4e) && wants(0x5f) && !wants(0x4d) && !wants(0x40));
}

static void test_instructions(void)
{
	begin();
	OK(!wants(EXIT_INTR) && !wants(EXIT_CPUID) && !wants(EXIT_SHUTDOWN) && !wants(EXIT_VMRUN));
	host.intercept = INTERCEPT_INTR | INTERCEPT_SHUTDOWN;
	host.intercept_svm = BIT(1);
	OK(wants(EXIT_INTR) && !wants(EXIT_CPUID) && wants(EXIT_SHUTDOWN));
	OK(!wants(EXIT_VMRUN) && wants(EXIT_VMMCALL) && !wants(EXIT_VMLOAD));
	OK(wants(EXIT_NPF) && wants(EXIT_INVALID));
}

static bool wants_msr(uint32_t msr, bool write)
{
	inner.exit_code = EXIT_MSR;
	inner.exit_info_1 = write;
	return wants_exit(&host, &inner, msr);
}

static void set(uint8_t *map, unsigned bit)
{
	map[bit / 8] |= (uint8_t)(1 << bit % 8);
}

static void test_msrs(void)
{
	begin();
	set(msrs, 0x1fff * 2 + 1);
	set(msrs, 0x4000);
	set(msrs, 0x8000 + 2 * 0x200 + 1);
	OK(!wants_msr(0x1fff, true) && !wants_msr(0x2000, false));
	host.intercept = INTERCEPT_MSR;
	OK(wants_msr(0x1fff, true) && !wants_msr(0x1fff, false) && !wants_msr(0x1ffe, true));
	OK(wants_msr(0xc0000000, false) && !wants_msr(0xc0000000, true));
	OK(wants_msr(0xc0010200, true) && !wants_msr(0xc0010200, false));
	/* Outside of the three ranges. */
	OK(wants_msr(0x2000, false) && wants_msr(0xc0002000, true) && wants_msr(0xbfffffff, false));
	OK(!wants_msr(0xc0011fff, true) && wants_msr(0xc0012000, true));
}

static bool wants_port(unsigned port, unsigned size)
{
	inner.exit_code = EXIT_IOIO;
	inner.exit_info_1 = field_put(IOIO_PORT, port) | field_put(IOIO_SIZE, size);
	return wants_exit(&host, &inner, 0);
}

static void test_ports(void)
{
	begin();
	set(ports, 0x3f8);
	set(ports, 0x10000); /* behind the last port: of accesses that reach beyond it */
	OK(!wants_port(0x3f8, 1));
	host.intercept = INTERCEPT_IOIO;
	OK(wants_port(0x3f8, 1) && !wants_port(0x3f9, 1) && !wants_port(0x3f7, 1));
	OK(wants_port(0x3f7, 2) && !wants_port(0x3f4, 4) && wants_port(0x3f5, 4));
	OK(!wants_port(0xffff, 1) && wants_port(0xffff, 2));
}

static void test_plain(void)
{
	begin();
	OK(!wants_plain_instructions(&host));
	host.intercept = INTERCEPT_INTR | INTERCEPT_RDTSC | INTERCEPT_CPUID;
	OK(!wants_plain_instructions(&host));
	for (unsigned bit = 6; bit <= 17; bit += bit == 9 ? 7 : 1) {
		host.intercept = (uint32_t)BIT(bit);
		OK(wants_plain_instructions(&host));
	}
}

static void test_merge(void)
{
	struct vmcb v = {.intercept_cr_write = BIT(8), .intercept = INTERCEPT_MSR};
	uint8_t map[MSR_MAP], ours[MSR_MAP] = {[0] = 1, [MSR_MAP - 1] = 0x80};

	begin();
	host.intercept_cr_write = BIT(3);
	host.intercept_cr_read = BIT(4);
	host.intercept_dr_read = host.intercept_dr_write = BIT(7);
	host.intercept_exceptions = BIT(14);
	host.intercept = INTERCEPT_INTR;
	host.intercept_svm = BIT(0);
	merge_intercepts(&v, &host);
	OK(v.intercept_cr_write == (BIT(8) | BIT(3)) && v.intercept_cr_read == BIT(4));
	OK(v.intercept_dr_read == BIT(7) && v.intercept_dr_write == BIT(7));
	OK(v.intercept_exceptions == BIT(14) && v.intercept_svm == BIT(0));
	OK(v.intercept == (INTERCEPT_MSR | INTERCEPT_INTR));
	msrs[0] = 2;
	merge_map(map, ours, msrs, sizeof(map));
	OK(map[0] == 3 && map[1] == 0 && map[MSR_MAP - 1] == 0x80);
}

int main(void)
{
	test_controls();
	test_exceptions();
	test_instructions();
	test_msrs();
	test_ports();
	test_plain();
	test_merge();
	return tap_end();
}
