#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# A line of a disassembly is no instruction: objdump shows WAIT and FLD1 as "fld1", and a NOP of two prefixes as two lines.
#
# A good guess: the lines of a straight piece of code are what a counter of retired instructions adds for it; where one line stands
# for two instructions its name says so.
# Seen: objdump takes 9BH for a prefix of any x87 instruction behind it.  WAIT and FNSTCW are "fstcw", as in Debian's libm; of the
# WAIT in front of FLD1 nothing is left but its byte.  ndisasm prints "wait fld1", one line as well.  llvm-mc has two, rightly.
# The other way round a REX in front of another prefix, which has no effect there, is a line of its own in objdump and ndisasm,
# and llvm-mc makes the other prefix one.
# What is right: Intel SDM vol. 2, FSTCW/FNSTCW (two instructions, executed separately) and 2.2.1 (REX is ignored unless it is right
# in front of the opcode); and the processor that runs this script, by its traps behind each instruction (EFLAGS.TF).
# Versions: binutils 2.40-2, nasm 2.16.01-1, llvm-14 1:14.0.6-12.
# shellcheck source-path=SCRIPTDIR source=lib/packages.sh
. "$(dirname "$0")/lib/packages.sh"
packages binutils=2.40-2 nasm=2.16.01-1 llvm-14=1:14.0.6-12
cat >steps.asm <<'ASM'
bits 64
global _start
%macro trap_flag 1
	pushfq
	btr qword [rsp], 8
%if %1
	bts qword [rsp], 8
%endif
	popfq
%endmacro
_start:	mov eax, 13		; rt_sigaction()
	mov edi, 5		; SIGTRAP
	lea rsi, [rel action]
	xor edx, edx
	mov r10d, 8
	syscall
	trap_flag 1
	db CODE
	trap_flag 0		; three instructions with a trap
	mov edi, [rel traps]
	sub edi, 3
	mov eax, 60		; the number is the exit code
	syscall
trapped:
	inc dword [rel traps]
	ret
restorer:
	mov eax, 15
	syscall
section .data
action:	dq trapped, 4000000h, restorer, 0
traps:	dd 0
ASM

# steps BYTE...: the instructions that the processor executes.
steps()
{
	tool usr/bin/nasm -f elf64 -o steps.o -D "CODE=$(printf '0%sh,' "$@" | sed 's/,$//')" steps.asm
	tool usr/bin/x86_64-linux-gnu-ld -o steps steps.o
	code=0
	./steps || code=$?
	echo "$code"
}

# lines TOOL BYTE...: its lines for these bytes, one behind the other.
lines()
{
	name=$1
	shift
	# shellcheck disable=SC2059 # the format is what is meant
	printf "$(for byte; do printf '\\%03o' "0x$byte"; done)" >code
	case $name in
	objdump) tool usr/bin/x86_64-linux-gnu-objdump -D -b binary -m i386:x86-64 code | sed -n 's/^ *[0-9a-f]*:\t.*\t//p' ;;
	ndisasm) tool usr/bin/ndisasm -b 64 code | sed 's/^[0-9A-F]*  [0-9A-F]*  *//' ;;
	llvm-mc) printf '0x%s ' "$@" | tool usr/lib/llvm-14/bin/llvm-mc -disassemble -triple x86_64 | sed '/\.text/d' ;;
	esac | sed 's/[[:space:]][[:space:]]*/ /g; s/^ //; s/ $//' | sed -e :more -e '$!N' -e 's/\n/; /' -e tmore
}

set -- 9b d9 e8
expect 'WAIT and FLD1: objdump' 'fld1' "$(lines objdump "$@")"
expect 'ndisasm' 'wait fld1' "$(lines ndisasm "$@")"
expect 'llvm-mc' 'wait; fld1' "$(lines llvm-mc "$@")"
expect 'this processor, instructions' 2 "$(steps "$@")"
set -- 9b d9 7c 24 f8
expect 'WAIT and FNSTCW: objdump' 'fstcw -0x8(%rsp)' "$(lines objdump "$@")"
expect 'ndisasm' 'fstcw [rsp-0x8]' "$(lines ndisasm "$@")"
expect 'llvm-mc' 'wait; fnstcw -8(%rsp)' "$(lines llvm-mc "$@")"
expect 'this processor, instructions' 2 "$(steps "$@")"
set -- 48 66 90
expect 'NOP behind REX.W and 66H: objdump' 'rex.W; xchg %ax,%ax' "$(lines objdump "$@")"
expect 'ndisasm' 'rex.w; xchg ax,ax' "$(lines ndisasm "$@")"
expect 'llvm-mc' 'data16; nop' "$(lines llvm-mc "$@")"
expect 'this processor, instructions' 1 "$(steps "$@")"
tool usr/bin/x86_64-linux-gnu-objdump -d lib/x86_64-linux-gnu/libm.so.6 >libm
expect "libm has such lines of FSTCW" yes "$(grep -q '	9b d9 .*	fstcw ' libm && echo yes || echo no)"
