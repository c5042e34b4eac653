; SPDX-License-Identifier: BSD-2-Clause
; Trap entry: one stub per vector, and one tail.

bits 32

extern trap

section .text

;	ss esp			pushed by the CPU if it comes from another ring, else by the tail
;	eflags cs eip		pushed by the CPU
;	error			pushed by the CPU, or 0 by the stub
;	vector			pushed by the stub
;	eax esi edi ebp		pushed by the tail: the end of struct trap_frame, kernel.h
;	ebx ecx edx		then: struct registers, x86_32.h

%include "kernel/stubs.inc"

trap_common:
	cld
	test byte [esp + 12], 3		; cs
	jnz .whole
	; From ring 0: the five words once more, below the stack as it was.
	push ss
	push esp
	add dword [esp], 24
%rep 5
	push dword [esp + 24]
%endrep
.whole:
	push eax
	push esi
	push edi
	push ebp
	push ebx
	push ecx
	push edx
	lea eax, [esp + 12]
	push eax
	call trap
	pop eax
	pop edx
	pop ecx
	pop ebx

; struct trap_frame
FRAME_BP	equ 0
FRAME_DI	equ 4
FRAME_SI	equ 8
FRAME_AX	equ 12
FRAME_ERROR	equ 20
FRAME_IP	equ 24
FRAME_CS	equ 28
FRAME_FLAGS	equ 32
FRAME_SP	equ 36

; ESP: the frame.
frame_resume:
	test byte [esp + FRAME_CS], 3
	jnz .other_ring
	; To ring 0, IRET takes its three words from the stack that it goes on with.  An NMI
	; overwrites the words below ESP, so it matters which of both stacks is lower.
	mov edi, [esp + FRAME_SP]
	sub edi, 12
	cmp edi, esp
	jb .lower
	mov eax, [esp + FRAME_IP]
	mov [edi], eax
	mov eax, [esp + FRAME_CS]
	mov [edi + 4], eax
	mov eax, [esp + FRAME_FLAGS]
	mov [edi + 8], eax
	mov [esp + FRAME_ERROR], edi
	pop ebp
	pop edi
	pop esi
	pop eax
	add esp, 4
	pop esp
	iret
.lower:
	xchg esp, edi
	mov eax, [edi + FRAME_IP]
	mov [esp], eax
	mov eax, [edi + FRAME_CS]
	mov [esp + 4], eax
	mov eax, [edi + FRAME_FLAGS]
	mov [esp + 8], eax
	mov ebp, [edi + FRAME_BP]
	mov esi, [edi + FRAME_SI]
	mov eax, [edi + FRAME_AX]
	mov edi, [edi + FRAME_DI]
	iret
.other_ring:
	pop ebp
	pop edi
	pop esi
	pop eax
	add esp, 8
	iret

; _Noreturn void trap_resume(const struct trap_frame *frame);
global trap_resume:function hidden
trap_resume:
	mov esp, [esp + 4]
	jmp frame_resume

; struct guard, state.h
GUARD_SP	equ 0
GUARD_ACTIVE	equ 4

; void guard_enter(struct guard *guard, void (*body)(void *arg), void *arg, void *stack);
global guard_enter:function hidden
guard_enter:
	push ebp
	mov ebp, esp
	push ebx
	push esi
	push edi
	mov ebx, [ebp + 8]
	mov [ebx + GUARD_SP], esp
	mov edx, [ebp + 12]
	mov eax, [ebp + 16]
	mov ecx, [ebp + 20]
	test ecx, ecx
	jz .call
	mov esp, ecx
.call:
	mov dword [ebx + GUARD_ACTIVE], 1
	push eax
	sti
	call edx
	cli
	mov esp, [ebx + GUARD_SP]
	mov edi, ebx

; extern const char guard_exit[];
global guard_exit:function hidden
guard_exit:
	; First, because an NMI that aborted the guard after the pops would find them gone.
	mov dword [edi + GUARD_ACTIVE], 0
	pop edi
	pop esi
	pop ebx
	pop ebp
	ret

section .note.GNU-stack noalloc noexec nowrite progbits
