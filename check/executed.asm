; SPDX-License-Identifier: BSD-2-Clause
; A whole firmware of 64 KiB for QEMU, which executes a number of instructions that is known, and ends in a triple fault:
; for the check of executed.so.
bits 16
org 0
TURNS equ 1000000
; Two ahead of the loop, two for each turn, two behind it.
INSTRUCTIONS equ 2 + 2 * TURNS + 2

	dd INSTRUCTIONS
no_vectors:
	dw 0
	dd 0
begin:
	mov ecx, TURNS
.turn:
	dec ecx
	jnz .turn
	lidt [cs:no_vectors]
	ud2
	times 0xfff0 - ($ - $$) db 0
	; Where a processor begins.
	jmp begin
	times 0x10000 - ($ - $$) db 0
