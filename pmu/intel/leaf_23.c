/* SPDX-License-Identifier: BSD-2-Clause */
/* CPUID leaf 23H: what performance monitoring the very core has that asks.  Pure: leaves in, facts
 * out.  Intel SDM vol. 2, CPUID: leaf 23H. */
#include "intel.h"

static uint64_t told(const struct intel_leaves *leaves)
{
	return leaves->leaf_23[1].eax | (uint64_t)leaves->leaf_23[1].ebx << GLOBAL_FIXED_FIRST;
}

static unsigned count(uint64_t bits)
{
	unsigned n = 0;

	for (; bits; bits &= bits - 1)
		n++;
	return n;
}

/* Counters above 7 have no old name that is documented. */
static void decode_counters(const struct intel_leaves *leaves, struct intel_cpu *cpu)
{
	unsigned most = cpu->new_names ? INTEL_GENERAL_MAX : INTEL_OLD_NAMES;
	uint32_t fixed = leaves->leaf_23[1].ebx;

	cpu->numbers = leaves->leaf_23[1].eax & (uint32_t)FIELD(most - 1, 0);
	cpu->general = count(cpu->numbers);
	/* None where CPUID 0AH says that they differ in width. */
	if (cpu->fixed)
		cpu->fixed = fixed & intel_fixed_known(cpu->part);
	cpu->note = NULL;
	if (cpu->numbers != leaves->leaf_23[1].eax || cpu->fixed != fixed)
		cpu->note = "CPUID 23H tells of counters that no test can lean on: left alone";
}

static void decode_reload(const struct intel_leaves *leaves, struct intel_cpu *cpu)
{
	const struct cpuid_regs *r = &leaves->leaf_23[2];
	uint64_t driven = cpu->numbers | (uint64_t)cpu->fixed << GLOBAL_FIXED_FIRST;

	if (!cpu->new_names || !(leaves->leaf_23[0].eax & CPUID_23_EAX_RELOAD))
		return;
	cpu->reloaded = (r->eax | (uint64_t)r->ebx << GLOBAL_FIXED_FIRST) & driven;
	cpu->reloading = (r->ecx | (uint64_t)r->edx << GLOBAL_FIXED_FIRST) & driven;
}

/* Linux, arch_pebs_init(): what records have and of which counters must go together. */
static void decode_pebs(const struct intel_leaves *leaves, struct intel_cpu *cpu)
{
	const struct cpuid_regs *r = leaves->leaf_23;
	uint64_t recorded = r[5].eax | (uint64_t)r[5].ecx << GLOBAL_FIXED_FIRST;
	uint64_t driven = cpu->numbers | (uint64_t)cpu->fixed << GLOBAL_FIXED_FIRST;

	if (!cpu->new_names || (r->eax & CPUID_23_EAX_PEBS) != CPUID_23_EAX_PEBS ||
	    recorded & ~told(leaves))
		return;
	cpu->recorded = recorded & driven;
	cpu->cfg_c = CFG_C_RECORDS | (uint64_t)r[4].ebx << 32 | CFG_C_RELOAD;
}

/* It has no less than leaf 0AH, which of a hybrid part shows what all of its cores have; what a
 * hypervisor makes of it may have. */
void intel_decode_leaf_23(const struct intel_leaves *leaves, struct intel_cpu *cpu)
{
	const struct cpuid_regs *r = leaves->leaf_23;
	uint64_t shown = intel_global_bits(cpu->general_promised, cpu->fixed_promised);

	cpu->leaf_23 =
		cpu->perfmon_ext && r->eax & CPUID_23_EAX_COUNTERS && !(shown & ~told(leaves));
	if (!cpu->leaf_23)
		return;
	cpu->umask2 = r->ebx & CPUID_23_EBX_UMASK2;
	cpu->eq = r->ebx & CPUID_23_EBX_EQ;
	cpu->user_disable = r->ebx & CPUID_23_EBX_USER_DISABLE;
	cpu->new_names = cpu->version >= 6;
	decode_counters(leaves, cpu);
	decode_reload(leaves, cpu);
	decode_pebs(leaves, cpu);
	/* Neither cycles nor instructions: a hypervisor has left the subleaf out. */
	if (r->eax & CPUID_23_EAX_EVENTS && r[3].eax & 3)
		cpu->unavailable = ~r[3].eax;
}
