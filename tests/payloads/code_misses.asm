; SPDX-License-Identifier: BSD-2-Clause
; Cache misses of code: each iteration calls what it has just thrown out of all caches.
%include "payload.inc"

PAYLOAD code_misses
	NEEDS CLFLUSH, SSE2
	I lea rdx, [.line]
ITERATION .loop
	I clflush [rdx]
	TWICE mfence
	CALL_NEAR rdx
	REPEAT .loop
	RETURN

	align 64, int3
.line:
	ITERATION
	RETURN
	align 64, int3
END_PAYLOAD
