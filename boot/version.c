/* SPDX-License-Identifier: BSD-2-Clause */
/* The program's version; the Makefile defines it for this file only. */
#include "boot.h"

const char version[] = PMUTEST86_VERSION;
