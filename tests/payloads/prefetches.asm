; SPDX-License-Identifier: BSD-2-Clause
; Prefetches: each iteration prefetches a line that it has just thrown out of all caches.
%include "payload.inc"

PAYLOAD prefetches
	NEEDS CLFLUSH, SSE2
ITERATION .loop
	I clflush [rsi]
	TWICE mfence
	I prefetchnta [rsi]
	DOES lines
	REPEAT .loop
	RETURN
END_PAYLOAD
