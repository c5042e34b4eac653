/* SPDX-License-Identifier: BSD-2-Clause */
/* Recorded processors, made again one after the other, and what the program says of each. */
#pragma once

#include "row.h"

/* ---- machine.c ---- */

/* How registers answer that the row does not record. */
enum registers { REGISTERS_KEEP, REGISTERS_FORGET, REGISTERS_FAULT, REGISTERS_KINDS };
extern const char *const registers_name[REGISTERS_KINDS];

/* From here on CPUID and the MSRs are the row's. */
void machine_build(const struct row *row, enum registers registers);

/* ---- errata.c ---- */

/* Reads the table of errata. */
void errata_read(const char *file);

/* Calls use() with the ids of each erratum that is published of the part. */
void errata_of(const char *part, uint32_t signature, void (*use)(const char *ids));
