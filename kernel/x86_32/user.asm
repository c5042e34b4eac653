; SPDX-License-Identifier: BSD-2-Clause
; The ways into ring 3 and out of it.

bits 32

extern trap_stubs

%include "kernel/user.inc"

section .text

; uint64_t user_enter(uint64_t di, void *si, const struct user_entry *entry, void *sp0);
global user_enter:function hidden
user_enter:
	push ebp
	mov ebp, esp
	push ebx
	push esi
	push edi
	pushfd
	cli
	mov edi, [ebp + 8]
	mov esi, [ebp + 16]
	mov edx, [ebp + 20]
	mov ecx, [ebp + 24]
	mov [ecx], esp			; what leaves ring 3 arrives below this frame
	push dword [edx + 16]		; ss
	push dword [edx + 12]		; esp
	push dword [edx + 8]		; eflags
	push dword [edx + 4]		; cs
	push dword [edx]		; eip
	iret

; extern const char user_gate[]: INT VECTOR_USER comes here with the result in EDX:EAX.
global user_gate:data hidden
user_gate:
	test byte [esp + 4], 3		; cs: ring 0 may not call this
	jz trap_stubs + 16 * VECTOR_USER
	add esp, 20			; over the CPU's frame: ESP is as user_enter left it
	popfd
	pop edi
	pop esi
	pop ebx
	pop ebp
	ret

section .user.text

; asm_code user_rdpmc: the index in EDI.
global user_rdpmc:function hidden
user_rdpmc:
	mov ecx, edi
	rdpmc
	ret

section .note.GNU-stack noalloc noexec nowrite progbits
