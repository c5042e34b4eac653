; SPDX-License-Identifier: BSD-2-Clause
; Cache misses: each iteration loads from a line that it has just thrown out of all caches.
%include "payload.inc"

; extern const struct payload payload_misses;
PAYLOAD misses
.loop:
	ITERATION
	I clflush [rsi]
	I mfence
	LOAD mov rax, [rsi]
	REPEAT .loop
	FIXED
	RETURN
END_PAYLOAD misses
