/* SPDX-License-Identifier: BSD-2-Clause */
/* Identifies the core, and says what may be demanded of it by that.  Pure: leaves in, facts out. */
#include "intel.h"

/* SDM vol. 4 table 2-1: family 6 by model.  On a hybrid part: what its P-cores are.  D7 is a Raptor
 * Cove: InstLatx64, a dump of 000D0670. */
static const struct {
	enum intel_part part;
	uint8_t models[14]; /* 0 ends them */
} parts[] = {
	{INTEL_PENTIUM_PRO, {0x01}},
	{INTEL_P6, {0x03, 0x05, 0x06, 0x07, 0x08, 0x09, 0x0a, 0x0b, 0x0d, 0x15}},
	{INTEL_YONAH, {0x0e}},
	{INTEL_CORE2, {0x0f, 0x16, 0x17, 0x1d}},
	{INTEL_BONNELL, {0x1c, 0x26, 0x27, 0x35, 0x36}},
	{INTEL_NEHALEM, {0x1a, 0x1e, 0x1f, 0x2e, 0x25, 0x2c, 0x2f}},
	{INTEL_SANDY_BRIDGE, {0x2a, 0x2d}},
	{INTEL_IVY_BRIDGE, {0x3a, 0x3e}},
	{INTEL_HASWELL, {0x3c, 0x3f, 0x45, 0x46}},
	{INTEL_BROADWELL, {0x3d, 0x47, 0x4f, 0x56}},
	{INTEL_SILVERMONT, {0x37, 0x4a, 0x4d, 0x5a, 0x5d, 0x4c, 0x75}},
	{INTEL_KNIGHTS, {0x57, 0x85}},
	{INTEL_SKYLAKE, {0x4e, 0x5e, 0x55, 0x8e, 0x9e, 0xa5, 0xa6, 0x66}},
	{INTEL_GOLDMONT, {0x5c, 0x5f}},
	{INTEL_GOLDMONT_PLUS, {0x7a}},
	{INTEL_TREMONT, {0x86, 0x96, 0x9c}},
	{INTEL_ICELAKE, {0x7d, 0x7e, 0x9d, 0x6a, 0x6c, 0x8a, 0x8c, 0x8d, 0xa7}},
	{INTEL_GOLDEN_COVE,
	 {0x8f, 0xcf, 0xad, 0xae, 0x97, 0x9a, 0xb7, 0xba, 0xbf, 0xaa, 0xac, 0xb5, 0xd7}},
	{INTEL_GRACEMONT, {0xbe, 0xaf, 0xb6}},
	{INTEL_LION_COVE, {0xbd, 0xc5, 0xc6}},
	{INTEL_COUGAR_COVE, {0xcc, 0xd5, 0xe5}},
	{INTEL_DARKMONT, {0xdd}},
};

static bool lists(const uint8_t *models, unsigned model)
{
	while (*models && *models != model)
		models++;
	return *models;
}

static enum intel_part part_of(const struct intel_cpu *cpu)
{
	for (size_t i = 0; cpu->family == 6 && i < ARRAY_SIZE(parts); i++)
		if (lists(parts[i].models, cpu->model))
			return parts[i].part;
	return INTEL_UNKNOWN;
}

/* The E-core of a hybrid part, by its P-core.  Arrow Lake has low-power cores of an older kind. */
static enum intel_part atom_beside(enum intel_part part, uint64_t native_model)
{
	switch (part) {
	case INTEL_ICELAKE: /* Lakefield */
		return INTEL_TREMONT;
	case INTEL_GOLDEN_COVE:
		return INTEL_GRACEMONT;
	case INTEL_LION_COVE:
		return native_model == 2 ? INTEL_GRACEMONT : INTEL_SKYMONT;
	case INTEL_COUGAR_COVE:
		return INTEL_DARKMONT;
	default:
		return part;
	}
}

enum intel_part intel_part(const struct intel_leaves *leaves, const struct intel_cpu *cpu)
{
	uint32_t core = leaves->leaf_1a.eax;

	if (cpu->hybrid && field_get(CPUID_1A_EAX_CORE_TYPE, core) == CORE_TYPE_ATOM)
		return atom_beside(part_of(cpu), field_get(CPUID_1A_EAX_NATIVE_MODEL, core));
	return part_of(cpu);
}

/* ---- by its part ---- */

/* InstLatx64 and Intel's event lists.  Goldmont and older: SDM vol. 3B, 20.2. */
unsigned intel_version(enum intel_part part)
{
	static const uint8_t versions[] = {
		[INTEL_YONAH] = 1,        [INTEL_CORE2] = 2,         [INTEL_NEHALEM] = 3,
		[INTEL_SANDY_BRIDGE] = 3, [INTEL_IVY_BRIDGE] = 3,    [INTEL_HASWELL] = 3,
		[INTEL_BROADWELL] = 3,    [INTEL_SKYLAKE] = 4,       [INTEL_ICELAKE] = 5,
		[INTEL_GOLDEN_COVE] = 5,  [INTEL_LION_COVE] = 6,     [INTEL_COUGAR_COVE] = 6,
		[INTEL_BONNELL] = 3,      [INTEL_SILVERMONT] = 3,    [INTEL_KNIGHTS] = 3,
		[INTEL_GOLDMONT] = 4,     [INTEL_GOLDMONT_PLUS] = 4, [INTEL_TREMONT] = 5,
		[INTEL_GRACEMONT] = 5,    [INTEL_SKYMONT] = 6,       [INTEL_DARKMONT] = 6,
	};

	return versions[part];
}

bool intel_is(const struct intel_cpu *cpu, enum intel_part first, enum intel_part last)
{
	return cpu->part >= first && cpu->part <= last;
}

bool intel_may_be(const struct intel_cpu *cpu, enum intel_part first, enum intel_part last)
{
	if (cpu->part != INTEL_UNKNOWN)
		return intel_is(cpu, first, last);
	while (first < last && intel_version(first) < cpu->version)
		first++;
	return intel_version(first) >= cpu->version;
}

/* Linux, nhm_limit_period() (Nehalem, not Westmere) and hsw_limit_period(): a counter that is to
 * overflow after fewer events interrupts again and again.  Haswell's 128 and Broadwell's are for
 * C0h/01h alone, which no test counts with interrupts. */
unsigned intel_shortest_period(const struct intel_cpu *cpu)
{
	static const uint8_t nehalem[] = {0x1a, 0x1e, 0x1f, 0x2e, 0};

	if (intel_may_be(cpu, INTEL_HASWELL, INTEL_HASWELL) ||
	    (intel_is(cpu, INTEL_NEHALEM, INTEL_NEHALEM) && lists(nehalem, cpu->model)))
		return 32;
	return 0;
}

/* ---- event selects ---- */

/* Until Sandy Bridge.  From there on, and on its contemporaries, pin control may be gone: the bit
 * is reserved.  No source says how it then behaves: it may keep what is written, read 0, or raise
 * #GP.
 */
static bool has_pin_control(const struct intel_cpu *cpu)
{
	return intel_is(cpu, INTEL_PENTIUM_PRO, INTEL_NEHALEM) ||
	       intel_is(cpu, INTEL_BONNELL, INTEL_BONNELL);
}

/* Some of the others had TSX until microcode took it out of CPUID.  No source says whether the bits
 * of event selects that go with it then still can be set. */
static bool never_had_tsx(const struct intel_cpu *cpu)
{
	return intel_is(cpu, INTEL_PENTIUM_PRO, INTEL_IVY_BRIDGE) ||
	       intel_is(cpu, INTEL_LION_COVE, INTEL_DARKMONT);
}

/* What CPUID leaves 1CH and 23H tell of; of the former it is not asked here. */
static void select_later(const struct intel_cpu *cpu, uint64_t *writable, uint64_t *optional)
{
	if (cpu->version >= 6)
		*optional &= ~PERFEVTSEL_PC;
	if (cpu->arch_lbr)
		*optional |= PERFEVTSEL_LBR_LOG;
	if (!cpu->leaf_23 && (cpu->perfmon_ext || cpu->arch_lbr))
		*optional |= PERFEVTSEL_LATER;
	if (cpu->umask2)
		*writable |= PERFEVTSEL_UMASK2;
	if (cpu->eq)
		*writable |= PERFEVTSEL_EQ;
	if (cpu->user_disable)
		*writable |= PERFEVTSEL_RDPMC_USER_DISABLE;
}

struct intel_select intel_select(const struct intel_cpu *cpu, uint64_t capabilities)
{
	uint64_t writable = PERFEVTSEL_COMMON, optional = PERFEVTSEL_EN;

	if (!has_pin_control(cpu)) {
		writable &= ~PERFEVTSEL_PC;
		optional |= PERFEVTSEL_PC;
	}
	/* P6 has no EN in PERFEVTSEL1, and what writing it does is not documented. */
	if (cpu->version)
		writable |= PERFEVTSEL_EN;
	if (cpu->any_thread)
		writable |= PERFEVTSEL_ANY;
	else if (cpu->version >= 3)
		optional |= PERFEVTSEL_ANY;
	if (cpu->tsx || !never_had_tsx(cpu))
		optional |= PERFEVTSEL_IN_TX | PERFEVTSEL_IN_TXCP;
	if (capabilities & PERF_CAPABILITIES_PEBS_BASELINE)
		optional |= PERFEVTSEL_ADAPTIVE;
	select_later(cpu, &writable, &optional);
	/* EN_PT_LOG, whose place no text that is known tells. */
	if (cpu->logs_trace)
		optional |= ~FIELD(37, 0) & ~writable;
	return (struct intel_select){.writable = writable, .reserved = ~(writable | optional)};
}

/* Intel's event lists: OFFCORE_RESPONSE and OCR with MSRIndex 1A6h, 1A7h. */
uint32_t intel_offcore(const struct intel_cpu *cpu, unsigned n)
{
	if (intel_is(cpu, INTEL_SANDY_BRIDGE, INTEL_ICELAKE))
		return n ? 0x1bb : 0x1b7;
	if (intel_is(cpu, INTEL_GOLDEN_COVE, INTEL_GOLDEN_COVE))
		return n ? 0x12b : 0x12a;
	return 0;
}

/* Redwood Cove is a Golden Cove whose leaf 23H tells of it. */
static bool is_old_golden_cove(const struct intel_cpu *cpu)
{
	return intel_is(cpu, INTEL_GOLDEN_COVE, INTEL_GOLDEN_COVE) && !cpu->leaf_23;
}

/* Intel's event lists: FRONTEND_RETIRED with MSRIndex 3F7h. */
struct intel_frontend intel_frontend(const struct intel_cpu *cpu)
{
	const bool old = intel_is(cpu, INTEL_SKYLAKE, INTEL_ICELAKE) || is_old_golden_cove(cpu);

	if (!intel_is(cpu, INTEL_SKYLAKE, INTEL_COUGAR_COVE))
		return (struct intel_frontend){0};
	return (struct intel_frontend){
		.select = old ? 0x1c6 : 0x3c6,
		.width = (uint32_t)field_put(FRONTEND_WIDTH, cpu->part == INTEL_SKYLAKE   ? 4
							     : cpu->part == INTEL_ICELAKE ? 5
											  : 6),
	};
}

/* Intel's event lists: MEM_TRANS_RETIRED.LOAD_LATENCY with MSRIndex 3F6h; Linux,
 * intel_spr_aux_events[]. */
struct intel_load_latency intel_load_latency(const struct intel_cpu *cpu)
{
	if (!intel_is(cpu, INTEL_SANDY_BRIDGE, INTEL_COUGAR_COVE))
		return (struct intel_load_latency){0};
	return (struct intel_load_latency){
		.select = 0x1cd,
		.company = is_old_golden_cove(cpu) ? 0x8203 : 0,
		.enable = cpu->version < 5 ? PEBS_ENABLE_LD_LAT : 0,
	};
}

bool intel_may_have_metrics(const struct intel_cpu *cpu)
{
	return cpu->version >= 5 && !intel_is(cpu, INTEL_BONNELL, INTEL_DARKMONT);
}

/* ---- counters ---- */

#define ALL_COUNTERS FIELD(47, 0)

uint64_t intel_global_bits(unsigned general, uint64_t fixed)
{
	return (general < GLOBAL_FIXED_FIRST ? BIT(general) - 1 : FIELD(31, 0)) |
	       (fixed << GLOBAL_FIXED_FIRST & ALL_COUNTERS);
}

/* CPUID 0AH of a hybrid part shows what all of its cores have.  The largest has so many: as Ice
 * Lake has, and as Golden Cove shows where it is alone. */
static uint64_t counters_of_largest(const struct intel_cpu *cpu)
{
	enum intel_part part = part_of(cpu);

	return part == INTEL_ICELAKE || part == INTEL_GOLDEN_COVE ? intel_global_bits(8, 0xf)
								  : ALL_COUNTERS;
}

uint64_t intel_absent(const struct intel_leaves *leaves, const struct intel_cpu *cpu)
{
	uint64_t shown = intel_global_bits(cpu->general_promised, cpu->fixed_promised);
	uint64_t may_be = shown;

	if (cpu->leaf_23)
		may_be = leaves->leaf_23[1].eax | (uint64_t)leaves->leaf_23[1].ebx
							  << GLOBAL_FIXED_FIRST;
	else if (cpu->perfmon_ext)
		may_be = ALL_COUNTERS;
	else if (cpu->hybrid)
		may_be = shown | counters_of_largest(cpu);
	else if (cpu->version > 5)
		may_be = ALL_COUNTERS;
	return ALL_COUNTERS & ~may_be;
}
