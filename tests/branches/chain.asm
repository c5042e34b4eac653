; SPDX-License-Identifier: BSD-2-Clause
; A chain of jumps, some of them conditional, whose addresses are known, and nothing else between two writes of IA32_DEBUGCTL.

%include "tests/lib/word.inc"

%define IA32_DEBUGCTL 1d9h

section .text

; asm_code intel_chain: debugctl (RDI), a link (RSI).  Enters the chain at one of its
; links by one more jump.
global intel_chain:function hidden
intel_chain:
	mov ecx, IA32_DEBUGCTL
	mov eax, edi
	xor edx, edx		; sets ZF: each fourth link is a conditional jump
	wrmsr
global intel_chain_entry:data hidden
intel_chain_entry:
	jmp rsi

; extern const char intel_chain_links[40][4], and the end behind them.
align 4, int3
global intel_chain_links:data hidden
intel_chain_links:
%assign link 0
%rep 40
	%if link % 4
	jmp short $ + 4
	%else
	jz short $ + 4
	%endif
	ud2
	%assign link link + 1
%endrep
	xor eax, eax
	wrmsr
	ret

section .note.GNU-stack noalloc noexec nowrite progbits
