; SPDX-License-Identifier: BSD-2-Clause
; Cache misses of stores: each iteration stores to a line that it has just thrown out of all caches.
%include "payload.inc"

; extern const struct payload payload_store_misses;
PAYLOAD store_misses
.loop:
	ITERATION
	I clflush [rsi]
	I mfence
	STORE mov [rsi], rdi
	REPEAT .loop
	FIXED
	RETURN
END_PAYLOAD store_misses
