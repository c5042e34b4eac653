; SPDX-License-Identifier: BSD-2-Clause
; Loads and stores over the first 256 bytes of the buffer.
%include "payload.inc"

; extern const struct payload payload_memory;
PAYLOAD memory
	I xor ecx, ecx
	I xor eax, eax
.loop:
	ITERATION
	STORE mov [rsi + rcx], rdi
	LOAD add rax, [rsi + rcx]
	LOAD mov rdx, [rsi + 128]
	LOAD_STORE add qword [rsi + 8], 1
	STORE mov byte [rsi + rcx + 7], al
	LOAD movzx r8d, byte [rsi + 64]
	I add ecx, 8
	I and ecx, 0xf8
	REPEAT .loop
	FIXED
	RETURN
END_PAYLOAD memory
