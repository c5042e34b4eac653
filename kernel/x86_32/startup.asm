; SPDX-License-Identifier: BSD-2-Clause
; From a start-up IPI to 32-bit code with paging.  Intel SDM vol. 3A, 8.4.4 and 9.8.5.

CR0_PE		equ 1

CODE_32		equ 0x08
DATA_32		equ 0x10

section .rodata

; extern const char startup_code[];
; It is copied to a page and begins at CS:0 there: it knows only offsets in itself.
%define IN_PAGE(label) ((label) - startup_code)

global startup_code:data hidden
	align 16
startup_code:
bits 16
	mov ax, cs
	mov ds, ax
	movzx ebx, ax
	shl ebx, 4			; address of the page
	lgdt [IN_PAGE(startup_slots.gdt)]
	mov eax, cr0
	or al, CR0_PE
	mov cr0, eax
	jmp dword far [IN_PAGE(startup_slots.to_32)]

bits 32
.protected:
	mov ax, DATA_32
	mov ds, ax
	mov es, ax
	mov ss, ax
	mov esp, [ebx + IN_PAGE(startup_slots.stack)]
	xor ebp, ebp
	push ebp			; no return address
	jmp [ebx + IN_PAGE(startup_slots.entry)]

	align 8
startup_gdt:
	dq 0
	dq 0x00cf9b000000ffff		; CODE_32
	dq 0x00cf93000000ffff		; DATA_32
.end:

; struct startup_slots of startup.c, which adds the page's address to the offsets.
global startup_slots:data hidden
startup_slots:
.to_32:	dd IN_PAGE(startup_code.protected)
	dw CODE_32
.gdt:	dw startup_gdt.end - startup_gdt - 1
	dd IN_PAGE(startup_gdt)
.stack:	dd 0
.entry:	dd 0

; extern const char startup_end[];
global startup_end:data hidden
startup_end:

section .note.GNU-stack noalloc noexec nowrite progbits
