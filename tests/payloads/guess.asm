; SPDX-License-Identifier: BSD-2-Clause
; A branch that no predictor can foresee: each call goes on where the last one ended, so that none is
; like another.  Its two sides are alike: a load and an MMX instruction.  The count of taken branches
; leaves it out.
%include "payload.inc"

%define SEED 8				; beside what it loads

PAYLOAD guess
	NEEDS MMX
	LOAD mov eax, [rsi + SEED]
	I or eax, 1			; 0 would stay 0
ITERATION .loop
	I shr eax, 1			; a Galois LFSR of 32 bits: its output is CF
	NOT_TAKEN jnc .zero
	DOES either_way
	I xor eax, 0x80200003
	LOAD mov edx, [rsi]
	I pand mm0, mm0
	DOES mmx
	JUMP .joined
.zero:					; as long, so it is counted by the other side
	xor eax, 0
	mov edx, [rsi]
	pand mm0, mm0
	jmp .joined
.joined:
	REPEAT .loop
	STORE mov [rsi + SEED], eax
	RETURN
END_PAYLOAD
