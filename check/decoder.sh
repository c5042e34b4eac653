#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# Has binutils judge the model's decoder: on the code of both programs, of the model and of the C library, and on bytes
# without a meaning, the same ones each time.  decoder.c says what is compared.
set -eu
cd "$(dirname "$0")/.."
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# judge BITS OPTION... FILE: the processors of the models take the near branches of 64-bit code as Intel's do.
judge()
{
	bits=$1
	shift
	echo "decoder.sh: $*"
	objdump -w -M intel,intel64 --insn-width=15 "$@" | build/host/decoder "$bits" || bad=1
}

bad=0
judge 64 -d build/gcc/pmutest86.so
judge 32 -d build/gcc/32/pmutest86.elf
judge 64 -d build/gcc/silicon.so
judge 64 -d "$(ldconfig -p | sed -n '/x86-64/s/.*libc\.so\.6 .*=> //p' | head -n 1)"
LC_ALL=C awk 'BEGIN { for (x = 1; n++ < 400000; x = (x * 69069 + 1) % 4294967296) printf "%c", int(x / 16777216) }' >"$work/bytes"
judge 64 -D -b binary -m i386:x86-64 "$work/bytes"
judge 32 -D -b binary -m i386 "$work/bytes"
judge 16 -D -b binary -m i8086 "$work/bytes"
exit $bad
