/* SPDX-License-Identifier: BSD-2-Clause */
/* Threads of a core: what CPUID of real processors says, and what their makers sold. */
#include <stdbool.h>
#include <stdint.h>

/* The instruction becomes a function of this file. */
#define cpuid instruction_cpuid
#include "kernel/cpu.h"
#undef cpuid

/*
 * Kinds of processors: CPUID as libcpuid (github.com/anrieff/libcpuid, tests) and InstLatx64
 * (github.com/InstLatx64/InstLatx64) have it from them; and threads by the makers' product pages.
 */
struct kind {
	const char *name;
	unsigned threads;
	uint32_t last, signature;
	uint32_t logical; /* leaf 1 EBX[23:16]; 0: HTT is clear */
	uint32_t cores; /* leaf 4 EAX[31:26] + 1 */
	uint32_t smt_b, smt_1f; /* EBX of the SMT level */
	uint32_t extended_last, extended_1, extended_1e; /* ECX, EBX */
};
static const struct kind *kind;

#define INTEL(name, threads, last, signature, logical, cores, smt_b, smt_1f)                       \
	{                                                                                          \
		name, threads, last, signature, logical, cores, smt_b, smt_1f, 0x80000008, 0, 0    \
	}
#define AMD(name, threads, last, signature, logical, smt_b, extended_last, ecx_1, ebx_1e)          \
	{                                                                                          \
		name, threads, last, signature, logical, 0, smt_b, 0, extended_last, ecx_1, ebx_1e \
	}

/* ---- the processor ---- */

static struct cpuid_regs level(uint32_t logical)
{
	return (struct cpuid_regs){.ebx = logical, .ecx = logical ? 0x100 : 0};
}

static struct cpuid_regs cpuid(uint32_t leaf, uint32_t subleaf)
{
	/* Behind the last leaf there is another one's data: here it looks like an answer. */
	const struct cpuid_regs another = {0xfc000000, 0x302, 0x400102, 0};

	if (subleaf || leaf > (leaf >> 31 ? kind->extended_last : kind->last))
		return another;
	switch (leaf) {
	case 0:
		return (struct cpuid_regs){.eax = kind->last};
	case 1:
		return (struct cpuid_regs){kind->signature, kind->logical << 16, 0,
					   kind->logical ? 1u << 28 : 0};
	case 4:
		return (struct cpuid_regs){.eax = kind->cores ? (kind->cores - 1) << 26 : 0};
	case 0x0b:
		return level(kind->smt_b);
	case 0x1f:
		return level(kind->smt_1f);
	case 0x80000000:
		return (struct cpuid_regs){.eax = kind->extended_last};
	case 0x80000001:
		return (struct cpuid_regs){.ecx = kind->extended_1};
	case 0x8000001e:
		return (struct cpuid_regs){.ebx = kind->extended_1e};
	default:
		return another;
	}
}

#include "check/unit/tap.h"
#include "kernel/cpuid.c"
#include "kernel/threads.c"

static const struct kind kinds[] = {
	INTEL("Pentium III", 1, 3, 0x673, 0, 0, 0, 0),
	INTEL("Pentium 4 2.66 GHz", 1, 2, 0xf29, 1, 0, 0, 0),
	INTEL("Pentium 4 640", 2, 5, 0xf43, 2, 1, 0, 0),
	INTEL("Pentium D 820", 1, 5, 0xf44, 2, 2, 0, 0),
	INTEL("Pentium Extreme Edition 955", 2, 6, 0xf62, 4, 2, 0, 0),
	INTEL("Xeon 7100", 2, 6, 0xf66, 4, 2, 0, 0),
	INTEL("Core 2 Quad Q6600", 1, 0xa, 0x6fb, 4, 4, 0, 0),
	INTEL("Xeon E5462", 1, 0xa, 0x10676, 4, 4, 0, 0),
	INTEL("Celeron 900", 1, 0xd, 0x1067a, 0, 1, 0, 0),
	INTEL("Atom N270", 2, 0xa, 0x106c2, 2, 1, 0, 0),
	INTEL("Atom 330", 2, 0xa, 0x106c2, 4, 2, 0, 0),
	INTEL("Atom D525", 2, 0xa, 0x106ca, 4, 2, 0, 0),
	INTEL("Atom D2500", 1, 0xa, 0x30661, 2, 2, 0, 0),
	INTEL("Celeron J1900", 1, 0xb, 0x30673, 16, 8, 1, 0),
	INTEL("Celeron J6412", 1, 0x1b, 0x90661, 128, 64, 1, 0),
	INTEL("Core i5-750", 1, 0xb, 0x106e5, 16, 8, 1, 0),
	INTEL("Core i7-920", 2, 0xb, 0x106a4, 16, 8, 2, 0),
	INTEL("Core i5-2400", 1, 0xd, 0x206a7, 16, 8, 1, 0),
	INTEL("Core i7-2600K", 2, 0xd, 0x206a7, 16, 8, 2, 0),
	INTEL("Core i3-3220T", 2, 0xd, 0x306a9, 16, 8, 2, 0),
	INTEL("Core i7-4710MQ", 2, 0xd, 0x306c3, 16, 8, 2, 0),
	INTEL("Core i5-6400T", 1, 0x16, 0x506e3, 16, 8, 1, 0),
	INTEL("Core i7-7700K", 2, 0x16, 0x906e9, 16, 8, 2, 0),
	INTEL("Core i3-8350K", 1, 0x16, 0x906eb, 16, 8, 1, 0),
	INTEL("Core i5-8350U", 2, 0x16, 0x806ea, 16, 8, 2, 0),
	INTEL("Core i5-9600K", 1, 0x16, 0x906ec, 16, 8, 1, 0),
	INTEL("Core i9-10980XE", 2, 0x16, 0x50657, 64, 32, 2, 0),
	INTEL("Core i5-1035G4", 2, 0x1b, 0x706e5, 16, 8, 2, 0),
	INTEL("Xeon Phi (Knights Landing)", 4, 0xd, 0x50670, 255, 64, 4, 0),
	INTEL("Core i5-L16G7", 1, 0x1b, 0x806a1, 16, 8, 1, 0),
	INTEL("Core i5-12500", 2, 0x20, 0x90675, 16, 8, 2, 2),
	INTEL("Core i9-13900KF, P-core", 2, 0x20, 0xb0671, 128, 64, 2, 2),
	INTEL("Core i9-13900KF, E-core", 1, 0x20, 0xb0671, 128, 64, 1, 1),
	INTEL("Core i3-N305", 1, 0x20, 0xb06e0, 128, 64, 1, 1),
	INTEL("Core Ultra 5 125H, P-core", 2, 0x23, 0xa06a4, 128, 64, 2, 2),
	INTEL("Core Ultra 5 125H, E-core", 1, 0x23, 0xa06a4, 128, 64, 1, 1),
	INTEL("Core Ultra 7 265K", 1, 0x23, 0xc0662, 128, 64, 1, 1),
	INTEL("Core Ultra 9 288V", 1, 0x23, 0xb06d1, 128, 64, 1, 1),
	AMD("Athlon XP", 1, 1, 0x681, 0, 0, 0x80000008, 0, 0),
	AMD("Athlon 64 3200+", 1, 1, 0x20ff0, 0, 0, 0x80000018, 0, 0),
	AMD("Athlon 64 X2 3800+", 1, 1, 0x20fb1, 2, 0, 0x80000018, 2, 0),
	AMD("Phenom II X6 1055T", 1, 6, 0x100fa0, 6, 0, 0x8000001b, 2, 0),
	AMD("E-350", 1, 6, 0x500f10, 2, 0, 0x8000001b, 2, 0),
	AMD("FX-8350", 1, 0xd, 0x600f20, 8, 0, 0x8000001e, 0x400002, 0x100),
	AMD("A12-9700P", 1, 0xd, 0x660f51, 4, 0, 0x8000001e, 2, 0x100),
	AMD("Athlon 5350", 1, 0xd, 0x700f01, 4, 0, 0x8000001e, 0x400002, 0),
	AMD("Ryzen 5 1500X", 2, 0xd, 0x800f11, 8, 0, 0x8000001f, 0x400002, 0x100),
	AMD("Ryzen 3 2200G", 1, 0xd, 0x810f10, 4, 0, 0x8000001f, 0x400002, 0),
	AMD("Ryzen 5 2400G", 2, 0xd, 0x810f10, 8, 0, 0x8000001f, 0x400002, 0x100),
	AMD("Ryzen 5 3600", 2, 0x10, 0x870f10, 12, 2, 0x80000020, 0x400002, 0x100),
	AMD("Ryzen 5 4500U", 1, 0x10, 0x860f01, 6, 1, 0x80000020, 0x400002, 0),
	AMD("Ryzen 5 5500U", 2, 0x10, 0x860f81, 12, 2, 0x80000020, 0x400002, 0x100),
	AMD("Ryzen 9 7900X", 2, 0x10, 0xa60f12, 24, 2, 0x80000028, 0x400002, 0x100),
	AMD("Ryzen 7 9700X", 2, 0x10, 0xb40f40, 16, 2, 0x80000028, 0x400002, 0x100),
	AMD("Hygon C86 7185", 2, 0xd, 0x900f01, 64, 0, 0x8000001f, 0x400002, 0x11f),
	INTEL("VIA QuadCore L4700", 1, 0xa, 0x6fc, 8, 8, 0, 0),
	INTEL("KX-6640MA", 1, 0xd, 0x307b0, 4, 4, 1, 0),
	INTEL("KH-40000", 1, 0x1f, 0x507b3, 64, 64, 1, 1),
};

int main(void)
{
	for (unsigned i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++) {
		kind = &kinds[i];
		printf("# %s: %u threads\n", kind->name, core_threads());
		OK(core_threads() == kind->threads);
	}
	return tap_end();
}
