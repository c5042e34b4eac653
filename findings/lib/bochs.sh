# SPDX-License-Identifier: BSD-2-Clause
# shellcheck shell=sh
# Bochs 2.7, which boots a sector; behind lib/packages.sh.  boot.asm is its source, and ends with %include "end.asm".
packages bochs=2.7+dfsg-4+deb12u1 bochsbios=2.7+dfsg-4+deb12u1 vgabios=0.8a+ds-2 nasm=2.16.01-1
# "call show": EAX, a line of eight digits, at port E9H.  "jmp shut_down": the end, of QEMU with isa-debug-exit at F4H, too.
cat >end.asm <<'ASM'
show:	mov cx, 8
.digit:	rol eax, 4
	push eax
	and al, 15
	cmp al, 10
	sbb al, 69h
	das
	out 0e9h, al
	pop eax
	loop .digit
	mov al, 10
	out 0e9h, al
	ret
shut_down:
	mov dx, 0f4h
	out dx, al
	mov dx, 8900h
	mov si, .word
	mov cx, 8
	rep outsb
.wait:	hlt
	jmp .wait
.word:	db 'Shutdown'
	times 510 - ($ - $$) db 0
	dw 0aa55h
ASM
echo continue >commands

# assemble [OPTION...]: boot.asm into boot.img
# shellcheck disable=SC2120 # of the scripts that read this one some give none
assemble()
{
	tool usr/bin/nasm "$@" -f bin -o boot.img boot.asm
	truncate -s 1474560 boot.img
}

# boot_bochs [LINE]: boots it, with this line of a configuration besides; the lines that it showed.
# shellcheck disable=SC2120,SC2154 # the same; and packages.sh sets root
boot_bochs()
{
	cat >bochsrc <<RC
megs: 32
romimage: file=$root/usr/share/bochs/BIOS-bochs-latest
vgaromimage: file=$root/usr/share/vgabios/vgabios.bin
clock: sync=none
floppya: 1_44=boot.img, status=inserted
boot: floppy
port_e9_hack: enabled=1
display_library: rfb, options="timeout=0"
log: bochs.log
${1-}
RC
	LTDL_LIBRARY_PATH="$root/usr/lib/x86_64-linux-gnu/bochs/plugins" BXSHARE="$root/usr/share/bochs" \
		tool usr/bin/bochs-bin -q -f bochsrc -rc commands >out 2>&1 </dev/null || :
	grep -a -E '^[0-9A-F]{8}$' out || {
		cat out >&2
		exit 2
	}
}
