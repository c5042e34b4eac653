#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# QEMU's interpreter has each MSR there can be, on a 486, too: it reads 0 and forgets what is written.  RDPMC is no instruction.
#
# A good guess: a register of counters that CPUID does not promise raises #GP, so that a probe by RDMSR with a handler for #GP tells
# what is there, as on a processor and with KVM; RDPMC of a counter that is not there raises #GP, too.
# Seen: no number of a register raises anything by RDMSR or WRMSR on any of QEMU's processors; that includes a 486, whose CPUID has
# no MSRs (leaf 1 EDX[5]) and on which both should raise #UD.  RDPMC raises #UD, with pmu=on, too.  MSR 1A0H of its Skylake reads 1,
# so that bits 11 and 12, by which a processor says that it has *no* BTS and *no* PEBS, say that it has both.  Bochs forgets, too,
# and raises #GP with ignore_bad_msrs=0 only.
# A probe has to write something and read it back; and what survives #GP alone does not survive this RDPMC.
# Instructions and 1A0H: Intel SDM vol. 2 (RDMSR, RDPMC) and vol. 4, table 2-2.
# Versions: qemu-system-x86 1:7.2+dfsg-7+deb12u18+b3 without KVM, seabios 1.16.2-1, bochs 2.7+dfsg-4+deb12u1.
# shellcheck source-path=SCRIPTDIR source=lib/packages.sh
. "$(dirname "$0")/lib/packages.sh"
# shellcheck source-path=SCRIPTDIR source=lib/bochs.sh
. "$lib/bochs.sh"
packages qemu-system-x86=1:7.2+dfsg-7+deb12u18+b3 seabios=1.16.2-1
export QEMU_MODULE_DIR="$root/usr/lib/x86_64-linux-gnu/qemu"

# It shows what each of six MSRs reads behind a write, what 1A0H reads, and what RDPMC does.
cat >boot.asm <<'ASM'
bits 16
org 7c00h
	cli
	xor ax, ax
	mov ds, ax
	mov ss, ax
	mov sp, 7c00h
	mov word [13 * 4], gp
	mov [13 * 4 + 2], ax
	mov word [6 * 4], ud
	mov [6 * 4 + 2], ax
	mov si, msrs
.each:	lodsd
	mov ecx, eax
	xor edx, edx
	mov eax, 5300c0h
	wrmsr
	rdmsr
	call show
	cmp si, last
	jne .each
	mov ecx, 1a0h
	rdmsr
	call show
	xor ecx, ecx
	rdpmc
	call show
	jmp shut_down
gp:	mov eax, 0dh			; the vector in the place of a value
	jmp on
ud:	mov eax, 6
on:	mov bp, sp
	add word [bp], 2		; behind the instruction
	iret
msrs:	dd 0c1h				; IA32_PMC0
	dd 186h				; IA32_PERFEVTSEL0
	dd 38fh				; IA32_PERF_GLOBAL_CTRL
	dd 0c0010000h			; PerfEvtSel0
	dd 0c0010200h			; PERF_CTL0
	dd 12345678h			; nobody's
last:
%include "end.asm"
ASM
assemble

# numbers: the lines that come in, as one, without leading zeros.
numbers()
{
	sed 's/^0*\(.\)/\1/' | tr '\n' ' ' | sed 's/ $//'
}
by_qemu()
{
	tool usr/bin/qemu-system-x86_64 -accel tcg -cpu "$1" -L "$root/usr/share/qemu" -L "$root/usr/share/seabios" -display none \
		-nic none -monitor none -no-reboot -drive if=floppy,format=raw,file=boot.img -debugcon file:seen \
		-device isa-debug-exit,iobase=0xf4 2>/dev/null || :
	numbers <seen
}
for processor in 486 Skylake-Client,pmu=on; do
	expect "QEMU, $processor: six MSRs, 1A0H, RDPMC" '0 0 0 0 0 0 1 6' "$(by_qemu $processor)"
done
skylake='cpu: model=corei7_skylake_x'
expect 'Bochs, Skylake' '0 0 0 0 0 0 0 0' "$(boot_bochs "$skylake" | numbers)"
expect 'Bochs, Skylake, ignore_bad_msrs=0' 'D D D D D D D 0' "$(boot_bochs "$skylake, ignore_bad_msrs=0" | numbers)"
