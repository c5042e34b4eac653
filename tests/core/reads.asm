; SPDX-License-Identifier: BSD-2-Clause
; Ring 3 reads a counter again and again.

%include "tests/lib/word.inc"

section .user.text

; asm_code reads_in_ring3: so many times (RDI), the counter with the index at RSI.  Returns how many
; readings were below the one before; the last one is stored at RSI.
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
	mov ebp, eax
	mov eax, edx
	sbb eax, ebx
	mov ebx, edx
	adc dword [esp], 0
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
	adc r9, 0
	mov r8, rax
	dec rdi
	jnz .loop
	mov [rsi], r8
	mov rax, r9
%endif
	ret

section .note.GNU-stack noalloc noexec nowrite progbits
