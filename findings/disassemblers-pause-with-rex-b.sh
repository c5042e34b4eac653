#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# F3 41 90 is no PAUSE: objdump and ndisasm say that it is one, and processors exchange EAX with R8D.
#
# A good guess: F3 90 is PAUSE, a REX prefix in between does not matter to an instruction without operands, and where two
# disassemblers of different origin agree they are right.
# Seen: 90H is XCHG with eAX, and NOP only as that with itself: REX.B makes it XCHG with R8.  F3 does not change that.  objdump
# prints "rex.B pause", ndisasm "pause"; llvm-mc prints the exchange, QEMU does it, and so does the processor that runs this
# script (any of x86-64: Intel SDM vol. 2, NOP and XCHG; AMD64 APM vol. 3, NOP).
# A count of PAUSE instructions, or a scanner that takes them for harmless, is wrong by that.
# Versions: binutils 2.40-2, nasm 2.16.01-1, llvm-14 1:14.0.6-12, qemu-user 1:7.2+dfsg-7+deb12u18+b3.
# shellcheck source-path=SCRIPTDIR source=lib/packages.sh
. "$(dirname "$0")/lib/packages.sh"
packages binutils=2.40-2 nasm=2.16.01-1 llvm-14=1:14.0.6-12 qemu-user=1:7.2+dfsg-7+deb12u18+b3
cat >exchange.asm <<'ASM'
bits 64
global _start
_start:	mov edi, 1
	mov eax, edi
	mov r8d, 2
	db 0f3h, 41h, 90h
	mov edi, eax		; what is in EAX then is the exit code
	mov eax, 60
	syscall
ASM
tool usr/bin/nasm -f elf64 -o exchange.o exchange.asm
tool usr/bin/x86_64-linux-gnu-ld -o exchange exchange.o
printf '\363A\220' >code
expect 'objdump' 'rex.B pause' "$(tool usr/bin/x86_64-linux-gnu-objdump -D -b binary -m i386:x86-64 code | sed -n 's/^ *0:.*\t//p')"
expect 'ndisasm' 'pause' "$(tool usr/bin/ndisasm -b 64 code | awk '{ print $3 }')"
expect 'llvm-mc' 'xchgl %r8d, %eax' \
	"$(echo 0xf3 0x41 0x90 | tool usr/lib/llvm-14/bin/llvm-mc -disassemble -triple x86_64 | awk '/xchg|pause/ { print $1, $2, $3 }')"
code=0
./exchange || code=$?
expect 'this processor: EAX, which was 1, with 2 in R8D' 2 "$code"
code=0
tool usr/bin/qemu-x86_64 ./exchange || code=$?
expect 'QEMU: EAX' 2 "$code"
