/* SPDX-License-Identifier: BSD-2-Clause */
/* A NetBurst processor that is given instructions, one by one. */
#pragma once

#include "bench.h"
#include "check/unit/tap.h"
#include "model/cpu/cpu.h"

static struct silicon *const cpu = &silicon_cpu;

static const uint8_t nop[] = {0x90};
static const uint8_t cpuid[] = {0x0f, 0xa2};
static const uint8_t paddb[] = {0x0f, 0xfc, 0xc1};

static inline void retire(const uint8_t *code, unsigned size, unsigned cpl, bool taken)
{
	struct insn insn;

	insn_decode(code, size, CODE_64, &insn);
	insn.address = (uint64_t)(uintptr_t)code;
	silicon_retire(cpu, &insn, cpl, taken, true);
}

#define RUN(code) retire(code, sizeof(code), 0, true)

static inline void write(uint32_t msr, uint64_t value)
{
	OK(silicon_wrmsr(cpu, msr, value) == ACCESS_DONE);
}

static inline uint64_t count(unsigned ctr)
{
	uint64_t value = ~UINT64_C(0);

	silicon_rdmsr(cpu, COUNTER(ctr), &value);
	return value;
}

static inline void reset(const char *model)
{
	silicon_reset(cpu, profile_find(model), NULL);
}

static inline void use(unsigned ctr, uint32_t escr, uint64_t event, uint64_t cccr)
{
	write(escr, event);
	write(CCCR(ctr), cccr);
}
