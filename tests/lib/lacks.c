/* SPDX-License-Identifier: BSD-2-Clause */
/* What payloads need of the processor. */
#include "kernel/kernel.h"
#include "payload.h"

uint32_t payload_lacks(const struct payload *payload)
{
	return payload->needs & ~cpuid(1, 0).edx;
}
