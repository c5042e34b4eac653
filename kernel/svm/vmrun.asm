; SPDX-License-Identifier: BSD-2-Clause
; Into a guest and out of it.  AMD64 APM vol. 2, 15.5 and 15.6: VMRUN keeps and loads RAX, RSP, RIP, RFLAGS, control registers,
; CS, DS, ES, SS, GDTR and IDTR, and leaves all else as it is; GIF is clear behind it.

%include "kernel/word.inc"

extern svm_vmcb, svm_entry

VMCB_RSP	equ 0x5d8

section .text

; asm_code svm_run;
global svm_run:function hidden
svm_run:
	lea rax, [svm_vmcb]
	mov [rax + VMCB_RSP], rsp
.run:
	vmrun
.behind:
	stgi
	ret

; extern const char svm_guest[];
global svm_guest:data hidden
svm_guest:
	call wide [svm_entry]
	vmmcall

; What faults has not run.
section .extable
	dd svm_run.run - $
	dd svm_run.behind - $

section .note.GNU-stack noalloc noexec nowrite progbits
