; SPDX-License-Identifier: BSD-2-Clause
; Packed, scalar and integer arithmetic in XMM registers, always 0 + 0.  The numbers differ where the
; event selects of NetBurst differ in one bit, and it is the one with that bit set that occurs more often.
%include "payload.inc"

PAYLOAD kinds, ordinary
	NEEDS SSE2
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
	REPEAT .loop
	RETURN
END_PAYLOAD
