#!/bin/busybox sh
# SPDX-License-Identifier: BSD-2-Clause
# shellcheck shell=dash
# In Linux on the model: the program as a guest of QEMU with KVM, its report on the console.
#
#     under-kvm bios|uefi [PARAMETER...]      of kvm_amd
firmware=$1
shift
# Linux 6.1 measures the TSC against timers, each read of which must take less than 50,000 ticks, and with none so short has
# no rate for it.  KVM then waits for one and enters no guest (kvm_guest_time_update()): this Linux is of no use.
grep -qw tsc /sys/devices/system/clocksource/clocksource0/available_clocksource || {
	echo "kvm: no rate of the TSC"
	exit
}
insmod /lib/kvm/irqbypass.ko
insmod /lib/kvm/ccp.ko
insmod /lib/kvm/kvm.ko || exit
insmod /lib/kvm/kvm-amd.ko "$@" || exit
case $firmware in
bios) set -- -m 64 -kernel /pmutest86.elf -append "$(cat /options)" ;;
uefi) set -- -m 256 -bios /usr/share/ovmf/OVMF.fd -drive format=raw,file=fat:rw:/esp ;;
esac
echo "kvm: starts"
qemu-system-x86_64 -accel kvm -cpu host -machine pc -display none -monitor none -serial stdio -nodefaults -no-reboot \
	-device isa-debug-exit,iobase=0xf4,iosize=4 "$@"
echo "kvm: ended with status $?"
