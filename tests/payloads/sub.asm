; SPDX-License-Identifier: BSD-2-Clause
; Loads of two segment registers with what they hold, and x87 instructions that leave the stack alone
; beside those of MMX.  EMMS, once, is MMX too.
%include "payload.inc"

PAYLOAD sub, ordinary
	NEEDS MMX
	I mov eax, es
	I mov ecx, ds
ITERATION .loop
	%rep 2
	I mov es, eax
	DOES es, es_ds
	I fnop
	DOES x87, x87_mmx
	%endrep
	%rep 3
	I mov ds, ecx
	DOES ds, es_ds
	I pand mm0, mm0
	DOES mmx, x87_mmx
	%endrep
	REPEAT .loop
	I emms
	RETURN
END_PAYLOAD
