/* SPDX-License-Identifier: BSD-2-Clause */
/* A program inside of this one, which runs if its name is "=", and whose instructions the assembler
 * counts.  Its pages of code are 128 KiB apart: around a page fault Linux maps up to 64, so that
 * each is met before it is mapped. */
#include "guest.h"

__asm__(".set	counted, 0\n"
	".macro	one code:vararg\n"
	"	\\code\n"
	"	.set counted, counted + 1\n"
	".endm\n"
	".text\n"
	".globl	known_or_start\n"
	"known_or_start:\n"
	"	one mov 8(%rsp), %rax\n" /* argv[0] */
	"	one cmpb $'=', (%rax)\n"
	"	one jne _start\n"
	"	one mov $10000, %ecx\n"
	"0:	dec %ecx\n"
	"	jnz 0b\n"
	"	.set counted, counted + 2 * 10000\n"
	"	one lea known_data(%rip), %rax\n"
	".rept	4\n"
	"	one jmp 1f\n"
	"	.balign 0x20000\n"
	"1:	one incl (%rax)\n"
	".endr\n"
	"	one mov $231, %eax\n" /* exit_group */
	"	one xor %edi, %edi\n"
	"	one syscall\n"
	"	.lcomm known_data, 4\n"
	".section .rodata\n"
	".balign	8\n"
	".globl	known_instructions\n"
	"known_instructions:\n"
	"	.quad counted\n"
	".text\n");
