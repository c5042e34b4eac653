; SPDX-License-Identifier: BSD-2-Clause
; Arithmetic of one micro-op: each iteration adds twice in x87 and three times in packed single
; precision, always 0 + 0.
%include "payload.inc"

; extern const struct payload payload_vector;
PAYLOAD vector
	I fninit
	I fldz
	I xorps xmm0, xmm0
.loop:
	ITERATION
	%rep 2
	I fadd st0, st0
	%endrep
	%rep 3
	I addps xmm0, xmm0
	%endrep
	REPEAT .loop
	FIXED
	I fninit
	RETURN
END_PAYLOAD vector
