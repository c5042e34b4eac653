/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Room: lawful variations of the cores' PMUs: what errata publish, and what hypervisors do.
 * Uses: model/faults/common, model/pmu/amd, model/pmu/intel
 */
#pragma once

#include "model/faults/common/common.h"
#include "model/pmu/amd/amd.h"
#include "model/pmu/intel/intel.h"

/* The signature of KVM instead of the model's own, for what only a hypervisor may do. */
#define KVM_MODELS(models_, name_, known_, says_, ...)                                             \
	ENTERED("lawful", name_, #name_, models_, known_, says_, DEFECT(__VA_ARGS__),              \
		.cpuid = &kvm_signature)
extern const struct cpuid_lie kvm_signature;
