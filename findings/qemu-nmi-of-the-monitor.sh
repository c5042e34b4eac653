#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# QEMU's command nmi goes to all processors, whichever was chosen, and is lost where LVT LINT1 is masked, as it is behind INIT.
#
# A good guess: nmi is what the manual says, "Inject an NMI on the default CPU (x86/s390)", that of the command cpu; and it comes
# whatever that processor has masked, so that it tells where a processor hangs.
# Seen: it is a signal at the pin LINT1 of each local APIC that is on, and the APIC's own entry says what becomes of it.  SeaBIOS
# opens that of the first processor.  One that was started by INIT and a start-up IPI has it masked until software writes it
# (Intel SDM vol. 3, 11.4.7 and 11.5.1), so that with cpu 1 chosen processor 0 is interrupted and 1 is not.  With both open both
# are, with both masked none, and no error is told.
# A handler of the counters' overflow by NMI gets so one that no counter explains on each processor; and a processor that
# hangs early, or has LINT1 masked against such NMIs, cannot be reached by it.
# Versions: qemu-system-x86 1:7.2+dfsg-7+deb12u18+b3 (manual: qemu-system-common, system/monitor), seabios 1.16.2-1, nasm 2.16.01-1.
# shellcheck source-path=SCRIPTDIR source=lib/packages.sh
. "$(dirname "$0")/lib/packages.sh"
packages qemu-system-x86=1:7.2+dfsg-7+deb12u18+b3 seabios=1.16.2-1 nasm=2.16.01-1
export QEMU_MODULE_DIR="$root/usr/lib/x86_64-linux-gnu/qemu"
cat >boot.asm <<'ASM'
bits 16
org 7c00h
%define apic(register) dword [dword fs:0fee00000h + register]
	cli
	xor eax, eax
	mov ds, ax
	mov ss, ax
	mov sp, 7c00h
	mov word [2 * 4], nmi
	mov [2 * 4 + 2], ax
	mov byte [7000h], 0eah		; where the other processor starts: a far jump
	mov word [7001h], other
	mov [7003h], ax
	mov [7010h], eax		; NMIs of processor 0 and 1; whether 1 has come
	call flat
%ifdef FIRST
	mov apic(360h), FIRST		; LVT LINT1
%endif
	mov apic(300h), 0c4500h		; INIT to all others
	mov cx, 0ffffh
.wait:	in al, 80h
	loop .wait
	mov apic(300h), 0c4607h		; start-up IPI: 7000h
.until:	cmp byte [7012h], 1
	jne .until
	mov al, '!'
	out 0e9h, al
	jmp rest
other:	xor eax, eax
	mov ds, ax
	mov ss, ax
	mov sp, 7800h
	call flat
	or apic(0f0h), 100h		; on
%ifdef SECOND
	mov apic(360h), SECOND
%endif
	mov byte [7012h], 1
rest:	hlt
	jmp rest
nmi:	pushad
	mov eax, 1
	cpuid
	shr ebx, 24
	inc byte [7010h + bx]
	popad
	iret
flat:	lgdt [gdtr]			; FS reaches 4 GiB
	mov eax, cr0
	or al, 1
	mov cr0, eax
	mov bx, 8
	mov fs, bx
	and al, 0feh
	mov cr0, eax
	ret
gdtr:	dw 15
	dd gdt
align 8
gdt:	dq 0, 0cf92000000ffffh
	times 510 - ($ - $$) db 0
	dw 0aa55h
ASM

# commands CPU: what is typed at the monitor when both processors rest.
commands()
{
	tries=0
	until grep -q '!' port || [ $tries = 30 ]; do
		tries=$((tries + 1))
		sleep 1
	done
	echo "cpu $1"
	echo nmi
	sleep 2
	echo 'xp /2bx 0x7010'
	echo quit
}

# nmis CPU [OPTION...]: how many NMIs processors 0 and 1 had of one for this, with these options for the boot sector.
nmis()
{
	cpu=$1
	shift
	tool usr/bin/nasm "$@" -f bin -o boot.img boot.asm
	truncate -s 1474560 boot.img
	: >port
	commands "$cpu" | tool usr/bin/qemu-system-x86_64 -L "$root/usr/share/qemu" -L "$root/usr/share/seabios" -machine pc -m 64 \
		-smp 2 -drive if=floppy,format=raw,file=boot.img -display none -nic none -debugcon file:port -monitor stdio >monitor
	grep -i -E 'error|nmi:' monitor || :
	tr -d '\r' <monitor | sed -n 's/.*7010: 0x0\(.\) 0x0\(.\)$/\1 and \2/p'
}

open=400h	# NMI
masked=10400h
expect 'cpu 1, entries as SeaBIOS and INIT left them: NMIs on 0 and 1' '1 and 0' "$(nmis 1)"
expect 'cpu 0, both open' '1 and 1' "$(nmis 0 -D FIRST=$open -D SECOND=$open)"
expect 'cpu 0, masked on 0 and open on 1' '0 and 1' "$(nmis 0 -D FIRST=$masked -D SECOND=$open)"
expect 'cpu 0, both masked' '0 and 0' "$(nmis 0 -D FIRST=$masked -D SECOND=$masked)"
