/* SPDX-License-Identifier: BSD-2-Clause */
/* Unpacking of one gzip member (RFC 1952) without name, comment or other optional fields. */
#ifndef GZIP_H
#define GZIP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The unpacked size that the size bytes at packed claim; 0: they are no such member. */
size_t gzip_unpacked_size(const uint8_t *packed, size_t size);

/* Unpacks to the gzip_unpacked_size() bytes at out.  False: damaged. */
bool gzip_unpack(const uint8_t *packed, size_t size, uint8_t *out);

#endif
