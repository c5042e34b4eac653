; SPDX-License-Identifier: BSD-2-Clause
; Packed, scalar and integer arithmetic in XMM registers, always 0 + 0, and a string instruction, which
; comes out of the microcode ROM.  The numbers differ where the event selects of NetBurst differ in one
; bit, and it is the one with that bit set that occurs more often.
%include "payload.inc"

PAYLOAD kinds, ordinary
	I xorps xmm0, xmm0
ITERATION .loop
	I addps xmm0, xmm0
	DOES sse, packed, packed_single
	%rep 2
	I addss xmm0, xmm0
	DOES sse, scalar, scalar_single
	I addpd xmm0, xmm0
	DOES sse, packed, double, packed_double
	%endrep
	%rep 3
	I addsd xmm0, xmm0
	DOES sse, scalar, double, scalar_double
	I paddd xmm0, xmm0
	DOES sse, integer
	%endrep
	I mov rdx, rdi
	I mov rdi, rsi
	I mov ecx, 1			; so that it is one step of a debugger, too
	STORE rep stosb
	DOES from_rom
	I mov rdi, rdx
	REPEAT .loop
	RETURN
END_PAYLOAD
