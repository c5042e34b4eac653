#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# OVMF waits for a TPM that is not there, at each start.
#
# A good guess: a machine without a TPM is told by one read, as a bus without a device gives FFh, and costs nothing.
# Seen: QEMU gives 0 where there is no device.  OVMF takes FFh alone for "none", and so polls bit 7 of the access register at
# FED40000h 25,001 times, twice, with 30 microseconds between: 1.5 s of each start of a machine whose PM timer is right, and
# minutes where each access leaves a nested guest, or the emulator is slow.
# Versions: ovmf 2022.11-6+deb12u2, qemu-system-x86 7.2, machine pc.
# shellcheck source-path=SCRIPTDIR source=lib/packages.sh
. "$(dirname "$0")/lib/packages.sh"
packages ovmf=2022.11-6+deb12u2 qemu-system-x86=1:7.2+dfsg-7+deb12u18+b3 seabios=1.16.2-1
export QEMU_MODULE_DIR="$root/usr/lib/x86_64-linux-gnu/qemu"
mkdir esp
echo 'reset -s' >esp/startup.nsh
tool usr/bin/qemu-system-x86_64 -L "$root/usr/share/qemu" -L "$root/usr/share/seabios" -machine pc -m 256 \
	-bios "$root/usr/share/ovmf/OVMF.fd" -drive format=raw,file=fat:rw:esp -display none -nic none -monitor none -no-reboot \
	-d guest_errors -D log
expect 'reads of FED40000h, the access register of a TPM' 50004 "$(grep -c 'Invalid read at addr 0xFED40000,' log)"
