; SPDX-License-Identifier: BSD-2-Clause
; Entry to and exit from the guest, and the interrupt stubs of the VMM.
	default rel
	bits 64

; General register by its number in ModRM.
%define GPR_0 rax
%define GPR_1 rcx
%define GPR_2 rdx
%define GPR_3 rbx
%define GPR_4 rsp
%define GPR_5 rbp
%define GPR_6 rsi
%define GPR_7 rdi
%define GPR_8 r8
%define GPR_9 r9
%define GPR_10 r10
%define GPR_11 r11
%define GPR_12 r12
%define GPR_13 r13
%define GPR_14 r14
%define GPR_15 r15

; struct vmcb, asserted in svm.h
VMCB_RFLAGS equ 0x570
VMCB_RIP equ 0x578
VMCB_RSP equ 0x5d8
VMCB_RAX equ 0x5f8

FLAGS_NATIVE equ 0cd5h ; CF, PF, AF, ZF, SF, DF, OF
FLAGS_DF equ 400h
FLAGS_OF_BIT equ 11

HOST_CODE equ 0x08
HOST_DATA equ 0x10

	section .text.hot.exit exec

%macro SAVE 0
	push rbx
	push rbp
	push r12
	push r13
	push r14
	push r15
%endmacro

%macro RESTORE 0
	pop r15
	pop r14
	pop r13
	pop r12
	pop rbp
	pop rbx
%endmacro

; void vmm_enter(uint64_t vmcb, bool open);
; GIF is clear until VMRUN sets it, whatever IF is.
	global vmm_enter:function hidden
vmm_enter:
	SAVE
	mov rax, rdi
	test esi, esi
	jz .closed
	sti
.closed:
%assign i 1
%rep 15
%if i != 4
	mov GPR_%[i], [vmm_gpr + i * 8]
%endif
%assign i i + 1
%endrep
	vmrun
	cli
%assign i 1
%rep 15
%if i != 4
	mov [vmm_gpr + i * 8], GPR_%[i]
%endif
%assign i i + 1
%endrep
	RESTORE
	ret

; void vmm_flush_translations(void);
	global vmm_flush_translations:function hidden
vmm_flush_translations:
	mov rax, cr3
	mov cr3, rax
	ret

; void native_enter(const uint8_t *slot, struct vmcb *vmcb);
; Nothing can interrupt: GIF is clear, and the code at slot does not fault.
	global native_enter:function hidden
native_enter:
	SAVE
	mov [native_target], rdi
	mov [native_vmcb], rsi
	mov [native_rsp], rsp
	; POPFQ would do it in one, but is slow when emulated.  DF is clear.
	mov eax, [rsi + VMCB_RFLAGS]
	test eax, FLAGS_DF
	jnz .all_flags
	mov ecx, eax
	shr ecx, FLAGS_OF_BIT
	and cl, 1
	mov ah, al
	add cl, 7fh ; overflows if it was 1
	sahf
.load:
	mov rax, [rsi + VMCB_RAX]
	mov rsp, [rsi + VMCB_RSP]
%assign i 1
%rep 15
%if i != 4
	mov GPR_%[i], [vmm_gpr + i * 8]
%endif
%assign i i + 1
%endrep
	jmp [native_target]
.all_flags:
	and eax, FLAGS_NATIVE
	push rax
	popfq
	jmp .load

; const uint8_t native_exit[];
	global native_exit:function hidden
native_exit:
%assign i 1
%rep 15
%if i != 4
	mov [vmm_gpr + i * 8], GPR_%[i]
%endif
%assign i i + 1
%endrep
	mov rsi, [native_vmcb]
	mov [rsi + VMCB_RAX], rax
	mov [rsi + VMCB_RSP], rsp
	mov rsp, [native_rsp]
	pushfq
	pop rax
	cld
	and eax, FLAGS_NATIVE
	mov rcx, [rsi + VMCB_RFLAGS]
	and rcx, ~FLAGS_NATIVE
	or rcx, rax
	mov [rsi + VMCB_RFLAGS], rcx
	RESTORE
	ret

; int vmm_take_interrupt(unsigned wait);
; The stub comes back to .done with the vector in EAX, IF clear and this stack.  It does not IRET:
; that would end the blocking of NMIs, which only the guest's own IRET may do.
	global vmm_take_interrupt:function hidden
vmm_take_interrupt:
	mov [resume_rsp], rsp
	lea rax, [.done]
	mov [resume_rip], rax
	mov eax, -1
	stgi
	test edi, 2
	jnz .halt
	test edi, 1
	jz .nmi
	sti
.nmi:
	nop
	nop
	jmp .done
.halt:
	test edi, 1
	jz .deaf
	sti
.deaf:
	hlt
	nop
.done:
	cli
	clgi
	ret

; void vmm_launch(struct guest *g, struct vmcb *vmcb, uint64_t cr3, void *stack_top,
;                 void (*loop)(struct guest *g));
	global vmm_launch:function hidden
vmm_launch:
	pushfq
	SAVE
	mov [rsi + VMCB_RSP], rsp
	lea rax, [.guest]
	mov [rsi + VMCB_RIP], rax
	clgi
	cli
	mov cr3, rdx
	mov rsp, rcx
	lgdt [vmm_gdtr]
	lidt [vmm_idtr]
	mov eax, HOST_DATA
	mov ds, eax
	mov es, eax
	mov ss, eax
	push HOST_CODE
	lea rax, [.host]
	push rax
	o64 retf
.host:
	call r8
.guest:
	RESTORE
	popfq
	ret

; void invlpga(uint64_t address, uint32_t asid);
	global invlpga:function hidden
invlpga:
	mov rax, rdi
	mov ecx, esi
	db 0fh, 01h, 0dfh ; INVLPGA rax, ecx
	ret

; int msr_read(uint32_t msr, uint64_t *value);
	global msr_read:function hidden
msr_read:
	mov [resume_rsp], rsp
	lea rax, [.done]
	mov [resume_rip], rax
	mov byte [may_fault], 1
	mov ecx, edi
	rdmsr
	shl rdx, 32
	or rax, rdx
	mov [rsi], rax
	mov eax, -1
.done:
	mov byte [may_fault], 0
	ret

; int msr_write(uint32_t msr, uint64_t value);
	global msr_write:function hidden
msr_write:
	mov [resume_rsp], rsp
	lea rax, [.done]
	mov [resume_rip], rax
	mov byte [may_fault], 1
	mov ecx, edi
	mov rax, rsi
	mov rdx, rsi
	shr rdx, 32
	wrmsr
	mov eax, -1
.done:
	mov byte [may_fault], 0
	ret

; void vmm_hypercall(uint64_t number, const void *rbx);
	global vmm_hypercall:function hidden
vmm_hypercall:
	push rbx
	mov rax, rdi
	mov rbx, rsi
	vmmcall
	pop rbx
	ret

; const uint8_t vmm_stubs[256][16];
	global vmm_stubs:function hidden
	align 16
vmm_stubs:
%assign vector 0
%rep 256
	align 16
	mov eax, vector
	jmp near stub_tail
%assign vector vector + 1
%endrep

; An interrupt was awaited by vmm_take_interrupt(); an exception only by the MSR accesses.  #DB is the guest's: QEMU
; raises it once more when a step that has hit a breakpoint has left the guest.  RAX holds nothing there.
stub_tail:
	cmp eax, 1
	je .guests
	cmp eax, 2
	je .resume
	cmp eax, 32
	jae .resume
	cmp byte [may_fault], 0
	jne .resume
	mov edi, eax
	mov rsi, rsp
	and rsp, -16
	extern vmm_host_exception
	call vmm_host_exception
.resume:
	mov rsp, [resume_rsp]
	jmp [resume_rip]
.guests:
	iretq

	section .bss
	align 8
native_rsp: resq 1
native_target: resq 1
native_vmcb: resq 1
resume_rsp: resq 1
resume_rip: resq 1
may_fault: resb 8

; uint64_t vmm_gpr[GPRS];
	global vmm_gpr:data hidden
vmm_gpr: resq 16

; struct table_register vmm_gdtr, vmm_idtr;
	global vmm_gdtr:data hidden
	global vmm_idtr:data hidden
vmm_gdtr: resb 16
vmm_idtr: resb 16

	section .note.GNU-stack noalloc noexec nowrite progbits
