; SPDX-License-Identifier: BSD-2-Clause
; For precise records: registers and flags with known contents, and a loop whose every instruction is known.
%include "payload.inc"

; In all bytes of register number %2, by ModRM; tests/samples/samples.c has the same.
%macro KNOWN 2
%ifdef WORD_32
	I mov %1, (0x10 + %2) * 0x01010101
%else
	I mov %1, (0x10 + %2) * 0x0101010101010101
%endif
%endmacro

; extern const struct payload payload_precise; extern const char precise_loop[], precise_dec[],
; precise_branch[], precise_end[];
PAYLOAD precise
	STORE push rbx
	STORE push rbp
%ifndef WORD_32
	STORE push r12
	STORE push r13
	STORE push r14
	STORE push r15
%endif
	STORE mov [rsi], rsp
	KNOWN rax, 0
	KNOWN rcx, 1
	KNOWN rdx, 2
	KNOWN rbx, 3
	KNOWN rbp, 5
%ifndef WORD_32
%assign number 8
%rep 8
	KNOWN r%[number], number
%assign number number + 1
%endrep
%endif
	I stc				; DEC leaves CF alone
global precise_loop:data hidden
precise_loop:
	ITERATION
	%rep 16
	I nop
	%endrep
global precise_dec:data hidden
precise_dec:
	I dec rdi
global precise_branch:data hidden
precise_branch:
	TAKEN jnz precise_loop
	%assign fixed_taken fixed_taken - 1
global precise_end:data hidden
precise_end:
	FIXED
%ifndef WORD_32
	LOAD pop r15
	LOAD pop r14
	LOAD pop r13
	LOAD pop r12
%endif
	LOAD pop rbp
	LOAD pop rbx
	RETURN
END_PAYLOAD
