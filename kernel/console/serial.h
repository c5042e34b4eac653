/* SPDX-License-Identifier: BSD-2-Clause */
/* Gone: include kernel/console/console.h. */
#include "console.h"
