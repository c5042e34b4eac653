; SPDX-License-Identifier: BSD-2-Clause
; Ring 3 reads a counter again and again.

bits 64
default rel

section .user.text

; uint64_t reads_in_ring3(uint64_t times << 32 | index (RDI), void *last (RSI)): how many readings
; were below the one before; the last one is stored.
global reads_in_ring3:function hidden
reads_in_ring3:
	mov ecx, edi
	shr rdi, 32
	xor r8d, r8d		; the one before
	xor r9d, r9d
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
	ret

section .note.GNU-stack noalloc noexec nowrite progbits
