#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# GRUB's wrmsr puts another value back than rdmsr -v has stored.
#
# A good guess: what rdmsr prints, "0x850089", is what rdmsr -v stores, the value that was read as GRUB's manual says, and
# wrmsr of that variable restores the register.
# Seen: the variable has the digits of the hexadecimal number without "0x", and wrmsr takes a number without "0x" for a decimal one.
# IA32_MISC_ENABLE with 850089H, as it is on many of Intel's processors, becomes CF8A9H without a word, and so does the usual
# IA32_PAT another one.  A value with a letter among its digits, as IA32_APIC_BASE has, is an error: "unrecognized number", and
# whether one gets that or a wrong register hangs on the value.
# What is right: wrmsr 0x1a0 0x$value.
# Versions: grub-pc-bin and grub-common 2.06-13+deb12u2, qemu-system-x86 1:7.2+dfsg-7+deb12u18+b3, seabios 1.16.2-1.
# shellcheck source-path=SCRIPTDIR source=lib/packages.sh
. "$(dirname "$0")/lib/packages.sh"
packages grub-pc-bin=2.06-13+deb12u2 grub-common=2.06-13+deb12u2 qemu-system-x86=1:7.2+dfsg-7+deb12u18+b3 seabios=1.16.2-1
export QEMU_MODULE_DIR="$root/usr/lib/x86_64-linux-gnu/qemu"
cat >grub.cfg <<'CFG'
serial
terminal_output serial
echo start
wrmsr 0x1a0 0x850089
rdmsr 0x1a0
rdmsr -v value 0x1a0
echo $value
wrmsr 0x1a0 $value
rdmsr 0x1a0
rdmsr 0x277
rdmsr -v value 0x277
wrmsr 0x277 $value
rdmsr 0x277
wrmsr 0x277 0x$value
rdmsr 0x277
rdmsr 0x1b
rdmsr -v value 0x1b
wrmsr 0x1b $value
halt
CFG
modules=$root/usr/lib/grub/i386-pc
tool usr/bin/grub-mkimage -O i386-pc -d "$modules" -p / -c grub.cfg -o core.img serial terminal echo rdmsr wrmsr halt
cat "$modules/lnxboot.img" core.img >kernel	# GRUB as what looks like a Linux
tool usr/bin/qemu-system-x86_64 -L "$root/usr/share/qemu" -L "$root/usr/share/seabios" -machine pc -m 64 -kernel kernel \
	-display none -nic none -monitor none -no-reboot -serial file:serial
tr -d '\r' <serial | awk 'started; /start$/ { started = 1 }' >lines
line()
{
	sed -n "$1p" lines
}
expect 'IA32_MISC_ENABLE' 0x850089 "$(line 1)"
expect 'what rdmsr -v stores' 850089 "$(line 2)"
expect 'IA32_MISC_ENABLE behind wrmsr of that' 0xcf8a9 "$(line 3)"
expect 'IA32_PAT' 0x7040600070406 "$(line 4)"
expect 'behind rdmsr -v and wrmsr' 0x66744775906 "$(line 5)"
expect 'behind wrmsr with 0x in front of the variable' 0x7040600070406 "$(line 6)"
expect 'IA32_APIC_BASE' 0xfee00900 "$(line 7)"
expect 'wrmsr of what rdmsr -v has stored' 'error: unrecognized number.' "$(line 8)"
