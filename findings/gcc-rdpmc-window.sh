#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# GCC moves a division out from between two RDPMC, fences or not.
#
# A good guess: __rdpmc() is volatile, so what stands between two of them in the source is executed between them; and if not, the
# fences that are recommended against the processor's reordering, _mm_lfence(), hold the compiler, too, being volatile as well.
# Seen: volatile instructions keep their order among themselves, and nothing else keeps its place beside them.  GCC 12 computes
# the quotient where it is used first, which is behind the second RDPMC, from -O1 on: the window that was to time a division has
# none.  Clang 14 leaves it there.  What holds GCC is a dependency: asm volatile("" : "+r"(quotient)) in front of the second RDPMC.
# __rdpmc() and _mm_lfence() of x86intrin.h are the built-in functions used here.
# Versions: cpp-12 12.2.0-14+deb12u1 (it holds cc1), libclang-cpp14 and clang-14 1:14.0.6-12.
# shellcheck source-path=SCRIPTDIR source=lib/packages.sh
. "$(dirname "$0")/lib/packages.sh"
packages cpp-12=12.2.0-14+deb12u1 clang-14=1:14.0.6-12
cat >window.c <<'C'
#ifdef HELD
#define HOLD(x) __asm__ volatile("" : "+r"(x))
#else
#define HOLD(x) (void)(x)
#endif

unsigned long long window(unsigned x, unsigned y, unsigned *quotient)
{
	unsigned long long from, to;
	unsigned q;

	from = __builtin_ia32_rdpmc(0);
	__builtin_ia32_lfence();
	q = x / y;
	HOLD(q);
	__builtin_ia32_lfence();
	to = __builtin_ia32_rdpmc(0);
	*quotient = q;
	return to - from;
}
C
# order FILE: the instructions of interest, one behind the other.
order()
{
	sed -n 's/^[[:space:]]*\(rdpmc\|lfence\|div\)l\{0,1\}\([[:space:]].*\)\{0,1\}$/\1/p' "$1" | tr '\n' ' ' | sed 's/ $//'
}
cc1=usr/lib/gcc/x86_64-linux-gnu/12/cc1
tool $cc1 -quiet -O1 -o o1.s window.c
tool $cc1 -quiet -O2 -o o2.s window.c
tool $cc1 -quiet -O2 -DHELD -o held.s window.c
tool usr/lib/llvm-14/bin/clang -O2 -S -o clang.s window.c
expect 'GCC 12.2, -O1' 'rdpmc lfence lfence rdpmc div' "$(order o1.s)"
expect 'GCC 12.2, -O2' 'rdpmc lfence lfence rdpmc div' "$(order o2.s)"
expect 'GCC 12.2, -O2, with a dependency' 'rdpmc lfence div lfence rdpmc' "$(order held.s)"
expect 'Clang 14, -O2' 'rdpmc lfence div lfence rdpmc' "$(order clang.s)"
