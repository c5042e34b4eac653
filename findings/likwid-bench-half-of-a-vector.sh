#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# Two kernels of likwid-bench do half of the work that it reports, and eight execute other numbers of instructions.
#
# A good guess: flops, bytes and instructions that likwid-bench reports are those of its code, which is assembler with fixed loops;
# so a counter that shows half, or a third more, is wrong, or LIKWID's event is.  Its accuracy test takes them for the truth.
# Seen: they are numbers that stand beside the code.
#   daxpy_sp_sse_fma, daxpy_sp_mem_sse_fma: a turn moves on by 32 floats, and its four FMAs are of 4 each, at every second 16 bytes
#   (the loop is that of the AVX kernel, with shorter registers).  So they report twice the flops and the bytes; of lines of
#   memory they miss none.
#   divide has 11 instructions a turn, which are 15; daxpy_avx512 21, as daxpy_avx, which are 15; stream_mem 7 for 19, daxpy_mem_sse
#   15 for 19, daxpy_sp 32 for 35; three more are off by one.
# The rest of 139 agree with their code.  Before a counter is checked by a kernel, its loop must be counted.
# Versions: likwid 5.2.2+dfsg1-1, binutils 2.40-2.
# shellcheck source-path=SCRIPTDIR source=lib/packages.sh
. "$(dirname "$0")/lib/packages.sh"
packages likwid=5.2.2+dfsg1-1 binutils=2.40-2

# Each short loop of the program in a line: how many instructions, and these.
tool usr/bin/x86_64-linux-gnu-objdump -d --no-show-raw-insn -M intel usr/bin/likwid-bench | awk '
	/^ *[0-9a-f]+:/ {
		number++
		at[substr($1, 1, length($1) - 1)] = number
		target = $3
		$1 = ""
		code[number] = $0
		if ($2 != "jl" || !(target in at) || number - at[target] > 40)
			next
		line = number - at[target] + 1
		for (i = at[target]; i <= number; i++)
			line = line ";" code[i]
		print line
	}' >loops

# told KERNEL WHAT: what likwid-bench says of it.
told()
{
	LIKWID_NO_ACCESS=1 tool usr/bin/likwid-bench -l "$1" | sed -n "s/^$2: //p"
}

# instructions NAME PATTERN TOLD HAS: what is told of a kernel, and what its loop has; the pattern is of this loop alone.
instructions()
{
	expect "$1, instructions of a turn, told" "$3" "$(told "$1" 'Loop instructions')"
	expect "$1, instructions of a turn, in its code" "$4" "$(grep -E "$2" loops | cut -d ';' -f 1)"
}
instructions divide 'divsd xmm0,xmm0;.* divsd xmm3,xmm3' 11 15
instructions daxpy_avx512 'vmulpd zmm1,zmm7,.* vmulpd zmm4,zmm7,.* vmovapd ' 21 15
instructions daxpy_avx 'vmulpd ymm1,ymm7,.* vmulpd ymm6,ymm7,.* vmovaps ' 21 21

# work NAME STORE: the kernel that stores by this instruction.
work()
{
	expect "$1, floats of a turn, told" 32 "$(told "$1" 'Loop stride')"
	grep -E "vfmadd213ps xmm3,xmm6,XMMWORD PTR \[rdx\+rax\*4\+0x60\]; $2 .* add rax,0x20;" loops >loop
	expect "$1, its loads and FMAs" '[rsi+rax*4] [rsi+rax*4+0x20] [rsi+rax*4+0x40] [rsi+rax*4+0x60] 4 of XMM' \
		"$(grep -o '\[rsi[^]]*\]' loop | tr '\n' ' ')$(grep -o 'vfmadd213ps xmm' loop | wc -l) of XMM"
}
work daxpy_sp_sse_fma movaps
work daxpy_sp_mem_sse_fma movntps
