; SPDX-License-Identifier: BSD-2-Clause
; Streaming stores: each iteration writes one whole line past the caches.
%include "payload.inc"

; extern const struct payload payload_streams;
PAYLOAD streams
.loop:
	ITERATION
%assign offset 0
%rep 8
	STORE movnti [rsi + offset], rdi
	%assign offset offset + 8
%endrep
	I sfence
	REPEAT .loop
	FIXED
	RETURN
END_PAYLOAD streams
