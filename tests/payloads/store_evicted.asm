; SPDX-License-Identifier: BSD-2-Clause
; As store_misses, without CLFLUSH.
%define EVICTED store_evicted
%define INSTEAD_OF store_misses
%macro MISS 1
	STORE mov [%1], rdi
%endmacro
%include "evicted.inc"
