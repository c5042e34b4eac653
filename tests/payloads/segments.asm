; SPDX-License-Identifier: BSD-2-Clause
; Segment registers: each iteration loads CS once, by a far return, and SS twice, with what they hold,
; then DS, FS and GS three, four and five times with what DS holds, for FS and GS hold null selectors.
; Not in the table: a debugger does not see the instruction after a load of SS, and two such loads in
; a row are not the same everywhere.
%include "payload.inc"

; extern const struct payload payload_segments;
PAYLOAD segments
	I mov eax, cs
	I mov ecx, ss
	I mov edx, ds
	I mov r8d, fs
	I mov r9d, gs
	I lea r10, [.returned]
.loop:
	ITERATION
	STORE push rax
	STORE push r10
	LOAD o64 retf
	COUNT loads, 1
	COUNT branches, 1
	COUNT taken, 1
.returned:
	%rep 2
	I mov ss, ecx
	I mov ds, edx
	%endrep
	I mov ds, edx
	%rep 4
	I mov fs, edx
	%endrep
	%rep 5
	I mov gs, edx
	%endrep
	REPEAT .loop
	FIXED
	I mov fs, r8d
	I mov gs, r9d
	RETURN
END_PAYLOAD segments
