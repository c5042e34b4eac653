; SPDX-License-Identifier: BSD-2-Clause
; A chain of jumps, some of them conditional, whose addresses are known, and nothing else between two writes of an MSR.

%include "kernel/word.inc"
%include "kernel/switch.inc"

section .text

; asm_code branch_chain: struct msr_switch * (RDI), a link (RSI).  Enters the chain at one of its
; links by one more jump.
global branch_chain:function hidden
branch_chain:
	cmp eax, eax		; sets ZF: each fourth link is a conditional jump
	SWITCH rdi, SWITCH_ON
global branch_chain_entry:data hidden
branch_chain_entry:
	jmp rsi

; extern const char branch_chain_links[72][4], and the end behind them.
align 4, int3
global branch_chain_links:data hidden
branch_chain_links:
%assign link 0
%rep 72
	%if link % 4
	jmp short $ + 4
	%else
	jz short $ + 4
	%endif
	ud2
	%assign link link + 1
%endrep
	SWITCH rdi, SWITCH_OFF
	ret

; asm_code branch_untaken: struct msr_switch * (RDI).  Branches of which none is taken.
global branch_untaken:function hidden
branch_untaken:
	cmp eax, eax			; sets ZF, clears CF
	SWITCH rdi, SWITCH_ON
	jnz .never
	jc .never
	jnz near .never
	SWITCH rdi, SWITCH_OFF
	ret
.never:
	ud2

section .note.GNU-stack noalloc noexec nowrite progbits
