/* SPDX-License-Identifier: BSD-2-Clause */
/* One run of the program, as a line of \silicon.cfg describes it. */
#pragma once

#include "model/cpu/cpu.h"

enum { CONFIG_OPTIONS = 1024, CONFIG_NAME = 32, CONFIG_ERROR_SIZE = 8192, CONFIG_CPUS = 64 };

struct config_run {
	struct silicon_setup setup; /* but for the times */
	const char *fault_name; /* "none" without a fault */
	enum { CONFIG_BY_MODEL, CONFIG_64, CONFIG_32 } program; /* its word size */
	char guest[CONFIG_NAME]; /* a file that runs instead of the program; "": none */
	unsigned cpus; /* processors of the machine: 1 to CONFIG_CPUS */
	struct silicon_setup cpu[CONFIG_CPUS]; /* from number 1 on; number 0 is setup */
	char options[CONFIG_OPTIONS]; /* for the program; may be empty */
};

enum config_result { CONFIG_RUN, CONFIG_END, CONFIG_ERROR };
