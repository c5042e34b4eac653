; SPDX-License-Identifier: BSD-2-Clause
; Moves of MMX registers, from memory and to it, between any two of which lies a fence.
%include "payload.inc"

PAYLOAD moves_apart
	NEEDS MMX, SSE2
ITERATION .loop
	LOAD movq mm0, [rsi]
	I lfence
	STORE movq [rsi + 8], mm0
	I lfence
	REPEAT .loop
	TWICE emms
	RETURN
END_PAYLOAD
