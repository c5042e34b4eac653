; SPDX-License-Identifier: BSD-2-Clause
; Sub-events: each iteration loads ES twice and DS three times (with what they hold), and executes
; two x87 instructions that leave the stack alone and three of MMX.  EMMS, once, is MMX too.
%include "payload.inc"

; extern const struct payload payload_sub;
PAYLOAD sub
	I mov eax, es
	I mov ecx, ds
.loop:
	ITERATION
	%rep 2
	I mov es, eax
	I fnop
	%endrep
	%rep 3
	I mov ds, ecx
	I pand mm0, mm0
	%endrep
	REPEAT .loop
	FIXED
	I emms
	RETURN
END_PAYLOAD sub
