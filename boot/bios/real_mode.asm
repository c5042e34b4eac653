; SPDX-License-Identifier: BSD-2-Clause
; To real mode and back, by way of 16-bit protected mode, which gives the segments their limits.  Intel SDM vol. 3A,
; 9.9.

bits 32

SEGMENT_16	equ 0x2000		; real_mode.h: REAL_MODE_SEGMENT
BASE		equ SEGMENT_16 * 16
CODE		equ 0x9000		; real_mode.h: REAL_MODE_ROOM
STACK		equ 0xfff0
WORDS		equ 9			; of struct real_mode_registers

CODE_32		equ 0x08
DATA_32		equ 0x10
CODE_16		equ 0x18
DATA_16		equ 0x20

CR0_PE		equ 1

; The fast A20 gate of the PS/2 and of what came after it; where there is none, the port reads as ones.
PORT_92		equ 0x92
PORT_92_RESET	equ 1
PORT_92_A20	equ 2

; Where in the segment a label of the copied code is.
%define IN(label) (CODE + (label) - copied)

section .text

; void real_mode_interrupt(uint8_t vector, struct real_mode_registers *registers);
global real_mode_interrupt:function hidden
real_mode_interrupt:
	push ebp
	push ebx
	push esi
	push edi
	cld
	mov esi, copied
	mov edi, BASE + CODE
	mov ecx, copied.end - copied
	rep movsb
	mov esi, [esp + 24]
	mov edi, BASE + IN(copied.registers)
	mov ecx, WORDS
	rep movsd
	movzx eax, byte [esp + 20]
	mov eax, [eax * 4]		; of the BIOS's table of vectors, at address 0
	mov [BASE + IN(copied.handler)], eax
	sidt [idt_before]
	mov [stack_before], esp
	lgdt [copied.gdt]
	jmp CODE_16:IN(copied)

back:
	mov ax, DATA_32
	mov ds, ax
	mov es, ax
	mov fs, ax
	mov gs, ax
	mov ss, ax
	mov esp, [stack_before]
	lidt [idt_before]
	cld
	mov esi, BASE + IN(copied.registers)
	mov edi, [esp + 24]
	mov ecx, WORDS
	rep movsd
	pop edi
	pop esi
	pop ebx
	pop ebp
	ret

; The code that is copied into the segment below 1 MiB and runs there, and its data.
bits 16

	align 4
copied:
	mov ax, DATA_16
	mov ds, ax
	mov es, ax
	mov fs, ax
	mov gs, ax
	mov ss, ax
	mov eax, cr0
	and al, ~CR0_PE & 0xff
	mov cr0, eax
	jmp SEGMENT_16:IN(.real)
.real:
	mov ax, cs
	mov ds, ax
	mov es, ax
	mov fs, ax
	mov gs, ax
	mov ss, ax
	lidt [IN(.vectors)]
	mov esp, IN(.registers)
	popad
	mov esp, STACK
	; As INT does it: flags with interrupts on are what the handler returns to.
	sti
	pushf
	cli
	call far [IN(.handler)]
	cli
	push cs
	pop ds
	pushfd
	pop dword [IN(.flags)]
	mov esp, IN(.flags)
	pushad
	; There are BIOSes that leave A20 off.
	in al, PORT_92
	test al, PORT_92_A20
	jnz .a20_is_on
	or al, PORT_92_A20
	and al, ~PORT_92_RESET & 0xff
	out PORT_92, al
.a20_is_on:
	o32 lgdt [IN(.gdt)]
	mov eax, cr0
	or al, CR0_PE
	mov cr0, eax
	jmp dword CODE_32:back

	align 4, db 0
.registers:
	times WORDS - 1 dd 0
.flags:	dd 0
.handler:
	dd 0
.vectors:
	dw 256 * 4 - 1
	dd 0
.gdt:	dw gdt.end - gdt - 1
	dd gdt
.end:

section .rodata

; Accessed already, so that the CPU writes nothing here.
	align 8
gdt:	dq 0
	dq 0x00cf9b000000ffff		; CODE_32
	dq 0x00cf93000000ffff		; DATA_32
	dq 0x00009b000000ffff | BASE << 16
	dq 0x000093000000ffff | BASE << 16
.end:

section .bss
	align 4
stack_before:
	resd 1
idt_before:
	resb 6

section .note.GNU-stack noalloc noexec nowrite progbits
