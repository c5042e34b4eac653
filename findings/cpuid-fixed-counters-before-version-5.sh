#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# cpuid(1) says of a Skylake that it has three fixed counters, and of each fixed counter that it is not supported.
#
# A good guess: the lines "fixed counter N supported" are derived by the rule of Intel's manual: fixed counter N is there if bit N of
# CPUID 0AH ECX is set, or N is less than EDX bits 4:0.
# Seen: they are the bits of ECX alone, at any version.  ECX is reserved, and 0, before version 5 (Intel SDM vol. 2, CPUID, leaf
# 0AH), so that each processor before Ice Lake has 32 lines that end with "false", ahead of "number of contiguous fixed
# counters = 3".  A script that looks for "fixed counter  0 supported" finds none.
# Version: cpuid 20230120-1.  The dump is a Skylake's leaf 0AH in the tool's own form.
# shellcheck source-path=SCRIPTDIR source=lib/packages.sh
. "$(dirname "$0")/lib/packages.sh"
packages cpuid=20230120-1
cat >dump <<'DUMP'
CPU 0:
   0x00000000 0x00: eax=0x00000016 ebx=0x756e6547 ecx=0x6c65746e edx=0x49656e69
   0x00000001 0x00: eax=0x000506e3 ebx=0x00100800 ecx=0x7ffafbff edx=0xbfebfbff
   0x0000000a 0x00: eax=0x07300404 ebx=0x00000000 ecx=0x00000000 edx=0x00000603
DUMP
tool usr/bin/cpuid -f dump >out
expect 'version' '0x4 (4)' "$(sed -n 's/^ *version ID *= //p' out)"
expect 'number of contiguous fixed counters' '0x3 (3)' "$(sed -n 's/^ *number of contiguous fixed counters *= //p' out)"
expect 'fixed counters that are said to be supported' 0 "$(grep -c 'fixed counter .* supported *= true' out || :)"
expect 'fixed counters that are said not to be' 32 "$(grep -c 'fixed counter .* supported *= false' out)"
