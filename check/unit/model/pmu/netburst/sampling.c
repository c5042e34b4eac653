/* SPDX-License-Identifier: BSD-2-Clause */
/* NetBurst, from instructions to interrupts and records: power, the way of a PMI, PEBS. */
#include "check/unit/model/memory_bench.h"
#include "processor.h"

/* ---- power ---- */

static void test_power(void)
{
	reset("willamette");
	use(0, FSB_ESCR0, RUNNING, 0x0003d000);
	OK(silicon_counting(cpu));
	RUN(nop);
	OK(count(0) == 1);
	write(FSB_ESCR0, RUNNING & ~ESCR_EVENT_SELECT); /* no event */
	RUN(nop);
	OK(count(0) == 1);
	write(CCCR(0), 0);
	OK(!silicon_counting(cpu));
}

/* ---- the way of the interrupt ---- */

static void test_request(void)
{
	reset("northwood"); /* 5 instructions late */
	write(COUNTER(12), NEGATIVE(2));
	use(12, CRU_ESCR0, 0x0400020c, 0x04039000);
	for (unsigned i = 0; i < 3 + 4; i++) {
		RUN(cpuid); /* each ends its clock */
		OK(!silicon_take_pmi(cpu, 0).held);
	}
	RUN(cpuid);
	OK(silicon_take_pmi(cpu, 0).held && silicon_take_pmi(cpu, 0).masks_lvt);
	write(CCCR(12), 0x84038000); /* stopped, OVF kept */
	OK(silicon_counting(cpu) && silicon_take_pmi(cpu, 0).held);
	write(CCCR(12), 0x04038000);
	OK(!silicon_counting(cpu) && !silicon_take_pmi(cpu, 0).held &&
	   !silicon_take_pmi(cpu, 0).due);
}

/* ---- records ---- */

/* True if just the last of so many additions wants an assist, which is done. */
static bool recorded_after(unsigned additions)
{
	struct machine machine = {
		.read = read_memory,
		.write = write_memory,
		.before = {7, 0x202, {[RAX] = 0xa0, [RBX] = 0xb0, [R8] = 0x80}},
	};

	while (additions--) {
		if (silicon_wants_assist(cpu))
			return false;
		RUN(paddb);
	}
	if (!silicon_wants_assist(cpu) || silicon_precise(cpu))
		return false;
	silicon_assist(cpu, &machine);
	return !silicon_wants_assist(cpu) && count(16) == NEGATIVE(3);
}

static void sample(void)
{
	reset("willamette");
	fill_area(BUFFER + 144, BUFFER + 2 * 144, NEGATIVE(3));
	write(0x600, BASE);
	use(8, FIRM_ESCR0, 0x0500003c, 0x00033000);
	write(COUNTER(16), NEGATIVE(3));
	write(0x3f1, PEBS_ENABLE_MY_THR);
	use(16, CRU_ESCR2, 0x1800020c, 0x0003b000);
}

static void additions(unsigned n)
{
	while (n--)
		RUN(paddb), RUN(cpuid);
}

static void test_records(void)
{
	sample();
	OK(!silicon_precise(cpu));
	additions(3);
	OK(silicon_precise(cpu) && count(16) == 0);
	OK(recorded_after(1) && INDEX == BUFFER + 144);
	OK(word_at(BUFFER) == 0x202 && word_at(BUFFER + 8) == 7);
	OK(word_at(BUFFER + 0x10) == 0xa0 && word_at(BUFFER + 0x18) == 0xb0);
	OK(word_at(BUFFER + 0x50) == 0x80 && word_at(BUFFER + 144) == 0);
	for (unsigned i = 0; i < 3; i++)
		RUN(cpuid);
	OK(silicon_take_pmi(cpu, 0).due == 1);
	additions(3);
	OK(recorded_after(1) && INDEX == BUFFER + 2 * 144);
	additions(3);
	OK(recorded_after(1) && !silicon_take_pmi(cpu, 0).due);
	OK(INDEX == BUFFER + 2 * 144 && word_at(BUFFER + 2 * 144) == 0); /* full */
	additions(3);
	OK(silicon_precise(cpu));
	write(0x3f1, 0);
	OK(!silicon_precise(cpu));
}

static uint32_t half_at(uint64_t address)
{
	return (uint32_t)(word_at(address & ~UINT64_C(7)) >> 8 * (address & 4));
}

/* The same without 64-bit mode: area and record have words of 4 bytes, but for the reset value. */
static void test_records_of_32_bits(void)
{
	struct machine machine = {
		.read = read_memory,
		.write = write_memory,
		.legacy = true,
		.before = {7, 0x202, {[RAX] = 0xa0, [RBX] = 0xb0, [R8] = 0x80}},
	};
	const uint32_t area[] = {BUFFER, BUFFER, BUFFER + 40, BUFFER + 40};
	const uint64_t reset_value = NEGATIVE(5);

	sample();
	write_memory(NULL, BASE + 0x10, area, sizeof(area));
	write_memory(NULL, BASE + 0x20, &reset_value, sizeof(reset_value));
	additions(3);
	RUN(paddb);
	silicon_assist(cpu, &machine);
	OK(count(16) == NEGATIVE(5));
	OK(half_at(BASE + 0x14) == BUFFER + 40);
	OK(half_at(BUFFER) == 0x202 && half_at(BUFFER + 4) == 7);
	OK(half_at(BUFFER + 8) == 0xa0 && half_at(BUFFER + 12) == 0xb0);
	OK(half_at(BUFFER + 40) == 0);
}

int main(void)
{
	test_power();
	test_request();
	test_records();
	test_records_of_32_bits();
	return tap_end();
}
