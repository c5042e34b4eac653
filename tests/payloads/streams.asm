; SPDX-License-Identifier: BSD-2-Clause
; Streaming stores: each iteration writes one whole line past the caches.
%include "payload.inc"

PAYLOAD streams
	NEEDS SSE2
ITERATION .loop
%assign offset 0
%rep 8
	STORE movnti [rsi + offset], rdi
	%assign offset offset + 8
%endrep
	DOES lines
	TWICE sfence
	REPEAT .loop
	RETURN
END_PAYLOAD
