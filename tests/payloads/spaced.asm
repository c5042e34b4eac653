; SPDX-License-Identifier: BSD-2-Clause
; Events far apart: between any two branches, returns or MMX instructions lies a fence.
%include "payload.inc"

PAYLOAD spaced, ordinary
	NEEDS MMX, SSE2
ITERATION .loop
	I pand mm0, mm0
	DOES mmx
	I lfence
	CALL_NEAR .leaf
	I lfence
	REPEAT .loop
	I lfence
	RETURN
.leaf:
	ITERATION
	I lfence
	RETURN
END_PAYLOAD
