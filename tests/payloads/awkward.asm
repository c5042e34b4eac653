; SPDX-License-Identifier: BSD-2-Clause
; What costs a processor detours: a load out of a store that wrote less, accesses over the end
; of a line, and more lines written past the caches than there are buffers for.
%include "payload.inc"

%define LINE 64
%define STREAMED 16

; extern const struct payload payload_awkward;
PAYLOAD awkward
.loop:
	ITERATION
	STORE mov [rsi + 2 * LINE], edi
	LOAD mov rax, [rsi + 2 * LINE] ; more than the store has written
	LOAD mov rax, [rsi + LINE - 4] ; two lines
	STORE mov [rsi + 5 * LINE - 4], rdi ; two lines
	STORE mov [rsi + 6 * LINE - 4], rdi ; so that stores are not as many as loads
%assign line 8
%rep STREAMED
	STORE movnti [rsi + line * LINE], rdi
	%assign line line + 1
%endrep
	I sfence
	REPEAT .loop
	FIXED
	RETURN
END_PAYLOAD awkward
