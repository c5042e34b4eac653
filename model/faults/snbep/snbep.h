/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Room: the seeded faults of the uncore of the Xeon E5-2600.
 * Uses: model/faults, model/uncore/snbep, kernel/lib
 */
#ifndef FAULTS_SNBEP_H
#define FAULTS_SNBEP_H

#include "model/uncore/snbep/snbep.h"

static inline bool is_kind(const struct uncore_box *box, enum uncore_kind kind)
{
	return box->traits->kind == kind;
}

#endif
