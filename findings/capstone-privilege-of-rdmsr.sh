#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# Capstone says that RDTSCP is privileged, that RDMSR is not, and that SYSCALL changes no register.
#
# A good guess: its group "privilege" is what ring 3 must not execute, so that RDMSR is in it as WRMSR is; RDTSC and RDTSCP, which
# CR4.TSD forbids and allows together, are both in it or neither; and the registers that are modified are all.
# Seen: WRMSR and RDTSCP are in the group, and RDMSR, CLTS and RDTSC are not.  SYSCALL modifies no register, though
# it puts the next RIP into RCX and RFLAGS into R11.  The processor that runs this script executes RDTSCP in ring 3, and ends the
# program at RDMSR.
# A scan for what faults in a user's program, or for what a hypervisor has to emulate, takes the timer and leaves the registers,
# and who asks what lives over a system call believes in RCX and R11.
# What is right: Intel SDM vol. 2, RDMSR, CLTS, RDTSCP, SYSCALL.  Upstream gave SYSCALL its registers by pull request 2820.
# Versions: capstone-tool and libcapstone4 4.0.2-5, nasm 2.16.01-1, binutils 2.40-2.
# shellcheck source-path=SCRIPTDIR source=lib/packages.sh
. "$(dirname "$0")/lib/packages.sh"
packages capstone-tool=4.0.2-5 libcapstone4=4.0.2-5 nasm=2.16.01-1 binutils=2.40-2

# told WHAT BYTES: the instruction's name, and this line of what cstool tells of it.
told()
{
	tool usr/bin/cstool -d x64 "$2" | awk -v what="$1: " '
		NR == 1 { name = $NF }
		at = index($0, what) { said = substr($0, at + length(what)) }
		END { sub(/ *$/, "", said); print name, said == "" ? "none" : said }'
}

# executed BYTES: how a program ends that has them: by a signal, or with how many of RCX and R11 are as they were before.
executed()
{
	cat >program.asm <<ASM
bits 64
global _start
_start:	mov eax, 39		; getpid()
	mov ecx, 10
	mov r11d, 11
	db $1
	xor edi, edi
	cmp rcx, 10
	sete dil
	xor edx, edx
	cmp r11, 11
	sete dl
	add edi, edx
	mov eax, 60
	syscall
ASM
	tool usr/bin/nasm -f elf64 -o program.o program.asm
	tool usr/bin/x86_64-linux-gnu-ld -o program program.o
	code=0
	{
		./program || code=$?
	} 2>/dev/null # of a signal the shell says something
	echo "$code"
}

expect 'groups' 'wrmsr privilege' "$(told Groups '0f 30')"
expect 'groups' 'rdmsr none' "$(told Groups '0f 32')"
expect 'groups' 'clts none' "$(told Groups '0f 06')"
expect 'groups' 'rdtscp privilege' "$(told Groups '0f 01 f9')"
expect 'groups' 'rdtsc none' "$(told Groups '0f 31')"
expect 'this processor, RDMSR: 128 and signal 11' 139 "$(executed '0fh, 32h')"
expect 'this processor, RDTSCP: registers of RCX and R11 that it leaves' 1 "$(executed '0fh, 1, 0f9h')"
expect 'registers modified' 'rdtscp rax rcx rdx' "$(told 'Registers modified' '0f 01 f9')"
expect 'registers modified' 'syscall none' "$(told 'Registers modified' '0f 05')"
expect 'this processor, SYSCALL: registers of RCX and R11 that it leaves' 0 "$(executed '0fh, 5')"
