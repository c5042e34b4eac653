/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Room: lawful variations of PMUs: what errata publish, and what hypervisors do.
 * Uses: kernel/lib, model/faults/common, model/faults/intel, model/pmu/amd, model/pmu/intel
 * Uses: model/pmu/netburst, model/box
 */
#pragma once

#include "model/faults/common/common.h"
#include "model/pmu/amd/amd.h"
#include "model/pmu/intel/intel.h"

/* Variations of parts are also those of models that faults leave out: model/pmu/profile.h. */
#define GOLDEN_COVES       (MODEL_GOLDENCOVE | MODEL_ALDERLAKE | MODEL_REDWOOD)
#define PARTS_FROM_HASWELL (MODEL_HASWELL | MODEL_BROADWELL | MODEL_V4 | GOLDEN_COVES)
#define PARTS_FROM_SANDY   (MODEL_SANDY | MODEL_SERVERS | PARTS_FROM_HASWELL | MODEL_GRACEMONT)
/* The P-core and the E-core of each. */
#define ARROW_LAKE   (MODEL_LIONCOVE | MODEL_SKYMONT)
#define PANTHER_LAKE (MODEL_COUGARCOVE | MODEL_DARKMONT)
/* Those that a hypervisor shows to its guests: none of version 6. */
#define PARTS_FROM_V2   (MODEL_V2 | PARTS_FROM_HASWELL | MODEL_GRACEMONT)
#define PARTS_WITH_PEBS (PARTS_FROM_V2 | ARROW_LAKE | PANTHER_LAKE)

/* The signature of KVM instead of the model's own, for what only a hypervisor may do. */
#define KVM_MODELS(models_, name_, known_, says_, ...)                                             \
	ENTERED("lawful", name_, #name_, models_, known_, says_, DEFECT(__VA_ARGS__),              \
		.cpuid = &kvm_signature)
extern const struct cpuid_lie kvm_signature;
