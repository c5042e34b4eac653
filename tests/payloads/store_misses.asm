; SPDX-License-Identifier: BSD-2-Clause
; Cache misses of stores: each iteration stores to a line that it has just thrown out of all caches.
%include "payload.inc"

PAYLOAD store_misses
	NEEDS CLFLUSH, SSE2
ITERATION .loop
	I clflush [rsi]
	TWICE mfence
	STORE mov [rsi], rdi
	DOES lines
	REPEAT .loop
	RETURN
END_PAYLOAD
