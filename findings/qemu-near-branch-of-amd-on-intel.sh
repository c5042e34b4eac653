#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# QEMU's Intel processors read a near branch with prefix 66H as AMD's do, and four tools give two lengths for it.
#
# A good guess: with -cpu Skylake-Client QEMU decodes as Skylake does, and disassemblers agree on how long an instruction is.
# Seen: of 66 0F 84 and four bytes of 0 AMD's processors take a displacement of 16 bits, so that the instruction ends behind five
# bytes (AMD64 APM vol. 3, 1.2.4), and Intel's ignore the prefix in 64-bit mode and take all seven (Intel SDM vol. 2, Jcc and
# appendix A, superscript f64).  QEMU takes five on EPYC and on Skylake-Client.  objdump takes five unless -M intel64 says
# otherwise, llvm-mc takes five, ndisasm seven.
# A tool that steps through code by lengths, or compares branch records with a disassembly, must ask whose processor it is.
# The branch of the program is not taken; behind five bytes the other two are an addition to the byte at RAX.
# Versions: qemu-user 1:7.2+dfsg-7+deb12u18+b3, binutils 2.40-2, nasm 2.16.01-1, llvm-14 1:14.0.6-12.
# shellcheck source-path=SCRIPTDIR source=lib/packages.sh
. "$(dirname "$0")/lib/packages.sh"
packages binutils=2.40-2 nasm=2.16.01-1 llvm-14=1:14.0.6-12 qemu-user=1:7.2+dfsg-7+deb12u18+b3
cat >branch.asm <<'ASM'
bits 64
global _start
_start:	mov rax, rsp		; AL is added, of a multiple of 16
	mov qword [rax], 0
	or al, 8		; and is not 0 so
	mov qword [rax], 0
	test rax, rax		; not zero
	db 66h, 0fh, 84h, 0, 0, 0, 0
	cmp byte [rax], 0
	mov edi, 5
	jne .end
	mov edi, 7
.end:	mov eax, 60
	syscall
ASM
tool usr/bin/nasm -f elf64 -o branch.o branch.asm
tool usr/bin/x86_64-linux-gnu-ld -o branch branch.o
printf 'f\17\204\0\0\0\0\220' >code
# on MODEL: how long the instruction is there.
on()
{
	code=0
	tool usr/bin/qemu-x86_64 -cpu "$1" ./branch 2>warnings || code=$?
	echo "$code"
}
# bytes OPTION...: how long objdump takes it for.
bytes()
{
	tool usr/bin/x86_64-linux-gnu-objdump -D -b binary -m i386:x86-64 -w "$@" code | sed -n 's/^ *0:\t\([^\t]*\)\t.*/\1/p' | wc -w
}
expect 'QEMU, EPYC' 5 "$(on EPYC)"
expect 'QEMU, Skylake-Client' 5 "$(on Skylake-Client)"
expect 'objdump' 5 "$(bytes)"
expect 'objdump -M intel64' 7 "$(bytes -M intel64)"
expect 'ndisasm: hexadecimal digits' 14 "$(tool usr/bin/ndisasm -b 64 code | awk 'NR == 1 { print length($2) }')"
expect 'llvm-mc: what it reads behind five bytes' 'addb %al, (%rax)' \
	"$(echo 0x66 0x0f 0x84 0 0 0 0 | tool usr/lib/llvm-14/bin/llvm-mc -disassemble -triple x86_64 | awk '/add/ { print $1, $2, $3 }')"
