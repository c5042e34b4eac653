; SPDX-License-Identifier: BSD-2-Clause
; Code of which the last branch is known: one of each kind, and one ahead of an exception.

%include "kernel/word.inc"
%include "kernel/switch.inc"

section .text

; Each takes a struct msr_switch * (RDI), and branches once between both writes, from .from to .to.
%macro BEGIN 0
	SWITCH rdi, SWITCH_ON
.from:
%endmacro
%macro END 0
	ud2
.to:
	SWITCH rdi, SWITCH_OFF
	ret
%endmacro

near_jump:
	BEGIN
	jmp .to
	END

indirect_jump:
	lea r8, [.to]
	BEGIN
	jmp r8
	END

conditional:
	cmp eax, eax			; sets ZF
	BEGIN
	jz .to
	END

counted:
	BEGIN
	loop .to			; the number of the MSR is in ECX
	END

near_call:
	BEGIN
	call .leaf
	ud2
.leaf:
.to:
	pop r8
	SWITCH rdi, SWITCH_OFF
	ret

near_return:
	lea r8, [.to]
	push r8
	BEGIN
	ret
	END

far_return:
	mov eax, cs
	push rax
	lea r8, [.to]
	push r8
	BEGIN
	FAR_RETURN
	END

; extern const struct { int32_t code, from, to; } pair_branches[7]; from the first of them on.
%macro ROW 1
	dd %1 - near_jump, %1.from - near_jump, %1.to - near_jump
%endmacro
align 4
global pair_branches:data hidden
pair_branches:
	ROW near_jump
	ROW indirect_jump
	ROW conditional
	ROW counted
	ROW near_call
	ROW near_return
	ROW far_return

; extern const char pair_first[];
global pair_first:data hidden
pair_first equ near_jump

; asm_code pair_exception: struct msr_switch * (RDI).  A jump, and then an instruction that is none; whoever takes
; that exception stops recording, and goes on at the end.
global pair_exception:function hidden
global pair_exception_from:data hidden
global pair_exception_to:data hidden
global pair_exception_at:data hidden
global pair_exception_end:data hidden
pair_exception:
	SWITCH rdi, SWITCH_ON
pair_exception_from:
	jmp pair_exception_to
	int3
pair_exception_to:
	nop
pair_exception_at:
	ud2
	int3
pair_exception_end:
	ret

section .note.GNU-stack noalloc noexec nowrite progbits
