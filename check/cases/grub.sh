# SPDX-License-Identifier: BSD-2-Clause
# The checks of all.sh that boot by GRUB or by run-qemu.sh without 64-bit UEFI, one of each kind: make legacy has all.
# They stand on steps.sh.
# shellcheck shell=sh disable=SC2154,SC2034 # work and the codes come from all.sh and lib.sh, which reads firmware.

# Started by QEMU, on a processor without a 64-bit mode.
case_bios_plain()
{
	expect_status "$SKIP" ./run-qemu.sh --bios --plain --qemu-cpu athlon --machine pc --keep "$work"
	grep -q '^# run-qemu: .*, the 32-bit program$' "$work/out"
	grep -q '^# pmutest86 ' "$work/report.tap"
}

# by_grub FIRMWARE ARGUMENT...: GRUB starts the program, which says "skip".
by_grub()
{
	firmware=$1
	shift
	qemu_start "$work" "$patience" -machine q35,accel=tcg "$@"
	qemu_wait_for '^# verdict: skip'
	qemu_stop
	grep 'GNU GRUB' "$work/serial.log"
	serial_clean "$work/serial.log" | report_extract | tee "$work/report.tap"
	grep -q '^# pmutest86 ' "$work/report.tap"
	expect_status "$SKIP" report_judge "$work/report.tap"
}

case_usb_uefi32()
{
	need_firmware_32
	check/image.sh build/gcc/pmutest86.efi "$work/stick.img"
	by_grub "$firmware_32" -cpu max -device usb-ehci -device usb-storage,drive=stick \
		-drive "if=none,id=stick,format=raw,file=$work/stick.img"
}

case_iso_bios()
{
	check/iso.sh build/gcc/pmutest86.efi "$work/pmutest86.iso"
	by_grub "$seabios" -cpu coreduo -cdrom "$work/pmutest86.iso"
	by_grub "$seabios" -cpu coreduo -drive "format=raw,file=$work/pmutest86.iso"
}
