; SPDX-License-Identifier: BSD-2-Clause
; Some of everything that ordinary code does.
%include "payload.inc"

PAYLOAD mix, ordinary
	STORE push rbx
	I mov ebx, 7
	I xor eax, eax
ITERATION .loop
	STORE mov [rsi], rdi
	I imul eax, ebx
	LOAD add rax, [rsi]
	I stc
	NOT_TAKEN jnc .never
	TAKEN jc .over
	ud2
.over:
	STORE push rax
	CALL_NEAR .leaf
	LOAD pop rdx
	I shr edx, 1
	I lea rcx, [rax + rdx]
	JUMP .end
	ud2
.end:
	REPEAT .loop
	LOAD pop rbx
	RETURN
.leaf:
	ITERATION
	I xor eax, ecx
	LOAD_STORE inc dword [rsi + 16]
	RETURN
.never:
	ud2
END_PAYLOAD
