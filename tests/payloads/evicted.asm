; SPDX-License-Identifier: BSD-2-Clause
; As misses, without CLFLUSH.
%define EVICTED evicted
%define INSTEAD_OF misses
%macro MISS 1
	LOAD mov rax, [%1]
%endmacro
%include "evicted.inc"
