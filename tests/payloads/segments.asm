; SPDX-License-Identifier: BSD-2-Clause
; Segment registers: each iteration loads CS by a far return and SS by moves, with what they hold, then
; DS, FS and GS with what DS holds, as FS and GS hold null selectors; each of them another number of times.
%include "payload.inc"

PAYLOAD segments
	I mov eax, cs
	I mov ecx, ss
	I mov edx, ds
	I mov r8d, fs
	I mov r9d, gs
	I lea r10, [.returned]
ITERATION .loop
	STORE push rax
	STORE push r10
	LOAD FAR_RETURN
	DOES loads, branches, taken, cs
.returned:
	%rep 2
	I mov ss, ecx
	DOES ss, moved
	I mov ds, edx			; no debugger sees what follows a load of SS
	DOES ds, moved
	%endrep
	I mov ds, edx
	DOES ds, moved
	%rep 4
	I mov fs, edx
	DOES fs, moved
	%endrep
	%rep 5
	I mov gs, edx
	DOES gs, moved
	%endrep
	REPEAT .loop
	I mov fs, r8d
	I mov gs, r9d
	RETURN
END_PAYLOAD
