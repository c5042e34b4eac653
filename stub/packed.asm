; SPDX-License-Identifier: BSD-2-Clause
; The program, as the Makefile packed it.

; extern const uint64_t packed_size;
; extern const uint8_t packed[];
global packed_size:data hidden, packed:data hidden

section .rodata
align 8
packed_size:
	dq packed_end - packed
packed:
	incbin "pmutest86.full.efi.gz"
packed_end:

section .note.GNU-stack noalloc noexec nowrite progbits
