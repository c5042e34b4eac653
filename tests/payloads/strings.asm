; SPDX-License-Identifier: BSD-2-Clause
; A string instruction, which comes out of the microcode ROM.  Not ordinary: by errata SKL091, KBL057
; and CML057 it may count more than once as an instruction and a branch.
%include "payload.inc"

PAYLOAD strings
ITERATION .loop
	I mov rdx, rdi
	I mov rdi, rsi
	I mov ecx, 1			; so that it is one step of a debugger, too
	STORE rep stosb
	DOES from_rom
	I mov rdi, rdx
	REPEAT .loop
	RETURN
END_PAYLOAD
