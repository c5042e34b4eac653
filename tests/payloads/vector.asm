; SPDX-License-Identifier: BSD-2-Clause
; Arithmetic of one micro-op, in x87 and in packed single precision, always 0 + 0.
%include "payload.inc"

PAYLOAD vector, ordinary
	NEEDS SSE
	I fninit
	I fldz
	I xorps xmm0, xmm0
ITERATION .loop
	%rep 2
	I fadd st0, st0
	DOES x87
	%endrep
	%rep 3
	I addps xmm0, xmm0
	DOES packed_single
	%endrep
	REPEAT .loop
	I fninit
	RETURN
END_PAYLOAD
