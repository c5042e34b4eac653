; SPDX-License-Identifier: BSD-2-Clause
; Branches, and an MMX instruction, in clocks of their own: each needs what a division before it left,
; each division what the one before it left.  So on any pipeline that retires in order there are clocks
; without any between two of them; no fence is asked for it.
%include "payload.inc"

; EDX := 0, but not before the division has ended.
%macro DIVIDE 0
	I xor edx, edx
	I div ecx
	I or eax, 0x40000000
	I and edx, 0
%endmacro

PAYLOAD apart, ordinary
	NEEDS MMX
	I mov ecx, 3
	I mov eax, 0x7fffffff
ITERATION .loop
	DIVIDE
	I pand mm0, mm0
	DOES mmx, x87_mmx
	DIVIDE
	I add rsp, rdx
	CALL_NEAR .leaf
	DIVIDE
	I add rdi, rdx
	REPEAT .loop
	DIVIDE
	I add rsp, rdx
	RETURN
.leaf:
	ITERATION
	DIVIDE
	I add rsp, rdx
	RETURN
END_PAYLOAD
