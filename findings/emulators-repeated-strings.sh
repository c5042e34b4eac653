#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# QEMU's and Valgrind's counts of instructions take REP STOSB of n bytes as n + 1.
#
# A good guess: what an emulator or a simulator counts as instructions is what retires on a processor, where nothing else disturbs;
# a string instruction with REP is one there (Intel's INST_RETIRED.ANY_P, AMD's PMCx0C0), or is taken as one for each byte.
# Seen: with -icount shift=0 QEMU's TSC is a count of instructions, and a window with REP STOSB of 1000 bytes has 1001 of its own;
# of 0 bytes it has 1.  Cachegrind's and Lackey's counts are the same: each repetition is one, and so is the look at RCX that ends
# them.  Bochs' TSC adds n, but 1 for n = 0.  A memset() or memcpy() by REP is so the hottest "instruction" of a profile that a
# processor's counter does not even show, and a log of instructions by one of them does not replay by counts of another.
# What a processor counts: V. Weaver, "Retired Instructions", web.eece.maine.edu/~vweaver/projects/perf_counters.
# Versions: qemu-system-x86 1:7.2+dfsg-7+deb12u18+b3, valgrind 1:3.19.0-1, bochs 2.7+dfsg-4+deb12u1.
# shellcheck source-path=SCRIPTDIR source=lib/packages.sh
. "$(dirname "$0")/lib/packages.sh"
# shellcheck source-path=SCRIPTDIR source=lib/bochs.sh
. "$lib/bochs.sh"
packages qemu-system-x86=1:7.2+dfsg-7+deb12u18+b3 seabios=1.16.2-1 valgrind=1:3.19.0-1 binutils=2.40-2
export QEMU_MODULE_DIR="$root/usr/lib/x86_64-linux-gnu/qemu"

# ---- a window by RDTSC, of which MOV and RDTSC are two and the string instruction is the rest ----
cat >boot.asm <<'ASM'
bits 16
org 7c00h
	cli
	xor ax, ax
	mov ds, ax
	mov es, ax
	mov ss, ax
	mov sp, 7c00h
	mov di, 9000h
	mov cx, COUNT
	rdtsc
	mov ebx, eax
	rep stosb
	rdtsc
	sub eax, ebx
	sub eax, 2
	call show
	jmp shut_down
%include "end.asm"
ASM
by_qemu()
{
	assemble "-DCOUNT=$1"
	tool usr/bin/qemu-system-x86_64 -L "$root/usr/share/qemu" -L "$root/usr/share/seabios" -icount shift=0 -display none \
		-nic none -monitor none -no-reboot -drive if=floppy,format=raw,file=boot.img -debugcon file:seen \
		-device isa-debug-exit,iobase=0xf4 || :
	printf '%d\n' "0x$(sed -n 1p seen)"
}
by_bochs()
{
	assemble "-DCOUNT=$1"
	# shellcheck disable=SC2119 # the same
	printf '%d\n' "0x$(boot_bochs)"
}

# ---- a program of six instructions and a string instruction ----
cat >program.asm <<'ASM'
bits 64
global _start
_start:	lea rdi, [rel buffer]
	mov ecx, COUNT
	xor eax, eax
	rep stosb
	mov eax, 60
	xor edi, edi
	syscall
section .bss
buffer:	resb 1000
ASM
by_valgrind()
{
	tool usr/bin/nasm -f elf64 -DCOUNT="$1" -o program.o program.asm
	tool usr/bin/x86_64-linux-gnu-ld -o program program.o
	VALGRIND_LIB=$root/usr/libexec/valgrind tool usr/bin/valgrind.bin --tool=cachegrind --cache-sim=no \
		--cachegrind-out-file=/dev/null ./program 2>out || { cat out >&2; exit 2; }
	total=$(sed -n 's/.*I *refs: *//p' out | tr -d ,)
	echo $((total - 6))
}

for n in 0 1 1000; do
	expect "QEMU, REP STOSB of $n bytes" $((n + 1)) "$(by_qemu $n)"
	expect "Cachegrind, the same" $((n + 1)) "$(by_valgrind $n)"
	expect "Bochs, the same" $((n > 0 ? n : 1)) "$(by_bochs $n)"
done
