/* SPDX-License-Identifier: BSD-2-Clause */
/* Which exits of an inner guest its host has asked for: AMD64 APM volume 2, appendix B and C. */
#include "nest.h"

/* PUSHF, POPF; reads of IDTR, GDTR, LDTR, TR. */
#define INTERCEPT_PLAIN (uint32_t)(FIELD(17, 16) | FIELD(9, 6))

static const uint8_t *map_at(uint64_t physical)
{
	return (const uint8_t *)(uintptr_t)(physical & ~UINT64_C(0xfff));
}

/* Two bits for each MSR, of three ranges; all others exit. */
static bool wants_msr(const struct vmcb *host, uint32_t msr, bool write)
{
	static const uint32_t first[] = {0, 0xc0000000, 0xc0010000};
	enum { RANGE = 0x2000 };

	for (uint32_t i = 0; i < ARRAY_SIZE(first); i++) {
		uint32_t bit = 2 * (i * RANGE + msr - first[i]) + write;

		if (msr - first[i] < RANGE)
			return map_at(host->msrpm_base)[bit / 8] >> bit % 8 & 1;
	}
	return true;
}

/* A bit for each port; an access that is wider needs them all clear. */
static bool wants_port(const struct vmcb *host, uint64_t info)
{
	uint64_t port = field_get(IOIO_PORT, info), size = field_get(IOIO_SIZE, info);

	for (uint64_t at = port; at < port + size; at++)
		if (map_at(host->iopm_base)[at / 8] >> at % 8 & 1)
			return true;
	return false;
}

static bool has_bit(uint32_t bits, uint64_t code, uint64_t first)
{
	return bits >> (code - first) & 1;
}

bool wants_exit(const struct vmcb *host, const struct vmcb *v, uint32_t msr)
{
	uint64_t code = v->exit_code;

	if (code < EXIT_READ_DR)
		return has_bit(host->intercept_cr_read | (uint32_t)host->intercept_cr_write << 16,
			       code, EXIT_READ_CR);
	if (code < EXIT_EXCEPTION)
		return has_bit(host->intercept_dr_read | (uint32_t)host->intercept_dr_write << 16,
			       code, EXIT_READ_DR);
	if (code < EXIT_INTR)
		return has_bit(host->intercept_exceptions, code, EXIT_EXCEPTION);
	if (code < EXIT_VMRUN && !has_bit(host->intercept, code, EXIT_INTR))
		return false;
	if (code == EXIT_MSR)
		return wants_msr(host, msr, v->exit_info_1 & 1);
	if (code == EXIT_IOIO)
		return wants_port(host, v->exit_info_1);
	if (code < EXIT_VMRUN || code >= EXIT_VMRUN + 32)
		return true;
	return has_bit(host->intercept_svm, code, EXIT_VMRUN);
}

bool wants_plain_instructions(const struct vmcb *host)
{
	return host->intercept & INTERCEPT_PLAIN;
}
