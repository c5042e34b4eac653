#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# QEMU's AMD processors answer a CPUID leaf past their last as Intel's do: EPYC-Milan has eight counters and 40 branch records.
#
# A good guess: a leaf past the last that 8000_0000H names is all zeros on AMD's processors, so that the bits of a late leaf are
# those of a feature that is there or not; what reads 8000_0022H (PerfMonV2, LBR v2) without a look at 8000_0000H is right by luck.
# Seen: past the last, whatever the vendor, QEMU's own interpreter answers with its last *basic* leaf, as Intel's processors do.  That
# is 0DH (sizes of XSAVE) on EPYC-Milan, and read as 8000_0022H its numbers are: PerfMonV2, LBR v2 and freezing of both ([2:0] of
# EAX), eight counters, 40 records, two counters of the northbridge (EBX).  "phenom", whose last basic leaf is 5 (MONITOR), shows an
# ECX of 3 there.  Leaf 8000_001BH (IBS) is below the last of EPYC-Milan and is zero; on phenom it is past it.
# With KVM the kernel answers, with zeros for AMD (arch/x86/kvm/cpuid.c, get_out_of_range_cpuid_entry): one processor's name, two
# answers.  Leaves: AMD's APM vol. 3, appendix E.  Intel's rule: SDM vol. 2, CPUID.
# Versions: qemu-user 1:7.2+dfsg-7+deb12u18+b3, nasm 2.16.01-1, binutils 2.40-2.
# shellcheck source-path=SCRIPTDIR source=lib/packages.sh
. "$(dirname "$0")/lib/packages.sh"
# shellcheck source-path=SCRIPTDIR source=lib/cpuid.sh
. "$lib/cpuid.sh"
packages qemu-user=1:7.2+dfsg-7+deb12u18+b3 nasm=2.16.01-1 binutils=2.40-2

# answers PROCESSOR LEAF
answers()
{
	leaf "$2" tool usr/bin/qemu-x86_64 -cpu "$1" 2>/dev/null
}

milan=$(answers EPYC-Milan 80000022h)
expect 'EPYC-Milan, its last extended leaf' 8000001e "$(register 1 "$(answers EPYC-Milan 80000000h)")"
expect 'EPYC-Milan, vendor' '68747541 444d4163 69746e65' "$(answers EPYC-Milan 0 | cut -d ' ' -f 2-)"
expect 'EPYC-Milan, leaf 8000_0022H' '00000207 00000a88 00000a88 00000000' "$milan"
expect 'the same as leaf 0DH, its last basic one' "$(answers EPYC-Milan 0dh)" "$milan"
ebx=$((0x$(register 2 "$milan")))
expect 'counters of a core, branch records, counters of the northbridge' '8 40 2' \
	"$((ebx & 15)) $((ebx >> 4 & 63)) $((ebx >> 10 & 63))"
expect 'phenom, its last basic and extended leaves' '00000005 8000001a' \
	"$(register 1 "$(answers phenom 0)") $(register 1 "$(answers phenom 80000000h)")"
expect 'phenom, leaf 8000_001BH' '00000000 00000000 00000003 00000000' "$(answers phenom 8000001bh)"
