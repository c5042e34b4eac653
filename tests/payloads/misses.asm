; SPDX-License-Identifier: BSD-2-Clause
; Cache misses: each iteration loads from a line that it has just thrown out of all caches.
%include "payload.inc"

PAYLOAD misses, ordinary
	NEEDS CLFLUSH, SSE2
ITERATION .loop
	I clflush [rsi]
	%rep 3				; more than one for the flush and one for the load
	TWICE mfence
	%endrep
	LOAD mov rax, [rsi]
	DOES lines
	REPEAT .loop
	RETURN
END_PAYLOAD
