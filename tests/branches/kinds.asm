; SPDX-License-Identifier: BSD-2-Clause
; One branch of each kind, and calls in calls, between two writes of an MSR.

%include "kernel/word.inc"
%include "kernel/switch.inc"

section .text

; enum pmu_branch_kind.
%define JCC      0
%define REL_CALL 1
%define IND_CALL 2
%define RETURN   3
%define IND_JMP  4
%define REL_JMP  5
%define FAR      6

; A row of branch_kinds_branches: the branch under %2, which goes to %3, is of kind %1.
%macro ROW 3
	dd %2 - branch_kinds, %3 - branch_kinds, %1
%endmacro

; asm_code branch_kinds: struct msr_switch * (RDI).
global branch_kinds:function hidden
branch_kinds:
	lea r8, [.indirect]
	lea r9, [.leaf_2]
	lea r10, [.far]
	mov eax, cs
	push rax			; for the far return
	push r10
	cmp eax, eax			; sets ZF
	SWITCH rdi, SWITCH_ON
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
	SWITCH rdi, SWITCH_OFF
	ret

.leaf_1:
	ret
	ud2
.leaf_2:
	ret
	ud2

; extern const struct { int32_t from, to; uint32_t kind; } branch_kinds_branches[8];
align 4
global branch_kinds_branches:data hidden
branch_kinds_branches:
	ROW JCC, branch_kinds.jcc, branch_kinds.taken
	ROW REL_CALL, branch_kinds.call_1, branch_kinds.leaf_1
	ROW RETURN, branch_kinds.leaf_1, branch_kinds.back_1
	ROW IND_CALL, branch_kinds.call_2, branch_kinds.leaf_2
	ROW RETURN, branch_kinds.leaf_2, branch_kinds.back_2
	ROW IND_JMP, branch_kinds.jmp_1, branch_kinds.indirect
	ROW REL_JMP, branch_kinds.jmp_2, branch_kinds.direct
	ROW FAR, branch_kinds.retf, branch_kinds.far

; asm_code branch_nested: struct msr_switch * (RDI).  Stops in the call of branch_nested_third, when the call
; before it has returned.
global branch_nested:function hidden
branch_nested:
	SWITCH rdi, SWITCH_ON
global branch_nested_outer:data hidden
branch_nested_outer:
	call branch_nested_first
	ret

; extern const char branch_nested_first[], branch_nested_inner[], branch_nested_third[];
global branch_nested_first:data hidden
branch_nested_first:
	call branch_nested_second
	lea r8, [branch_nested_third]
	jmp .on
	ud2
.on:
global branch_nested_inner:data hidden
branch_nested_inner:
	call r8
	ret
	ud2
branch_nested_second:
	ret
	ud2
global branch_nested_third:data hidden
branch_nested_third:
	SWITCH rdi, SWITCH_OFF
	ret

section .note.GNU-stack noalloc noexec nowrite progbits
