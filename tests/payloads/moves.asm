; SPDX-License-Identifier: BSD-2-Clause
; Moves of MMX registers: each iteration loads one from memory, and stores it twice.
%include "payload.inc"

PAYLOAD moves
	NEEDS MMX
ITERATION .loop
	LOAD movq mm0, [rsi]
	STORE movq [rsi + 8], mm0
	STORE movq [rsi + 16], mm0
	REPEAT .loop
	TWICE emms
	RETURN
END_PAYLOAD
