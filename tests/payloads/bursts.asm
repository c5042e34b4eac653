; SPDX-License-Identifier: BSD-2-Clause
; Bursts: retirement stops behind a division and a fence, then goes on at full width.
%include "payload.inc"

PAYLOAD bursts, ordinary
	NEEDS SSE2
	I mov ecx, 3
	I mov eax, 0x7fffffff
ITERATION .loop
	I xor edx, edx
	I div ecx
	I or eax, 0x40000000		; the next dividend depends on this quotient
	I lfence
	%rep 12
	I nop
	%endrep
	REPEAT .loop
	RETURN
END_PAYLOAD
