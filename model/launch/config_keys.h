/* SPDX-License-Identifier: BSD-2-Clause */
/* The keys of a line of \silicon.cfg, for config*.c. */
#pragma once

#include "config_run.h"

/* Sets what the value of a key, which stands behind its "=", says; or says in error why not. */
typedef enum config_result config_set(struct config_run *run, const char *value, char *error);

/* Says in error what is wrong. */
__attribute__((format(printf, 2, 3))) enum config_result config_refuse(char *error,
								       const char *format, ...);
/* Says more, behind that. */
__attribute__((format(printf, 2, 3))) void config_add(char *error, const char *format, ...);
/* A decimal number below limit; NULL: there is none.  Else what stands behind it. */
const char *config_number(const char *at, unsigned limit, unsigned *number);

config_set config_model, config_fault, config_seed, config_lawful, config_stages, config_sockets,
	config_hidden, config_bits, config_guest;
/* Judges what the row of this key has set. */
config_set config_nested;

/* ---- other processors ---- */

config_set config_cpus;
/* The word "cpuN=[MODEL][:[FAULT][:SEED]]"; value: behind "cpu". */
enum config_result config_cpu(struct config_run *run, char *value, char *error);
/* When all is set: each gets its place, socket by socket. */
void config_seat(struct config_run *run);
