/* SPDX-License-Identifier: BSD-2-Clause */
/* Vector registers, which no code of ours uses but tests that want to find them again. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

/* Bytes of XMM0 to XMM15, and of what YMM0 to YMM15 have above them; in 32-bit code there are eight
 * of each. */
enum { VECTORS_SIZE = 16 * 16 };

/* XMM registers have the values of lower from now on, and the upper halves of YMM registers, which
 * firmware may have left switched off, those of upper.  False: the processor has no such halves.
 * Only where there is FXSAVE. */
bool vectors_load(const uint8_t lower[VECTORS_SIZE], const uint8_t upper[VECTORS_SIZE]);
/* All is as vectors_load() has found it.  The runner calls this after each test. */
void vectors_restore(void);
