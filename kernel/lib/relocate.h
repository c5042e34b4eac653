/* SPDX-License-Identifier: BSD-2-Clause */
/* Relocation of an image that is linked with packed relative relocations (linker.ld). */
#ifndef RELOCATE_H
#define RELOCATE_H

#include <stdint.h>

struct dynamic {
	uint64_t tag, value;
};

/* Adds distance to each word of the image at base that its dynamic section names: those that hold
 * an address in it. */
void relocate(uint64_t base, uint64_t distance, const struct dynamic *dynamic);

#endif
