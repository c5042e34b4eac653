; SPDX-License-Identifier: BSD-2-Clause
; Straight-line code: independent operations on registers, as wide as any pipeline.
%include "payload.inc"

PAYLOAD straight, ordinary
	I xor eax, eax
	I xor ecx, ecx
	I xor edx, edx
ITERATION .loop
	%rep 4
	I add eax, 1
	I add ecx, 2
	I add edx, 3
	I lea r8, [rdi + 4]
	I mov r9d, 5
	I nop
	%endrep
	REPEAT .loop
	RETURN
END_PAYLOAD
