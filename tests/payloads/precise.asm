; SPDX-License-Identifier: BSD-2-Clause
; For precise records: registers with known contents, and a loop whose every instruction is known.
%include "payload.inc"

; extern const struct payload payload_precise; extern const char precise_loop[], precise_branch[],
; precise_end[];
PAYLOAD precise
	STORE push rbx
	I mov eax, 0xa1a1a1a1
	I mov ebx, 0xb2b2b2b2
	I mov ecx, 0xc3c3c3c3
	I mov edx, 0xd4d4d4d4
global precise_loop:data hidden
precise_loop:
	ITERATION
	%rep 16
	I nop
	%endrep
	I dec rdi
global precise_branch:data hidden
precise_branch:
	TAKEN jnz precise_loop
	%assign fixed_taken fixed_taken - 1
global precise_end:data hidden
precise_end:
	FIXED
	LOAD pop rbx
	RETURN
END_PAYLOAD
