; SPDX-License-Identifier: BSD-2-Clause
; Loads behind stores of which not all is known: where they go, what they store; and a load from
; within what was stored.
%include "payload.inc"

PAYLOAD replays
	NEEDS CLFLUSH, SSE2
ITERATION .loop
	I clflush [rsi]
	TWICE mfence
	LOAD mov rdx, [rsi]		; late
	I and edx, 0			; as late, and 0
	STORE mov [rsi + rdx + 128], edi
	LOAD mov eax, [rsi + 192]
	I clflush [rsi]
	TWICE mfence
	LOAD mov rdx, [rsi]
	STORE mov [rsi + 256], rdx
	LOAD mov rax, [rsi + 256]
	STORE mov [rsi + 320], rdi
	LOAD half_to_eax [rsi + 322]
	REPEAT .loop
	RETURN
END_PAYLOAD
