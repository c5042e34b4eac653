; SPDX-License-Identifier: BSD-2-Clause
; Events far apart: between any two branches, returns or MMX instructions lies a fence.  Each
; iteration has one MMX instruction and one return.
%include "payload.inc"

; extern const struct payload payload_spaced;
PAYLOAD spaced
.loop:
	ITERATION
	I pand mm0, mm0
	I lfence
	CALL_NEAR .leaf
	I lfence
	REPEAT .loop
	FIXED
	I lfence
	RETURN
.leaf:
	ITERATION
	I lfence
	RETURN
END_PAYLOAD spaced
