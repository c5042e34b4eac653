/* SPDX-License-Identifier: BSD-2-Clause */
/* Modelled processors with NetBurst counters. */

#include "model/pmu/netburst/netburst.h"
#include "kernel/lib/bits.h"
#include "profiles.h"

/* The interrupt of a cascading counter is broken on real Northwoods: it works here. */
static const struct netburst_traits willamette = {
	.iq_escrs = true,
};

static const struct netburst_traits northwood = {
	.hyper_threading = true,
	.extended_cascade = true,
	.iq_escrs = true,
	.ioq_on_both = true,
	.ioq_needs_all = true,
};

static const struct netburst_traits prescott = {
	.extended_cascade = true,
	.instr_completed = true,
	.ioq_on_both = true,
	.ioq_needs_all = true,
	.dtes64 = true,
};

PROFILE(willamette, "willamette", MODEL_WILLAMETTE,
	"Intel Pentium 4, model 1: 18 counters, 45 ESCRs, no extended cascade",
	.signature = 0x00000f12, .brand = "Intel(R) Pentium(R) 4 CPU (pmutest86 model)",
	LEAVES(leaves_willamette), .microcode = 0x4, .retirement = {.width = 3, .by_uops = true},
	.pmi_latency = 2, .pmus = {{&pmu_netburst_ops, &willamette}});

PROFILE(northwood, "northwood", MODEL_NORTHWOOD,
	"Intel Pentium 4, model 2: extended cascade, Hyper-Threading layout with one processor at "
	"work",
	.signature = 0x00000f27, .brand = "Intel(R) Pentium(R) 4 CPU 3.06GHz (model)",
	LEAVES(leaves_northwood), .microcode = 0x37, .retirement = {.width = 3, .by_uops = true},
	.pmi_latency = 5, .pmus = {{&pmu_netburst_ops, &northwood}});

PROFILE(prescott, "prescott", MODEL_PRESCOTT,
	"Intel Pentium 4, model 4: 43 ESCRs, instr_completed, 64-bit", .signature = 0x00000f41,
	.brand = "Intel(R) Pentium(R) 4 CPU 3.20GHz (model)", LEAVES(leaves_prescott),
	.microcode = 0x17, .retirement = {.width = 3, .by_uops = true}, .pmi_latency = 7,
	.pmus = {{&pmu_netburst_ops, &prescott}});
