/* SPDX-License-Identifier: BSD-2-Clause */
/* Where a processor is in its machine, and how many there are, as CPUID tells: Intel SDM volume 2,
 * CPUID; AMD64 APM volume 3, appendix E. */
#include "kernel/lib/bits.h"
#include "model/pmu/intel/intel.h"
#include "model/pmu/netburst/netburst.h"
#include "state.h"

enum { EAX, EBX, ECX, EDX };

#define LEAF1_EBX_LOGICAL   (uint32_t) FIELD(23, 16)
#define LEAF1_EBX_APIC_ID   (uint32_t) FIELD(31, 24)
#define LEAF1_EDX_HTT       (uint32_t) BIT(28)
#define LEAF_CACHES         0x4
#define CACHE_EAX_TYPE      (uint32_t) FIELD(4, 0)
#define CACHE_EAX_SHARING   (uint32_t) FIELD(25, 14) /* less one */
#define CACHE_EAX_CORES     (uint32_t) FIELD(31, 26) /* of the package, less one */
#define LEAF_FEATURES       0x7
#define LEAF7_EDX_HYBRID    (uint32_t) BIT(15)
#define LEAF_TOPOLOGY       0xb
#define LEAF_TOPOLOGY_V2    0x1f
#define LEVEL_ECX_NUMBER    (uint32_t) FIELD(7, 0)
#define LEVEL_ECX_TYPE      (uint32_t) FIELD(15, 8)
#define LEVEL_TYPE_THREAD   1
#define LEAF_CORE           0x1a
#define EXT_FEATURES        0x80000001
#define EXT1_ECX_CMP_LEGACY (uint32_t) BIT(1)
#define EXT_SIZES           0x80000008
#define EXT8_ECX_LOGICAL    (uint32_t) FIELD(7, 0) /* less one */
#define EXT8_ECX_ID_BITS    (uint32_t) FIELD(15, 12)
#define EXT_CACHES          0x8000001d
#define EXT_NUMBERS         0x8000001e
#define EXT1E_EBX_CORE      (uint32_t) FIELD(7, 0)
#define EXT1E_EBX_THREADS   (uint32_t) FIELD(15, 8) /* less one */
#define EXT_TOPOLOGY        0x80000026

/* The package. */
struct package {
	unsigned threads, cores;
	unsigned thread_bits, core_bits; /* of an APIC ID */
};

bool cpuid_has_two_threads(const struct profile *profile)
{
	const struct netburst_traits *netburst = profile->pmus[0].traits;
	const struct intel_traits *t = profile->pmus[0].traits;

	if (cpuid_is_amd(profile))
		return false;
	return profile->pmus[0].ops == &pmu_netburst_ops ? netburst->hyper_threading
							 : t->hyper_threading;
}

bool silicon_has_one_core(const struct profile *profile)
{
	return !cpuid_is_amd(profile) && !cpuid_find(profile, LEAF_CACHES, 0);
}

static struct package package_of(const struct profile *profile, const struct seat *seat)
{
	bool two = cpuid_has_two_threads(profile);
	unsigned cores = seat->cores ? seat->cores : 1;

	return (struct package){
		.threads = 1 + two,
		.cores = cores,
		.thread_bits = two,
		.core_bits = cores > 1 ? 64 - (unsigned)__builtin_clzll(cores - 1) : 0,
	};
}

uint32_t silicon_apic_id(const struct profile *profile, const struct seat *seat, unsigned thread)
{
	const struct package p = package_of(profile, seat);

	return seat->package << (p.core_bits + p.thread_bits) | seat->core << p.thread_bits |
	       thread;
}

/* ---- the leaves ---- */

/* Intel's is a number of APIC IDs, AMD's of processors. */
static void features(const struct profile *profile, const struct package *p, uint32_t id,
		     uint32_t r[4])
{
	unsigned logical = cpuid_is_amd(profile) ? p->threads * p->cores
						 : 1u << (p->core_bits + p->thread_bits);

	r[EBX] = (r[EBX] & ~(LEAF1_EBX_APIC_ID | LEAF1_EBX_LOGICAL)) |
		 (uint32_t)field_put(LEAF1_EBX_APIC_ID, id) |
		 (uint32_t)field_put(LEAF1_EBX_LOGICAL, logical);
	r[EDX] = (r[EDX] & ~LEAF1_EDX_HTT) | (logical > 1 ? LEAF1_EDX_HTT : 0);
}

/* A first-level cache is shared by the threads of the part's core. */
static void cache(const struct profile *profile, const struct package *p, uint32_t leaf,
		  uint32_t r[4])
{
	const struct cpuid_leaf *first = cpuid_find(profile, leaf, 0);
	uint32_t cores;

	if (!(r[EAX] & CACHE_EAX_TYPE))
		return;
	cores = (uint32_t)((field_get(CACHE_EAX_SHARING, r[EAX]) + 1) /
			   (field_get(CACHE_EAX_SHARING, first->r[EAX]) + 1));
	if (cores > 1u << p->core_bits)
		cores = 1u << p->core_bits;
	r[EAX] = (r[EAX] & ~(CACHE_EAX_SHARING | CACHE_EAX_CORES)) |
		 (uint32_t)field_put(CACHE_EAX_SHARING, (cores << p->thread_bits) - 1);
	if (leaf == LEAF_CACHES)
		r[EAX] |= (uint32_t)field_put(CACHE_EAX_CORES, (1u << p->core_bits) - 1);
}

/* A level of the topology: the threads of a core, or all that is above. */
static void level(const struct package *p, uint32_t subleaf, uint32_t id, uint32_t r[4])
{
	bool thread = field_get(LEVEL_ECX_TYPE, r[ECX]) == LEVEL_TYPE_THREAD;
	bool none = !field_get(LEVEL_ECX_TYPE, r[ECX]);

	r[EAX] = none ? 0 : thread ? p->thread_bits : p->thread_bits + p->core_bits;
	r[EBX] = none ? 0 : thread ? p->threads : p->threads * p->cores;
	r[ECX] = (r[ECX] & LEVEL_ECX_TYPE) | (subleaf & LEVEL_ECX_NUMBER);
	r[EDX] = id;
}

static void sizes(const struct package *p, uint32_t r[4])
{
	r[ECX] = (uint32_t)(field_put(EXT8_ECX_LOGICAL, p->threads * p->cores - 1) |
			    field_put(EXT8_ECX_ID_BITS, p->core_bits + p->thread_bits));
}

static void numbers(const struct package *p, const struct seat *seat, uint32_t id, uint32_t r[4])
{
	r[EAX] = id;
	r[EBX] = (uint32_t)(field_put(EXT1E_EBX_CORE, seat->core) |
			    field_put(EXT1E_EBX_THREADS, p->threads - 1));
}

/* A core that tells of its kind, beside one of another. */
static bool is_beside_others(const struct profile *profile, const struct seat *seat)
{
	return seat->hybrid && cpuid_find(profile, LEAF_CORE, 0);
}

void cpuid_seat(const struct profile *profile, const struct seat *seat, unsigned thread,
		uint32_t leaf, uint32_t subleaf, uint32_t r[4])
{
	const struct package p = package_of(profile, seat);
	uint32_t id = silicon_apic_id(profile, seat, thread);

	switch (leaf) {
	case 0x1:
		features(profile, &p, id, r);
		break;
	case LEAF_FEATURES:
		if (subleaf == 0 && is_beside_others(profile, seat))
			r[EDX] |= LEAF7_EDX_HYBRID;
		break;
	case EXT_FEATURES:
		if (cpuid_is_amd(profile) && p.threads * p.cores > 1)
			r[ECX] |= EXT1_ECX_CMP_LEGACY;
		break;
	case LEAF_CACHES:
	case EXT_CACHES:
		cache(profile, &p, leaf, r);
		break;
	case LEAF_TOPOLOGY:
	case LEAF_TOPOLOGY_V2:
	case EXT_TOPOLOGY:
		if (cpuid_find(profile, leaf, 0))
			level(&p, subleaf, id, r);
		break;
	case EXT_SIZES:
		if (cpuid_is_amd(profile) && cpuid_find(profile, leaf, 0))
			sizes(&p, r);
		break;
	case EXT_NUMBERS:
		if (cpuid_find(profile, leaf, 0))
			numbers(&p, seat, id, r);
		break;
	}
}

/* Subleaf n is of level n; APIC IDs go up to a power of two. */
bool cpuid_shares(const struct profile *profile, const struct seat *a, const struct seat *b,
		  unsigned level)
{
	unsigned shift = 0;
	uint32_t r[4];

	cpuid_answer(profile, false, EXT_CACHES, level, r);
	cpuid_seat(profile, a, 0, EXT_CACHES, level, r);
	if (!(r[EAX] & CACHE_EAX_TYPE))
		return false;
	while (field_get(CACHE_EAX_SHARING, r[EAX]) >> shift)
		shift++;
	return silicon_apic_id(profile, a, 0) >> shift == silicon_apic_id(profile, b, 0) >> shift;
}
