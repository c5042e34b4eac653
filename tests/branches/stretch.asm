; SPDX-License-Identifier: BSD-2-Clause
; Two jumps between two writes of an MSR, and a loop of known branches between the jumps.

%include "kernel/word.inc"
%include "kernel/switch.inc"

section .text

; asm_code branch_stretch: struct msr_switch * (RDI), iterations (RSI), each of which waits for the
; quotient of the one before, and ends with a conditional branch.
global branch_stretch:function hidden
branch_stretch:
	SWITCH rdi, SWITCH_ON
	jmp short .first
	ud2
.first:
	mov ecx, 1
	mov eax, ecx
	xor edx, edx
.loop:	div ecx
	dec rsi
	jnz .loop
	jmp short .second
	ud2
.second:
	SWITCH rdi, SWITCH_OFF
	ret

section .note.GNU-stack noalloc noexec nowrite progbits
