; SPDX-License-Identifier: BSD-2-Clause
; Conditional branches of both outcomes and direct jumps.  Branches jump over UD2: one that goes the
; wrong way does not merely miscount.
%include "payload.inc"

PAYLOAD branches, ordinary
	I xor eax, eax
ITERATION .loop
	I inc eax			; never 0 again: ZF clear, CF kept
	NOT_TAKEN jz .never
	TAKEN jnz .first
	ud2
.first:
	I stc
	NOT_TAKEN jnc .never
	NOT_TAKEN jnc near .never
	JUMP .second
	ud2
.second:
	TAKEN jc near .third
	ud2
.third:
	NOT_TAKEN jz .never
	REPEAT .loop
	RETURN
.never:
	ud2
END_PAYLOAD
