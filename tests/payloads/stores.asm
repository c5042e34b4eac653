; SPDX-License-Identifier: BSD-2-Clause
; More stores in a row than there are store buffers, each to a line of its own.
%include "payload.inc"

%define LINE 64

PAYLOAD stores
ITERATION .loop
%assign line 0
%rep 64
	STORE mov [rsi + line * LINE], rdi
	%assign line line + 1
%endrep
	REPEAT .loop
	RETURN
END_PAYLOAD
