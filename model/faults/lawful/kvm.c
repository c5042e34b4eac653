/* SPDX-License-Identifier: BSD-2-Clause */
/* Lawful variations by KVM, which lends counters to its guests. */
#include "lawful.h"

/* Documentation/virt/kvm/x86/cpuid.rst: EBX, ECX, EDX of leaf 4000_0000h. */
#define ALL UINT32_MAX
const struct cpuid_lie kvm_signature = {
	.leaf = 0x40000000, .clear = {0, ALL, ALL, ALL}, .set = {0, 0x4b4d564b, 0x564b4d56, 0x4d}};

/* x86.c, with ignore_msrs=1: MSRs of which KVM knows nothing, or which its guest has not. */
KVM_MODELS(MODEL_AMD | PARTS_FROM_V2 | MODEL_SERVERS, kvm_ignores_msrs, NULL,
	   "MSRs that there are not read 0, and forget what is written", .ignores_msrs = true);

/* ---- AMD: arch/x86/kvm/svm/pmu.c ---- */

/* Writes of HostOnly and GuestOnly are accepted, and lost. */
KVM_MODELS(MODEL_EXTENDED, kvm_drops_host_guest, NULL, "KVM keeps no HostOnly and no GuestOnly",
	   KEEPS(AMD_SELECT, .clear = FIELD(41, 40)));

/* VMRUN is a branch that retires in the guest: one more wherever the host has interrupted it. */
enum { EVENT_INSTRUCTIONS = 0xc0, EVENT_BRANCHES = 0xc2 };
enum { HOST_INTERRUPTS = 500009 }; /* clocks from one to the next; prime */

/* Is it another clock than at the last call?  Counters are asked in ascending order. */
static bool is_next_clock(const struct point *at, uint64_t *last)
{
	bool is_next = at->ctr <= *last;

	*last = at->ctr;
	return is_next;
}

/* All counters that run count the same VMRUN.  The first one comes late, as the count of clocks
 * begins at 0. */
static void counts_vmrun(struct point *at)
{
	enum { CLOCKS, LAST };
	bool counts = at->event == EVENT_INSTRUCTIONS || at->event == EVENT_BRANCHES;

	if (is_next_clock(at, &at->memory[LAST]))
		at->memory[CLOCKS]++;
	if (at->memory[CLOCKS] % HOST_INTERRUPTS == HOST_INTERRUPTS - 1 && counts && at->passes)
		at->n++;
}

KVM_MODELS(MODEL_EXTENDED, kvm_counts_vmrun, NULL,
	   "each VMRUN behind an interrupt of the host counts as an instruction and a branch",
	   .occurrences = counts_vmrun);

/* ---- Intel: arch/x86/kvm/vmx ---- */

static void refuses_freeze(struct point *at)
{
	if (at->reg.kind == INTEL_DEBUGCTL && at->raw & FIELD(12, 11))
		at->access = ACCESS_GP;
}

KVM_MODELS(PARTS_FROM_V2, kvm_refuses_freeze, NULL, "KVM refuses the freeze bits of IA32_DEBUGCTL",
	   .refused = refuses_freeze, .registers = BIT(INTEL_DEBUGCTL));

/* kvm/pmu.c, pmc_write_counter(): what is too wide for a fixed counter is cut. */
static void takes_any(struct point *at)
{
	at->access = ACCESS_DONE;
}

KVM_MODELS(PARTS_FROM_V2, kvm_cuts_fixed, "*.access.counter_width",
	   "KVM cuts what is written to a fixed counter", .refused = takes_any,
	   .registers = BIT(INTEL_FIXED_CTR));

/* Before Linux 6.6, a16eb25b09c0.  Not beside an interrupt that comes again while the entry is
 * unmasked (hsd091_repeats), which the guest's APIC, made by KVM, knows nothing of. */
KVM_MODELS(PARTS_FROM_V2 & ~(MODEL_HASWELL | MODEL_BROADWELL), kvm_leaves_lvt_unmasked, "*.lvt.*",
	   "delivery of KVM's interrupt does not mask the LVT entry", .flips_lvt_mask = true);

/* Before Linux 6.9, 5728a4a0ea79: RDPMC ignores bits 31 and 30 but for what 30 means. */
KVM_MODELS(PARTS_FROM_V2, kvm_takes_fast_rdpmc, "*.access.rdpmc_forms",
	   "KVM's RDPMC takes NetBurst's index of a fast read", .rdpmc = takes_fast_rdpmc);

/*
 * The mediated PMU, on hosts from version 4 on, off by default.  CPUID shows version 2,
 * no PEBS and no branch records.  If the guest has all counters of its host, as with the 4 + 3 of a
 * Skylake, it has registers 38EH to 390H of the host as well:
 * kvm_need_perf_global_ctrl_intercept(). The host's version 4 has bits 58 and 59 there.
 */
#define HIDDEN                                                                                     \
	(BIT(INTEL_STATUS_SET) | BIT(INTEL_GLOBAL_INUSE) | BIT(INTEL_PEBS_ENABLE) |                \
	 BIT(INTEL_DS_AREA) | BIT(INTEL_LD_LAT_THRESHOLD) | BIT(INTEL_FRONTEND))

static void hides(struct point *at)
{
	if (HIDDEN >> at->reg.kind & 1)
		at->access = ACCESS_GP;
}

/* DEBUGCTL drops what enables branch records, and the capabilities are full-width writes alone. */
static void keeps_no_branches(struct point *at)
{
	if (at->reg.kind == INTEL_DEBUGCTL)
		at->value &= ~DEBUGCTL_LBR;
}

static void shows_few(struct point *at)
{
	if (at->reg.kind == INTEL_PERF_CAPABILITIES)
		at->value &= CAPS_FW_WRITE;
}

static const struct cpuid_lie no_debug_store = {
	.leaf = 1, .clear = {0, 0, BIT(2) | BIT(4), BIT(21)}, .next = &kvm_signature};
static const struct cpuid_lie version_2 = {
	.leaf = 0xa, .clear = {0xff}, .set = {2}, .next = &no_debug_store};

ENTERED("lawful", kvm_mediates, "kvm_mediates", MODEL_SKYLAKE, NULL,
	"KVM shows version 2 and hands over the global registers of version 4",
	DEFECT(.address = hides, .refused = refuses_freeze, .kept = keeps_no_branches,
	       .shown = shows_few,
	       .registers = HIDDEN | BIT(INTEL_DEBUGCTL) | BIT(INTEL_PERF_CAPABILITIES)),
	.cpuid = &version_2, .alone = true);
