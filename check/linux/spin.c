/* SPDX-License-Identifier: BSD-2-Clause */
/* The loops that are counted, in assembly, so that their counts are known. */
#include "guest.h"

__asm__(".text\n"
	".globl spin_loads, spin_load, spin_load_end\n"
	"spin_loads:\n"
	"spin_load:\n"
	"	mov (%rsi), %rax\n"
	"	dec %rdi\n"
	"	jnz spin_load\n"
	"spin_load_end:\n"
	"	ret\n"
	".globl spin, spin_first, spin_branch, spin_end\n"
	"spin:\n"
	"spin_first:\n"
	"	dec %rdi\n"
	"spin_branch:\n"
	"	jnz spin_first\n"
	"spin_end:\n"
	"	ret\n");
