/* SPDX-License-Identifier: BSD-2-Clause */
/* What KVM does to the counters of its guests. */
#include "lawful.h"

/* Documentation/virt/kvm/x86/cpuid.rst: EBX, ECX, EDX of leaf 4000_0000h. */
#define ALL UINT32_MAX
const struct cpuid_lie kvm_signature = {
	.leaf = 0x40000000, .clear = {0, ALL, ALL, ALL}, .set = {0, 0x4b4d564b, 0x564b4d56, 0x4d}};

/* ---- AMD: arch/x86/kvm/svm/pmu.c ---- */

/* Writes of HostOnly and GuestOnly are accepted, and lost. */
KVM_MODELS(MODEL_EXTENDED, kvm_drops_host_guest, NULL, "KVM keeps no HostOnly and no GuestOnly",
	   KEEPS(AMD_SELECT, .clear = FIELD(41, 40)));

/* VMRUN is a branch that retires in the guest: one more wherever the host has interrupted it. */
enum { EVENT_INSTRUCTIONS = 0xc0, EVENT_BRANCHES = 0xc2 };
enum { HOST_INTERRUPTS = 50021 }; /* clocks from one to the next; prime */

static void counts_vmrun(struct point *at)
{
	bool counts = at->event == EVENT_INSTRUCTIONS || at->event == EVENT_BRANCHES;

	if (++at->memory[at->ctr] % HOST_INTERRUPTS == 0 && counts && at->passes)
		at->n++;
}

KVM_MODELS(MODEL_EXTENDED, kvm_counts_vmrun, NULL,
	   "each VMRUN behind an interrupt of the host counts as an instruction and a branch",
	   .occurrences = counts_vmrun);

/* ---- Intel: arch/x86/kvm/vmx ---- */

static void refuses_freeze(struct point *at)
{
	if (at->raw & FIELD(12, 11))
		at->access = ACCESS_GP;
}

KVM_MODELS(MODEL_V2, kvm_refuses_freeze, NULL, "KVM refuses the freeze bits of IA32_DEBUGCTL",
	   .refused = refuses_freeze, .registers = BIT(INTEL_DEBUGCTL));
