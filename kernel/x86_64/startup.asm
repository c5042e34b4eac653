; SPDX-License-Identifier: BSD-2-Clause
; The way from a start-up IPI to 64-bit code.  Intel SDM vol. 3A, 8.4.4 and 9.8.5.

default rel

CR0_PG		equ 1 << 31
CR4_PAE		equ 1 << 5
MSR_EFER	equ 0xc0000080

CODE_64		equ 0x08
CODE_32		equ 0x10
DATA_32		equ 0x18

%include "kernel/startup.inc"
	mov eax, cr4
	or eax, CR4_PAE
	mov cr4, eax
	mov eax, [ebx + IN_PAGE(startup_slots.root)]
	mov cr3, eax
	mov ecx, MSR_EFER
	xor edx, edx
	mov eax, [ebx + IN_PAGE(startup_slots.efer)]
	wrmsr
	mov eax, cr0
	or eax, CR0_PG
	mov cr0, eax
	jmp far [ebx + IN_PAGE(startup_slots.to_64)]

bits 64
.long:
	mov rsp, [startup_slots.stack]
	xor ebp, ebp
	push rbp			; no return address
	jmp [startup_slots.entry]

	align 8
startup_gdt:
	dq 0
	dq 0x00af9b000000ffff		; CODE_64
	dq 0x00cf9b000000ffff		; CODE_32
	dq 0x00cf93000000ffff		; DATA_32
.end:

; struct startup_slots of startup.c, which adds the page's address to the offsets.
global startup_slots:data hidden
startup_slots:
.to_32:	dd IN_PAGE(startup_code.protected)
	dw CODE_32, 0
.to_64:	dd IN_PAGE(startup_code.long)
	dw CODE_64
.gdt:	dw startup_gdt.end - startup_gdt - 1
	dd IN_PAGE(startup_gdt)
.root:	dd 0
.efer:	dd 0, 0
.stack:	dq 0
.entry:	dq 0

; extern const char startup_end[];
global startup_end:data hidden
startup_end:

section .note.GNU-stack noalloc noexec nowrite progbits
