; SPDX-License-Identifier: BSD-2-Clause
; Prefetches: each iteration prefetches a line that it has just thrown out of all caches.
%include "payload.inc"

; extern const struct payload payload_prefetches;
PAYLOAD prefetches
.loop:
	ITERATION
	I clflush [rsi]
	I mfence
	I prefetchnta [rsi]
	REPEAT .loop
	FIXED
	RETURN
END_PAYLOAD prefetches
