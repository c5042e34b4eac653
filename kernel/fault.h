/* SPDX-License-Identifier: BSD-2-Clause */
/* Gone: include kernel/kernel.h. */
#include "kernel.h"
