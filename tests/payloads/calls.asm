; SPDX-License-Identifier: BSD-2-Clause
; Near calls and returns, direct and through a register, nested.
%include "payload.inc"

PAYLOAD calls, ordinary
	I lea rdx, [.leaf]
ITERATION .loop
	CALL_NEAR .nested
	CALL_NEAR .leaf
	CALL_NEAR rdx
	DOES indirect
	REPEAT .loop
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
END_PAYLOAD
