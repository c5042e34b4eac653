; SPDX-License-Identifier: BSD-2-Clause
; A ring of branches, each of which is known, while branches are sampled.

%include "kernel/word.inc"
%include "kernel/switch.inc"

; struct brs_run of brs.c
RUN_TURNS	equ 0
RUN_ARM		equ 8
RUN_PRESET	equ 32

DEBUG_EXTN_CFG	equ 0xc000010f
BRSMEN		equ 4

section .text

; asm_code brs_ring: struct brs_run * (RDI).  Makes both writes, and goes so many turns; then recording is stopped,
; and all else that its control says stays.
global brs_ring:function hidden
brs_ring:
	mov rsi, [rdi + RUN_TURNS]
	lea r8, [.indirect]
	lea r9, [.leaf]
	SWITCH rdi + RUN_ARM, SWITCH_ON
	SWITCH rdi + RUN_PRESET, SWITCH_ON
.turn:
	cmp eax, eax			; sets ZF, clears CF
	nop
.at_0:	jmp short .to_0
	ud2
.to_0:
	jnz .never
.at_1:	jz short .to_1
	ud2
.to_1:
	jc .never
	nop
.at_2:	jmp r8
	ud2
.indirect:
	jnz near .never
.at_3:	call r9
.back:
.at_5:	jmp near .to_5
	ud2
.leaf:
	nop
.at_4:	ret
	ud2
.to_5:
	jc near .never
	jnz .never
.at_6:	jnc short .to_6
	ud2
.to_6:
.at_7:	jmp short .to_7
	ud2
.to_7:
	nop
.at_8:	jz near .to_8
	ud2
.to_8:
	dec rsi
	mov eax, eax			; nothing for the branch to be fused with
.at_9:	jnz .turn
	mov ecx, DEBUG_EXTN_CFG
	rdmsr
	and eax, ~BRSMEN
	wrmsr
.end:
	ret
.never:
	ud2

; extern const char brs_ring_end[];
global brs_ring_end:data hidden
brs_ring_end equ brs_ring.end

; extern const struct { int32_t from, to; } brs_branches[10]; in the order in which they are taken.  On the last
; turn the last one is not.
%macro ROW 2
	dd brs_ring.%1 - brs_ring, brs_ring.%2 - brs_ring
%endmacro
section .rodata
align 4
global brs_branches:data hidden
brs_branches:
	ROW at_0, to_0
	ROW at_1, to_1
	ROW at_2, indirect
	ROW at_3, leaf
	ROW at_4, back
	ROW at_5, to_5
	ROW at_6, to_6
	ROW at_7, to_7
	ROW at_8, to_8
	ROW at_9, turn

section .note.GNU-stack noalloc noexec nowrite progbits
