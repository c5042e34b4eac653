/* SPDX-License-Identifier: BSD-2-Clause */
/* \silicon.cfg: one run of the program per line. */
#pragma once

#include "config_run.h"

/* Reads the next run and moves *text behind it.  CONFIG_ERROR: error, of CONFIG_ERROR_SIZE, says
 * which word is wrong and what may stand there. */
enum config_result config_next(const char **text, struct config_run *run, char *error);
