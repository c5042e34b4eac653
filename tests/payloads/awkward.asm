; SPDX-License-Identifier: BSD-2-Clause
; Accesses that cost a processor detours: a load out of a store that wrote less, accesses over the
; end of a line, and more lines written past the caches than there are buffers for.
%include "payload.inc"

%define LINE 64
%define STREAMED 16

PAYLOAD awkward, ordinary
	NEEDS SSE2
ITERATION .loop
	STORE mov [rsi + 2 * LINE], di_half
	LOAD mov rax, [rsi + 2 * LINE]	; more than the store has written
	DOES blocked_loads
	LOAD mov rax, [rsi + LINE - half_size]	; two lines
	DOES split_loads
	%assign line 5
	%rep 2				; so that they are not as many as loads
	STORE mov [rsi + line * LINE - half_size], rdi
	DOES split_stores
	%assign line line + 1
	%endrep
	%rep STREAMED
	STORE movnti [rsi + (line + 1) * LINE], rdi
	%assign line line + 1
	%endrep
	%rep 5				; more than loads and stores but for the streaming ones
	TWICE sfence
	%endrep
	REPEAT .loop
	RETURN
END_PAYLOAD
