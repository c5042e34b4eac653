#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# Bochs shows the performance-monitoring unit of a Skylake, and there is none behind it.
#
# A good guess: an emulator without a PMU shows version 0 in CPUID 0AH, as QEMU does; or, where it shows one, RDPMC raises #GP
# or counts something.
# Seen on corei7_skylake_x: CPUID 0AH promises version 4, 4 counters of 48 bits.  A write of IA32_PERFEVTSEL0 and of
# IA32_PERF_GLOBAL_CTRL is swallowed and reads 0, RDPMC of counter 0 gives 0 for ever, and RDPMC of a fixed counter raises
# #GP, though CPUID has three.
# So who believes CPUID counts nothing and meets no error; whether a select register keeps what is written to it tells.
# Version: bochs 2.7+dfsg-4+deb12u1.
# shellcheck source-path=SCRIPTDIR source=lib/packages.sh
. "$(dirname "$0")/lib/packages.sh"
# shellcheck source-path=SCRIPTDIR source=lib/bochs.sh
. "$lib/bochs.sh"
cat >boot.asm <<'ASM'
bits 16
org 7c00h
	cli
	xor ax, ax
	mov ds, ax
	mov ss, ax
	mov sp, 7c00h
	mov word [13 * 4], fault	; #GP
	mov [13 * 4 + 2], ax
	mov eax, 0ah
	cpuid
	call show
	mov ecx, 186h			; IA32_PERFEVTSEL0: instructions, in all rings, enabled
	mov eax, 5300c0h
	xor edx, edx
	wrmsr
	mov ecx, 38fh			; IA32_PERF_GLOBAL_CTRL
	mov eax, 1
	wrmsr
	mov ecx, 186h
	rdmsr
	call show
	mov ecx, 38fh
	rdmsr
	call show
	xor ecx, ecx
	rdpmc
	call show
	mov ecx, 40000000h
	rdpmc
	call show
	jmp shut_down
fault:	add sp, 6
	mov eax, 0d00dh			; instead of a value
	call show
	jmp shut_down
%include "end.asm"
ASM
# shellcheck disable=SC2119 # it has no options to hand on
assemble
boot_bochs 'cpu: model=corei7_skylake_x' >values
value()
{
	sed -n "$1p" values
}
expect 'CPUID 0AH EAX: 4 counters of 48 bits, version 4' 07300404 "$(value 1)"
expect 'IA32_PERFEVTSEL0 behind a write of 5300C0h' 00000000 "$(value 2)"
expect 'IA32_PERF_GLOBAL_CTRL behind a write of 1' 00000000 "$(value 3)"
expect 'RDPMC of counter 0' 00000000 "$(value 4)"
expect 'RDPMC of fixed counter 0: D00D is #GP' 0000D00D "$(value 5)"
