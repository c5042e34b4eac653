; SPDX-License-Identifier: BSD-2-Clause
; Packed, scalar and integer arithmetic in XMM registers, always 0 + 0, and a string instruction, which
; comes out of the microcode ROM.  The numbers differ where the event selects of NetBurst differ in one
; bit, and it is the one with that bit set that occurs more often.
%include "payload.inc"

; extern const struct payload payload_kinds;
PAYLOAD kinds
	I xorps xmm0, xmm0
.loop:
	ITERATION
	I addps xmm0, xmm0
	%rep 2
	I addss xmm0, xmm0
	I addpd xmm0, xmm0
	%endrep
	%rep 3
	I addsd xmm0, xmm0
	I paddd xmm0, xmm0
	%endrep
	I mov rdx, rdi
	I mov rdi, rsi
	I mov ecx, 1			; so that it is one step of a debugger, too
	STORE rep stosb
	I mov rdi, rdx
	REPEAT .loop
	FIXED
	RETURN
END_PAYLOAD kinds
