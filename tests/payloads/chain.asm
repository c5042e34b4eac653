; SPDX-License-Identifier: BSD-2-Clause
; A dependent chain: each operation waits for the one before it.
%include "payload.inc"

PAYLOAD chain, ordinary
	I mov eax, 1
ITERATION .loop
	%rep 6
	I imul eax, eax, 3
	I add eax, 1
	%endrep
	REPEAT .loop
	RETURN
END_PAYLOAD
