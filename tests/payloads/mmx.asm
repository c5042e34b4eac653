; SPDX-License-Identifier: BSD-2-Clause
; MMX instructions of each kind that P6 tells apart, another number of each.
%include "payload.inc"

PAYLOAD mmx
	NEEDS MMX
	I pxor mm0, mm0
ITERATION .loop
	I pmullw mm0, mm0
	DOES multiply, mmx
	%rep 2
	I psllw mm0, 1
	DOES shift, mmx
	%endrep
	%rep 3
	I packsswb mm0, mm0
	DOES pack, mmx
	%endrep
	%rep 4
	I punpcklbw mm0, mm0
	DOES unpack, mmx
	%endrep
	%rep 5
	I pand mm0, mm0
	DOES logical, mmx
	%endrep
	%rep 6
	I paddw mm0, mm0
	DOES arithmetic, mmx
	%endrep
	REPEAT .loop
	TWICE emms
	RETURN
END_PAYLOAD
