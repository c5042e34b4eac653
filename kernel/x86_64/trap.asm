; SPDX-License-Identifier: BSD-2-Clause
; Trap entry: one stub per vector, and one tail.

default rel
bits 64

extern trap

section .text

;	ss rsp rflags cs rip	pushed by the CPU, from an address aligned to 16
;	error			pushed by the CPU, or 0 by the stub
;	vector			pushed by the stub
;	rax rsi rdi rbp		pushed by the tail: the end of struct trap_frame, kernel.h
;	rbx .. r15		then: struct registers, dump.c; 22 quadwords, so RSP is again aligned to 16

%include "kernel/stubs.inc"

trap_common:
	cld
	push rax
	push rsi
	push rdi
	push rbp
	push rbx
	push rcx
	push rdx
	push r8
	push r9
	push r10
	push r11
	push r12
	push r13
	push r14
	push r15
	lea rdi, [rsp + 88]
	call trap
	pop r15
	pop r14
	pop r13
	pop r12
	pop r11
	pop r10
	pop r9
	pop r8
	pop rdx
	pop rcx
	pop rbx
.frame:
	pop rbp
	pop rdi
	pop rsi
	pop rax
	add rsp, 16
	iretq

; _Noreturn void trap_resume(const struct trap_frame *frame);
global trap_resume:function hidden
trap_resume:
	mov rsp, rdi
	jmp trap_common.frame

; struct guard, state.h
GUARD_SP	equ 0
GUARD_ACTIVE	equ 8

; void guard_enter(struct guard *guard, void (*body)(void *arg), void *arg, void *stack);
global guard_enter:function hidden
guard_enter:
	push rbp
	mov rbp, rsp
	push rbx
	push r12
	push r13
	push r14
	push r15
	sub rsp, 8			; aligned to 16 for the call
	mov rbx, rdi
	mov [rbx + GUARD_SP], rsp
	test rcx, rcx
	jz .call
	mov rsp, rcx
.call:
	mov qword [rbx + GUARD_ACTIVE], 1
	mov rdi, rdx
	sti
	call rsi
	cli
	mov rsp, [rbx + GUARD_SP]
	mov rdi, rbx

; extern const char guard_exit[];
global guard_exit:function hidden
guard_exit:
	; First, because an NMI that aborted the guard after the pops would find them gone.
	mov qword [rdi + GUARD_ACTIVE], 0
	add rsp, 8
	pop r15
	pop r14
	pop r13
	pop r12
	pop rbx
	pop rbp
	ret

section .note.GNU-stack noalloc noexec nowrite progbits
