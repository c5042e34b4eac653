; SPDX-License-Identifier: BSD-2-Clause
; Loads from one page after the other, far apart: each is walked for where the TLB has been emptied.
%include "payload.inc"

%define PAGE 4096
%define PAGES 12

PAYLOAD pages, ordinary
	NEEDS SSE2
ITERATION .loop
	%assign page 0
	%rep PAGES
	LOAD mov rax, [rsi + page * PAGE]
	I lfence
	%assign page page + 1
	%endrep
	REPEAT .loop
	RETURN
END_PAYLOAD
