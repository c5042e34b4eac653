; SPDX-License-Identifier: BSD-2-Clause
; Code that runs between two writes of an MSR, with nothing around it that a compiler has made.

%include "kernel/switch.inc"

default rel
bits 64

section .text

; void msr_switch_call(const struct msr_switch *s, asm_code *entry, uint64_t di, void *si);
global msr_switch_call:function hidden
msr_switch_call:
	push rbx
	push r12
	push r13			; the stack is aligned at the call
	mov rbx, rdi
	mov r12, rsi
	mov rdi, rdx
	mov rsi, rcx
	SWITCH rbx, SWITCH_ON
	call r12
	; Behind a division there is nothing for some clocks, and then a burst, in which all ends.
	mov eax, 1
	xor edx, edx
	mov ecx, 3
	div ecx
	SWITCH rbx, SWITCH_OFF
	pop r13
	pop r12
	pop rbx
	ret

; Entered by a gate of the IDT in place of the stub that it goes on to.
global msr_switch_trap:data hidden
msr_switch_trap:
	push rax
	push rbx
	push rcx
	push rdx
	mov rbx, [msr_switch_trapped]
	mov rax, [rbx + SWITCH_ON]
	cmp rax, [rbx + SWITCH_OFF]
	SWITCH rbx, SWITCH_ON
	je .started
	SWITCH rbx, SWITCH_OFF
.started:
	pop rdx
	pop rcx
	pop rbx
	pop rax
	jmp [msr_switch_stub]

section .bss
	align 8
; const struct msr_switch *, const char *
global msr_switch_trapped:data hidden
global msr_switch_stub:data hidden
msr_switch_trapped:
	resq 1
msr_switch_stub:
	resq 1

section .note.GNU-stack noalloc noexec nowrite progbits
