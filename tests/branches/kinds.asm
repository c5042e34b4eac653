; SPDX-License-Identifier: BSD-2-Clause
; One branch of each kind, and calls in calls, between two writes of IA32_DEBUGCTL.

%include "tests/lib/word.inc"

%define IA32_DEBUGCTL 1d9h

section .text

; The bits of MSR_LBR_SELECT.
%define JCC      2
%define REL_CALL 3
%define IND_CALL 4
%define RETURN   5
%define IND_JMP  6
%define REL_JMP  7
%define FAR      8

; A row of intel_kinds_branches: the branch under %2, which goes to %3, is of kind %1.
%macro ROW 3
	dd %2 - intel_kinds, %3 - intel_kinds, %1
%endmacro

; asm_code intel_kinds: debugctl (RDI).
global intel_kinds:function hidden
intel_kinds:
	lea r8, [.indirect]
	lea r9, [.leaf_2]
	lea r10, [.far]
	mov eax, cs
	push rax			; for the far return
	push r10
	mov eax, edi
	mov ecx, IA32_DEBUGCTL
	xor edx, edx			; sets ZF
	wrmsr
.jcc:	jz .taken
	ud2
.taken:
.call_1:
	call .leaf_1
.back_1:
.call_2:
	call r9
.back_2:
.jmp_1:	jmp r8
	ud2
.indirect:
.jmp_2:	jmp .direct
	ud2
.direct:
.retf:	FAR_RETURN
	ud2
.far:
	xor eax, eax
	wrmsr
	ret

.leaf_1:
	ret
	ud2
.leaf_2:
	ret
	ud2

; extern const struct { int32_t from, to; uint32_t kind; } intel_kinds_branches[8];
align 4
global intel_kinds_branches:data hidden
intel_kinds_branches:
	ROW JCC, intel_kinds.jcc, intel_kinds.taken
	ROW REL_CALL, intel_kinds.call_1, intel_kinds.leaf_1
	ROW RETURN, intel_kinds.leaf_1, intel_kinds.back_1
	ROW IND_CALL, intel_kinds.call_2, intel_kinds.leaf_2
	ROW RETURN, intel_kinds.leaf_2, intel_kinds.back_2
	ROW IND_JMP, intel_kinds.jmp_1, intel_kinds.indirect
	ROW REL_JMP, intel_kinds.jmp_2, intel_kinds.direct
	ROW FAR, intel_kinds.retf, intel_kinds.far

; asm_code intel_nested: debugctl (RDI).  Stops in the call of intel_nested_third, when the call
; before it has returned.
global intel_nested:function hidden
intel_nested:
	mov eax, edi
	mov ecx, IA32_DEBUGCTL
	xor edx, edx
	wrmsr
global intel_nested_outer:data hidden
intel_nested_outer:
	call intel_nested_first
	ret

; extern const char intel_nested_first[], intel_nested_inner[], intel_nested_third[];
global intel_nested_first:data hidden
intel_nested_first:
	call intel_nested_second
	lea r8, [intel_nested_third]
	jmp .on
	ud2
.on:
global intel_nested_inner:data hidden
intel_nested_inner:
	call r8
	ret
	ud2
intel_nested_second:
	ret
	ud2
global intel_nested_third:data hidden
intel_nested_third:
	xor eax, eax
	wrmsr
	ret

section .note.GNU-stack noalloc noexec nowrite progbits
