; SPDX-License-Identifier: BSD-2-Clause
; The way from a start-up IPI to 32-bit code with paging.  Intel SDM vol. 3A, 8.4.4 and 9.8.5.

CODE_32		equ 0x08
DATA_32		equ 0x10

%include "kernel/startup.inc"
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
