#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# GNU-EFI's Print() shows a counter of 64 bits by %lu as -1, -0.5 by %f as 0.5, and takes no argument for %p, %i, %o and %#x.
#
# A good guess: Print() knows fewer conversions than printf(), and those that both have are the same; %u is unsigned whatever its
# size, "-" with a width moves a field to the left, and a point comes before the digits of a fraction.
# Seen: %lu is signed, and %f loses the sign of what is between -1 and 0.  Behind the point is the field itself, which cuts what is
# longer: %.2f of 1024.5 is 10, and %.2x of ABCDH is AB.  "-" goes with that number alone (%-.8x); %-8x is on the right.  %05d of -5
# is 000-5.  %x is in capitals, and %X is another conversion, of eight digits.  "h" is no size but an attribute of the screen: %hx
# is all 32 bits.  What it does not know (%p, %i, %o, %#x, %zx, %+d) is a question mark that takes no argument, so that each number
# behind it is that of its neighbour, and a string behind it a pointer that is none.
# A status of counters with bit 63 (IA32_PERF_GLOBAL_STATUS has CondChgd there) is so a negative number.
# Versions: gnu-efi 3.0.15-1 (SPrint(), which is Print() into memory), gcc-12 12.2.0-14+deb12u1, binutils 2.40-2.
# shellcheck source-path=SCRIPTDIR source=lib/packages.sh
. "$(dirname "$0")/lib/packages.sh"
packages gnu-efi=3.0.15-1 gcc-12=12.2.0-14+deb12u1 binutils=2.40-2

# printed FORMAT ARGUMENT...: what SPrint() makes of them, which are C.
printed()
{
	cat >print.c <<-C
		#include <efi.h>
		#include <efilib.h>

		static long linux_call(long number, long a, const void *b, long c)
		{
			__asm__ volatile("syscall" : "+a"(number) : "D"(a), "S"(b), "d"(c) : "rcx", "r11", "memory");
			return number;
		}

		void _start(void)
		{
			CHAR16 text[100];
			UINTN size = SPrint(text, sizeof text, L"$1", $2);

			linux_call(1, 1, text, size * sizeof *text);
			linux_call(60, 0, 0, 0);
		}
	C
	tool usr/lib/gcc/x86_64-linux-gnu/12/cc1 -quiet -w -O1 -ffreestanding -fshort-wchar -fno-stack-protector -mstackrealign \
		-DGNU_EFI_USE_MS_ABI -Iusr/include/efi -Iusr/include/efi/x86_64 -o print.s print.c
	tool usr/bin/x86_64-linux-gnu-as -o print.o print.s
	tool usr/bin/x86_64-linux-gnu-ld -o print print.o usr/lib/libefi.a usr/lib/libgnuefi.a
	./print | tr -d '\0'
}

expect '%lu of 8000_0000_0000_0001H' -9223372036854775807 "$(printed %lu 0x8000000000000001ul)"
expect '%u of 8000_0001H' 2147483649 "$(printed %u 0x80000001u)"
expect '%f of -0.5' 0.5 "$(printed %f -0.5)"
expect '%f of -1.5' -1.5 "$(printed %f -1.5)"
expect '%.2f of 2.999, and of 1024.5' '2. 10' "$(printed '%.2f %.2f' '2.999, 1024.5')"
expect '%05d of -5' 000-5 "$(printed %05d -5)"
expect '%-8x and %-.8x of ABCH' '     ABC.ABC     .' "$(printed %-8x.%-.8x. '0xabc, 0xabc')"
expect '%.2x of ABCDH' AB "$(printed %.2x 0xabcd)"
expect '%x and %X of ABCH' 'ABC 00000ABC' "$(printed '%x %X' '0xabc, 0xabc')"
expect '%hx of 12345H' 12345 "$(printed %hx 0x12345)"
for unknown in p i o '#x' zx +d; do
	expect "%$unknown of 1, and %d of 2 behind it" 1 "$(printed "%$unknown %d" '1l, 2' | sed 's/.* //')"
done
