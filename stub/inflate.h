/* SPDX-License-Identifier: BSD-2-Clause */
/* Decompression of deflate streams (RFC 1951), within bounds whatever they hold. */
#ifndef INFLATE_H
#define INFLATE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Unpacks the in_size bytes at in to exactly out_size bytes at out.  False: they are no deflate
 * stream, or one of another length, packed or unpacked; what is in out then is of no use. */
bool inflate(const uint8_t *in, size_t in_size, uint8_t *out, size_t out_size);

#endif
