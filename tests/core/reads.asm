; SPDX-License-Identifier: BSD-2-Clause
; Ring 3 reads a counter again and again.

%include "kernel/word.inc"

section .user.text

; asm_code reads_in_ring3: so many times (RDI), the counter with the index at RSI.  Returns how many
; readings were below the one before; the last one is stored at RSI, and behind it of the last such
; pair both, the one before first.
global reads_in_ring3:function hidden
reads_in_ring3:
	mov ecx, [rsi]
	xor r8d, r8d			; the one before
	xor r9d, r9d
%ifdef WORD_32
	; The upper half of the one before is in EBX, and how many were below is on the stack.
	push esi
	push dword 0
.loop:
	rdpmc
	cmp eax, ebp
	push eax
	mov eax, edx
	sbb eax, ebx
	pop eax
	jnc .not_below
	mov [esi + 8], ebp
	mov [esi + 12], ebx
	mov [esi + 16], eax
	mov [esi + 20], edx
	inc dword [esp]
.not_below:
	mov ebp, eax
	mov ebx, edx
	dec edi
	jnz .loop
	pop eax
	pop esi
	xor edx, edx
	mov [esi], ebp
	mov [esi + 4], ebx
%else
.loop:
	rdpmc
	shl rdx, 32
	or rax, rdx
	cmp rax, r8
	jae .not_below
	mov [rsi + 8], r8
	mov [rsi + 16], rax
	inc r9
.not_below:
	mov r8, rax
	dec rdi
	jnz .loop
	mov [rsi], r8
	mov rax, r9
%endif
	ret

section .note.GNU-stack noalloc noexec nowrite progbits
