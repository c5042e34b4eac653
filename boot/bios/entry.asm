; SPDX-License-Identifier: BSD-2-Clause
; The entry for a Multiboot loader: protected mode of 32 bits, flat segments, paging and interrupts
; off.  Multiboot Specification 0.6.96, 3; Multiboot2 Specification 2.0, 3.

bits 32

extern bios_main

CODE		equ 0x08
DATA		equ 0x10
STACK_SIZE	equ 65536

section .multiboot progbits alloc noexec nowrite align=8

; ---- Multiboot 1 ----

MAGIC_1		equ 0x1badb002
MEMORY_INFO	equ 1 << 1		; the map, and modules on pages
PAGE_ALIGN	equ 1 << 0
FLAGS_1		equ PAGE_ALIGN | MEMORY_INFO

	dd MAGIC_1, FLAGS_1, -(MAGIC_1 + FLAGS_1)

; ---- Multiboot 2 ----

MAGIC_2		equ 0xe85250d6
PROTECTED_MODE	equ 0

; type, flags; then what the tag holds.
TAG_END		equ 0
TAG_REQUESTS	equ 1
TAG_FRAMEBUFFER	equ 5
OPTIONAL	equ 1

; The information that is requested from the loader.
REQUEST_MEMORY_MAP equ 6

	align 8
header_2:
	dd MAGIC_2, PROTECTED_MODE, header_2_end - header_2
	dd -(MAGIC_2 + PROTECTED_MODE + (header_2_end - header_2)) & 0xffffffff
.requests:
	dw TAG_REQUESTS, 0
	dd 12, REQUEST_MEMORY_MAP
	align 8
.framebuffer:				; as it is, in whatever size, but with 32 bits for a pixel
	dw TAG_FRAMEBUFFER, OPTIONAL
	dd 20, 0, 0, 32
	align 8
.end:	dw TAG_END, 0
	dd 8
header_2_end:

section .text

global _start:function hidden
_start:
	mov esp, stack_top
	push dword 2			; no flag set
	popfd
	; The loader's GDTR may point at no table.
	lgdt [gdt_pointer]
	jmp CODE:.flat
.flat:
	mov ecx, DATA
	mov ds, ecx
	mov es, ecx
	mov ss, ecx
	xor ecx, ecx
	mov fs, ecx
	mov gs, ecx
	lidt [no_idt]
	xor ebp, ebp
	push ebx			; what the loader tells
	push eax			; which one it is
	push ebp			; no return address
	jmp bios_main

section .rodata
	align 8
gdt:
	dq 0
	dq 0x00cf9b000000ffff		; CODE
	dq 0x00cf93000000ffff		; DATA
gdt_pointer:
	dw gdt_pointer - gdt - 1
	dd gdt
no_idt:
	dw 0
	dd 0

section .bss
	align 16
	resb STACK_SIZE
stack_top:

section .note.GNU-stack noalloc noexec nowrite progbits
