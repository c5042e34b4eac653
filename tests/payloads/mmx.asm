; SPDX-License-Identifier: BSD-2-Clause
; MMX instructions of each kind that P6 tells apart, another number of each.
%include "payload.inc"

; extern const struct payload payload_mmx;
PAYLOAD mmx
	I pxor mm0, mm0
.loop:
	ITERATION
	I pmullw mm0, mm0
	%rep 2
	I psllw mm0, 1
	%endrep
	%rep 3
	I packsswb mm0, mm0
	%endrep
	%rep 4
	I punpcklbw mm0, mm0
	%endrep
	%rep 5
	I pand mm0, mm0
	%endrep
	%rep 6
	I paddw mm0, mm0
	%endrep
	REPEAT .loop
	FIXED
	I emms
	RETURN
END_PAYLOAD mmx
