; SPDX-License-Identifier: BSD-2-Clause
; Code that runs between two writes of an MSR, with nothing around it that a compiler has made.

%include "kernel/switch.inc"

bits 32

section .text

; void msr_switch_call(const struct msr_switch *s, asm_code *entry, uint64_t di, void *si);
global msr_switch_call:function hidden
msr_switch_call:
	push ebp
	mov ebp, esp
	push ebx
	push esi
	push edi
	mov ebx, [ebp + 8]
	mov edi, [ebp + 16]
	mov esi, [ebp + 24]
	push ebp			; entry may change it, and EBX
	push dword [ebx + SWITCH_OFF + 4]
	push dword [ebx + SWITCH_OFF]
	push dword [ebx + SWITCH_MSR]
	push esi			; for C
	push dword [ebp + 20]
	push edi
	mov ebp, [ebp + 12]
	SWITCH ebx, SWITCH_ON
	call ebp
	; Behind a division there is nothing for some clocks, and then a burst, in which all ends.
	mov eax, 1
	xor edx, edx
	mov ecx, 3
	div ecx
	mov ecx, [esp + 12]
	mov eax, [esp + 16]
	mov edx, [esp + 20]
	wrmsr
	mov ebp, [esp + 24]
	lea esp, [ebp - 12]
	pop edi
	pop esi
	pop ebx
	pop ebp
	ret

; Entered by a gate of the IDT in place of the stub that it goes on to.
global msr_switch_trap:data hidden
msr_switch_trap:
	push eax
	push ebx
	push ecx
	push edx
	mov ebx, [msr_switch_trapped]
	mov eax, [ebx + SWITCH_ON]
	mov edx, [ebx + SWITCH_ON + 4]
	xor eax, [ebx + SWITCH_OFF]
	xor edx, [ebx + SWITCH_OFF + 4]
	or eax, edx			; ZF: they are alike
	SWITCH ebx, SWITCH_ON
	je .started
	SWITCH ebx, SWITCH_OFF
.started:
	pop edx
	pop ecx
	pop ebx
	pop eax
	jmp [msr_switch_stub]

section .bss
	align 4
; const struct msr_switch *, const char *
global msr_switch_trapped:data hidden
global msr_switch_stub:data hidden
msr_switch_trapped:
	resd 1
msr_switch_stub:
	resd 1

section .note.GNU-stack noalloc noexec nowrite progbits
