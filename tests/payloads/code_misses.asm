; SPDX-License-Identifier: BSD-2-Clause
; Cache misses of code: each iteration calls what it has just thrown out of all caches.
%include "payload.inc"

; extern const struct payload payload_code_misses;
PAYLOAD code_misses
	I lea rdx, [.line]
.loop:
	ITERATION
	I clflush [rdx]
	I mfence
	CALL_NEAR rdx
	REPEAT .loop
	FIXED
	RETURN

	align 64, int3
.line:
	ITERATION
	RETURN
	align 64, int3
END_PAYLOAD code_misses
