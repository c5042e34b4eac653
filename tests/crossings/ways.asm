; SPDX-License-Identifier: BSD-2-Clause
; The sides of crossings that are in ring 0: they come back at once, behind the instruction that has come here.
; Flags are restored on the way back.

%include "kernel/word.inc"

%ifdef WORD_32
%define RETURN iret
%define RETURN_FAR retf
%define RETURN_FROM_SYSENTER sysexit
%else
%define RETURN iretq
%define RETURN_FAR o64 retf
%define RETURN_FROM_SYSENTER o64 sysexit
%endif

section .text

; extern const char crossing_NAME[];
%macro SIDE 1
global crossing_%1:data hidden
crossing_%1:
%endmacro

SIDE trap
	RETURN

; Without an error code, of an instruction of two bytes.
SIDE fault
	add wide [rsp], 2
	RETURN

SIDE division
	add wide [rsp], 6
	RETURN

; With one, of one byte, and of seven.
SIDE protected
	add rsp, pointer_size
	add wide [rsp], 1
	RETURN

SIDE page
	add rsp, pointer_size
	add wide [rsp], 7
	RETURN

%ifndef WORD_32
SIDE syscall
	o64 sysret
%else
SIDE syscall
	ud2
%endif

; ECX and EDX have RSP and RIP of ring 3, and nothing has the flag of interrupts, which was set.
SIDE sysenter
	sti
	RETURN_FROM_SYSENTER

SIDE far
	RETURN_FAR

section .note.GNU-stack noalloc noexec nowrite progbits
