; SPDX-License-Identifier: BSD-2-Clause
; A dependent chain: each operation waits for the one before it.
%include "payload.inc"

; extern const struct payload payload_chain;
PAYLOAD chain
	I mov eax, 1
.loop:
	ITERATION
	%rep 6
	I imul eax, eax, 3
	I add eax, 1
	%endrep
	REPEAT .loop
	FIXED
	RETURN
END_PAYLOAD chain
