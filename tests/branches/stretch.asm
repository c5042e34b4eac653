; SPDX-License-Identifier: BSD-2-Clause
; Two jumps between two writes of an MSR, and a loop of known branches between the jumps.

%include "kernel/word.inc"
%include "kernel/switch.inc"

section .text

; asm_code branch_stretch: struct msr_switch * (RDI), iterations (RSI), each of which waits for the
; quotient of the one before, and ends with a conditional branch, in all but the last one taken back.
; extern const char branch_stretch_end[], branch_stretch_back[], branch_stretch_out[],
; branch_stretch_off[]: from where to where that is, and the jump behind it.
global branch_stretch:function hidden
branch_stretch:
	SWITCH rdi, SWITCH_ON
	jmp short .first
	ud2
.first:
	mov ecx, 1
	mov eax, ecx
	xor edx, edx
global branch_stretch_back:data hidden
branch_stretch_back:
	div ecx
	dec rsi
	mov ecx, ecx			; nothing for the branch to be fused with
global branch_stretch_end:data hidden
branch_stretch_end:
	jnz branch_stretch_back
global branch_stretch_out:data hidden
branch_stretch_out:
	jmp short branch_stretch_off
	ud2
global branch_stretch_off:data hidden
branch_stretch_off:
	SWITCH rdi, SWITCH_OFF
	ret

section .note.GNU-stack noalloc noexec nowrite progbits
