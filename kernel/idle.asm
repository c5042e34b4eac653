; SPDX-License-Identifier: BSD-2-Clause
; Two writes of an MSR with nothing but NOPs between them.

%include "kernel/word.inc"
%include "kernel/switch.inc"

section .rodata

; extern const struct code_around idle_around; asm_code: struct msr_switch * (RDI)
global idle_around:data hidden
idle_around:
	db .behind - .before, .end - .behind
.before:
	SWITCH rdi, SWITCH_ON
.behind:
	SWITCH rdi, SWITCH_OFF
	ret
.end:

section .note.GNU-stack noalloc noexec nowrite progbits
