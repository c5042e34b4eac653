; SPDX-License-Identifier: BSD-2-Clause
; The ways into ring 3 and out of it.

default rel
bits 64

extern trap_stubs

%include "kernel/user.inc"

section .text

; uint64_t user_enter(uint64_t di, void *si, const struct user_entry *entry, void *sp0);
global user_enter:function hidden
user_enter:
	push rbp
	mov rbp, rsp
	push rbx
	push r12
	push r13
	push r14
	push r15
	pushfq				; with the return address 8 quadwords: aligned to 16
	cli
	mov [rcx], rsp			; what leaves ring 3 arrives below this frame
	push qword [rdx + 32]		; ss
	push qword [rdx + 24]		; rsp
	push qword [rdx + 16]		; rflags
	push qword [rdx + 8]		; cs
	push qword [rdx]		; rip
	iretq

; extern const char user_gate[]: INT VECTOR_USER comes here with the result in RAX.
global user_gate:data hidden
user_gate:
	test byte [rsp + 8], 3		; cs: ring 0 may not call this
	jz trap_stubs + 16 * VECTOR_USER
	add rsp, 40			; over the CPU's frame: RSP is as user_enter left it
	popfq
	pop r15
	pop r14
	pop r13
	pop r12
	pop rbx
	pop rbp
	ret

section .user.text

; asm_code user_rdpmc: the index in RDI.
global user_rdpmc:function hidden
user_rdpmc:
	mov ecx, edi
	rdpmc
	shl rdx, 32
	or rax, rdx
	ret

section .note.GNU-stack noalloc noexec nowrite progbits
