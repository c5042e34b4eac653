; SPDX-License-Identifier: BSD-2-Clause
; Loads and stores over the first 256 bytes of the buffer.
%include "payload.inc"

PAYLOAD memory, ordinary
	I xor ecx, ecx
	I xor eax, eax
ITERATION .loop
	STORE mov [rsi + rcx], rdi
	LOAD add rax, [rsi + rcx]
	LOAD mov rdx, [rsi + 128]
	LOAD_STORE add wide [rsi + 8], 1
	STORE mov byte [rsi + rcx + 7], al
	LOAD movzx r8d, byte [rsi + 64]
	I add ecx, 8
	I and ecx, 0xf8
	REPEAT .loop
	RETURN
END_PAYLOAD
