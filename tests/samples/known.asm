; SPDX-License-Identifier: BSD-2-Clause
; Code that arms a sampler by itself, of which each instruction is known that it can sample.

%include "kernel/word.inc"
%include "kernel/switch.inc"

; struct known_run of own.h
RUN_TURNS	equ 0
RUN_FULL	equ 8
RUN_STATUS	equ 16
RUN_BUFFER	equ 24

; enum known_is of own.h
IS_OTHER	equ 0
IS_NOP		equ 1
IS_PLAIN	equ 2
IS_LOAD		equ 3
IS_STORE	equ 4
IS_BOTH		equ 5
IS_LOCKED	equ 6
IS_JUMP		equ 7
IS_NEVER	equ 8
IS_LAST		equ 9
IS_CALL		equ 10
IS_RETURN	equ 11

; One instruction, %4 on, and its row, struct known: what it is, the width of its operand, and where that is in the
; buffer, or where it branches to.
%macro KNOWN 4+
%%at:
	%4
	section .rodata
	dw %%at - known_first, %3
	db %1, %2
	section .text
%endmacro
%define OTHER KNOWN IS_OTHER, 0, 0,
%define PLAIN KNOWN IS_PLAIN, 0, 0,
%define TO(label) label - known_first

; ECX := the MSR of the switch at RDI, EDX:EAX := its value at offset %1.
%macro WRITE 1
	OTHER mov ecx, [rdi + SWITCH_MSR]
	OTHER mov eax, [rdi + %1]
	OTHER mov edx, [rdi + %1 + 4]
	OTHER wrmsr
%endmacro

; What the sampler says while it is still armed; without a record it is stopped.
%macro LOOK_AND_STOP 0
	OTHER mov ecx, [rdi + SWITCH_MSR]
	OTHER rdmsr
	OTHER mov [rbx + RUN_STATUS], eax
	OTHER mov [rbx + RUN_STATUS + 4], edx
	OTHER and eax, [rbx + RUN_FULL]
	OTHER and edx, [rbx + RUN_FULL + 4]
	OTHER or eax, edx
	KNOWN IS_OTHER, 0, 0, jnz %%full
	WRITE SWITCH_OFF
%%full:
%endmacro

section .rodata align=8
; extern const struct known known_rows[]; it ends with a row of zeros.
global known_rows:data hidden
known_rows:

section .text
align 64, int3
; asm_code known_mix: struct msr_switch * (RDI), struct known_run * (RSI).
global known_first:data hidden
known_first:
global known_mix:function hidden
known_mix:
	push rbx
	mov rbx, rsi
	mov rsi, [rbx + RUN_BUFFER]
	SWITCH rdi, SWITCH_ON
	OTHER mov ecx, [rbx + RUN_TURNS]
.turn:
	; Behind each NOP is what only computes: they may be one op, which is the NOP's to a sampler.
	KNOWN IS_NOP, 0, 0, nop
	PLAIN add eax, 1
	PLAIN test rsi, rsi		; clears ZF, up to the branch that is never taken
	KNOWN IS_LOAD, 4, 0x40, mov eax, [rsi + 0x40]
	KNOWN IS_NOP, 0, 0, nop
	PLAIN lea edx, [ecx + eax]
	KNOWN IS_STORE, 4, 0x84, mov [rsi + 0x84], edx
	KNOWN IS_LOAD, 1, 0x13, mov al, [rsi + 0x13]
	KNOWN IS_STORE, 1, 0x95, mov [rsi + 0x95], dl
	KNOWN IS_NEVER, 0, TO(.never), jz .never
	KNOWN IS_LOAD, 2, 0x26, mov ax, [rsi + 0x26]
	KNOWN IS_STORE, 2, 0xaa, mov [rsi + 0xaa], dx
	KNOWN IS_JUMP, 0, TO(.jumped), jmp short .jumped
	ud2
.jumped:
	KNOWN IS_LOAD, pointer_size, 0x58, mov rax, [rsi + 0x58]
	KNOWN IS_STORE, pointer_size, 0xd8, mov [rsi + 0xd8], rax
	PLAIN add eax, 3
	KNOWN IS_BOTH, 4, 0x104, add [rsi + 0x104], eax
	KNOWN IS_CALL, 0, TO(.called), call .called
.returned:
	PLAIN add edx, eax
	KNOWN IS_LOCKED, 4, 0x148, lock add [rsi + 0x148], edx
	KNOWN IS_NOP, 0, 0, nop
	PLAIN sub ecx, 1
	KNOWN IS_LAST, 0, TO(.turn), jnz .turn
	LOOK_AND_STOP
	pop rbx
	ret
.never:
	ud2
.called:
	KNOWN IS_RETURN, 0, TO(.returned), ret

; The same where nothing is known of each instruction, and the end.
%macro LOOK_AND_LEAVE 0
	mov ecx, [rdi + SWITCH_MSR]
	rdmsr
	mov [rbx + RUN_STATUS], eax
	mov [rbx + RUN_STATUS + 4], edx
	SWITCH rdi, SWITCH_OFF
	pop rbx
	ret
%endmacro

; extern const struct code_around known_around: the same with NOPs for its work.  Between the write and the look no branch.
section .rodata
global known_around:data hidden
known_around:
	db .behind - .before, .end - .behind
.before:
	push rbx
	mov rbx, rsi
	SWITCH rdi, SWITCH_ON
.behind:
	LOOK_AND_LEAVE
.end:
section .text

; asm_code known_slow: the same, of a chain of multiplications.
global known_slow:function hidden
known_slow:
	push rbx
	mov rbx, rsi
	SWITCH rdi, SWITCH_ON
	mov ecx, 20
.turn:
%rep 50				; KNOWN_SLOW of own.h is all of them
	imul eax, eax
%endrep
	sub ecx, 1
	jnz .turn
	LOOK_AND_LEAVE

; asm_code known_missed: the same, so many turns, in each of which known_missing loads a line that no cache has.
global known_missing:data hidden
global known_missed:function hidden
known_missed:
	push rbx
	mov rbx, rsi
	mov rsi, [rbx + RUN_BUFFER]
	SWITCH rdi, SWITCH_ON
	mov ecx, [rbx + RUN_TURNS]
.turn:
	clflush [rsi]
	mfence
.missing:
	mov eax, [rsi]
	lfence
	sub ecx, 1
	jnz .turn
	LOOK_AND_STOP
	pop rbx
	ret
known_missing equ .missing
global known_end:data hidden
known_end:

section .rodata
	times 6 db 0

section .note.GNU-stack noalloc noexec nowrite progbits
