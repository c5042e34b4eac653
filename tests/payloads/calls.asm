; SPDX-License-Identifier: BSD-2-Clause
; Near calls and returns, direct and through a register, nested.
%include "payload.inc"

; extern const struct payload payload_calls;
PAYLOAD calls
	I lea rdx, [.leaf]
.loop:
	ITERATION
	CALL_NEAR .nested
	CALL_NEAR .leaf
	CALL_NEAR rdx
	REPEAT .loop
	FIXED
	RETURN

.nested:
	ITERATION
	I nop
	CALL_NEAR .leaf
	RETURN

.leaf:
	EXECUTED 3
	I mov eax, edi
	RETURN
END_PAYLOAD calls
