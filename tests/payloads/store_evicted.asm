; SPDX-License-Identifier: BSD-2-Clause
; As store_misses, without CLFLUSH: one line after the other of more than a set of any cache of an Athlon holds,
; in 64 KiB of two ways and up to 512 KiB of two or sixteen.  How many of them miss depends on what the
; caches replace; one at least.
%include "payload.inc"

%ifdef WORD_32				; the buffer of the other size of a word is smaller
%define APART 32768
%define LINES 24

PAYLOAD store_evicted
	STANDS_FOR store_misses
ITERATION .loop
	%assign line 0
	%rep LINES
	STORE mov [rsi + line * APART], rdi
	%assign line line + 1
	%endrep
	DOES lines
	REPEAT .loop
	RETURN
END_PAYLOAD
%endif
