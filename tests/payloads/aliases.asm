; SPDX-License-Identifier: BSD-2-Clause
; Aliases: each iteration loads from 64 KiB behind what it has just stored, as old data caches take
; for the same place.
%include "payload.inc"

%define ALIAS 65536

PAYLOAD aliases
ITERATION .loop
	STORE mov [rsi], rdi
	LOAD mov rax, [rsi + ALIAS]
	REPEAT .loop
	RETURN
END_PAYLOAD
