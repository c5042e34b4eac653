#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# Valgrind shows each program eight counters of a Haswell, on AMD's processors, too, and ends it at its first RDPMC.
#
# A good guess: a program under Valgrind sees the processor that it runs on, less what Valgrind cannot translate, so that a library
# which asks CPUID before it counts either counts, or finds that there are no counters.
# Seen: on any processor with AVX2, by whomever, CPUID says GenuineIntel, family 6 model 60, and leaf 0AH version 3 of architectural
# performance monitoring with eight counters of 48 bits, all seven events, and three fixed counters.  RDPMC is then no instruction
# (SIGILL), where the same code in ring 3 without leave of the kernel gets SIGSEGV, for which such libraries are prepared.  AMD's own
# bits for counters (8000_0001H ECX[23], and leaf 8000_0022H) are gone.
# CPUID and RDPMC: Intel's SDM vol. 2, AMD's APM vol. 3.  On a processor without AVX2 Valgrind shows others.
# Versions: valgrind 1:3.19.0-1, nasm 2.16.01-1, binutils 2.40-2.
# shellcheck source-path=SCRIPTDIR source=lib/packages.sh
. "$(dirname "$0")/lib/packages.sh"
# shellcheck source-path=SCRIPTDIR source=lib/cpuid.sh
. "$lib/cpuid.sh"
packages valgrind=1:3.19.0-1 nasm=2.16.01-1 binutils=2.40-2
grep -qw avx2 /proc/cpuinfo || { echo "$0: this is seen on a processor with AVX2" >&2; exit 2; }

valgrind()
{
	VALGRIND_LIB=$root/usr/libexec/valgrind tool usr/bin/valgrind.bin -q --tool=none "$@"
}

cat >reads.asm <<'ASM'
bits 64
global _start
_start:	xor ecx, ecx
	rdpmc
	mov eax, 60
	xor edi, edi
	syscall
ASM
build reads

expect 'the last leaf, and GenuineIntel' '0000000d 756e6547 6c65746e 49656e69' "$(leaf 0 valgrind)"
expect 'leaf 1, EAX' 000306c3 "$(register 1 "$(leaf 1 valgrind)")"
expect 'leaf 0AH' '07300803 00000000 00000000 00000603' "$(leaf 0ah valgrind)"
expect 'the last extended leaf' 80000008 "$(register 1 "$(leaf 80000000h valgrind)")"
expect 'leaf 8000_0001H, ECX, of which [23] is for six counters' 00000021 "$(register 3 "$(leaf 80000001h valgrind)")"
status=0
valgrind ./reads 2>said || status=$?
expect 'the signal that ends RDPMC' 4 $((status - 128))
