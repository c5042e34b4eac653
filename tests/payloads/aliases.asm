; SPDX-License-Identifier: BSD-2-Clause
; Aliases: each iteration loads from 64 KiB behind what it has just stored, as old data caches take
; for the same place.
%include "payload.inc"

%define ALIAS 65536

; extern const struct payload payload_aliases;
PAYLOAD aliases
.loop:
	ITERATION
	STORE mov [rsi], rdi
	LOAD mov rax, [rsi + ALIAS]
	REPEAT .loop
	FIXED
	RETURN
END_PAYLOAD aliases
