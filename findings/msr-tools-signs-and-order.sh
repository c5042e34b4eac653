#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# rdmsr -d shows -1000 as another number, rdmsr -a a processor that was off behind all others, and wrmsr 1_0000_0186H writes 186H.
#
# A good guess: -d is the number in decimal with its sign, so that a counter of 48 bits that was set to overflow after 1000 is
# -1000 with -f 47:0; -a shows processors in their order, or says which is which, and goes on where one does not answer; a
# register or a value that is too long for an MSR is an error.
# Seen: -d takes the highest bit for the sign and the *others* for the amount, which is nobody's format: -1 of 8 bits is -127,
# 85H is -5, and 80H is 0.  -a shows a line of each processor without its number, in the order in which /dev/cpu got them (the
# kernel's devtmpfs, a tmpfs, keeps it): one that was taken off and on again is the last line, and those behind its place are read
# as their neighbours.  It ends at the first that fails, behind the lines of some.  A register's number is cut to 32 bits, and a
# value of more than 64 becomes all ones, without a word.
# Versions: msr-tools 1.3-5, on files in the place of the kernel's driver.
# shellcheck source-path=SCRIPTDIR source=lib/packages.sh
. "$(dirname "$0")/lib/packages.sh"
packages msr-tools=1.3-5

# What follows runs with a /dev/cpu of its own, which is a tmpfs like the kernel's; a file is a processor's MSRs, eight bytes at
# the place of each number.
cat >seen.sh <<'SH'
set -eu
mkdir -p dev/cpu
mount -t tmpfs none dev/cpu
# made N: processor N is on, and its MSR C1H says which it is.
made()
{
	mkdir "dev/cpu/$1"
	truncate -s 4096 "dev/cpu/$1/msr"
	chroot . /usr/sbin/wrmsr -p "$1" 0xc1 "$1"
}
for processor in 0 1 2 3; do
	made "$processor"
done
# at_186 VALUE OPTION...: VALUE is written to 186H and read with these options.
at_186()
{
	chroot . /usr/sbin/wrmsr 0x186 "$1"
	shift
	chroot . /usr/sbin/rdmsr "$@" 0x186
}
# line NAME: what comes in, as one line.
line()
{
	echo "$1=$(tr '\n' ' ')"
}
at_186 0xfffffffffc18 -d -f 47:0 | line overflows_after_1000
{
	at_186 0xff -d -f 7:0
	at_186 0x85 -d -f 7:0
	at_186 0x80 -d -f 7:0
} | line signs
chroot . /usr/sbin/rdmsr -a 0xc1 | line at_first
rm -r dev/cpu/1
made 1
chroot . /usr/sbin/rdmsr -a 0xc1 | line on_again
chroot . /usr/sbin/wrmsr 0x186 0
chroot . /usr/sbin/wrmsr 0x100000186 0x5
chroot . /usr/sbin/rdmsr 0x186 | line cut
at_186 0x1fffffffffffffff0 | line long
rm dev/cpu/2/msr
{ chroot . /usr/sbin/rdmsr -a 0xc1 2>/dev/null || echo "status $?"; } | line one_fails
SH
unshare --map-root-user --mount sh seen.sh >seen || {
	echo "$0: unshare --map-root-user --mount is not allowed here" >&2
	exit 2
}
value()
{
	sed -n "s/^$1=\(.*\) $/\1/p" seen
}
expect '-1000 of 48 bits, rdmsr -d -f 47:0' -140737488354328 "$(value overflows_after_1000)"
expect 'FFH, 85H and 80H, rdmsr -d -f 7:0' '-127 -5 0' "$(value signs)"
expect 'processors in the order of rdmsr -a' '0 1 2 3' "$(value at_first)"
expect 'the same, when 1 was off and is on again' '0 2 3 1' "$(value on_again)"
expect '186H, where 1_0000_0186H was written' 5 "$(value cut)"
expect '186H, where 1_FFFF_FFFF_FFFF_FFF0H was written' ffffffffffffffff "$(value long)"
expect 'rdmsr -a, where processor 2 does not answer' '0 status 127' "$(value one_fails)"
