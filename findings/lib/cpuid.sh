# SPDX-License-Identifier: BSD-2-Clause
# shellcheck shell=sh
# CPUID as a program sees it that something else runs.  It needs lib/packages.sh, nasm and binutils.

# build NAME: NAME.asm becomes the program NAME.
build()
{
	tool usr/bin/nasm -f elf64 -o "$1.o" "$1.asm"
	tool usr/bin/x86_64-linux-gnu-ld -o "$1" "$1.o"
}

# leaf LEAF COMMAND...: "EAX EBX ECX EDX" of LEAF (as nasm writes it), subleaf 0, where COMMAND... runs the program.
leaf()
{
	cat >leaf.asm <<-ASM
		bits 64
		global _start
		_start:	mov eax, $1
			xor ecx, ecx
			cpuid
			mov [rel seen], eax
			mov [rel seen + 4], ebx
			mov [rel seen + 8], ecx
			mov [rel seen + 12], edx
			mov eax, 1
			mov edi, 1
			lea rsi, [rel seen]
			mov edx, 16
			syscall
			mov eax, 60
			xor edi, edi
			syscall
		section .bss
		seen:	resd 4
	ASM
	build leaf
	shift
	"$@" ./leaf | od -An -tx4 | tr -d '\n' | sed 's/^ //'
}

# register N REGISTERS: the N-th of what leaf() prints.
register()
{
	echo "$2" | cut -d ' ' -f "$1"
}
